import Testing
import VitrineGeometry
import VitrinePathRasterization
import VitrineRendering
import VitrineTestSupport

@Suite("PathRasterizer")
struct PathRasterizerTests {
  private func shape(
    _ path: Path, _ operation: PathShape.Operation = .fill(.winding), gradient: Gradient? = nil, scale: Double = 1
  ) throws -> RasterizedShape {
    try #require(
      PathRasterizer.rasterize(
        PathShape(path, operation, gradient: gradient), scale: DisplayScale(pixelsPerPoint: scale)))
  }

  /// Returns the covered area in pixels.
  private func area(_ shape: RasterizedShape) -> Double {
    shape.bitmap.withPixels { pixels in
      stride(from: 3, to: pixels.count, by: 4).reduce(0) { $0 + Double(pixels[$1]) / 255 }
    }
  }

  private func alpha(_ shape: RasterizedShape, _ x: Int32, _ y: Int32) -> Int {
    guard shape.frame.contains(.at(x, y, 1, 1)) else { return 0 }
    return Int(shape.bitmap.color(Int(x - shape.frame.x), Int(y - shape.frame.y)).alpha)
  }

  @Test("A rectangle on whole pixels is exact, and one between them is smoothed")
  func rectangles() throws {
    let whole = try shape(Path(Rect(x: 2, y: -3, width: 4, height: 5)))
    #expect(whole.frame == .at(2, -3, 4, 5))
    #expect(whole.bitmap.withPixels { $0.allSatisfy { $0 == 255 } })
    let half = try shape(Path(Rect(x: 2.5, y: 1, width: 1, height: 1)))
    #expect(half.frame == .at(2, 1, 2, 1))
    #expect((126...129).contains(alpha(half, 2, 1)) && (126...129).contains(alpha(half, 3, 1)))
    let doubled = try shape(Path(Rect(x: 2.5, y: 1, width: 1, height: 1)), scale: 2)
    #expect(doubled.frame == .at(5, 2, 2, 2) && area(doubled) == 4)
  }

  @Test("Curves have the area of their shapes", arguments: [1.0, 1.5, 2])
  func curves(scale: Double) throws {
    func isClose(_ shape: RasterizedShape, to area: Double) -> Bool {
      (self.area(shape) / (scale * scale) / area - 1).magnitude < 0.005
    }
    let circle = Path(ellipseIn: Rect(x: 3, y: 4, width: 40, height: 40))
    #expect(isClose(try shape(circle, scale: scale), to: .pi * 400))
    let rounded = Path(roundedRect: Rect(x: 0, y: 0, width: 60, height: 30), cornerRadius: 10)
    #expect(isClose(try shape(rounded, scale: scale), to: 1_800 - (4 - .pi) * 100))
    var sector = Path()
    sector.move(to: Point(x: 50, y: 50))
    sector.addArc(center: Point(x: 50, y: 50), radius: 40, startAngle: 0, endAngle: .pi / 2)
    sector.closeSubpath()
    let quarter = try shape(sector, scale: scale)
    #expect(isClose(quarter, to: .pi * 400))
    #expect(
      quarter.frame == DisplayScale(pixelsPerPoint: scale).pixelRect(Rect(x: 50, y: 50, width: 40, height: 40)),
      "from the right clockwise to below")
    var parabola = Path()
    parabola.move(to: Point(x: 0, y: 0))
    parabola.addQuadCurve(to: Point(x: 60, y: 0), control: Point(x: 30, y: 60))
    #expect(isClose(try shape(parabola, scale: scale), to: 60 * 30 * 2 / 3))
  }

  @Test("An arc goes the given way around", arguments: [true, false])
  func arcDirection(clockwise: Bool) {
    var path = Path()
    path.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: clockwise)
    let curves = path.elements.filter { if case .curve = $0 { true } else { false } }
    #expect(curves.count == (clockwise ? 1 : 3))
    #expect((path.currentPoint?.x ?? 1).magnitude < 1e-9 && path.currentPoint?.y == 10)
  }

  @Test("Overlaps are inside or outside by the fill rule")
  func fillRule() throws {
    var path = Path(Rect(x: 0, y: 0, width: 20, height: 20))
    path.addRect(Rect(x: 5, y: 5, width: 10, height: 10))
    #expect(area(try shape(path)) == 400)
    #expect(area(try shape(path, .fill(.evenOdd))) == 300)
  }

  @Test("A stroke has its width, ends, corners and dashes")
  func strokes() throws {
    let line = Path(lines: [Point(x: 10, y: 10), Point(x: 50, y: 10)])
    #expect(try shape(line, .stroke(StrokeStyle(lineWidth: 4))).frame == .at(10, 8, 40, 4))
    #expect(try shape(line, .stroke(StrokeStyle(lineWidth: 4, lineCap: .square))).frame == .at(8, 8, 44, 4))
    let round = try shape(line, .stroke(StrokeStyle(lineWidth: 4, lineCap: .round)))
    #expect(round.frame == .at(8, 8, 44, 4) && (area(round) - 160 - .pi * 4).magnitude < 0.5)
    let dashed = try shape(line, .stroke(StrokeStyle(lineWidth: 2, dash: [6, 4])))
    #expect(area(dashed) == 48)
    #expect((0..<40).map { alpha(dashed, 10 + $0, 10) == 255 } == (0..<40).map { $0 % 10 < 6 })
    let shifted = try shape(line, .stroke(StrokeStyle(lineWidth: 2, dash: [6, 4], dashPhase: 6)))
    #expect(alpha(shifted, 10, 10) == 0 && alpha(shifted, 14, 10) == 255)

    let corner = Path(lines: [Point(x: 10, y: 40), Point(x: 10, y: 10), Point(x: 40, y: 10)])
    let joins = try StrokeStyle.LineJoin.allTestCases.map {
      area(try shape(corner, .stroke(StrokeStyle(lineWidth: 8, lineJoin: $0))))
    }
    // Without a join, the lines overlap in a square of 4 × 4, and another one is missing.
    #expect(joins[0] == 8 * 60 - 16 + 16)
    #expect((joins[1] - 464 - .pi * 4).magnitude < 0.5 && (joins[2] - 464 - 8).magnitude < 0.5)
  }

  @Test("Gradients blend along their line and around their center, with straight alpha")
  func gradients() throws {
    let rect = Rect(x: 0, y: 0, width: 101, height: 3)
    let (start, end) = (Point(x: 0.5, y: 0), Point(x: 100.5, y: 0))
    let linear = try shape(
      Path(rect),
      gradient: Gradient(.linear(from: start, to: end), colors: [Color(hex: 0xFF0000), Color(hex: 0x0000FF)]))
    func color(_ shape: RasterizedShape, _ x: Int, _ y: Int) throws -> Color {
      Color(packed: ChannelOrder.swappingRedAndBlue(shape.bitmap.color(x, y).packed))
    }
    #expect(try color(linear, 0, 1) == Color(hex: 0xFF0000) && color(linear, 100, 1) == Color(hex: 0x0000FF))
    let middle = try color(linear, 50, 1)
    #expect((126...129).contains(middle.red) && (126...129).contains(middle.blue) && middle.alpha == 255)
    let faded = try shape(
      Path(rect),
      gradient: Gradient(.linear(from: start, to: end), colors: [Color(hex: 0x20C040), Color(hex: 0x20C040, alpha: 0)]))
    let half = try color(faded, 50, 1)
    #expect((126...129).contains(half.alpha))
    #expect((31...33).contains(half.red) && (191...193).contains(half.green) && (63...65).contains(half.blue))
    let radial = try shape(
      Path(Rect(x: 0, y: 0, width: 41, height: 41)),
      gradient: Gradient(.radial(center: Point(x: 20.5, y: 20.5), radius: 20), colors: [.white, .black]))
    #expect(try color(radial, 20, 20).red > 250 && color(radial, 0, 0) == .black)
    #expect(try color(radial, 10, 20) == color(radial, 20, 30))
  }

  @Test("A shape without pixels, or out of range, has no bitmap")
  func refusals() {
    let line = Path(lines: [.zero, Point(x: 9, y: 9)])
    func isPainted(_ path: Path, _ operation: PathShape.Operation = .fill(.winding)) -> Bool {
      PathRasterizer.rasterize(PathShape(path, operation), scale: .one) != nil
    }
    #expect(!isPainted(Path()) && !isPainted(line))
    #expect(!isPainted(Path(Rect(x: 0, y: 0, width: Double.nan, height: 9))))
    #expect(!isPainted(Path(Rect(x: 0, y: 0, width: Double.infinity, height: 9))))
    #expect(!isPainted(Path(Rect(x: 1e9, y: 0, width: 5, height: 9))))
    for width in [0, -1, Double.nan, .infinity] { #expect(!isPainted(line, .stroke(StrokeStyle(lineWidth: width)))) }
    #expect(isPainted(line, .stroke(StrokeStyle(dash: [0, 0]))), "a solid line")
  }

  @Test("A shape of more than the maximum area is painted smaller, and keeps its frame")
  func hugeShapes() throws {
    let huge = try shape(Path(ellipseIn: Rect(x: 0, y: 0, width: 60_000, height: 60_000)))
    #expect(huge.frame == .at(0, 0, 60_000, 60_000) && huge.bitmap.size.area <= PathRasterizer.maximumArea + 8_192)
    #expect((area(huge) / Double(huge.bitmap.size.area) - .pi / 4).magnitude < 0.001)
  }

  @Test("A quarter turn of an image moves its pixels exactly")
  func rotation() throws {
    let image = try bitmap(3, 2) { x, y in Color(red: UInt8(x * 80), green: UInt8(y * 200), blue: 9) }
    let turned = try #require(PathRasterizer.rasterize(image, transform: Transform(rotationAngle: .pi / 2)))
    #expect(turned.frame == .at(-2, 0, 2, 3))
    let ordered = try turned.bitmap.converted(to: .redFirst)
    for y in 0..<2 {
      for x in 0..<3 { #expect(ordered.color(1 - y, x) == image.color(x, y), "\(x), \(y)") }
    }
    #expect(PathRasterizer.rasterize(image, transform: Transform(scaleX: 0, y: 1)) == nil)
  }
}

extension StrokeStyle.LineJoin {
  fileprivate static let allTestCases: [Self] = [.miter, .round, .bevel]
}

@Suite("Transform")
struct TransformTests {
  private func isClose(_ one: Point, _ other: Point) -> Bool {
    (one.x - other.x).magnitude < 1e-6 && (one.y - other.y).magnitude < 1e-6
  }

  @Test("Transforms are applied in the order of their names")
  func order() {
    let point = Point(x: 1, y: 2)
    let moved = Transform(translationX: 10, y: 0).concatenating(Transform(scaleX: 2, y: 3))
    #expect(point.applying(moved) == Point(x: 22, y: 6))
    #expect(point.applying(Transform(scaleX: 2, y: 3).translatedBy(x: 10, y: 0)) == Point(x: 22, y: 6))
    #expect(isClose(Point(x: 1, y: 0).applying(Transform(rotationAngle: .pi / 2)), Point(x: 0, y: 1)), "clockwise")
    #expect(isClose(point.applying(Transform(rotationAngle: .pi).about(Point(x: 2, y: 2))), Point(x: 3, y: 2)))
    let rect = Rect(x: 0, y: 0, width: 4, height: 2).applying(Transform(rotationAngle: .pi / 2))
    #expect(isClose(rect.origin, Point(x: -2, y: 0)) && isClose(Point(x: rect.maxX, y: rect.maxY), Point(x: 0, y: 4)))
  }

  @Test("The inverse reverts random transforms", arguments: UInt64(1)...50)
  func inverse(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number() -> Double { .random(in: -9...9, using: &random) }
    let transform = Transform(a: number(), b: number(), c: number(), d: number(), tx: number(), ty: number())
    guard transform.determinant.magnitude > 0.01 else { return }
    let inverse = try #require(transform.inverted())
    let point = Point(x: number(), y: number())
    #expect(isClose(point.applying(transform).applying(inverse), point))
    #expect(Transform(scaleX: 0, y: 1).inverted() == nil)
  }
}
