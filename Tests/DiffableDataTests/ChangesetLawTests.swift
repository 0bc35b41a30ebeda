import DiffableData
import TestSupport
import Testing

@Suite("The old snapshot after its changeset is the new one")
struct ChangesetLawTests {
  private typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  private func expectLaw(_ old: DiffableDataSourceSnapshot<Int, Int>, _ new: DiffableDataSourceSnapshot<Int, Int>) {
    let changeset = new.changeset(from: old)
    #expect(old.applying(changeset, insertionsFrom: new) == new)
    #expect(changeset.isEmpty == (old == new))
    #expect(zip(changeset.itemMoves, changeset.itemMoves.dropFirst()).allSatisfy { $0.to < $1.to })
    #expect(changeset.itemMoves.reduce(0) { $0 + $1.count } == changeset.movedItemCount)
    // Each item is where the changeset says.
    var isMapped = true
    for (section, count) in old.itemCounts.enumerated() {
      for item in 0..<count {
        let from = ItemPosition(section: section, item: item)
        guard let id = old.itemIdentifier(at: from) else { continue }
        isMapped = isMapped && changeset.position(afterUpdateOf: from) == new.position(ofItem: id)
      }
      let moved = old.sectionIdentifier(at: section).flatMap(new.indexOfSection)
      isMapped = isMapped && changeset.section(afterUpdateOf: section) == moved
    }
    for (section, count) in new.itemCounts.enumerated() {
      for item in 0..<count {
        let to = ItemPosition(section: section, item: item)
        guard let id = new.itemIdentifier(at: to) else { continue }
        isMapped = isMapped && changeset.position(beforeUpdateOf: to) == old.position(ofItem: id)
        let isListed = changeset.itemMoves.contains {
          $0.to.section == section && ($0.to.item..<($0.to.item + $0.count)).contains(item)
        }
        isMapped = isMapped && changeset.isMoved(to: to) == isListed
      }
      let origin = new.sectionIdentifier(at: section).flatMap(old.indexOfSection)
      isMapped = isMapped && changeset.section(beforeUpdateOf: section) == origin
    }
    #expect(isMapped)
  }

  @Test("Through random edits of a copy, small and large", arguments: 1...8)
  func edits(seed: UInt64) {
    var edits = SnapshotEdits(seed: 100 + seed)
    for _ in 0..<(seed % 4 == 0 ? 25 : 60) {
      let old = edits.snapshot
      for _ in 0..<Int.random(in: 1...4, using: &edits.random) { edits.edit(upTo: seed % 4 == 0 ? 700 : 12) }
      expectLaw(old, edits.snapshot)
      expectLaw(edits.snapshot, old)
    }
  }

  @Test("Between snapshots that were built apart, and with no more moves than between edited ones, and no fewer")
  func builtApart() {
    var edits = SnapshotEdits(seed: 200)
    for _ in 0..<80 {
      let (old, oldModel) = (edits.snapshot, edits.model)
      for _ in 0..<3 { edits.edit(upTo: 30) }
      let rebuilt = edits.model.snapshot.changeset(from: oldModel.snapshot)
      let edited = edits.snapshot.changeset(from: old)
      // Which of several items moves may differ, as the edited ones pass over what they share.
      #expect(rebuilt.movedItemCount == edited.movedItemCount)
      #expect(rebuilt.sections.map(\.deletes) == edited.sections.map(\.deletes))
      #expect(rebuilt.sections.map(\.inserts) == edited.sections.map(\.inserts))
      expectLaw(oldModel.snapshot, edits.model.snapshot)
    }
  }

  @Test("Between permutations of few items with the fewest moves there can be")
  func fewestMoves() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<400 {
      let count = Int.random(in: 0...9, using: &random)
      let items = Array(0..<count)
      let shuffled = items.shuffled(using: &random)
      let old = ModelSnapshot(sections: [(0, items)]).snapshot
      let new = ModelSnapshot(sections: [(0, shuffled)]).snapshot
      // Brute force: the largest subset that keeps its order.
      var longest = 0
      for subset in 0..<(1 << count) where subset.nonzeroBitCount > longest {
        let kept = shuffled.filter { subset & (1 << $0) != 0 }
        if kept == kept.sorted() { longest = kept.count }
      }
      #expect(new.changeset(from: old).movedItemCount == count - longest)
      expectLaw(old, new)
    }
  }

  @Test("Between any two of all small snapshots")
  func everySmallOne() {
    // Every order of some of three items, cut into two sections everywhere, or in one.
    var states: [DiffableDataSourceSnapshot<Int, Int>] = []
    func add(_ items: [Int]) {
      for cut in 0...items.count {
        let halves = [(0, Array(items[..<cut])), (1, Array(items[cut...]))]
        states.append(ModelSnapshot(sections: halves).snapshot)
      }
      states.append(ModelSnapshot(sections: [(1, items)]).snapshot)
      for item in 0..<3 where !items.contains(item) { add(items + [item]) }
    }
    add([])
    #expect(states.count == 65)
    for old in states { for new in states { expectLaw(old, new) } }
  }

  @Test("Whatever becomes of the sections")
  func sections() {
    var random = SeededGenerator(seed: 42)
    func model() -> ModelSnapshot {
      var items = Array(0..<14).shuffled(using: &random)
      return ModelSnapshot(
        sections: Array(0..<6).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map { section in
          let count = min(items.count, Int.random(in: 0...5, using: &random))
          defer { items.removeFirst(count) }
          return (section, Array(items.prefix(count)))
        })
    }
    for _ in 0..<800 { expectLaw(model().snapshot, model().snapshot) }
  }

  @Test("At a hundred thousand items, appended and shuffled")
  func large() {
    var random = SeededGenerator(seed: 43)
    var old = Snapshot()
    old.appendSections([0])
    old.appendItems(Array(0..<100_000))
    var new = old
    new.appendItems(Array(100_000..<101_000))
    let appended = new.changeset(from: old)
    #expect(appended.isAppendOnly)
    #expect(appended.sections.first?.inserts.ranges == [100_000..<101_000])
    let shuffled = ModelSnapshot(sections: [(0, Array(0..<20_000).shuffled(using: &random))]).snapshot
    let plain = ModelSnapshot(sections: [(0, Array(0..<20_000))]).snapshot
    #expect(plain.applying(shuffled.changeset(from: plain), insertionsFrom: shuffled) == shuffled)
  }
}
