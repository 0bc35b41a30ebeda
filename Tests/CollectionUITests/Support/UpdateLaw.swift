import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineTestSupport

/// The law of updates: what stores an index is, after a map was applied, in the state in which it would be if it had
/// been created for the new items.
///
/// `UpdateLawTests` checks it for the values of CollectionEngine.
enum UpdateLaw {
  typealias Snapshot = DiffableDataSourceSnapshot<Int, Int>

  /// Applies random updates to an owner that refers to random items and sections.
  ///
  /// - Parameters:
  ///   - seed: The seed of the updates.
  ///   - make: Creates an owner of items and sections, by index, for the given counts.
  ///   - apply: Applies a map to an owner.
  ///   - state: Returns what a new owner must have in common with an updated one.
  static func check<Owner, State: Equatable>(
    seed: Int, _ make: (_ items: [Int: Int], _ sections: [Int: Int], _ counts: ItemCounts) -> Owner,
    _ apply: (Owner, IndexMap) -> Void, _ state: (Owner) -> State
  ) {
    check(seed: seed, make, changes: { owner, map, _ in apply(owner, map) }, state)
  }

  /// Applies random updates to an owner that needs the changes of an update besides its map.
  static func check<Owner, State: Equatable>(
    seed: Int, _ make: (_ items: [Int: Int], _ sections: [Int: Int], _ counts: ItemCounts) -> Owner,
    changes apply: (Owner, IndexMap, Changeset) -> Void, _ state: (Owner) -> State
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    var old = Snapshot()
    old.appendSections(Array(0..<4))
    for section in 0..<4 { old.appendItems((0..<20).map { section * 100 + $0 }, toSection: section) }
    let items = old.itemIdentifiers.filter { _ in random.chance(oneIn: 2) }
    let sections = old.sectionIdentifiers.filter { _ in random.chance(oneIn: 2) }
    func owner(of snapshot: Snapshot) -> Owner {
      func byIndex(_ names: [Int], _ index: (Int) -> Int?) -> [Int: Int] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in index(name).map { ($0, name) } })
      }
      return make(
        byIndex(items, snapshot.indexOfItem), byIndex(sections, snapshot.indexOfSection),
        ItemCounts(snapshot.itemCounts))
    }
    let updated = owner(of: old)
    for step in 0..<12 {
      var new = old
      edit(&new, fresh: 1_000 + step * 10, &random)
      let changes = new.changeset(from: old)
      apply(
        updated, IndexMap(changes, from: ItemCounts(old.itemCounts), to: ItemCounts(new.itemCounts)), changes)
      #expect(state(updated) == state(owner(of: new)), "step \(step)")
      old = new
    }
  }

  /// Inserts, deletes and moves a few items, and sometimes sections.
  private static func edit(_ snapshot: inout Snapshot, fresh: Int, _ random: inout SeededGenerator) {
    for edit in 0..<3 {
      let items = snapshot.itemIdentifiers
      guard let item = items.randomElement(using: &random), let other = items.randomElement(using: &random) else {
        return
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: snapshot.insertItems([fresh + edit], beforeItem: item)
      case 1: snapshot.deleteItems(Array(items.shuffled(using: &random).prefix(3)))
      case 2, 3: if item != other { snapshot.moveItem(item, afterItem: other) }
      case 4: snapshot.insertSections([fresh + edit], beforeSection: snapshot.sectionIdentifiers[0])
      default:
        guard let first = snapshot.sectionIdentifiers.first, let last = snapshot.sectionIdentifiers.last, first != last
        else { continue }
        if random.chance(oneIn: 3) {
          snapshot.deleteSections([first])
        } else {
          snapshot.moveSection(first, afterSection: last)
        }
      }
    }
  }
}
