import Foundation
import Testing
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

@Suite("The parser requests bytes in pieces, and trusts none of them")
struct ImageHeaderParserTests {
  /// The ranges that a read requested, and the header that it found.
  private struct RecordedRead {
    var requested: [Range<Int>] = []
    var header: ImageHeader?
  }

  private func read(_ file: [UInt8], declaring fileBytes: Int? = nil) -> RecordedRead {
    var read = RecordedRead()
    read.header = ImageHeader.read(fileBytes: fileBytes ?? file.count) { offset, count in
      read.requested.append(offset..<offset + count)
      return Array(file[min(offset, file.count)..<min(offset + count, file.count)])
    }
    return read
  }

  private static let examples: [[UInt8]] = {
    let exif = ExifBlock(
      orientation: 8, dateTime: "2003:01:01 00:00:00", dateTimeOriginal: "2001:01:01 00:00:00",
      location: (
        ExifBlock.Coordinate(reference: "N", parts: [(51, 1), (30, 1), (0, 1)]),
        ExifBlock.Coordinate(reference: "W", parts: [(0, 1), (7, 1), (30, 1)])
      ),
      preview: [0xFF, 0xD8, 0xFF, 0xD9])
    let xmp = "<x xmp:Rating=\"4\"/>"
    var bigEndian = exif
    bigEndian.isBigEndian = true
    return [
      HeaderFixture.jpeg(width: 30, height: 20, exif: exif),
      HeaderFixture.jpeg(width: 30, height: 20, exif: bigEndian, xmp: xmp, padding: 90),
      HeaderFixture.png(width: 30, height: 20, exif: exif, chunks: [HeaderFixture.xmpChunk(xmp)]),
      HeaderFixture.extendedWebP(width: 30, height: 20, exif: bigEndian.bytes, xmp: xmp),
      HeaderFixture.webP(HeaderFixture.losslessWebP(width: 30, height: 20)),
      HeaderFixture.webP(HeaderFixture.lossyWebP(width: 30, height: 20)),
      exif.bytes, bigEndian.bytes,
      HeaderFixture.tiff(width: 30, height: 20, isLong: false), HeaderFixture.tiff(width: 30, height: 20, isLong: true),
      BoxFile(
        properties: [.other("hvcC"), .size(30, 20), .turn(1), .mirror(0)], exif: exif.bytes, xmp: xmp,
        preview: [1, 2, 3]
      )
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

  @Test("A typical file needs one read")
  func oneRead() {
    let file =
      HeaderFixture.jpeg(width: 30, height: 20, exif: ExifBlock(orientation: 6)) + [UInt8](repeating: 7, count: 90_000)
    let read = read(file)
    #expect(read.requested == [0..<4096])
    #expect(read.header?.size == PixelSize(width: 20, height: 30))
  }

  @Test("A frame behind long segments is read at its offset")
  func distantFrame() {
    let file = HeaderFixture.jpeg(width: 30, height: 20, padding: 200_000)
    let read = read(file)
    #expect(read.header?.storedSize == PixelSize(width: 30, height: 20))
    #expect(read.requested.count <= 6)
    #expect(read.requested.reduce(0) { $0 + $1.count } <= 6 * 4096)
  }

  @Test("EXIF data at the end of a WebP file is read there")
  func distantExif() {
    let exif = ExifBlock(orientation: 6).bytes
    let read = read(HeaderFixture.extendedWebP(width: 30, height: 20, exif: exif, pixels: 500_001))
    #expect(read.header?.orientation == .right)
    #expect(read.requested.count == 2)
  }

  @Test("A file with many chunks is read up to a bounded number of bytes")
  func budget() {
    let chunk = HeaderFixture.chunk("teXt", [UInt8](repeating: 0, count: 5000))
    let file = HeaderFixture.png(width: 30, height: 20, chunks: Array(repeating: chunk, count: 900))
    let read = read(file)
    // A few bytes for each skipped chunk, and the rest in sequence.
    let maximum = 900 * 256 + 17 * 4096 + 65_536
    #expect(read.requested.reduce(0) { $0 + $1.count } <= maximum)
    #expect(read.header?.storedSize == PixelSize(width: 30, height: 20))
    #expect(read.header?.isIncomplete == false)
  }

  /// Reads a synthetic file that is too long for memory: a start, a repeated piece, and an end.
  private func header(start: [UInt8], piece: [UInt8], times: Int, end: [UInt8]) -> (
    header: ImageHeader?, bytesRead: Int
  ) {
    let repeated = piece.count * times
    // Many copies, so that a read is a few copies of memory and not a computation for each byte.
    let tile = Array(repeatElement(piece, count: max(1, (1 << 16) / piece.count)).joined())
    var bytesRead = 0
    let header = ImageHeader.read(fileBytes: start.count + repeated + end.count) { offset, count in
      bytesRead += count
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      while bytes.count < count {
        let index = offset + bytes.count
        let missing = count - bytes.count
        if index < start.count {
          bytes += start[index...].prefix(missing)
        } else if index < start.count + repeated {
          let behind = index - start.count
          bytes += tile[(behind % piece.count)...].prefix(min(missing, repeated - behind))
        } else {
          bytes += end[(index - start.count - repeated)...].prefix(missing)
        }
      }
      return bytes
    }
    return (header, bytesRead)
  }

  @Test("A gigabyte of metadata is skipped, and so are 200,000 comments")
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

  @Test("A file without an end is abandoned after a bounded number of bytes, and marked as incomplete")
  func endless() {
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    let pieces = [[0xFF], HeaderFixture.segment(0xFE, []), [0]]
    for piece in pieces.prefix(TestScale.count(3, short: 1)) {
      let found = header(
        start: Array(jpeg.prefix(2)) + [0xFF], piece: piece, times: (20 << 20) / piece.count,
        end: Array(jpeg.dropFirst(2)))
      #expect(found.header?.isIncomplete == true && found.header?.storedSize == nil)
      #expect(found.bytesRead <= ImageHeaderParser.maximumBytes)
    }
    let gif = Array(HeaderFixture.gif(width: 30, height: 20).prefix(10)) + [0, 0, 0]
    let blocks = header(
      start: gif + [0x21, 0xFE], piece: [255] + [UInt8](repeating: 7, count: 255), times: 700_000, end: [0, 0x3B])
    #expect(blocks.header?.storedSize == size(30, 20) && blocks.header?.isIncomplete == true)
    // Boxes are read again from the start each time, so only few reads are allowed.
    let box = HeaderFixture.big(5000, 4) + Array("free".utf8) + [UInt8](repeating: 7, count: 4992)
    // Without the box that describes the image.
    let boxes = header(start: Array(HeaderFixture.isoBaseMedia("heic").dropLast(8)), piece: box, times: 4000, end: [])
    #expect(boxes.header?.isIncomplete == true && boxes.bytesRead < 1 << 18)
  }

  private func size(_ width: Int, _ height: Int) -> PixelSize? { PixelSize(width: width, height: height) }

  @Test("A comment that is longer than its length field is skipped, as in libjpeg")
  func wrongCommentLength() {
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    for stray in [1, 40, 5000, 70_000] {
      let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2] + [UInt8](repeating: 0x20, count: stray)
      let file = Array(jpeg.prefix(2)) + comment + jpeg.dropFirst(2)
      #expect(read(file).header?.storedSize == size(30, 20))
    }
  }

  @Test("A file that is not an image needs one read")
  func noImage() {
    let read = read([UInt8](repeating: 0, count: 1 << 20))
    #expect(read.header == nil)
    #expect(read.requested == [0..<4096])
    #expect(self.read([]).requested.isEmpty)
  }

  @Test("A file that is shorter than declared ends at its actual end")
  func truncatedFile() {
    let file = HeaderFixture.jpeg(width: 30, height: 20, padding: 100_000)
    for count in [0, 1, 3, 4096, 5000, 70_000] {
      let read = read(Array(file.prefix(count)), declaring: file.count)
      #expect(read.header?.storedSize == nil)
      #expect((read.header == nil) == (count < 3))
    }
  }

  @Test("Errors of the closure are rethrown")
  func readErrors() {
    struct Unplugged: Error, Equatable {}
    #expect(throws: Unplugged()) {
      _ = try ImageHeader.read(fileBytes: 100) { _, _ throws(Unplugged) in throw Unplugged() }
    }
  }

  @Test("Every prefix of a file is read without a crash")
  func prefixes() {
    for file in ImageHeaderParserTests.examples {
      for count in 0...file.count { check(Array(file.prefix(count))) }
    }
  }

  @Test("Files with random changes are read without a crash", arguments: TestScale.seeds(1...8))
  func mutations(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let interestingBytes: [UInt8] = [0, 1, 2, 4, 6, 8, 0x0C, 0x12, 0x7F, 0x80, 0xE1, 0xFE, 0xFF]
    for file in ImageHeaderParserTests.examples {
      for _ in 0..<400 {
        var changed = file
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let index = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[index] = interestingBytes.randomElement(using: &random) ?? 0
          case 1: changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: changed.remove(at: index)
          default: changed.insert(UInt8.random(in: 0...255, using: &random), at: index)
          }
        }
        check(changed)
      }
    }
  }

  /// Checks the invariants of a result for arbitrary bytes.
  private func check(_ file: [UInt8]) {
    let read = read(file)
    #expect(read.requested.reduce(0) { $0 + $1.count } <= ImageHeaderParser.maximumBytes)
    #expect(read.requested.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= file.count && !$0.isEmpty })
    guard let header = read.header else { return }
    #expect(header.format == ImageFormat(magic: Array(file.prefix(ImageFormat.magicByteCount))))
    if let range = header.embeddedThumbnail { #expect(range.lowerBound >= 0 && range.upperBound <= file.count) }
    if let time = header.captureTime { #expect(time >= -5_364_662_400 && time < 253_402_300_800) }
  }
}

// MARK: - Fuzzing seeds

@Suite("The seeds of the header fuzzer, and the files that it found, are read")
struct HeaderSeedsTests {
  /// The folder Fuzzing/Seeds/Headers of the package.
  private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing/Seeds/Headers")

  /// One image is cropped by its clean aperture, and one has a frame beyond its canvas.
  private static let otherSizes = [
    "avif": PixelSize(width: 16, height: 12), "gif-frame": PixelSize(width: 44, height: 20),
  ]

  private static var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("Each file has the format that its name states, and its known size", arguments: try names)
  func seed(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let header = try #require(ImageHeader.read(bytes))
    #expect(String(describing: header.format) == name.prefix { $0 != "-" })
    let size = Self.otherSizes[name] ?? PixelSize(width: 30, height: 20)
    if let stored = header.storedSize { #expect(stored == size) }
    if name.hasSuffix("-xmp") { #expect(header.rating == 4) }
    if name.hasSuffix("-location") { #expect(header.rating == 3 && header.location != nil) }
    #expect(name == "avif-brands" || name.hasPrefix("tiff-") || header.storedSize != nil)
  }

  @Test("Each prefix of a file has the same format or none", arguments: try names)
  func prefixes(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    let format = try #require(ImageHeader.read(bytes)).format
    for count in bytes.indices {
      guard let header = ImageHeader.read(Array(bytes[..<count])) else { continue }
      #expect(header.format == format || header.format == .heic || header.format == .avif)
    }
  }
}
