import Testing
import VitrineTestSupport

@testable import VitrineImageDecodingCore

@Suite("PNG pixels that are inflated in one piece")
struct InflatedPixelsTests {
  /// Returns a writer of files with nine rows in three pixel chunks.
  private func writer() -> PNGWriter {
    var writer = PNGWriter(width: 12, height: 9)
    writer.bytesPerChunk = 150
    return writer
  }

  private func isInflated(_ file: [UInt8]) -> Bool {
    file.withUnsafeBytes { InflatedPixels($0) != nil }
  }

  private func offset(of name: String, in file: [UInt8]) throws -> Int {
    try #require(file.indices.first { file[$0...].starts(with: name.utf8) })
  }

  @Test("A complete and valid file with any kind of samples is inflated in one piece")
  func whole() throws {
    let picture = TestPicture.landscape(width: 12, height: 9)
    #expect(isInflated(writer().file(picture)))
    for (kind, depth, rowBytes) in [(PNGWriter.Kind.grey, 1, 2), (.grey, 16, 24), (.colorAlpha, 16, 96)] {
      var writer = writer()
      writer.kind = kind
      writer.bitDepth = UInt8(depth)
      #expect(isInflated(writer.file(rows: Array(repeating: 0, count: 9 * (1 + rowBytes)))))
    }
  }

  @Test("Truncated, faulty, interlaced and unordered files are read by rows")
  func otherFiles() throws {
    let picture = TestPicture.landscape(width: 12, height: 9)
    let good = writer().file(picture)
    for count in 0..<good.count { #expect(!isInflated(Array(good.prefix(count)))) }
    // Each byte is covered by a checksum, or is part of one.
    for index in 8..<good.count {
      var bad = good
      bad[index] ^= 0x10
      #expect(!isInflated(bad), "byte \(index)")
    }
    var interlaced = writer()
    interlaced.isInterlaced = true
    #expect(!isInflated(interlaced.file(picture)))
    let text = PNGWriter.chunk("tEXt", [65, 0, 66])
    var between = good
    between.insert(contentsOf: text, at: try offset(of: "IDAT", in: good) - 4 + 150 + 12)
    #expect(!isInflated(between))
    var before = good
    before.insert(contentsOf: text, at: try offset(of: "IDAT", in: good) - 4)
    #expect(isInflated(before))
    var unknown = good
    unknown.insert(contentsOf: PNGWriter.chunk("ABCD", [1]), at: 33)
    #expect(!isInflated(unknown))
  }

  @Test("Files with more or fewer pixels than declared, or with bytes after the pixels, are read by rows")
  func counts() {
    let row = [UInt8](repeating: 0, count: 37)
    for (rows, isWhole) in [(8, false), (9, true), (10, false)] {
      let bytes = Array(repeatElement(row, count: rows).joined())
      #expect(isInflated(writer().file(rows: bytes)) == isWhole)
    }
    var file = writer().file(rows: Array(repeatElement(row, count: 9).joined()))
    file.insert(contentsOf: PNGWriter.chunk("IDAT", [0]), at: file.count - 12)
    #expect(!isInflated(file))
  }

  @Test("A file with more pixels than the memory limit is read by rows")
  func tooLarge() {
    let rows = InflatedPixels.maximumBytes / 65_536
    for (height, fits) in [(rows, true), (rows + 1, false), (65_535, false)] {
      var writer = PNGWriter(width: 65_535, height: height)
      writer.kind = .grey
      let file = writer.file(rows: [])
      let count = file.withUnsafeBytes { InflatedPixels.byteCount($0) }
      #expect(count == (fits ? height * 65_536 : nil))
      #expect(!isInflated(file))
    }
  }

  @Test("The pixels equal those that are read by rows, at full size and reduced")
  func samePixels() throws {
    let picture = TestPicture.landscape(width: 70, height: 53)
    for withAlpha in [false, true] {
      let whole = PNGWriter.file(picture, withAlpha: withAlpha)
      // Without its last chunk it is read by rows, and marked as damaged.
      let byRows = Array(whole.dropLast(12))
      for (width, height) in [(70, 53), (30, 20), (9, 7)] {
        let first = try Decoding.decode(whole, width: width, height: height)
        let second = try Decoding.decode(byRows, width: width, height: height)
        #expect(first.picture == second.picture)
        #expect(!first.image.isDamaged)
        #expect(second.image.isDamaged)
      }
    }
  }

  @Test("A stream of stored blocks inflates to its original bytes", arguments: [1, 7, 65_535, 65_536, 200_000])
  func storedStream(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    var out: [UInt8] = []
    let expectedCount = bytes.withUnsafeBytes { bytes in
      var stream = StoredStream(bytes)
      let expectedCount = stream.count
      var part = [UInt8](repeating: 0, count: 8_191)
      while true {
        let count = part.withUnsafeMutableBytes { stream.read(into: $0) }
        if count == 0 { return expectedCount }
        out += part.prefix(count)
      }
    }
    #expect(out.count == expectedCount)
    // All bytes except the checksum, which is omitted.
    #expect(out.dropLast(4) == PNGWriter.stored(bytes).dropLast(4))
  }

  @Test("The means of boxes are rounded like the result of a division")
  func means() {
    for count in [1, 2, 3, 7, 49, 127, 128, 1_000, 16_384] {
      let mean = BoxMean(of: count)
      for sum in stride(from: 0, through: 255 * count, by: max(1, count / 5)) {
        #expect(Int(mean(UInt32(sum))) == (sum + count / 2) / count)
      }
      #expect(mean(UInt32(255 * count)) == 255)
    }
  }
}
