import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineTestSupport
import VitrineThreads

/// A snapshot whose identifiers are numbers.
typealias NumberSnapshot = DiffableDataSourceSnapshot<Int, Int>

extension IndexMap {
  /// Creates the map from one snapshot to another.
  init(_ old: NumberSnapshot, to new: NumberSnapshot) {
    self.init(new.changeset(from: old), from: ItemCounts(old.itemCounts), to: ItemCounts(new.itemCounts))
  }

  /// Creates the map of an update in which the items get the given indices, in one section of two
  /// thousand items.
  init(_ newIndex: @escaping @Sendable (Int) -> Int?) {
    let counts = ItemCounts([2_000])
    self.init(from: counts, to: counts, newIndex: newIndex) { new in (0..<2_000).first { newIndex($0) == new } }
  }

  /// Creates the map of an update that leaves and inserts empty sections.
  init(sections old: [Int], to new: [Int]) {
    func snapshot(_ sections: [Int]) -> NumberSnapshot {
      var snapshot = NumberSnapshot()
      snapshot.appendSections(sections)
      return snapshot
    }
    self.init(snapshot(old), to: snapshot(new))
  }
}

extension NumberSnapshot {
  /// Creates a snapshot of up to five sections of up to thirty items.
  static func random(using generator: inout SeededGenerator) -> NumberSnapshot {
    var snapshot = NumberSnapshot()
    let sections = Int.random(in: 1...5, using: &generator)
    snapshot.appendSections(Array(0..<sections))
    for section in 0..<sections {
      let count = Int.random(in: 0...30, using: &generator)
      snapshot.appendItems((0..<count).map { section * 100 + $0 }, toSection: section)
    }
    return snapshot
  }

  /// Returns the snapshot after a few random changes of items and sections.
  ///
  /// - Parameter fresh: The first of 40 identifiers that no snapshot had before.
  func edited(fresh: Int, using generator: inout SeededGenerator) -> NumberSnapshot {
    var next = self
    for edit in 0..<Int.random(in: 1...4, using: &generator) { next.edit(fresh: fresh + edit * 10, &generator) }
    return next
  }

  private mutating func edit(fresh: Int, _ generator: inout SeededGenerator) {
    let items = itemIdentifiers
    guard let item = items.randomElement(using: &generator), let other = items.randomElement(using: &generator) else {
      if numberOfSections == 0 { appendSections([fresh]) }
      return appendItems([fresh])
    }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: insertItems([fresh, fresh + 1], beforeItem: item)
    case 1: insertItems([fresh, fresh + 1, fresh + 2], afterItem: item)
    case 2: deleteItems(Array(items.shuffled(using: &generator).prefix(3)))
    case 3, 4: if item != other { moveItem(item, afterItem: other) }
    case 5: if item != other { moveItem(item, beforeItem: other) }
    case 6:
      insertSections([fresh], beforeSection: sectionIdentifiers[0])
      appendItems([fresh], toSection: fresh)
    default:
      if let first = sectionIdentifiers.first, let last = sectionIdentifiers.last, first != last {
        if generator.chance(oneIn: 3) { deleteSections([first]) } else { moveSection(first, afterSection: last) }
      }
    }
  }
}

@Suite("An index map answers where every item and section is after an update, and where it was before")
struct IndexMapTests {
  @Test("Long runs of items are mapped at once, past insertions, deletions and moves")
  func runs() {
    var old = NumberSnapshot()
    old.appendSections([0, 1])
    old.appendItems(Array(0..<100_000), toSection: 0)
    old.appendItems(Array(200_000..<200_010), toSection: 1)
    var new = old
    new.insertItems([-1, -2], beforeItem: 0)
    new.deleteItems([50_000])
    new.moveItem(200_009, beforeItem: 200_000)
    let map = IndexMap(old, to: new)
    #expect(map.newIndices(of: IndexRuns(10..<60_000)).ranges == [12..<60_001])
    #expect(map.newIndex(ofItem: 50_000) == nil && map.newIndex(atOrAround: 50_000) == 50_002)
    #expect(map.newIndex(ofItem: 100_009) == 100_001 && map.isMoved(item: 100_001) && !map.isMoved(item: 100_002))
    #expect(map.oldIndex(ofItem: 0) == nil && map.oldIndex(ofItem: 2) == 0 && map.oldIndex(ofItem: 100_001) == 100_009)
  }

  @Test(
    "Every item and section has the index of its identifier, in both directions", arguments: TestScale.seeds(0..<40))
  func identity(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 500)
    var old = NumberSnapshot.random(using: &generator)
    for step in 0..<12 {
      let new = old.edited(fresh: 1_000 + step * 100, using: &generator)
      let (items, newItems) = (old.itemIdentifiers, new.itemIdentifiers)
      let lookup = IndexMap(
        from: ItemCounts(old.itemCounts), to: ItemCounts(new.itemCounts),
        newIndex: { new.indexOfItem(items[$0]) }, oldIndex: { [old] in old.indexOfItem(newItems[$0]) })
      for map in [IndexMap(old, to: new), lookup] {
        for (index, item) in items.enumerated() {
          #expect(map.newIndex(ofItem: index) == new.indexOfItem(item), "item \(item)")
          let next = items[index...].first { new.indexOfItem($0) != nil }
          let last = items[..<index].last { new.indexOfItem($0) != nil }
          #expect(map.newIndex(atOrAround: index) == (next ?? last).flatMap(new.indexOfItem), "around item \(item)")
        }
        for (index, item) in newItems.enumerated() {
          #expect(map.oldIndex(ofItem: index) == old.indexOfItem(item), "item \(item)")
        }
        let chosen = IndexRuns(items.indices.filter { _ in generator.chance(oneIn: 2) })
        let expected = chosen.ranges.joined().compactMap { new.indexOfItem(items[$0]) }
        #expect(map.newIndices(of: chosen) == IndexRuns(expected))
        #expect(map.newIndex(ofItem: items.count) == nil && map.newIndex(ofItem: -1) == nil)
      }
      let map = IndexMap(old, to: new)
      for (index, section) in old.sectionIdentifiers.enumerated() {
        #expect(map.newIndex(ofSection: index) == new.indexOfSection(section), "section \(section)")
      }
      for (index, section) in new.sectionIdentifiers.enumerated() {
        #expect(map.oldIndex(ofSection: index) == old.indexOfSection(section), "section \(section)")
      }
      old = new
    }
  }

  @Test("A deleted item of a large collection has the next remaining item as its neighbour", arguments: 0..<2)
  func neighbours(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 40)
    var old = NumberSnapshot.random(using: &generator)
    old.appendSections([99])
    old.appendItems(Array(10_000..<12_000), toSection: 99)
    for step in 0..<10 {
      var new = old.edited(fresh: 1_000 + step * 100, using: &generator)
      let items = old.itemIdentifiers
      let start = Int.random(in: items.indices, using: &generator)
      new.deleteItems(
        items[start...].prefix(Int.random(in: 0...300, using: &generator)).filter { new.indexOfItem($0) != nil })
      let map = IndexMap(old, to: new)
      for (index, item) in items.enumerated() where new.indexOfItem(item) == nil {
        let next = items[index...].first { new.indexOfItem($0) != nil }
        let last = items[..<index].last { new.indexOfItem($0) != nil }
        #expect(map.newIndex(atOrAround: index) == (next ?? last).flatMap(new.indexOfItem), "around item \(item)")
      }
      old = new
    }
  }

  @Test("After a replacement no item and no section remains")
  func replacement() {
    let map = IndexMap(replacing: ItemCounts([3, 2]), by: ItemCounts([5]))
    #expect(map.replacesAll && map.newIndex(ofItem: 0) == nil && map.oldIndex(ofItem: 0) == nil)
    #expect(map.newIndex(atOrAround: 4) == nil && map.newIndices(of: IndexRuns(0..<5)).isEmpty)
    #expect(map.newIndex(ofSection: 0) == nil && map.oldIndex(ofSection: 0) == nil)
  }

  @Test("A deleted item among very many deleted runs has no neighbour, in bounded time")
  func distantNeighbour() {
    let (count, questions) = (100_000, Counter())
    let counts = ItemCounts([count])
    let map = IndexMap(from: counts, to: counts) { old in
      questions.increment()
      return old == 0 ? 0 : nil
    } oldIndex: {
      $0 == 0 ? 0 : nil
    }
    #expect(map.newIndex(atOrAround: count / 2) == nil && questions.value < 3_000)
    #expect(map.newIndex(atOrAround: 500) == 0)
    let few = IndexMap(from: counts, to: ItemCounts([1])) {
      $0 == 0 ? 0 : nil
    } oldIndex: { _ in
      0
    }
    #expect(few.newIndex(atOrAround: count / 2) == 0, "few items remain")
  }
}

/// A number that closures of any isolation count.
private final class Counter: Sendable {
  private let state = Lock(0)

  var value: Int { state.withLock { $0 } }

  func increment() { state.withLock { $0 += 1 } }
}
