import Testing
import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineRendering
import VitrineTestSupport

extension SharedThumbnailMetadata {
  /// Reads the first bytes of a file, as a reading process does.
  init?(_ bytes: [UInt8]) {
    guard let description = PNGDescription(bytes) else { return nil }
    self.init(description)
  }
}

@Suite("Metadata of shared thumbnails")
struct SharedThumbnailMetadataTests {
  private func bytes(_ texts: [(String, String)]) throws -> [UInt8] {
    ThumbnailPNG(bitmap: try NumberedThumbnail.picture(1, 20, 10).bitmap, texts: texts).bytes
  }

  @Test("Size, URI, time and byte count are found among other texts")
  func metadata() throws {
    let metadata = try #require(
      SharedThumbnailMetadata(
        try bytes([
          ("Software", "another"), ("Thumb::URI", "file:///a%20b"), ("Thumb::MTime", "1234567"), ("Thumb::Size", "99"),
        ])))
    #expect(metadata.size == pixels(20, 10) && metadata.uri == "file:///a%20b")
    #expect(metadata.modifiedSeconds == 1_234_567 && metadata.byteCount == 99)
    #expect(metadata.matches("file:///a%20b", modifiedSeconds: 1_234_567, byteCount: 99))
    #expect(!metadata.matches("file:///a b", modifiedSeconds: 1_234_567, byteCount: 99))
    #expect(!metadata.matches("file:///a%20b", modifiedSeconds: 1_234_568, byteCount: 99))
    #expect(!metadata.matches("file:///a%20b", modifiedSeconds: 1_234_567, byteCount: 98))
  }

  @Test("The byte count is optional, the URI and time are not, and the time may have a fraction")
  func optional() throws {
    let some = try #require(SharedThumbnailMetadata(try bytes([("Thumb::URI", "u"), ("Thumb::MTime", "-5.25")])))
    #expect(some.matches("u", modifiedSeconds: -5, byteCount: 77))
    for texts in [[("Thumb::URI", "u")], [("Thumb::MTime", "5")], [], [("Thumb::URI", "u"), ("Thumb::MTime", "five")]] {
      let metadata = try #require(SharedThumbnailMetadata(try bytes(texts)))
      #expect(!metadata.matches("u", modifiedSeconds: 5, byteCount: 1))
    }
  }

  @Test("A truncated file yields the same metadata or less, and of equal keywords the first valid one counts")
  func truncated() throws {
    let texts = [
      ("Thumb::MTime", "never"), ("Thumb::URI", "u"), ("Thumb::URI", "v"), ("Thumb::MTime", "5"), ("Thumb::MTime", "6"),
      ("Thumb::Size", "7"), ("Thumb::Size", "8"), (SharedThumbnailFailure.keyword, "damaged"),
    ]
    let bytes = try bytes(texts)
    let whole = try #require(SharedThumbnailMetadata(bytes))
    #expect(whole.uri == "u" && whole.modifiedSeconds == 5 && whole.byteCount == 7 && whole.failure == .damaged)
    var results: Set<SharedThumbnailMetadata> = []
    for count in bytes.indices {
      guard let part = SharedThumbnailMetadata(Array(bytes[..<count])) else { continue }
      #expect(part.size == whole.size && [nil, whole.uri].contains(part.uri))
      #expect([nil, 5].contains(part.modifiedSeconds) && [nil, 7].contains(part.byteCount))
      results.insert(part)
    }
    // No metadata, and then each of the four values.
    #expect(results.count == 5)
  }

  @Test("Any bytes are accepted, and no byte past the end is read", arguments: 0..<40)
  func anyBytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let whole = try bytes([("Thumb::URI", "u"), ("Thumb::MTime", "5")])
    for length in 0..<min(whole.count, 120) { _ = SharedThumbnailMetadata(Array(whole[..<length])) }
    #expect(SharedThumbnailMetadata(Array(whole[..<28])) == nil)
    for _ in 0..<200 {
      var changed = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        changed[Int.random(in: 0..<90, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let metadata = SharedThumbnailMetadata(changed) {
        #expect(metadata.size.width > 0 && metadata.size.height > 0)
      }
    }
    let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(SharedThumbnailMetadata(noise) == nil)
  }
}
