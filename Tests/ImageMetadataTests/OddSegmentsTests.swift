import Testing
import VitrineGeometry

@testable import VitrineImageMetadata

@Suite("Segments and chunks in any form")
struct OddSegmentsTests {
  private let size = PixelSize(width: 30, height: 20)

  @Test("A JPEG segment that is shorter than its length field ends the search")
  func shortSegments() {
    let jpeg = HeaderFixture.jpeg(width: 30, height: 20)
    for length in [UInt8(0), 1] {
      let file = [0xFF, 0xD8, 0xFF, 0xE0, 0, length] + jpeg.dropFirst(2)
      #expect(ImageHeader.read(file)?.format == .jpeg && ImageHeader.read(file)?.storedSize == nil)
    }
    // Markers without a segment are skipped; the end and the pixels end the search.
    for marker in [UInt8(0x01), 0xD0, 0xD7, 0xD8] {
      #expect(ImageHeader.read([0xFF, 0xD8, 0xFF, marker] + jpeg.dropFirst(2))?.storedSize == size)
    }
    for marker in [UInt8(0xD9), 0xDA] {
      #expect(ImageHeader.read([0xFF, 0xD8, 0xFF, marker] + jpeg.dropFirst(2))?.storedSize == nil)
    }
  }

  @Test("XMP data of a WebP file that is read after its EXIF data, in a later piece, is found")
  func laterChunks() {
    let exif = RawExif(main: [.short(0x0112, 6), .short(0x4746, 2)]).bytes
    for length in [0, 9_000, 9_001] {
      let file = HeaderFixture.webP(
        HeaderFixture.riffChunk("VP8X", [0x0C, 0, 0, 0] + HeaderFixture.little(29, 3) + HeaderFixture.little(19, 3)),
        HeaderFixture.riffChunk("EXIF", exif),
        HeaderFixture.riffChunk("unkn", [UInt8](repeating: 0, count: length)),
        HeaderFixture.riffChunk("XMP ", Array("<x xmp:Rating='4'/>".utf8)))
      let header = ImageHeader.read(file)
      #expect(header?.storedSize == size && header?.orientation == .right && header?.rating == 4)
    }
  }

  @Test("A parser that has finished ignores further bytes")
  func finished() {
    var parser = ImageHeaderParser(fileBytes: 14)
    parser.supplyBytes(HeaderFixture.qoi(width: 30, height: 20))
    let step = parser.step
    #expect(step == .finished(ImageHeader.read(HeaderFixture.qoi(width: 30, height: 20))))
    parser.supplyBytes([1, 2, 3])
    #expect(parser.step == step)
    var empty = ImageHeaderParser(fileBytes: -1)
    empty.supplyBytes([1])
    #expect(empty.step == .finished(nil))
  }

  // MARK: - EXIF data in texts of PNG files

  /// Returns a file with a text of EXIF data.
  private func png(_ text: String) -> [UInt8] {
    HeaderFixture.png(
      width: 30, height: 20, chunks: [HeaderFixture.chunk("tEXt", Array("Raw profile type exif\0\(text)".utf8))])
  }

  @Test("EXIF data is read from hexadecimal digits of either case, with and without a JPEG's identifier")
  func profiles() {
    var exif = RawExif(main: [.short(0x0112, 6)])
    exif.main.append(exif.text(0x0110, Array("J\u{4A}Z".utf8)))
    func digits(_ bytes: [UInt8], _ alphabet: String) -> String {
      let letters = Array(alphabet)
      return bytes.map { "\(letters[Int($0 >> 4)])\(letters[Int($0 & 15)])" }.joined()
    }
    for alphabet in ["0123456789abcdef", "0123456789ABCDEF"] {
      for prefix in [[], Array("Exif\0\0".utf8)] {
        let text = digits(prefix + exif.bytes, alphabet)
        let middle = text.index(text.startIndex, offsetBy: 7)
        for lines in [text, "\(text[..<middle])\n\(text[middle...])"] {
          let header = ImageHeader.read(png("\nexif\n  \(exif.bytes.count)\n\(lines)\n"))
          #expect(header?.orientation == .right && header?.camera == "JJZ" && header?.storedSize == size)
          // Its bytes are not those of the file.
          #expect(header?.embeddedThumbnail == nil && header?.exifData == nil)
        }
      }
    }
    let text = digits(exif.bytes, "0123456789abcdef")
    for damaged in ["\nexif\n1\n" + text + "g", "\nexif\n1\n:\(text)", "\niptc\n1\n" + text, "\nexif\n", "", "\n\n\n"] {
      let header = ImageHeader.read(png(damaged))
      #expect(header?.orientation == .up && header?.storedSize == size, "\(damaged.prefix(12))")
    }
    // A chunk of EXIF data is used instead, wherever it is.
    let chunk = HeaderFixture.chunk("eXIf", RawExif(main: [.short(0x0112, 3)]).bytes)
    let profile = HeaderFixture.chunk("tEXt", Array("Raw profile type exif\0\nexif\n1\n\(text)".utf8))
    for chunks in [[chunk, profile], [profile, chunk]] {
      #expect(ImageHeader.read(HeaderFixture.png(width: 30, height: 20, chunks: chunks))?.orientation == .down)
    }
  }
}

@Suite("The bytes of a file that its pixels need, of unusual segments")
struct OddPixelDataRangesTests {
  private static let fileBytes = PixelDataRanges.minimumFileBytes + (4 << 20)

  /// Returns the ranges of a file that begins with the given bytes and ends with zeros.
  private func ranges(
    _ format: ImageFormat, _ start: [UInt8], fileBytes: Int = OddPixelDataRangesTests.fileBytes, at most: Int = .max
  ) -> [Range<Int>] {
    PixelDataRanges.ranges(format, fileBytes: fileBytes) { offset, count in
      let end = min(offset + count, most)
      return offset < end ? (offset..<end).map { $0 < start.count ? start[$0] : 0 } : []
    }
  }

  private var comments: [UInt8] {
    (0..<20).flatMap { _ in HeaderFixture.segment(0xFE, [UInt8](repeating: 1, count: 65_000)) }
  }

  @Test("Comments are skipped; JFIF, Adobe and color profile segments are kept")
  func jpegSegments() {
    let whole = [0..<Self.fileBytes]
    let kept = HeaderFixture.segment(0xE0, Array("JFIF\0".utf8)) + HeaderFixture.segment(0xEE, Array("Adobe".utf8))
    let profile = HeaderFixture.segment(0xE2, Array("ICC_PROFILE\0".utf8))
    let other = HeaderFixture.segment(0xE2, Array("MPF\0".utf8))
    let scan = HeaderFixture.segment(0xDA, [1, 1, 0, 0, 63, 0])
    let file = [0xFF, 0xD8] + kept + comments + other + profile + HeaderFixture.segment(0xDB, [0]) + scan
    let found = ranges(.jpeg, file)
    #expect(found.count == 2 && found[0] == 0..<2 + kept.count)
    #expect(found[1].lowerBound == file.count - scan.count - 5 - profile.count && found[1].upperBound == Self.fileBytes)
    // Segments that cross the end, have no length, or are none.
    for odd in [[0xFF, 0xFE, 0, 1], [0xFF, 0x01, 0, 4], [0xFF, 0xD0, 0, 4], [0xFF, 0xFF], [0xFF, 0], [7, 7]]
      as [[UInt8]]
    {
      #expect(ranges(.jpeg, [0xFF, 0xD8] + comments + odd + scan) == whole)
    }
    #expect(ranges(.webp, file) == whole && ranges(.jpeg, file, at: 5_000) == whole)
    // The file ends in a header, and in a segment.
    let segment = HeaderFixture.segment(0xFE, [UInt8](repeating: 1, count: 65_000))
    let exact: [UInt8] = [0xFF, 0xD8] + Array(repeatElement(segment, count: 70).joined())
    for extra in [0, 9, 16] {
      let count = exact.count + extra
      #expect(ranges(.jpeg, exact, fileBytes: count) == [0..<count])
      #expect(ranges(.jpeg, exact, fileBytes: count - 40) == [0..<count - 40])
    }
  }

  @Test("A file of tiny segments is read completely, after a bounded number of bytes")
  func budget() {
    let fileBytes = 64 << 20
    let segment = HeaderFixture.segment(0xFE, [UInt8](repeating: 1, count: 60))
    var bytesRead = 0
    let found = PixelDataRanges.ranges(.jpeg, fileBytes: fileBytes) { offset, count in
      bytesRead += count
      let tile = Array(repeatElement(segment, count: count / segment.count + 2).joined())
      // The segments follow the two bytes of the start.
      let skipped = (offset - 2) % segment.count
      return Array(tile[skipped..<skipped + count])
    }
    #expect(found == [0..<fileBytes] && bytesRead <= ImageHeaderParser.maximumBytes)
  }

  @Test("Texts of a PNG file are skipped; a chunk that crosses the end is none")
  func pngChunks() {
    let start = Array(HeaderFixture.png(width: 30, height: 20).prefix(33))
    let text = HeaderFixture.chunk("zTXt", [UInt8](repeating: 1, count: 2 << 20))
    let pixels = HeaderFixture.chunk("IDAT", [1, 2, 3])
    let found = ranges(.png, start + text + pixels)
    #expect(found == [0..<33, start.count + text.count..<Self.fileBytes])
    let whole = [0..<Self.fileBytes]
    #expect(ranges(.png, start + text + HeaderFixture.big(1 << 30, 4) + Array("sBIT".utf8)) == whole)
    #expect(ranges(.png, start + text, at: start.count + text.count + 3) == whole)
    // Chunks that end with the file.
    let count = start.count + text.count + 3_000_000
    #expect(ranges(.png, start + text, fileBytes: count, at: count - 5) == [0..<count])
    let last = start + text + text + text
    #expect(ranges(.png, last, fileBytes: last.count + 4) == [0..<last.count + 4])
  }
}
