import ImageDecoding
import TestSupport
import Testing

/// Changes bytes of files at random, and looks that each is decoded or refused.
struct Mutations {
  let seed: Int

  /// How often a file is changed.
  private static let rounds = 150

  func check(_ files: [[UInt8]]) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for file in files {
      for _ in 0..<Mutations.rounds {
        var changed = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<8, using: &random) {
          case 0: changed.remove(at: place)
          case 1: changed.insert(UInt8.random(in: 0...255, using: &random), at: place)
          default: changed[place] = UInt8.random(in: 0...255, using: &random)
          }
        }
        do {
          let result = try Decoding.decode(changed, width: 8, height: 8)
          #expect(result.picture.bytes.count == 256)
        } catch is DecodingError {}
      }
    }
  }
}
