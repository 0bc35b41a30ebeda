import CollectionEngine
import DiffableData
import TestSupport
import Testing

@testable import GalleryUI

@Suite("The bytes of the selection are added up a portion at a time")
struct SelectionTotalTests {
  @Test("In portions it comes to the sum, whatever is selected meanwhile and however sizes change", arguments: 0..<12)
  func sums(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var version = 1
    func bytes(_ item: Int) -> Int64 { Int64(item * item * version % 97 + 1) }
    var total = SelectionTotal()
    var items = IndexRuns()
    for _ in 0..<60 {
      let low = Int.random(in: 0..<200, using: &random)
      let run = IndexRuns(low..<(low + .random(in: 0...80, using: &random)))
      items = random.once(in: 2) ? items.union(run) : random.once(in: 2) ? items.subtracting(run) : run
      if random.once(in: 9) {
        version += 1
        total.restart(items)
      } else {
        total.select(items)
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var asked = 0
        total.advance(atMost: 25) { item in
          asked += 1
          return bytes(item)
        }
        #expect(asked <= 25)
      }
    }
    while !total.isComplete { total.advance(atMost: 25, bytes: bytes) }
    var sum: Int64 = 0
    items.forEach { sum += bytes($0) }
    #expect(total.bytes == sum)
  }

  @Test("Whole sections are those in which something is selected", arguments: 0..<8)
  func sections(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<40).map { _ in random.once(in: 4) ? 0 : Int.random(in: 1...9, using: &random) }
    let all = counts.reduce(0, +)
    let chosen = IndexRuns((0..<all).filter { _ in random.once(in: 12) })
    var expected = IndexRuns()
    var start = 0
    for count in counts {
      let section = IndexRuns(start..<(start + count))
      if !chosen.intersection(section).isEmpty { expected = expected.union(section) }
      start += count
    }
    #expect(chosen.wholeSections(of: counts) == expected)
  }

  @Test("What was added up is not asked for again")
  func kept() {
    var asked = 0
    var total = SelectionTotal()
    total.select(IndexRuns(0..<100))
    total.advance(atMost: 1_000) { _ in
      asked += 1
      return 1
    }
    total.select(IndexRuns(0..<103))
    #expect(!total.isComplete)
    total.advance(atMost: 1_000) { _ in
      asked += 1
      return 1
    }
    #expect(asked == 103 && total.bytes == 103 && total.isComplete)
    total.select(IndexRuns())
    total.advance(atMost: 0) { _ in 1 }
    #expect(total.isComplete && total.bytes == 0, "nothing is nothing at once")
  }

  @Test(
    "Bytes are written with three digits",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (12_400_000, "12.4 MB"),
      (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (340_000_000_000, "340 GB"),
      (-4, "0 bytes"), (Int64.max, "9,223 PB"),
    ])
  func words(count: Int64, text: String) { #expect(Counted.bytes(count) == text) }
}
