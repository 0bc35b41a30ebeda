import Testing
import VitrineGeometry

@testable import VitrineImageDecodingCore

@Suite("Reading bytes of a file")
struct FileReaderTests {
  @Test("Nothing outside of a file is read")
  func bounds() {
    let bytes: [UInt8] = [1, 2, 3, 4]
    bytes.withUnsafeBytes { bytes in
      let file = FileReader(bytes)
      #expect(file.count == 4 && file.byte(0) == 1 && file.byte(3) == 4)
      #expect(file.byte(-1) == nil && file.byte(4) == nil)
      #expect(file.littleEndian(1, bytes: 2) == 0x0302 && file.bigEndian(1, bytes: 2) == 0x0203)
      for offset in [-1, 3, 4, .max] {
        #expect(file.littleEndian(offset, bytes: 2) == nil && file.bigEndian(offset, bytes: 2) == nil)
        #expect(file.slice(offset, 2) == nil && !file.matches("ab", at: offset))
      }
      #expect(file.slice(2, -1) == nil && file.slice(5, 0) == nil && file.slice(1, 4) == nil)
      #expect(file.slice(4, 0)?.isEmpty == true && file.slice(1, 2).map { Array($0) } == [2, 3])
      #expect(file.matches("\u{2}\u{3}", at: 1) && !file.matches("\u{2}\u{4}", at: 1))
    }
  }

  @Test("A stream ends at the end of its file, wherever it is moved")
  func stream() {
    let bytes: [UInt8] = [1, 2, 3, 4]
    bytes.withUnsafeBytes { bytes in
      var stream = ByteStream(bytes)
      var target = [UInt8](repeating: 0, count: 8)
      func read(_ count: Int) -> [UInt8] {
        let count = target.withUnsafeMutableBytes { $0.baseAddress.map { stream.read(into: $0, count: count) } ?? 0 }
        return Array(target[..<count])
      }
      #expect(read(3) == [1, 2, 3] && stream.offset == 3 && read(3) == [4] && read(3) == [])
      #expect(!stream.seek(to: -1) && stream.offset == 4)
      #expect(stream.seek(to: 1) && read(2) == [2, 3] && read(-1) == [])
      #expect(stream.seek(to: 90) && read(2) == [] && stream.count == 4 && stream.all.count == 4)
    }
  }
}

@Suite("The parts of a file that its preview needs")
struct PreviewPiecesTests {
  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  private func ranges(_ boxes: [(length: [UInt8], name: String, count: Int)], fileBytes: Int, head most: Int = 16)
    -> [Range<Int>]?
  {
    var starts: [Int: [UInt8]] = [:]
    var place = 0
    for box in boxes {
      starts[place] = Array(
        (box.length.prefix(4) + Array(box.name.utf8) + box.length.dropFirst(4) + big(0, 8)).prefix(most))
      place += box.count
    }
    return PreviewPieces.ranges(preview: 1_000..<1_100, fileBytes: fileBytes) { starts[$0] ?? [] }
  }

  @Test("Boxes of all forms of lengths are followed, and pixels are left out")
  func lengths() {
    let size = 300_000
    #expect(
      ranges([(big(500, 4), "ftyp", 500), (big(size - 500, 4), "mdat", size - 500)], fileBytes: size)
        == [0..<500, 500..<516, 1_000..<1_100])
    #expect(
      ranges([(big(500, 4), "ftyp", 500), (big(1, 4) + big(size - 500, 8), "mdat", size - 500)], fileBytes: size)
        == [0..<500, 500..<516, 1_000..<1_100])
    #expect(
      ranges([(big(500, 4), "ftyp", 500), (big(0, 4), "mdat", size - 500)], fileBytes: size)
        == [0..<500, 500..<516, 1_000..<1_100])
  }

  @Test("Boxes that are cut off, too short, too long or too many are malformed, and little is not worthwhile")
  func malformed() {
    let size = 300_000
    #expect(ranges([(big(500, 4), "ftyp", 500)], fileBytes: size) == nil)
    #expect(ranges([(big(500, 4), "ftyp", 500)], fileBytes: size, head: 7) == nil)
    #expect(ranges([(big(1, 4) + big(size, 8), "mdat", size)], fileBytes: size, head: 15) == nil)
    #expect(ranges([(big(7, 4), "mdat", size)], fileBytes: size) == nil)
    #expect(ranges([(big(1, 4) + big(15, 8), "mdat", size)], fileBytes: size) == nil)
    #expect(ranges([(big(size + 1, 4), "mdat", size)], fileBytes: size) == nil)
    #expect(ranges([(big(size, 4), "meta", size)], fileBytes: size) == nil)
    #expect(ranges([(big(3 << 20, 4), "meta", 3 << 20)], fileBytes: 3 << 20) == nil)
    #expect(ranges(Array(repeating: (big(8, 4), "free", 8), count: 100), fileBytes: size) == nil)
  }

  @Test("A preview must have the proportions of its picture, and no more pixels")
  func proportions() throws {
    let picture = try #require(PixelSize(width: 400, height: 300))
    #expect(EmbeddedPreview(nil, of: picture) == nil)
    for (width, height, isPreview) in [
      (40, 30, true), (40, 40, false), (60, 30, false), (440, 330, false), (1, 1, true),
    ] {
      #expect((EmbeddedPreview(PixelSize(width: width, height: height), of: picture) != nil) == isPreview, "\(width)")
    }
  }
}
