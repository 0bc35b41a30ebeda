import TestSupport
import Testing

@testable import ImageDecoding

@Suite("PNG: pixels inflated at once")
struct InflatedPixelsTests {
  /// A file of nine rows in three chunks of pixels.
  private func writer() -> PNGWriter {
    var writer = PNGWriter(width: 12, height: 9)
    writer.bytesPerChunk = 150
    return writer
  }

  private func isInflated(_ file: [UInt8]) -> Bool {
    file.withUnsafeBytes { InflatedPixels($0) != nil }
  }

  private func place(of name: String, in file: [UInt8]) throws -> Int {
    try #require(file.indices.first { file[$0...].starts(with: name.utf8) })
  }

  @Test("a file of which everything is there and sound is inflated at once, whatever its samples are")
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

  @Test("what is cut off, faulty, interlaced or out of order is left to be read by rows")
  func others() throws {
    let picture = TestPicture.landscape(width: 12, height: 9)
    let good = writer().file(picture)
    for count in 0..<good.count { #expect(!isInflated(Array(good.prefix(count)))) }
    // Each byte is under a checksum, or is one.
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
    between.insert(contentsOf: text, at: try place(of: "IDAT", in: good) - 4 + 150 + 12)
    #expect(!isInflated(between))
    var before = good
    before.insert(contentsOf: text, at: try place(of: "IDAT", in: good) - 4)
    #expect(isInflated(before))
    var unknown = good
    unknown.insert(contentsOf: PNGWriter.chunk("ABCD", [1]), at: 33)
    #expect(!isInflated(unknown))
  }

  @Test("more or fewer pixels than the header says, and bytes behind them, are left to be read by rows")
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

  @Test("a file of more pixels than are held in memory is left to be read by rows")
  func tooLarge() {
    let rows = InflatedPixels.mostBytes / 65_536
    for (height, isHeld) in [(rows, true), (rows + 1, false), (65_535, false)] {
      var writer = PNGWriter(width: 65_535, height: height)
      writer.kind = .grey
      let file = writer.file(rows: [])
      let count = file.withUnsafeBytes { InflatedPixels.byteCount($0) }
      #expect(count == (isHeld ? height * 65_536 : nil))
      #expect(!isInflated(file))
    }
  }

  @Test("the pixels are the same as by rows, at the picture's own size and smaller")
  func samePixels() throws {
    let picture = TestPicture.landscape(width: 70, height: 53)
    for withAlpha in [false, true] {
      let whole = PNGWriter.file(picture, withAlpha: withAlpha)
      // Without its last chunk it is read by rows, and marked.
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

  @Test("a stream of stored blocks inflates to what it was made of", arguments: [1, 7, 65_535, 65_536, 200_000])
  func storedStream(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    var out: [UInt8] = []
    let promised = bytes.withUnsafeBytes { bytes in
      var stream = StoredStream(bytes)
      let promised = stream.count
      var part = [UInt8](repeating: 0, count: 8_191)
      while true {
        let count = part.withUnsafeMutableBytes { stream.read(into: $0) }
        if count == 0 { return promised }
        out += part.prefix(count)
      }
    }
    #expect(out.count == promised)
    // All but the checksum, which is left out.
    #expect(out.dropLast(4) == PNGWriter.stored(bytes).dropLast(4))
  }

  @Test("means of boxes are rounded as a division rounds them")
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
