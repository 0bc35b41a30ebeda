import DataStructures
import Geometry
import Rendering
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What a shared thumbnail says of itself")
struct SharedThumbnailFactsTests {
  private func bytes(_ texts: [(String, String)]) throws -> [UInt8] {
    ThumbnailPNG(bitmap: try PackBench.picture(1, 20, 10).bitmap, texts: texts).bytes
  }

  @Test("Size, URI, time and bytes are found among other texts")
  func facts() throws {
    let facts = try #require(
      SharedThumbnailMetadata(
        try bytes([
          ("Software", "somebody"), ("Thumb::URI", "file:///a%20b"), ("Thumb::MTime", "1234567"), ("Thumb::Size", "99"),
        ])))
    #expect(facts.size == pixels(20, 10) && facts.uri == "file:///a%20b")
    #expect(facts.modifiedSeconds == 1_234_567 && facts.byteCount == 99)
    #expect(facts.matches("file:///a%20b", modifiedSeconds: 1_234_567, byteCount: 99))
    #expect(!facts.matches("file:///a b", modifiedSeconds: 1_234_567, byteCount: 99))
    #expect(!facts.matches("file:///a%20b", modifiedSeconds: 1_234_568, byteCount: 99))
    #expect(!facts.matches("file:///a%20b", modifiedSeconds: 1_234_567, byteCount: 98))
  }

  @Test("The original's bytes need not be told, the rest must, and seconds may have fractions")
  func optional() throws {
    let some = try #require(SharedThumbnailMetadata(try bytes([("Thumb::URI", "u"), ("Thumb::MTime", "-5.25")])))
    #expect(some.matches("u", modifiedSeconds: -5, byteCount: 77))
    for texts in [[("Thumb::URI", "u")], [("Thumb::MTime", "5")], [], [("Thumb::URI", "u"), ("Thumb::MTime", "five")]] {
      let facts = try #require(SharedThumbnailMetadata(try bytes(texts)))
      #expect(!facts.matches("u", modifiedSeconds: 5, byteCount: 1))
    }
  }

  @Test("What is cut off anywhere says the same or less, and of two of a name the first counts")
  func parts() throws {
    let texts = [
      ("Thumb::MTime", "never"), ("Thumb::URI", "u"), ("Thumb::URI", "v"), ("Thumb::MTime", "5"), ("Thumb::MTime", "6"),
      ("Thumb::Size", "7"), ("Thumb::Size", "8"), (SharedThumbnailFailure.keyword, "damaged"),
    ]
    let bytes = try bytes(texts)
    let whole = try #require(SharedThumbnailMetadata(bytes))
    #expect(whole.uri == "u" && whole.modifiedSeconds == 5 && whole.byteCount == 7 && whole.failure == .damaged)
    var said: Set<SharedThumbnailMetadata> = []
    for count in bytes.indices {
      guard let part = SharedThumbnailMetadata(Array(bytes[..<count])) else { continue }
      #expect(part.size == whole.size && [nil, whole.uri].contains(part.uri))
      #expect([nil, 5].contains(part.modifiedSeconds) && [nil, 7].contains(part.byteCount))
      said.insert(part)
    }
    // Nothing, and then each of the four.
    #expect(said.count == 5)
  }

  @Test("Any bytes are taken, and none are read past their end", arguments: 0..<40)
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
      if let facts = SharedThumbnailMetadata(changed) { #expect(facts.size.width > 0 && facts.size.height > 0) }
    }
    let noise = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(SharedThumbnailMetadata(noise) == nil)
  }
}
