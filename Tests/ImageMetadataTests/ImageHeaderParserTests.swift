import Geometry
import ImageMetadata
import TestSupport
import Testing

@Suite("The parser asks for bytes and trusts none of them")
struct ImageHeaderParserTests {
  /// What one walk asked for, and what it found.
  private struct Walk {
    var asked: [Range<Int>] = []
    var header: ImageHeader?
  }

  private func walk(_ file: [UInt8], declaring fileBytes: Int? = nil) -> Walk {
    var walk = Walk()
    walk.header = ImageHeader.read(fileBytes: fileBytes ?? file.count) { offset, count in
      walk.asked.append(offset..<offset + count)
      return Array(file[min(offset, file.count)..<min(offset + count, file.count)])
    }
    return walk
  }

  private static let examples: [[UInt8]] = {
    let exif = ExifBlock(
      orientation: 8, dateTime: "2003:01:01 00:00:00", dateTimeOriginal: "2001:01:01 00:00:00",
      preview: [0xFF, 0xD8, 0xFF, 0xD9])
    var bigEndian = exif
    bigEndian.isBigEndian = true
    return [
      HeaderFixture.jpeg(width: 30, height: 20, exif: exif),
      HeaderFixture.jpeg(width: 30, height: 20, exif: bigEndian, padding: 90),
      HeaderFixture.png(width: 30, height: 20, exif: exif),
      HeaderFixture.extendedWebP(width: 30, height: 20, exif: bigEndian.bytes),
      HeaderFixture.webP(HeaderFixture.losslessWebP(width: 30, height: 20)),
      HeaderFixture.webP(HeaderFixture.lossyWebP(width: 30, height: 20)),
      exif.bytes, bigEndian.bytes,
      HeaderFixture.tiff(width: 30, height: 20, isLong: false), HeaderFixture.tiff(width: 30, height: 20, isLong: true),
      BoxFile(properties: [.other("hvcC"), .size(30, 20), .turn(1), .mirror(0)], exif: exif.bytes, preview: [1, 2, 3])
        .bytes,
      BoxFile(
        brand: "avif", properties: [.size(30, 20), .aperture([16, 1, 12, 1, 0, 1, 0, 1])], exif: bigEndian.bytes,
        isLarge: true
      ).bytes,
      HeaderFixture.gif(width: 30, height: 20, frame: (4, 2, 40, 1)),
      HeaderFixture.gif(width: 30, height: 20), HeaderFixture.bmp(width: 30, height: -20),
      HeaderFixture.qoi(width: 30, height: 20), HeaderFixture.isoBaseMedia("mif1", "avif"),
    ]
  }()

  @Test("A common file is read once")
  func oneRead() {
    let file =
      HeaderFixture.jpeg(width: 30, height: 20, exif: ExifBlock(orientation: 6)) + [UInt8](repeating: 7, count: 90_000)
    let walk = walk(file)
    #expect(walk.asked == [0..<4096])
    #expect(walk.header?.size == PixelSize(width: 20, height: 30))
  }

  @Test("What lies behind long segments is fetched where it lies")
  func farFrame() {
    let file = HeaderFixture.jpeg(width: 30, height: 20, padding: 200_000)
    let walk = walk(file)
    #expect(walk.header?.storedSize == PixelSize(width: 30, height: 20))
    #expect(walk.asked.count <= 6)
    #expect(walk.asked.reduce(0) { $0 + $1.count } <= 6 * 4096)
  }

  @Test("EXIF data at a WebP's end is fetched there")
  func farExif() {
    let exif = ExifBlock(orientation: 6).bytes
    let walk = walk(HeaderFixture.extendedWebP(width: 30, height: 20, exif: exif, pixels: 500_001))
    #expect(walk.header?.orientation == .right)
    #expect(walk.asked.count == 2)
  }

  @Test("A file that leads on and on is left after a bounded number of bytes")
  func budget() {
    let chunk = HeaderFixture.chunk("teXt", [UInt8](repeating: 0, count: 5000))
    let file = HeaderFixture.png(width: 30, height: 20, chunks: Array(repeating: chunk, count: 900))
    let walk = walk(file)
    #expect(walk.asked.count <= ImageHeaderParser.mostReads)
    #expect(walk.asked.reduce(0) { $0 + $1.count } <= ImageHeaderParser.mostBytes)
    #expect(walk.header?.storedSize == PixelSize(width: 30, height: 20))
  }

  @Test("A file that is no picture costs one read")
  func noPicture() {
    let walk = walk([UInt8](repeating: 0, count: 1 << 20))
    #expect(walk.header == nil)
    #expect(walk.asked == [0..<4096])
    #expect(self.walk([]).asked.isEmpty)
  }

  @Test("A file shorter than it was said to be ends where it ends")
  func shrunken() {
    let file = HeaderFixture.jpeg(width: 30, height: 20, padding: 100_000)
    for count in [0, 1, 3, 4096, 5000, 70_000] {
      let walk = walk(Array(file.prefix(count)), declaring: file.count)
      #expect(walk.header?.storedSize == nil)
      #expect((walk.header == nil) == (count < 3))
    }
  }

  @Test("What the closure throws comes out")
  func readErrors() {
    struct Unplugged: Error, Equatable {}
    #expect(throws: Unplugged()) {
      _ = try ImageHeader.read(fileBytes: 100) { _, _ throws(Unplugged) in throw Unplugged() }
    }
  }

  @Test("Every prefix of a file is read without harm")
  func prefixes() {
    for file in ImageHeaderParserTests.examples {
      for count in 0...file.count { check(Array(file.prefix(count))) }
    }
  }

  @Test("Files with bytes changed at random are read without harm", arguments: 1...8)
  func mutations(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let telling: [UInt8] = [0, 1, 2, 4, 6, 8, 0x0C, 0x12, 0x7F, 0x80, 0xE1, 0xFE, 0xFF]
    for file in ImageHeaderParserTests.examples {
      for _ in 0..<400 {
        var changed = file
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[place] = telling.randomElement(using: &random) ?? 0
          case 1: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: changed.remove(at: place)
          default: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
          }
        }
        check(changed)
      }
    }
  }

  /// What holds of every answer, whatever the bytes were.
  private func check(_ file: [UInt8]) {
    let walk = walk(file)
    #expect(walk.asked.count <= ImageHeaderParser.mostReads)
    #expect(walk.asked.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= file.count && !$0.isEmpty })
    guard let header = walk.header else { return }
    #expect(header.format == ImageFormat(magic: Array(file.prefix(ImageFormat.magicByteCount))))
    if let range = header.embeddedThumbnail { #expect(range.lowerBound >= 0 && range.upperBound <= file.count) }
    if let time = header.captureTime { #expect(time >= -5_364_662_400 && time < 253_402_300_800) }
  }
}
