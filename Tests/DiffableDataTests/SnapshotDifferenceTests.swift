import Testing
import VitrineTestSupport

@testable import VitrineDiffableData

@Suite("The difference of large snapshots skips shared storage and is minimal nevertheless")
struct SnapshotDifferenceTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  private static func snapshot(_ items: [Int]) -> DiffableDataSourceSnapshot<Int, Int> {
    SnapshotModel(sections: [(0, items)]).snapshot
  }

  /// Returns the length of the longest increasing subsequence of old indices, computed in quadratic time.
  private static func unmovedCount(_ old: [Int], _ new: [Int]) -> Int {
    let oldIndices = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
    let numbers = new.compactMap { oldIndices[$0] }
    var lengths = [Int](repeating: 1, count: numbers.count)
    for end in numbers.indices {
      for start in 0..<end where numbers[start] < numbers[end] { lengths[end] = max(lengths[end], lengths[start] + 1) }
    }
    return lengths.max() ?? 0
  }

  @Test("Up to 200 items have the fewest possible moves")
  func fewestMoves() {
    var random = SeededGenerator(seed: 71)
    for _ in 0..<300 {
      let old = Array(0..<Int.random(in: 1...200, using: &random)).shuffled(using: &random)
      var new = old.filter { _ in !random.chance(oneIn: 8) }
      for _ in 0..<Int.random(in: 0...60, using: &random) where new.count > 1 {
        let item = new.remove(at: Int.random(in: 0..<new.count, using: &random))
        new.insert(item, at: Int.random(in: 0...new.count, using: &random))
      }
      let changeset = Self.snapshot(new).changeset(from: Self.snapshot(old))
      #expect(changeset.movedItemCount == new.count - Self.unmovedCount(old, new))
    }
  }

  @Test(
    "Among many insertions and deletions, a few moved items have the fewest possible moves",
    arguments: TestScale.seeds(1...8))
  func fewMoves(seed: UInt64) {
    var random = SeededGenerator(seed: 740 + seed)
    let old = Array(0..<1_500)
    var new = old
    for _ in 0..<Int.random(in: 1...25, using: &random) {
      // One item, or a few consecutive ones.
      let first = Int.random(in: 0..<(new.count - 20), using: &random)
      let moved = Array(new[first..<(first + (random.chance(oneIn: 2) ? 1 : Int.random(in: 1...20, using: &random)))])
      new.removeSubrange(first..<(first + moved.count))
      new.insert(contentsOf: moved, at: Int.random(in: 0...new.count, using: &random))
    }
    new.removeAll { _ in random.chance(oneIn: 10) }
    for item in 0..<150 { new.insert(10_000 + item, at: Int.random(in: 0...new.count, using: &random)) }
    let base = Self.snapshot(old)
    let target = Self.snapshot(new)
    var rebuilt = base
    rebuilt.deleteAllItems()
    rebuilt.appendItems(new)
    for changeset in [target.changeset(from: base), rebuilt.changeset(from: base)] {
      #expect(changeset.movedItemCount == new.count - 150 - Self.unmovedCount(old, new))
      #expect(base.applying(changeset, insertionsFrom: target) == target)
      #expect(changeset.itemMoves.reduce(0) { $0 + $1.count } == changeset.movedItemCount)
      // Consecutive items that move together are one move.
      for (move, next) in zip(changeset.itemMoves, changeset.itemMoves.dropFirst()) {
        #expect(move.to.item + move.count < next.to.item || move.from.item + move.count != next.from.item)
      }
    }
  }

  @Test("A replaced item is found at any index, within a leaf or at its border")
  func replacements() {
    let base = Self.snapshot(Array(0..<1_300))
    for index in Array(stride(from: 0, to: 1_300, by: 37)) + [63, 64, 65, 127, 128, 511, 512, 513, 1_023, 1_024, 1_299]
    {
      var items = Array(0..<1_300)
      items[index] = 5_000
      var rebuilt = base
      rebuilt.deleteAllItems()
      rebuilt.appendItems(items)
      for new in [rebuilt, Self.snapshot(items)] {
        let changeset = new.changeset(from: base)
        #expect(changeset.movedItemCount == 0 && changeset.sections.count == 1)
        #expect(changeset.sections.first?.deletes == IndexRuns([index]))
        #expect(changeset.sections.first?.inserts == IndexRuns([index]))
      }
    }
  }

  @Test("Blocks that move far within a copy have the fewest possible moves", arguments: TestScale.seeds(1...12))
  func movesAcrossSharedLeaves(seed: UInt64) {
    var random = SeededGenerator(seed: 700 + seed)
    let old = Self.snapshot(Array(0..<9_000))
    var new = old
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let items = new.itemIdentifiers
      let first = Int.random(in: 0..<items.count, using: &random)
      let end = min(items.count, first + Int.random(in: 1...900, using: &random))
      let moved = Array(items[first..<end])
      guard let anchor = (items[..<first] + items[end...]).randomElement(using: &random) else { continue }
      new.deleteItems(items.filter { $0 != anchor && random.chance(oneIn: 3_000) })
      new.insertItems(moved, beforeItem: anchor)
      #expect(new.brokenInvariant == nil)
    }
    let changeset = new.changeset(from: old)
    #expect(old.applying(changeset, insertionsFrom: new) == new)
    let apart = Self.snapshot(new.itemIdentifiers).changeset(from: Self.snapshot(old.itemIdentifiers))
    #expect(changeset.movedItemCount == apart.movedItemCount)
    #expect(changeset.sections.map(\.deletes) == apart.sections.map(\.deletes))
  }

  @Test(
    "Of two groups of items that pass each other, the smaller one moves",
    arguments: [
      (20_000, 5_000, 3_000), (9_000, 2_500, 1_700), (20_000, 1_200, 1_100), (20_000, 1_100, 1_200),
      (30_000, 700, 9_000),
    ])
  func crossings(count: Int, moved: Int, gap: Int) {
    let old = Self.snapshot(Array(0..<count))
    var new = old
    new.insertItems(Array(0..<moved), afterItem: moved + gap - 1)
    let changes = new.changeset(from: old)
    #expect(changes.movedItemCount == min(moved, gap))
    #expect(old.applying(changes, insertionsFrom: new) == Self.snapshot(new.itemIdentifiers))
  }

  @Test(
    "Differences between copies that are related closely, distantly or not at all", arguments: TestScale.seeds(1...6))
  func generations(seed: UInt64) {
    var edits = SnapshotEdits(seed: 800 + seed)
    var copies: [DiffableDataSourceSnapshot<Int, Int>] = []
    for step in 0..<120 {
      edits.edit(upTo: step % 10 == 0 ? 900 : 15)
      if step % 3 == 0 { copies.append(edits.snapshot) }
      if step % 5 == 0, let other = copies.randomElement(using: &edits.random) {
        // A branch of an older copy.
        var branch = other
        branch.appendSections([-2 - step])
        branch.appendItems(Array((step * 1_000_000)..<(step * 1_000_000 + step)), toSection: -2 - step)
        copies.append(branch)
      }
    }
    for _ in 0..<60 {
      guard let old = copies.randomElement(using: &edits.random), let new = copies.randomElement(using: &edits.random)
      else { continue }
      #expect(old.brokenInvariant == nil)
      let changeset = new.changeset(from: old)
      let result = old.applying(changeset, insertionsFrom: new)
      #expect(result.sectionIdentifiers == new.sectionIdentifiers && result.itemIdentifiers == new.itemIdentifiers)
    }
  }

  @Test("The difference is independent of the number of steps per call")
  func steps() {
    var random = SeededGenerator(seed: 72)
    let old = Self.snapshot(Array(0..<12_000))
    var new = Self.snapshot(Array(0..<12_000).shuffled(using: &random))
    new.deleteItems(Array(0..<700))
    new.appendItems(Array(20_000..<20_500))
    for (old, new) in [(old, new), (old, old), (Snapshot(), new), (new, Snapshot())] {
      let whole = new.changeset(from: old)
      for length in [1, 977, 5_000] {
        var difference = SnapshotDifference(from: old, to: new)
        var count = 0
        var found: Changeset?
        while found == nil {
          found = difference.advance(steps: length)
          count += 1
        }
        #expect(found == whole)
        #expect(count <= 40 + 6 * 24_500 / length, "\(count) calls of \(length) steps")
        #expect(difference.advance(steps: 0) == whole)
      }
    }
  }

  @Test("Swapped blocks are runs, and up to the limit the moves are the fewest possible")
  func runs() {
    let swapped = Self.snapshot(Array(4_000..<10_000) + Array(0..<4_000)).changeset(
      from: Self.snapshot(Array(0..<10_000)))
    #expect(swapped.movedItemCount == 4_000 && !swapped.isStructuralShuffle)
    #expect(
      Array(swapped.itemMoves) == [
        ItemMove(from: .init(section: 0, item: 0), to: .init(section: 0, item: 6_000), count: 4_000)
      ])
    let reversed = Self.snapshot((0..<60_000).reversed()).changeset(from: Self.snapshot(Array(0..<60_000)))
    #expect(reversed.movedItemCount == 59_999 && !reversed.isStructuralShuffle)
  }

  @Test("A shuffle is marked as such and lists all its moves")
  func shuffle() {
    var random = SeededGenerator(seed: 73)
    let old = Self.snapshot(Array(0..<300_000))
    let new = Self.snapshot(Array(0..<300_000).shuffled(using: &random))
    let changes = new.changeset(from: old)
    #expect(changes.isStructuralShuffle && changes.movedItemCount < 300_000)
    #expect(changes.itemMoves.reduce(0) { $0 + $1.count } == changes.movedItemCount)
    var isRight = true
    for item in stride(from: 0, to: 300_000, by: 7) {
      let from = ItemPosition(section: 0, item: item)
      isRight = isRight && changes.position(afterUpdateOf: from) == new.position(ofItem: item)
    }
    #expect(isRight)
  }
}
