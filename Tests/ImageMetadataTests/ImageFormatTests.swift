import Testing
import VitrineGeometry
import VitrineImageMetadata

@Suite("The format of an image is determined by its first bytes")
struct ImageFormatTests {
  static let examples: [(ImageFormat, [UInt8])] = [
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

  @Test("Every format is recognized by its magic number")
  func everyFormat() {
    for (format, bytes) in ImageFormatTests.examples {
      #expect(ImageFormat(magic: Array(bytes.prefix(ImageFormat.magicByteCount))) == format)
    }
    #expect(Set(ImageFormatTests.examples.map(\.0)) == Set(ImageFormat.allCases))
  }

  @Test(
    "Files of other kinds have no image format",
    arguments: [
      "", "B", "BM", "BMW builds cars, and this is a letter about them.", "<!DOCTYPE html><title>portal</title>",
      "RIFF....WAVEfmt ", "GIF90a..........", "%PDF-1.7", "\u{0}\u{0}\u{0}\u{18}ftypisom\u{0}\u{0}\u{0}\u{0}mp42",
      "....ftyp",
    ])
  func otherFiles(text: String) {
    #expect(ImageFormat(magic: Array(text.utf8)) == nil)
  }

  @Test("A prefix has the same format or none")
  func prefixes() {
    for (format, bytes) in ImageFormatTests.examples {
      for count in 0...min(bytes.count, ImageFormat.magicByteCount) {
        let detected = ImageFormat(magic: Array(bytes.prefix(count)))
        // A file of mixed brands is HEIC until the AVIF brand is read.
        #expect(detected == nil || detected == format || (format == .avif && detected == .heic))
      }
    }
  }
}

@Suite("Oversized images are refused by their header")
struct ImageLimitsTests {
  private func allows(_ width: Int, _ height: Int, _ format: ImageFormat = .webp, fileBytes: Int) -> Bool? {
    PixelSize(width: width, height: height).map {
      ImageLimits.standard.allows($0, format: format, fileBytes: fileBytes)
    }
  }

  @Test("No side may be longer than 32,767 pixels")
  func sides() {
    #expect(allows(32_767, 100, fileBytes: 1 << 20) == true)
    #expect(allows(32_768, 1, fileBytes: 1 << 20) == false)
    #expect(allows(1, 32_768, fileBytes: 1 << 20) == false)
  }

  @Test("An image may have at most 256 million pixels")
  func pixels() {
    #expect(allows(16_000, 16_000, fileBytes: 60 << 20) == true)
    #expect(allows(16_001, 16_000, fileBytes: 60 << 20) == false)
  }

  @Test("Images of formats that are read by rows may have the maximum size")
  func rows() {
    for format in ImageFormat.allCases.filter(\.isReadByRows) {
      #expect(allows(65_535, 65_535, format, fileBytes: 60 << 20) == true)
      #expect(allows(65_535, 65_535, format, fileBytes: 1 << 20) == false)
    }
    #expect(PixelSize(width: 65_536, height: 1) == nil)
  }

  @Test("A large image in a small file is refused, and a small one is not")
  func ratio() {
    #expect(allows(8000, 8000, fileBytes: 1) == true)
    #expect(allows(8001, 8000, fileBytes: 1) == false)
    #expect(allows(10_000, 10_000, fileBytes: 50_000) == true)
    #expect(allows(10_000, 10_000, fileBytes: 49_999) == false)
  }
}

@Suite("The ranges of a long file that contain pixel data")
struct PixelDataRangesTests {
  private func pixelData(_ format: ImageFormat, _ file: [UInt8]) -> [UInt8] {
    let ranges = PixelDataRanges.ranges(format, fileBytes: file.count) { offset, count in
      Array(file[offset..<min(file.count, offset + count)])
    }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    return ranges.flatMap { file[$0] }
  }

  @Test("A JPEG file without its comments and metadata is the same image")
  func jpeg() {
    let start = Array(HeaderFixture.jpeg(width: 30, height: 20).prefix(2))
    let profile = HeaderFixture.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9])
    let frame = HeaderFixture.segment(0xC0, [8, 0, 20, 0, 30, 1, 1, 0x11, 0])
    let scan = HeaderFixture.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [UInt8](repeating: 5, count: 100) + [0xFF, 0xD9]
    let long = (0..<80).flatMap {
      HeaderFixture.segment($0 % 2 == 0 ? 0xE1 : 0xFE, [UInt8](repeating: 7, count: 60_000))
    }
    #expect(pixelData(.jpeg, start + long + profile + long + frame + scan) == start + profile + frame + scan)
    // Short files, files with little metadata, and unusual files are read whole.
    let short = start + HeaderFixture.segment(0xFE, [1, 2, 3]) + profile + frame + scan
    #expect(pixelData(.jpeg, short) == short)
    let odd = start + [0, 0] + long + frame + scan
    #expect(pixelData(.jpeg, odd) == odd)
    let endless = start + long
    #expect(pixelData(.jpeg, endless) == endless)
  }

  @Test("A PNG file without its texts is the same image")
  func png() {
    let file = HeaderFixture.png(width: 30, height: 20)
    let (start, rest) = (Array(file.prefix(33)), Array(file.dropFirst(33)))
    let colors = HeaderFixture.chunk("tRNS", [0, 1]) + HeaderFixture.chunk("iCCP", [1, 2, 3])
    let pixels = HeaderFixture.chunk("IDAT", [1, 2, 3]) + rest
    let texts = (0..<5).flatMap { _ in HeaderFixture.chunk("iTXt", [UInt8](repeating: 7, count: 1 << 20)) }
    #expect(pixelData(.png, start + texts + colors + texts + pixels) == start + colors + pixels)
    #expect(pixelData(.gif, start + texts) == start + texts)
  }
}
