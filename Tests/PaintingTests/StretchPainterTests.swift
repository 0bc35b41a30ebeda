import Testing
import VitrineGeometry
import VitrinePainting
import VitrineRendering
import VitrineTestSupport

@Suite("A scaled copy interpolates the nearest pixels, wherever it is clipped")
struct StretchPainterTests {
  private static let extent = PixelRect.at(0, 0, 48, 40)

  /// Returns the pixels of a plane with the extent of this suite that a closure has painted.
  private func painted(_ body: (PixelPlane) -> Void) -> [Color] {
    var memory = [UInt32](repeating: 0xFF00_0000, count: 48 * 40)
    memory.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      body(PixelPlane(start: start, bytesPerRow: 48 * 4, extent: Self.extent, order: .redFirst))
    }
    return memory.map { Color(packed: $0) }
  }

  /// Returns the color by the plain formula, which maps pixel centers to pixel centers and clamps them to the source.
  private func expected(
    _ bitmap: Bitmap, _ source: PixelRect, _ destination: PixelRect, _ x: Int32, _ y: Int32
  ) -> [Double] {
    func sourcePosition(_ at: Int32, _ start: Int32, _ length: Int32, _ sourceLength: Int32) -> Double {
      let middle = (Double(at - start) + 0.5) * Double(sourceLength) / Double(length) - 0.5
      return min(Double(sourceLength - 1), max(0, middle))
    }
    let column = sourcePosition(x, destination.x, destination.width, source.width)
    let row = sourcePosition(y, destination.y, destination.height, source.height)
    let (left, top) = (Int(column), Int(row))
    let (right, bottom) = (min(left + 1, Int(source.width) - 1), min(top + 1, Int(source.height) - 1))
    func channels(_ x: Int, _ y: Int) -> [Double] {
      let color = bitmap.color(x + Int(source.x), y + Int(source.y))
      return [color.red, color.green, color.blue].map(Double.init)
    }
    let (a, b) = (column - Double(left), row - Double(top))
    return (0..<3).map { channel in
      let upper = channels(left, top)[channel] * (1 - a) + channels(right, top)[channel] * a
      let lower = channels(left, bottom)[channel] * (1 - a) + channels(right, bottom)[channel] * a
      return upper * (1 - b) + lower * b
    }
  }

  private func scene(using random: inout SeededGenerator) throws -> (Bitmap, PixelRect, PixelRect) {
    let size = PixelSize.random(upTo: 20, using: &random)
    let picture = try bitmap(size.width, size.height) { _, _ in Color.random(alpha: 255, using: &random) }
    let (left, top) = (
      Int32.random(in: 0..<Int32(size.width), using: &random), Int32.random(in: 0..<Int32(size.height), using: &random)
    )
    let source = PixelRect.at(
      left, top, .random(in: 1...(Int32(size.width) - left), using: &random),
      .random(in: 1...(Int32(size.height) - top), using: &random))
    let destination = PixelRect.at(
      .random(in: -60...40, using: &random), .random(in: -60...30, using: &random),
      .random(in: 1...120, using: &random), .random(in: 1...120, using: &random))
    return (picture, source, destination)
  }

  @Test("Any copy equals the plain formula within 1.5 of 255", arguments: TestScale.seeds(UInt64(1)...150))
  func formula(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (picture, source, destination) = try scene(using: &random)
    TestPlane.withTexels(of: picture, order: .redFirst) { texels in
      let pixels = painted { plane in
        StretchPainter().drawStretched(
          texels, from: source, to: destination, within: Self.extent, on: plane, tint: .white, isBlended: false)
      }
      for y in 0..<40 as Range<Int32> {
        for x in 0..<48 as Range<Int32> {
          let color = pixels[Int(y * 48 + x)]
          guard !destination.intersection(.at(x, y, 1, 1)).isEmpty else {
            #expect(color == .black)
            continue
          }
          let channels = expected(picture, source, destination, x, y)
          for (channel, value) in zip([color.red, color.green, color.blue], channels) {
            #expect((Double(channel) - value).magnitude <= 1.5, "\(source) to \(destination) at \(x), \(y)")
          }
        }
      }
    }
  }

  @Test(
    "Without smoothing each pixel is one of the source, the nearest to its center",
    arguments: 1...60 as ClosedRange<UInt64>)
  func squares(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let size = PixelSize(width: .random(in: 1...9, using: &random), height: .random(in: 1...9, using: &random))
    let (width, height) = (try #require(size).width, try #require(size).height)
    let picture = try bitmap(width, height) { x, y in Color(red: UInt8(x * 20), green: UInt8(y * 20), blue: 7) }
    let destination = PixelRect.at(
      .random(in: -60...0, using: &random), .random(in: -60...0, using: &random),
      .random(in: 120...300, using: &random), .random(in: 120...300, using: &random))
    TestPlane.withTexels(of: picture, order: .redFirst) { texels in
      let pixels = painted { plane in
        StretchPainter().drawStretched(
          texels, from: .at(0, 0, Int32(width), Int32(height)), to: destination, within: Self.extent, on: plane,
          tint: .white, isBlended: false, showsPixels: true)
      }
      for y in 0..<40 {
        for x in 0..<48 {
          let color = pixels[y * 48 + x]
          let across = (Double(x - Int(destination.x)) + 0.5) * Double(width) / Double(destination.width)
          let down = (Double(y - Int(destination.y)) + 0.5) * Double(height) / Double(destination.height)
          #expect(color.blue == 7 && color.red % 20 == 0 && color.green % 20 == 0)
          #expect((across - Double(color.red / 20) - 0.5).magnitude <= 0.500_1)
          #expect((down - Double(color.green / 20) - 0.5).magnitude <= 0.500_1)
        }
      }
    }
  }

  @Test(
    "Drawing part by part gives the same bytes as drawing everything in one call",
    arguments: 1...100 as ClosedRange<UInt64>)
  func parts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (picture, source, destination) = try scene(using: &random)
    let tint = Color.random(alpha: .randomChannel(using: &random), using: &random)
    let (isBlended, showsPixels) = (Bool.random(using: &random), Bool.random(using: &random))
    let (column, row) = (Int32.random(in: 0...48, using: &random), Int32.random(in: 0...40, using: &random))
    let parts: [PixelRect] = [
      .at(0, 0, column, row), .at(column, 0, 48 - column, row), .at(0, row, column, 40 - row),
      .at(column, row, 48 - column, 40 - row),
    ]
    let painter = StretchPainter()
    TestPlane.withTexels(of: picture, order: .redFirst) { texels in
      func draw(_ visible: [PixelRect]) -> [Color] {
        painted { plane in
          for part in visible {
            painter.drawStretched(
              texels, from: source, to: destination, within: part, on: plane, tint: tint, isBlended: isBlended,
              showsPixels: showsPixels)
          }
        }
      }
      #expect(draw([Self.extent]) == draw(parts.shuffled(using: &random)))
    }
  }

  @Test("An image that is enlarged thousands of times shows one pixel, or the transition between two")
  func enlarged() throws {
    let picture = try bitmap(2, 1) { x, _ in x == 0 ? .black : .white }
    TestPlane.withTexels(of: picture, order: .redFirst) { texels in
      let length: Int32 = 2_000_000_000
      for (left, expected) in [(0, 0), (-length / 2, 127), (48 - length, 255)] as [(Int32, Int)] {
        let pixels = painted { plane in
          StretchPainter().drawStretched(
            texels, from: .at(0, 0, 2, 1), to: .at(left, 0, length, 40), within: Self.extent, on: plane, tint: .white,
            isBlended: false)
        }
        #expect(pixels.allSatisfy { abs(Int($0.red) - expected) <= 1 })
      }
    }
  }

  @Test("Bitmaps with transparency are blended, and white ink has the color of the tint")
  func transparency() throws {
    let picture = try bitmap(2, 2, isOpaque: false) { x, _ in Color(hex: 0xFFFFFF, alpha: x == 0 ? 0 : 255) }
    TestPlane.withTexels(of: picture, order: .redFirst) { texels in
      let pixels = painted { plane in
        StretchPainter().drawStretched(
          texels, from: .at(0, 0, 2, 2), to: .at(0, 0, 48, 40), within: Self.extent, on: plane,
          tint: Color(hex: 0xFF0000), isBlended: true)
      }
      #expect(pixels[0] == .black && pixels[47] == Color(hex: 0xFF0000))
      #expect(pixels.allSatisfy { $0.green == 0 && $0.blue == 0 })
      #expect(zip(pixels.prefix(48), pixels.prefix(48).dropFirst()).allSatisfy { $0.red <= $1.red })
    }
  }
}
