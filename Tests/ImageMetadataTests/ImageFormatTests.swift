import ImageMetadata
import Testing

@Suite("A picture's kind is told by its first bytes")
struct ImageFormatTests {
  private static let examples: [(ImageFormat, [UInt8])] = [
    (.jpeg, HeaderFixture.jpeg(width: 1, height: 1)),
    (.png, HeaderFixture.png(width: 1, height: 1)),
    (.webp, HeaderFixture.webP(HeaderFixture.lossyWebP(width: 1, height: 1))),
    (.gif, HeaderFixture.gif(width: 1, height: 1)),
    (.bmp, HeaderFixture.bmp(width: 1, height: 1)),
    (.tiff, ExifBlock(orientation: 1).bytes),
    (.tiff, ExifBlock(isBigEndian: true, orientation: 1).bytes),
    (.avif, HeaderFixture.isoBaseMedia("avif")),
    (.avif, HeaderFixture.isoBaseMedia("mif1", "miaf", "avif")),
    (.heic, HeaderFixture.isoBaseMedia("heic", "mif1")),
    (.heic, HeaderFixture.isoBaseMedia("mif1", "heic")),
    (.qoi, HeaderFixture.qoi(width: 1, height: 1)),
    (.jpegXL, [0xFF, 0x0A, 0x00]),
    (.jpegXL, [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A, 0, 0]),
    (.jpeg2000, [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A, 0, 0]),
    (.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51, 0, 41]),
    (.photoshop, Array("8BPS".utf8) + [0, 1]),
    (.icon, [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0x68, 4, 0, 0, 22, 0, 0, 0]),
    (.icon, [0, 0, 2, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0x68, 4, 0, 0, 22, 0, 0, 0]),
  ]

  @Test("Every format is known by its magic number")
  func everyFormatIsKnown() {
    for (format, bytes) in ImageFormatTests.examples {
      #expect(ImageFormat(magic: Array(bytes.prefix(ImageFormat.magicByteCount))) == format)
    }
    #expect(Set(ImageFormatTests.examples.map(\.0)) == Set(ImageFormat.allCases))
  }

  @Test(
    "What is no picture is none, whatever it is called",
    arguments: [
      "", "B", "BM", "BMW builds cars, and this is a letter about them.", "<!DOCTYPE html><title>portal</title>",
      "RIFF....WAVEfmt ", "GIF90a..........", "%PDF-1.7", "\u{0}\u{0}\u{0}\u{18}ftypisom\u{0}\u{0}\u{0}\u{0}mp42",
      "....ftyp",
    ])
  func othersAreNone(text: String) {
    #expect(ImageFormat(magic: Array(text.utf8)) == nil)
  }

  @Test("A prefix names the same format or none")
  func prefixes() {
    for (format, bytes) in ImageFormatTests.examples {
      for count in 0...min(bytes.count, ImageFormat.magicByteCount) {
        let told = ImageFormat(magic: Array(bytes.prefix(count)))
        // A file of mixed brands is HEIF until the brand that says AVIF is seen.
        #expect(told == nil || told == format || (format == .avif && told == .heic))
      }
    }
  }
}
