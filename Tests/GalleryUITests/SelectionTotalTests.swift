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
    var total = SelectionByteCount()
    var items = IndexRuns()
    for _ in 0..<60 {
      let low = Int.random(in: 0..<200, using: &random)
      let run = IndexRuns(low..<(low + .random(in: 0...80, using: &random)))
      let before = items
      items = random.chance(oneIn: 2) ? items.union(run) : random.chance(oneIn: 2) ? items.subtracting(run) : run
      if random.chance(oneIn: 9) {
        version += 1
        total.restart(items)
      } else {
        total.updateSelection(adding: items.subtracting(before), removing: before.subtracting(items), to: items)
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var asked = 0
        total.advance(atMost: 25, of: items) { item in
          asked += 1
          return bytes(item)
        }
        #expect(asked <= 25)
      }
    }
    while !total.isComplete { total.advance(atMost: 25, of: items, bytes: bytes) }
    var sum: Int64 = 0
    items.forEach { sum += bytes($0) }
    #expect(total.bytes == sum)
  }

  @Test("Whole sections are those in which something is selected", arguments: 0..<8)
  func sections(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<40).map { _ in random.chance(oneIn: 4) ? 0 : Int.random(in: 1...9, using: &random) }
    let all = counts.reduce(0, +)
    let chosen = IndexRuns((0..<all).filter { _ in random.chance(oneIn: 12) })
    var expected = IndexRuns()
    var start = 0
    for count in counts {
      let section = IndexRuns(start..<(start + count))
      if !chosen.intersection(section).isEmpty { expected = expected.union(section) }
      start += count
    }
    #expect(chosen.expandedToWholeSections(counts: counts) == expected)
  }

  @Test("What was added up is not asked for again")
  func kept() {
    var asked = 0
    var total = SelectionByteCount()
    total.updateSelection(adding: IndexRuns(0..<100), removing: IndexRuns(), to: IndexRuns(0..<100))
    total.advance(atMost: 1_000, of: IndexRuns(0..<100)) { _ in
      asked += 1
      return 1
    }
    total.updateSelection(adding: IndexRuns(100..<103), removing: IndexRuns(), to: IndexRuns(0..<103))
    #expect(!total.isComplete)
    total.advance(atMost: 1_000, of: IndexRuns(0..<103)) { _ in
      asked += 1
      return 1
    }
    #expect(asked == 103 && total.bytes == 103 && total.isComplete)
    total.updateSelection(adding: IndexRuns(), removing: IndexRuns(0..<103), to: IndexRuns())
    #expect(total.isComplete && total.bytes == 0, "nothing is nothing at once")
  }

  @Test("Of a quarter of a million runs a portion is looked at, whatever comes and goes, and no copy of them is kept")
  func portions() {
    var items = IndexRuns()
    for run in 0..<250_000 { items.append(contentsOf: (run * 4)..<(run * 4 + 2)) }
    let address = address(of: items)
    var total = SelectionByteCount()
    total.restart(items)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      // Inside of the hull, so that the runs' memory need not grow: it only moves where somebody else holds it.
      let low = Int.random(in: 0..<249_000, using: &random) * 4
      let change = IndexRuns(low..<(low + 400))
      let gone = items.part(in: change.hull)
      items.subtract(change)
      total.updateSelection(adding: IndexRuns(), removing: gone, to: items)
      var asked = 0
      total.advance(atMost: 512, of: items) { _ in
        asked += 1
        return 1
      }
      #expect(asked == 512)
      items.formUnion(gone)
      total.updateSelection(adding: gone, removing: IndexRuns(), to: items)
    }
    #expect(self.address(of: items) == address)
    while !total.isComplete { total.advance(atMost: 100_000, of: items) { Int64($0) } }
    total.restart(items)
    while !total.isComplete { total.advance(atMost: 100_000, of: items) { _ in 1 } }
    #expect(total.bytes == 500_000)
  }

  @Test("Files that are larger than can be come to the most that can be said")
  func overflow() {
    var total = SelectionByteCount()
    let items = IndexRuns(0..<3)
    total.restart(items)
    total.advance(atMost: 10, of: items) { _ in .max }
    #expect(total.isComplete && total.bytes == .max)
  }

  private func address(of items: IndexRuns) -> UnsafeRawPointer? {
    items.ranges.withUnsafeBytes { $0.baseAddress }
  }

  @Test(
    "Bytes are written with three digits",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (12_400_000, "12.4 MB"),
      (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (340_000_000_000, "340 GB"),
      (-4, "0 bytes"), (Int64.max, "9,223 PB"),
    ])
  func words(count: Int64, text: String) { #expect(CountFormat.bytes(count) == text) }
}
