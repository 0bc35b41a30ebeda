import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("DrawContext.drawShadow")
struct ShadowTests {
  /// A view that draws only a shadow on a white background.
  final class Shadow: View {
    static let rect = Rect(x: 60, y: 50, width: 120, height: 40)
    var depth = 0.5 {
      didSet { setNeedsDisplay() }
    }

    override func draw(in context: DrawContext) {
      context.drawShadow(of: Shadow.rect, radius: 8, extent: 16, verticalOffset: 4, Color.black.opacity(depth))
    }
  }

  private func makeHarness(_ shadow: Shadow, scale: Double) -> WindowHarness {
    let harness = WindowHarness(
      root: shadow, size: Size(width: 240, height: 160), scale: DisplayScale(pixelsPerPoint: scale))
    harness.window.backgroundColor = .white
    harness.run(frames: 1)
    return harness
  }

  @Test("The shadow is darkest below the rectangle, fades outward and is symmetric", arguments: [1, 2])
  func shape(scale: Int) throws {
    let image = try makeHarness(Shadow(), scale: Double(scale)).display.readPixels()
    func brightness(_ x: Int, _ y: Int) -> Int { image.brightness(x, y) }
    let middle = 120 * scale
    let column = ((90 * scale)..<(112 * scale)).map { brightness(middle, $0) }
    #expect(
      zip(column, column.dropFirst()).allSatisfy { $0 <= $1 } && column.last == 255 && (127..<140).contains(column[0]))
    let (side, above) = (brightness(60 * scale - 1, 70 * scale), brightness(middle, 50 * scale - 1))
    #expect(column[0] < side && side < above && above < 255)
    #expect(brightness(middle, 70 * scale) == 255, "no shadow beneath the rectangle")
    #expect(
      brightness(middle, 37 * scale) == 255 && brightness(middle, 49 * scale) < 255, "the shadow is offset downward")
    for y in stride(from: 30 * scale, to: 112 * scale, by: 3) {
      for distance in 0..<(18 * scale) {
        #expect(brightness(60 * scale - 1 - distance, y) == brightness(180 * scale + distance, y))
      }
    }
  }

  @Test("The shadow is continuous around corners and sides", arguments: [1, 2])
  func seams(scale: Int) throws {
    let image = try makeHarness(Shadow(), scale: Double(scale)).display.readPixels()
    let rect = Shadow.rect
    func isAround(_ x: Int, _ y: Int) -> Bool {
      let point = Point(x: (Double(x) + 0.5) / Double(scale), y: (Double(y) + 0.5) / Double(scale))
      return !rect.contains(point)
    }
    var maximum = 0
    for y in 1..<(159 * scale) {
      for x in 1..<(239 * scale) where isAround(x, y) {
        for (left, up) in [(1, 0), (0, 1)] where isAround(x - left, y - up) {
          maximum = max(maximum, abs(image.brightness(x, y) - image.brightness(x - left, y - up)))
        }
      }
    }
    // The quadratic falloff starts at 128 and changes by at most one eighth per point.
    #expect(maximum <= 16 / scale + 1 && maximum > 3)
  }

  @Test("Another opacity uses the same texture")
  func fading() {
    let shadow = Shadow()
    let harness = makeHarness(shadow, scale: 1)
    let created = harness.display.textureCounts.created
    for step in 0..<20 {
      shadow.depth = Double(step) / 20
      harness.run(frames: 1)
    }
    #expect(harness.display.textureCounts.created == created && created > 0)
  }
}

extension Bitmap {
  /// Returns the brightness of a pixel, 0 to 255.
  fileprivate func brightness(_ x: Int, _ y: Int) -> Int { withPixels { Int($0[(y * size.width + x) * 4]) } }
}

@Suite("GlyphLine")
struct GlyphLineTests {
  static func text(_ line: GlyphLine) -> String {
    String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
  }

  @Test(
    "Whole numbers of five digits and more are grouped",
    arguments: [(0, "0"), (7, "7"), (-42, "-42"), (9_999, "9999"), (10_000, "10,000"), (1_234_567, "1,234,567")])
  func wholeNumbers(number: Int, expected: String) {
    #expect(Self.text(GlyphLine().write(number)) == expected)
  }

  @Test(
    "Decimals are rounded, and negative zero is zero",
    arguments: [(0.0, 1, "0.0"), (0.96, 1, "1.0"), (-0.04, 1, "0.0"), (3.14159, 2, "3.14"), (12.5, 0, "13")])
  func decimals(number: Double, decimals: Int, expected: String) {
    #expect(Self.text(GlyphLine().write(number, decimals: decimals)) == expected)
  }

  @Test("NaN is written as dashes, and text beyond the capacity is dropped")
  func extremes() {
    #expect(Self.text(GlyphLine().write(.nan, decimals: 1)) == "--")
    #expect(Self.text(GlyphLine(capacity: 3).write("abcdef")) == "abc")
    #expect(Self.text(GlyphLine().write(Int.min)).hasPrefix("-9,223,372"))
  }
}
