import Geometry
import Testing

@testable import ImageMetadata

@Suite("A header tells what a picture is")
struct ImageHeaderTests {
  @Test("Sizes of every format that keeps one in its header")
  func sizes() {
    let files: [[UInt8]] = [
      HeaderFixture.jpeg(width: 301, height: 7),
      HeaderFixture.png(width: 301, height: 7),
      HeaderFixture.webP(HeaderFixture.lossyWebP(width: 301, height: 7)),
      HeaderFixture.webP(HeaderFixture.losslessWebP(width: 301, height: 7)),
      HeaderFixture.extendedWebP(width: 301, height: 7),
      HeaderFixture.gif(width: 301, height: 7),
      HeaderFixture.bmp(width: 301, height: 7),
      HeaderFixture.bmp(width: 301, height: -7),
      HeaderFixture.oldBMP(width: 301, height: 7),
      HeaderFixture.qoi(width: 301, height: 7),
      HeaderFixture.tiff(width: 301, height: 7, isLong: false),
      HeaderFixture.tiff(width: 301, height: 7, isLong: true),
      HeaderFixture.gif(width: 301, height: 7, frame: (300, 6, 1, 1)),
      HeaderFixture.gif(width: 300, height: 0, frame: (1, 2, 300, 5)),
    ]
    for file in files { #expect(ImageHeader.read(file)?.storedSize == PixelSize(width: 301, height: 7)) }
  }

  @Test("A size of nothing is no size, and one past all bounds is said to be a giant")
  func nonsenseSizes() {
    let nothing = ImageHeader.read(HeaderFixture.png(width: 0, height: 8))
    #expect(nothing?.storedSize == nil)
    #expect(nothing?.isOversized == false)
    for giant in [
      HeaderFixture.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF), HeaderFixture.qoi(width: 1, height: 0xFFFF_FFFF),
      HeaderFixture.bmp(width: 8, height: -0x8000_0000), HeaderFixture.extendedWebP(width: 1 << 24, height: 1),
    ] {
      #expect(ImageHeader.read(giant)?.storedSize == nil)
      #expect(ImageHeader.read(giant)?.isOversized == true)
    }
  }

  @Test("Orientation stands in the EXIF data of either byte order", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) {
    for isBigEndian in [false, true] {
      let exif = ExifBlock(isBigEndian: isBigEndian, orientation: Int(orientation.rawValue))
      let files = [
        HeaderFixture.jpeg(width: 30, height: 20, exif: exif),
        HeaderFixture.png(width: 30, height: 20, exif: exif),
        HeaderFixture.extendedWebP(width: 30, height: 20, exif: exif.bytes),
        HeaderFixture.extendedWebP(width: 30, height: 20, exif: Array("Exif".utf8) + [0, 0] + exif.bytes),
      ]
      for file in files {
        let header = ImageHeader.read(file)
        #expect(header?.orientation == orientation)
        #expect(header?.size == PixelSize(width: 30, height: 20).map { orientation.isTransposed ? $0.transposed : $0 })
      }
      #expect(ImageHeader.read(exif.bytes)?.orientation == orientation)
    }
  }

  @Test("An orientation that is none leaves the picture as it is stored", arguments: [0, 9, 99, 65_535])
  func nonsenseOrientation(value: Int) {
    let file = HeaderFixture.jpeg(width: 30, height: 20, exif: ExifBlock(orientation: value))
    #expect(ImageHeader.read(file)?.orientation == .up)
  }

  @Test("The moment of the shot comes before that of the scan, and that before the file's")
  func dates() {
    let shot = "2001:01:01 00:00:00"
    let scan = "2002:01:01 00:00:00"
    let file = "2003:01:01 00:00:00"
    func time(_ exif: ExifBlock) -> Int64? {
      ImageHeader.read(HeaderFixture.jpeg(width: 8, height: 8, exif: exif))?.captureTime
    }
    func seconds(_ text: String) -> Int64? { ExifDate(Array(text.utf8))?.secondsSince1970 }
    for isBigEndian in [false, true] {
      var exif = ExifBlock(isBigEndian: isBigEndian, dateTime: file, dateTimeOriginal: shot, dateTimeDigitized: scan)
      #expect(time(exif) == seconds(shot))
      exif.dateTimeOriginal = "0000:00:00 00:00:00"
      #expect(time(exif) == seconds(scan))
      exif.dateTimeOriginal = nil
      exif.dateTimeDigitized = nil
      #expect(time(exif) == seconds(file))
      exif.dateTime = nil
      #expect(time(exif) == nil)
    }
  }

  @Test("The embedded preview's place is told, though not read")
  func preview() throws {
    let preview: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9, 0x11, 0x12]
    for isBigEndian in [false, true] {
      let exif = ExifBlock(
        isBigEndian: isBigEndian, orientation: 6, dateTimeOriginal: "2001:01:01 00:00:00", preview: preview, gap: 9000)
      for file in [
        HeaderFixture.jpeg(width: 30, height: 20, exif: exif), HeaderFixture.png(width: 30, height: 20, exif: exif),
      ] {
        let header = try #require(ImageHeader.read(file))
        let range = try #require(header.embeddedThumbnail)
        #expect(Array(file[range]) == preview)
        #expect(header.size == PixelSize(width: 20, height: 30))
        #expect(header.captureTime == 978_307_200)
      }
    }
  }

  @Test("Directories that point at each other are visited once")
  func rings() {
    var exif = ExifBlock(orientation: 3, dateTimeOriginal: "2001:01:01 00:00:00", preview: [1, 2, 3, 4]).bytes
    // The main directory's successor becomes the main directory itself.
    let entries = Int(exif[8])
    exif.replaceSubrange(10 + entries * 12..<14 + entries * 12, with: [8, 0, 0, 0])
    let content = Array("Exif".utf8) + [0, 0] + exif
    let file =
      [0xFF, 0xD8] + HeaderFixture.segment(0xE1, content) + HeaderFixture.jpeg(width: 5, height: 6).dropFirst(2)
    let header = ImageHeader.read(file)
    #expect(header?.orientation == .down)
    #expect(header?.embeddedThumbnail == nil)
    #expect(header?.storedSize == PixelSize(width: 5, height: 6))
  }

  @Test("A preview that would lie outside the EXIF data is none")
  func previewOutside() {
    var exif = ExifBlock(preview: [1, 2, 3, 4]).bytes
    exif.removeLast()
    #expect(
      ImageHeader.read(HeaderFixture.png(width: 5, height: 6, chunks: [HeaderFixture.chunk("eXIf", exif)]))?
        .embeddedThumbnail == nil)
  }
}
