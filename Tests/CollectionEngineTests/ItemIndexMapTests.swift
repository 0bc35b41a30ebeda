import CollectionEngine
import CollectionLayout
import DiffableData
import TestSupport
import Testing

@Suite("An index map keeps runs of items through any difference of snapshots")
struct ItemIndexMapTests {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  @Test("A run that no change splits stays one run, however long")
  func runs() {
    var old = Snapshot()
    old.appendSections([0, 1])
    old.appendItems(Array(0..<100_000), toSection: 0)
    old.appendItems(Array(200_000..<200_010), toSection: 1)
    var new = old
    new.insertItems([-1, -2], beforeItem: 0)
    new.deleteItems([50_000])
    new.moveItem(200_009, beforeItem: 200_000)
    let map = ItemIndexMap(
      new.changeset(from: old), from: ItemCounts(old.itemCounts), to: ItemCounts(new.itemCounts))
    #expect(map.runs.count == 4)
    #expect(map.mapped(IndexRuns(10..<60_000)).ranges == [12..<60_001])
    #expect(map.newIndex(of: 50_000) == nil && map.newIndex(atOrAround: 50_000) == 50_002)
    #expect(map.newIndex(of: 100_009) == 100_001)
  }

  @Test(
    "Every item has the index of its identifier after insertions, deletions and moves",
    arguments: TestScale.seeds(0..<40))
  func identity(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 500)
    var old = Snapshot()
    let sections = Int.random(in: 1...5, using: &generator)
    old.appendSections(Array(0..<sections))
    for section in 0..<sections {
      let count = Int.random(in: 0...30, using: &generator)
      old.appendItems((0..<count).map { section * 100 + $0 }, toSection: section)
    }
    for step in 0..<30 {
      var new = old
      for edit in 0..<Int.random(in: 1...4, using: &generator) {
        Self.edit(&new, fresh: 1_000 + step * 100 + edit * 10, &generator)
      }
      let map = ItemIndexMap(
        new.changeset(from: old), from: ItemCounts(old.itemCounts), to: ItemCounts(new.itemCounts))
      let items = old.itemIdentifiers
      for (index, item) in items.enumerated() {
        #expect(map.newIndex(of: index) == new.indexOfItem(item), "item \(item)")
      }
      let chosen = IndexRuns(items.indices.filter { _ in generator.chance(oneIn: 2) })
      var expected: [Int] = []
      chosen.forEach { if let number = new.indexOfItem(items[$0]) { expected.append(number) } }
      #expect(map.mapped(chosen) == IndexRuns(expected))
      old = new
    }
  }

  private static func edit(_ snapshot: inout Snapshot, fresh: Int, _ generator: inout SeededGenerator) {
    let items = snapshot.itemIdentifiers
    guard let item = items.randomElement(using: &generator), let other = items.randomElement(using: &generator) else {
      if snapshot.numberOfSections == 0 { snapshot.appendSections([fresh]) }
      return snapshot.appendItems([fresh])
    }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: snapshot.insertItems([fresh, fresh + 1], beforeItem: item)
    case 1: snapshot.insertItems([fresh, fresh + 1, fresh + 2], afterItem: item)
    case 2: snapshot.deleteItems(Array(items.shuffled(using: &generator).prefix(3)))
    case 3, 4: if item != other { snapshot.moveItem(item, afterItem: other) }
    case 5: if item != other { snapshot.moveItem(item, beforeItem: other) }
    case 6:
      snapshot.insertSections([fresh], beforeSection: snapshot.sectionIdentifiers[0])
      snapshot.appendItems([fresh], toSection: fresh)
    default:
      let sections = snapshot.sectionIdentifiers
      if let first = sections.first, let last = sections.last, first != last {
        if generator.chance(oneIn: 3) {
          snapshot.deleteSections([first])
        } else {
          snapshot.moveSection(first, afterSection: last)
        }
      }
    }
  }

  @Test(
    "A map of a few items and positions gives the same indices as the map of all items", arguments: 0..<6)
  func partialMap(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) &+ 70)
    for _ in 0..<50 {
      let count = Int.random(in: 1...60, using: &random)
      let staying = (0..<count).filter { _ in random.chance(oneIn: 2) }.shuffled(using: &random)
      let whole = ItemIndexMap(staying.enumerated().map { (old: $1..<($1 + 1), new: $0) })
      let items = IndexRuns((0..<count).filter { _ in random.chance(oneIn: 4) })
      let indices = [Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)]
      let part = ItemIndexMap(of: items, around: indices, in: count) { whole.newIndex(of: $0) }
      #expect(part.mapped(items) == whole.mapped(items))
      for index in indices { #expect(part.newIndex(atOrAround: index) == whole.newIndex(atOrAround: index)) }
    }
  }
}
