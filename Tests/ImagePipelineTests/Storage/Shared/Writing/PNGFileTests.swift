import DataStructures
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Thumbnails are written as PNG")
struct PNGFileTests {
  /// A picture of a kind: noise, one colour, a gradient, runs of any length.
  private func picture(_ kind: Int, _ width: Int, _ height: Int) throws -> Bitmap {
    var random = SplitMix64(seed: UInt64(kind * 1_000_000 + width * 1_000 + height))
    var left = 0
    var level: UInt8 = 0
    return try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for place in bytes.indices {
        if left == 0 {
          left = kind == 3 ? Int.random(in: 1...900, using: &random) : 1
          level = .random(in: 0...255, using: &random)
        }
        left -= 1
        let (column, row) = (place / 4 % width, place / 4 / width)
        bytes[place] =
          switch kind {
          case _ where place % 4 == 3: 255
          case 0, 3: level
          case 1: 77
          default: UInt8(truncatingIfNeeded: column + row * (place % 4 + 1))
          }
      }
    }
  }

  @Test("What comes back from the decoder is what was written", arguments: 0..<4)
  func roundTrip(kind: Int) throws {
    let folder = try TemporaryFolder()
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    for (width, height) in [(1, 1), (3, 2), (2, 300), (256, 171), (171, 256), (300, 3)] {
      let picture = try picture(kind, width, height)
      let bytes = try #require(PNGEncoder.encode(picture, texts: [("Software", "a test")]))
      let path = try folder.write(bytes, to: "\(width)x\(height).png")
      let file = try PictureFile(path: path)
      let decoded = try process.decode(
        file: file.number, fileBytes: bytes.count,
        RealHelper.request(path, source: 1, pixels(width, height), fit: .fit), delay: .zero)
      #expect(decoded.bitmap.contentDigest == picture.contentDigest && !decoded.isDamaged, "\(width) x \(height)")
    }
  }

  @Test("One colour takes next to nothing, a gradient little, and noise not much more than its bytes")
  func bytes() throws {
    let raw = 256 * 192 * 3
    let counts = try (0..<3).map { try #require(PNGEncoder.encode(picture($0, 256, 192), texts: [])).count }
    #expect(counts[0] < raw * 21 / 20 && counts[1] < raw / 100 && counts[2] < raw / 20, "\(counts)")
  }

  @Test("Facts of a written thumbnail are those that were told")
  func facts() throws {
    let texts = [("Thumb::URI", "file:///a"), ("Thumb::MTime", "5"), (SharedThumbnailFailure.keyword, "damaged")]
    let bytes = try #require(PNGEncoder.encode(picture(0, 20, 10), texts: texts))
    let facts = try #require(SharedThumbnailMetadata(bytes))
    #expect(facts.size == pixels(20, 10) && facts.matches("file:///a", modifiedSeconds: 5, byteCount: 1))
    #expect(facts.failure == .damaged)
  }

  @Test("It is asked every few rows whether it may go on, and ends with nothing where it may not")
  func stopped() throws {
    let picture = try picture(2, 256, 256)
    var asked = 0
    let whole = PNGEncoder.encode(picture, texts: []) {
      asked += 1
      return true
    }
    #expect(whole != nil)
    #expect(asked > 4 && asked < 60)
    for most in 0..<asked {
      var left = most
      let part = PNGEncoder.encode(picture, texts: []) {
        left -= 1
        return left >= 0
      }
      #expect(part == nil)
    }
  }

  @Test("Codes are prefix codes that fill their room, whatever the frequencies", arguments: 0..<30)
  func codes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var frequencies = (0..<286).map { _ in
      Int.random(in: 0...3, using: &random) == 0 ? 0 : Int.random(in: 1...90_000, using: &random)
    }
    // Fibonacci's numbers make the deepest tree.
    if seed % 3 == 0 {
      frequencies = Array(repeating: 0, count: 286)
      var pair = (1, 1)
      for place in 0..<40 {
        frequencies[place * 7] = pair.0
        pair = (pair.1, pair.0 + pair.1)
      }
    }
    let code = HuffmanCode(frequencies: frequencies)
    var room = 0
    for (symbol, length) in code.lengths.enumerated() {
      #expect((length > 0) == (frequencies[symbol] > 0) && length <= 15)
      if length > 0 { room += 1 << (15 - Int(length)) }
    }
    #expect(room == 1 << 15)
    let used = code.lengths.indices.filter { code.lengths[$0] > 0 }
    for first in used {
      for second in used where first != second && code.lengths[first] <= code.lengths[second] {
        let mask = UInt16(1) << UInt16(code.lengths[first]) &- 1
        #expect(code.codes[second] & mask != code.codes[first])
      }
    }
  }
}
