import DiffableData

/// What a snapshot is, in the plainest way: arrays that are searched from the beginning.
struct ModelSnapshot {
  var sections: [(id: Int, items: [Int])] = []

  var items: [Int] { sections.flatMap(\.items) }

  func position(of item: Int) -> ItemPosition? {
    for (index, section) in sections.enumerated() {
      if let place = section.items.firstIndex(of: item) { return ItemPosition(section: index, item: place) }
    }
    return nil
  }

  mutating func delete(_ items: [Int]) {
    let doomed = Set(items)
    for index in sections.indices { sections[index].items.removeAll { doomed.contains($0) } }
  }

  mutating func append(_ items: [Int], to section: Int) {
    delete(items)
    sections[section].items += items
  }

  mutating func insert(_ items: [Int], at anchor: Int, after: Bool) {
    delete(items)
    guard let place = position(of: anchor) else { return }
    sections[place.section].items.insert(contentsOf: items, at: place.item + (after ? 1 : 0))
  }

  /// A real snapshot with the same content, built in one go.
  var snapshot: DiffableDataSourceSnapshot<Int, Int> {
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    for section in sections {
      snapshot.appendSections([section.id])
      snapshot.appendItems(section.items, toSection: section.id)
    }
    return snapshot
  }
}
