import Testing
import VitrineGeometry
import VitrineImageDecoding
import VitrineRendering
import VitrineTestSupport

@Suite("QOI decoding")
struct QOIDecoderTests {
  /// Runs, small differences, repeated colors, and large differences.
  private static let mixed = TestPicture(width: 90, height: 12) { x, y in
    switch y % 4 {
    case 0: Color(hex: 0x336699)
    case 1: Color(red: UInt8(x), green: UInt8(x / 2 + 100), blue: UInt8(200 - x), alpha: 255)
    case 2: x % 2 == 0 ? Color(hex: 0xFF0000) : Color(hex: 0x0000FF)
    default: Color(red: UInt8(x * 37 & 255), green: UInt8(x * 91 & 255), blue: UInt8(x * y & 255), alpha: 255)
    }
  }

  @Test("Pixels are decoded exactly")
  func pixels() throws {
    let (picture, image) = try Decoding.decode(QOIWriter.file(QOIDecoderTests.mixed))
    #expect(picture == QOIDecoderTests.mixed)
    #expect(!image.isDamaged)
  }

  @Test("Alpha shows the background if the file declares it")
  func alpha() throws {
    let picture = TestPicture(width: 2, height: 1) { x, _ in Color(red: 255, green: 0, blue: 0, alpha: x == 0 ? 128 : 0)
    }
    let background = Color(hex: 0x0000C0)
    let shown = try Decoding.decode(QOIWriter.file(picture), background: background).picture
    #expect(shown[0, 0] == Color(red: 128, green: 0, blue: 96))
    #expect(shown[1, 0] == background)
    let opaque = try Decoding.decode(QOIWriter.file(picture, channels: 3), background: background).picture
    #expect(opaque[1, 0] == Color(hex: 0xFF0000))
  }

  @Test("A truncated file shows its complete rows and is marked as damaged")
  func prefixes() throws {
    let file = QOIWriter.file(QOIDecoderTests.mixed)
    var shown = 0
    // The eight bytes at the end contain no pixels.
    for count in 0..<file.count - 8 {
      guard let result = try? Decoding.decode(Array(file.prefix(count)), background: .white) else { continue }
      shown += 1
      #expect(result.image.isDamaged)
      #expect(result.picture[0, 0] == Color(hex: 0x336699))
      #expect(result.picture[89, 11] == .white)
    }
    #expect(shown > 100)
  }

  @Test("Files with random changes are decoded or refused", arguments: 1...4)
  func mutations(seed: Int) throws {
    try Mutations(seed: seed).check([QOIWriter.file(QOIDecoderTests.mixed)])
  }
}
