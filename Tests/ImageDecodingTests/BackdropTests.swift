import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineImageMetadata
import VitrineRendering
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("A checkerboard is behind transparent pixels")
struct BackdropTests {
  private static let (first, second) = (Color(hex: 0x404040), Color(hex: 0xC0C0C0))

  private func decode(_ file: [UInt8], width: Int, height: Int) throws -> TestPicture {
    let size = try #require(PixelSize(width: width, height: height))
    let target = DecodingTarget(
      size: size, fit: .fit, background: BackdropTests.first, secondBackground: BackdropTests.second)
    return TestPicture(try file.withUnsafeBytes { try ImageDecoder().bitmap($0, target: target).bitmap })
  }

  private func square(_ x: Int, _ y: Int) -> Color {
    (x / 8 + y / 8).isMultiple(of: 2) ? BackdropTests.first : BackdropTests.second
  }

  /// A file of a red upper half, and a lower half that is transparent.
  private func files(_ width: Int, _ height: Int) -> [[UInt8]] {
    let picture = TestPicture(width: width, height: height) { _, y in
      y < height / 2 ? Color(hex: 0xFF0000) : Color(hex: 0x00FF00).opacity(0)
    }
    let gif = GIFWriter(canvas: (width, height), palette: [[255, 0, 0], [0, 255, 0]], transparent: 1)
    var interlaced = gif
    interlaced.isInterlaced = true
    let rows = (0..<height).map { [UInt8](repeating: $0 < height / 2 ? 0 : 1, count: width) }
    return [
      PNGWriter.file(picture, withAlpha: true), PNGWriter.file(picture, withAlpha: true, isInterlaced: true),
      gif.file(rows: rows), interlaced.file(rows: rows),
    ]
  }

  @Test("Its squares have eight pixels of the result, and lie where the image is transparent")
  func squares() throws {
    for file in files(41, 50) {
      let expected = TestPicture(width: 41, height: 50) { x, y in y < 25 ? Color(hex: 0xFF0000) : square(x, y) }
      #expect(try decode(file, width: 41, height: 50) == expected)
    }
  }

  @Test("They have the same side in an image that is reduced")
  func reduced() throws {
    for file in files(200, 160) {
      let picture = try decode(file, width: 50, height: 40)
      for (x, y) in [(3, 27), (12, 27), (20, 35), (43, 36)] {
        #expect(Decoding.isNear(picture[x, y], square(x, y), within: 3), "\(x), \(y)")
      }
    }
  }

  @Test("A WebP and half transparent pixels are blended over them")
  func blended() throws {
    let picture = try decode(WebPFixture.still(WebPFixture.alphaCorners), width: 24, height: 16)
    #expect(picture[4, 12] == square(4, 12) && picture[12, 12] == square(12, 12))
    // The upper corners are half red and half green.
    #expect(Decoding.isNear(picture[4, 4], Color(hex: 0xA02020), within: 3))
    #expect(Decoding.isNear(picture[9, 4], Color(hex: 0xE06060), within: 3))
  }

  @Test("Frames of animations have it, too")
  func animation() throws {
    let writer = GIFWriter(canvas: (20, 20), palette: [[255, 0, 0], [0, 255, 0]], transparent: 1)
    let rows = [[UInt8]](repeating: [UInt8](repeating: 1, count: 20), count: 20)
    let file = writer.file([.init(rows: rows), .init(rows: [[0]])])
    let size = try #require(PixelSize(width: 20, height: 20))
    let target = DecodingTarget(
      size: size, fit: .fit, background: BackdropTests.first, secondBackground: BackdropTests.second)
    let bitmap = try file.withUnsafeBytes { bytes in
      let decoder = try #require(
        try AnimationDecoder(bytes, header: .read(bytes), target: target, decoder: ImageDecoder()))
      return try Bitmap(size: size, isOpaque: true) { _ = try decoder.nextFrame(into: $0) }
    }
    #expect(TestPicture(bitmap) == TestPicture(width: 20, height: 20, square))
  }
}
