import Testing
import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

@Suite("PNG files of the decoding process")
struct PNGEncoderTests {
  /// Returns a generated image: 0 is noise, 1 a single color, 2 a gradient, 3 runs of any length.
  private func picture(_ kind: Int, _ width: Int, _ height: Int) throws -> Bitmap {
    var random = SplitMix64(seed: UInt64(kind * 1_000_000 + width * 1_000 + height))
    var left = 0
    var level: UInt8 = 0
    return try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for index in bytes.indices {
        if left == 0 {
          left = kind == 3 ? Int.random(in: 1...900, using: &random) : 1
          level = .random(in: 0...255, using: &random)
        }
        left -= 1
        let (column, row) = (index / 4 % width, index / 4 / width)
        bytes[index] =
          switch kind {
          case _ where index % 4 == 3: 255
          case 0, 3: level
          case 1: 77
          default: UInt8(truncatingIfNeeded: column + row * (index % 4 + 1))
          }
      }
    }
  }

  private func encode(_ picture: Bitmap, _ texts: KeyValuePairs<String, String> = [:]) throws -> [UInt8] {
    var encoded = PNGTexts()
    for (keyword, text) in texts { encoded.append(keyword, text) }
    return try RealEncoder().encodePNG(picture, texts: encoded).get()
  }

  @Test("The decoder returns the encoded pixels", arguments: 0..<4)
  func roundTrip(kind: Int) throws {
    let folder = try TemporaryFolder()
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    for (width, height) in [(1, 1), (3, 2), (2, 300), (256, 171), (171, 256), (300, 3)] {
      for order in [ChannelOrder.redFirst, .blueFirst] {
        let picture = try picture(kind, width, height)
        var texts = PNGTexts()
        texts.append("Software", "a test")
        let bytes = try process.encodePNG(try picture.converted(to: order), texts: texts)
        let path = try folder.write(bytes, to: "\(width)x\(height).png")
        let file = try ImageFile(path: path)
        let decoded = try process.decode(
          file: file.number, fileBytes: bytes.count,
          fileRequest(path, source: 1, pixels(width, height), fit: .fit), delay: .zero)
        #expect(decoded.bitmap.contentDigest == picture.contentDigest && !decoded.isDamaged, "\(width) x \(height)")
      }
    }
  }

  @Test("A single color and a gradient compress well, and noise hardly grows")
  func sizes() throws {
    let raw = 256 * 192 * 3
    let counts = try (0..<3).map { try encode(picture($0, 256, 192)).count }
    #expect(counts[0] < raw * 21 / 20 && counts[1] < raw / 100 && counts[2] < raw / 20, "\(counts)")
  }

  @Test("The metadata of an encoded thumbnail is the given one, and precedes the pixels")
  func metadata() throws {
    let bytes = try encode(
      picture(0, 20, 10),
      ["Thumb::URI": "file:///a", "Thumb::MTime": "5", SharedThumbnailFailure.keyword: "damaged"])
    let metadata = try #require(SharedThumbnailMetadata(Array(bytes.prefix(300))))
    #expect(metadata.size == pixels(20, 10) && metadata.matches("file:///a", modifiedSeconds: 5, byteCount: 1))
    #expect(metadata.failure == .damaged)
  }

  @Test("A bitmap or texts that do not fit, and texts that PNG does not allow, are refused; the process goes on")
  func refusals() throws {
    let process = try DecodingProcess(RealHelper.setup(), stop: nil)
    let picture = try picture(2, 64, 64)
    var (long, nameless, empty) = (PNGTexts(), PNGTexts(), PNGTexts())
    long.append("Comment", String(repeating: "a", count: 4 << 20))
    nameless.append("", "text")
    empty.append("Comment", "")
    #expect(throws: DecodingProcessError.refused(.slotTooSmall)) { try process.encodePNG(picture, texts: long) }
    for texts in [nameless, empty] {
      #expect(throws: DecodingProcessError.refused(.damaged)) { try process.encodePNG(picture, texts: texts) }
    }
    #expect(try process.encodePNG(picture, texts: PNGTexts()).count > 60)
  }
}
