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
    // A few bytes for each chunk that is passed over, and the rest in a row.
    let most = 900 * 256 + 17 * 4096 + 65_536
    #expect(walk.asked.reduce(0) { $0 + $1.count } <= most)
    #expect(walk.header?.storedSize == PixelSize(width: 30, height: 20))
    #expect(walk.header?.isIncomplete == false)
  }

  /// A made-up file that is too long to be in memory: a beginning, a piece that is repeated, and an end.
  private func header(start: [UInt8], piece: [UInt8], times: Int, end: [UInt8]) -> (
    header: ImageHeader?, bytesRead: Int
  ) {
    let repeated = piece.count * times
    var bytesRead = 0
    let header = ImageHeader.read(fileBytes: start.count + repeated + end.count) { offset, count in
      bytesRead += count
      return (offset..<offset + count).map { place in
        if place < start.count { return start[place] }
        let behind = place - start.count
        return behind < repeated ? piece[behind % piece.count] : end[behind - repeated]
      }
    }
    return (header, bytesRead)
  }

  @Test("A gigabyte of metadata is passed over, and 200,000 comments are")
  func longMetadata() {
    let size = PixelSize(width: 30, height: 20)
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    let (soi, frame) = (Array(jpeg.prefix(2)), Array(jpeg.dropFirst(2)))
    let segment = HeaderFixture.segment(0xE1, [UInt8](repeating: 7, count: 65_000))
    let gigabyte = header(start: soi, piece: segment, times: 16_500, end: frame)
    #expect(gigabyte.header?.storedSize == size && gigabyte.bytesRead < 5 << 20)
    let comments = header(start: soi, piece: HeaderFixture.segment(0xFE, [1, 2, 3]), times: 200_000, end: frame)
    #expect(comments.header?.storedSize == size)
    let apart = HeaderFixture.segment(0xFE, [UInt8](repeating: 7, count: 2000))
    let longer = header(start: soi, piece: apart, times: 200_000, end: frame)
    #expect(longer.header?.storedSize == size && longer.bytesRead < 8 << 20)
    let png = HeaderFixture.png(width: 30, height: 20)
    let chunk = HeaderFixture.chunk("iTXt", [UInt8](repeating: 7, count: 1 << 20))
    let texts = header(start: Array(png.prefix(33)), piece: chunk, times: 1000, end: Array(png.dropFirst(33)))
    #expect(texts.header?.storedSize == size && texts.bytesRead < 1 << 20)
  }

  @Test("What has no end is left after a bounded number of bytes, and says that it was left")
  func endless() {
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    for piece in [HeaderFixture.segment(0xFE, []), [0xFF], [0]] {
      let found = header(
        start: Array(jpeg.prefix(2)) + [0xFF], piece: piece, times: (40 << 20) / piece.count,
        end: Array(jpeg.dropFirst(2)))
      #expect(found.header?.isIncomplete == true && found.header?.storedSize == nil)
      #expect(found.bytesRead <= ImageHeaderParser.maximumBytes)
    }
    let gif = Array(HeaderFixture.gif(width: 30, height: 20).prefix(10)) + [0, 0, 0]
    let blocks = header(
      start: gif + [0x21, 0xFE], piece: [255] + [UInt8](repeating: 7, count: 255), times: 700_000, end: [0, 0x3B])
    #expect(blocks.header?.storedSize == size(30, 20) && blocks.header?.isIncomplete == true)
    // Boxes are read from the start each time, and so not often.
    let box = HeaderFixture.big(5000, 4) + Array("free".utf8) + [UInt8](repeating: 7, count: 4992)
    // Without the box that describes the picture.
    let boxes = header(start: Array(HeaderFixture.isoBaseMedia("heic").dropLast(8)), piece: box, times: 4000, end: [])
    #expect(boxes.header?.isIncomplete == true && boxes.bytesRead < 1 << 18)
  }

  private func size(_ width: Int, _ height: Int) -> PixelSize? { PixelSize(width: width, height: height) }

  @Test("A comment that is longer than it says is passed over, as libjpeg does")
  func lyingComment() {
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    for stray in [1, 40, 5000, 70_000] {
      let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2] + [UInt8](repeating: 0x20, count: stray)
      let file = Array(jpeg.prefix(2)) + comment + jpeg.dropFirst(2)
      #expect(walk(file).header?.storedSize == size(30, 20))
    }
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
    #expect(walk.asked.reduce(0) { $0 + $1.count } <= ImageHeaderParser.maximumBytes)
    #expect(walk.asked.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= file.count && !$0.isEmpty })
    guard let header = walk.header else { return }
    #expect(header.format == ImageFormat(magic: Array(file.prefix(ImageFormat.magicByteCount))))
    if let range = header.embeddedThumbnail { #expect(range.lowerBound >= 0 && range.upperBound <= file.count) }
    if let time = header.captureTime { #expect(time >= -5_364_662_400 && time < 253_402_300_800) }
  }
}
