import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

@Suite("WebP decoding")
struct WebPDecoderTests {
  @Test("Lossless pixels are decoded exactly")
  func lossless() throws {
    let (picture, image) = try Decoding.decode(WebPFixture.still(WebPFixture.losslessCorners))
    #expect(picture == .corners(width: 24, height: 16))
    #expect(!image.isDamaged)
  }

  @Test("Transparent pixels show the background, at any size")
  func alpha() throws {
    let file = WebPFixture.still(WebPFixture.alphaCorners)
    let background = Color(hex: 0x0000C0)
    for (width, height) in [(24, 16), (6, 4), (3, 2)] {
      let picture = try Decoding.decode(file, width: width, height: height, background: background).picture
      #expect(Decoding.isNear(picture[0, 0], Color(red: 128, green: 0, blue: 96), within: 12))
      #expect(Decoding.isNear(picture[width - 1, 0], Color(red: 0, green: 128, blue: 96), within: 12))
      #expect(Decoding.isNear(picture[0, height - 1], background, within: 12))
      #expect(Decoding.isNear(picture[width - 1, height - 1], background, within: 12))
    }
  }

  @Test("The first frame of an animation is drawn at its position on the canvas")
  func animation() throws {
    let whole = WebPFixture.animation(
      canvas: (24, 16),
      frames: [(0, 0, 24, 16, WebPFixture.losslessCorners), (0, 0, 24, 16, WebPFixture.lossyCorners)])
    #expect(try Decoding.decode(whole).picture == .corners(width: 24, height: 16))

    let part = WebPFixture.animation(
      canvas: (48, 32), frames: [(24, 16, 24, 16, WebPFixture.losslessCorners)])
    let background = Color(hex: 0x204060)
    let full = try Decoding.decode(part, background: background)
    #expect(full.image.sourceSize == PixelSize(width: 48, height: 32))
    #expect(full.picture[0, 0] == background)
    #expect(full.picture[24, 16] == Color(hex: 0xFF0000))
    #expect(full.picture[47, 31] == .white)
    let small = try Decoding.decode(part, width: 12, height: 8, background: background).picture
    #expect(Decoding.isNear(small[1, 1], background))
    #expect(Decoding.isNear(small[11, 7], .white))
  }

  @Test("A frame outside its canvas is refused, and so is an animation without frames")
  func faultyAnimations() {
    let outside = WebPFixture.animation(canvas: (24, 16), frames: [(8, 0, 24, 16, WebPFixture.losslessCorners)])
    #expect(throws: DecodingError.self) { try Decoding.decode(outside) }
    let wrongSize = WebPFixture.animation(canvas: (24, 16), frames: [(0, 0, 20, 16, WebPFixture.losslessCorners)])
    #expect(throws: DecodingError.self) { try Decoding.decode(wrongSize) }
    #expect(throws: DecodingError.self) { try Decoding.decode(WebPFixture.animation(canvas: (24, 16), frames: [])) }
  }

  @Test("Every prefix gives an error, or shows its rows and is marked as damaged")
  func prefixes() throws {
    let file = WebPFixture.still(WebPFixture.tallHills)
    let whole = try Decoding.decode(file, background: .white)
    #expect(!whole.image.isDamaged)
    var pictures = 0
    // The last byte is padding.
    for count in 0..<file.count - 1 {
      guard let result = try? Decoding.decode(Array(file.prefix(count)), background: .white) else { continue }
      pictures += 1
      #expect(result.image.isDamaged)
      #expect(result.picture[8, 0] == whole.picture[8, 0])
      if count < file.count / 2 { #expect(result.picture[8, 95] == .white) }
    }
    #expect(pictures > 20)
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let files = [
      WebPFixture.still(WebPFixture.tallHills), WebPFixture.still(WebPFixture.alphaCorners),
      WebPFixture.animation(canvas: (24, 16), frames: [(0, 0, 24, 16, WebPFixture.lossyCorners)]),
    ]
    for file in files {
      for _ in 0..<100 {
        var changed = file
        for _ in 0..<3 {
          changed[Int.random(in: 12..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        guard let result = try? Decoding.decode(changed, width: 8, height: 8) else { continue }
        #expect(result.picture.bytes.count == 256)
      }
    }
  }
}
