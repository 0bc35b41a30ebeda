import Geometry
import ImageMetadata
import Rendering
import Testing

@testable import ImageDecoding

@Suite("JPEG of long sides")
struct LongJPEGTests {
  /// A panorama whose red grows to the right.
  private func panorama(width: Int, height: Int) -> TestPicture {
    TestPicture(width: width, height: height) { x, _ in
      Color(red: UInt8(x * 255 / max(1, width - 1)), green: 128, blue: 64)
    }
  }

  @Test("A panorama is shown as a whole, or its middle", arguments: [false, true])
  func panorama(isProgressive: Bool) throws {
    let picture = panorama(width: 40_000, height: 24)
    let file = isProgressive ? try JPEGFixture.progressive(picture) : try JPEGFixture.file(picture)
    let whole = try Decoding.decode(file, width: 200, height: 200, fit: .fit)
    #expect(!whole.image.isDamaged)
    #expect((whole.picture.width, whole.picture.height) == (200, 1))
    #expect(Decoding.isNear(whole.picture[0, 0], Color(red: 1, green: 128, blue: 64), within: 4))
    #expect(Decoding.isNear(whole.picture[199, 0], Color(red: 254, green: 128, blue: 64), within: 4))
    let middle = try Decoding.decode(file, width: 12, height: 12).picture
    for x in 0..<12 { #expect(Decoding.isNear(middle[x, 6], Color(red: 127, green: 128, blue: 64), within: 4)) }
  }

  @Test("Past what libjpeg reads the size is the reason")
  func tooLong() throws {
    var file = try JPEGFixture.file(panorama(width: 65_500, height: 8))
    #expect(try !Decoding.decode(file, width: 8, height: 8).image.isDamaged)
    let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC0]) })
    file.replaceSubrange(frame + 7..<frame + 9, with: [0xFF, 0xDD])
    #expect(throws: DecodingError.tooLarge(PixelSize(width: 65_501, height: 8))) {
      try Decoding.decode(file, width: 8, height: 8)
    }
  }

  @Test("Of a long picture the columns that a result looks at are kept alone", arguments: [1.0, 0.5, 0.125])
  func columns(scale: Double) throws {
    let size = try #require(PixelSize(width: 60_000, height: 600))
    let target = try #require(PixelSize(width: 256, height: 256))
    let placement = Placement(stored: size, orientation: .up, target: target, fit: .fill)
    let width = Int(60_000 * scale)
    let columns = placement.columns(of: width, scale: scale, reducedBy: 1)
    #expect(columns.count < Int(700 * scale) + 16)
    #expect(columns.contains(width / 2))
    #expect(placement.columns(of: width, scale: scale, reducedBy: 7).lowerBound.isMultiple(of: 7))
  }
}
