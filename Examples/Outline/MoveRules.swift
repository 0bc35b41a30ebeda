import CollectionUI

/// The rules for moving items, as a value type.
///
/// Favorites move among favorites, destinations into expanded regions, and regions before or after others with their
/// destinations.
nonisolated struct MoveRules {
  private let snapshot: DiffableDataSourceSnapshot<Section, Item>
  private let isExpanded: (Item) -> Bool

  /// Creates rules for the displayed items.
  init(_ snapshot: DiffableDataSourceSnapshot<Section, Item>, isExpanded: @escaping (Item) -> Bool) {
    self.snapshot = snapshot
    self.isExpanded = isExpanded
  }

  /// Returns the nearest allowed position to a proposed one, or nil if the section has none.
  func targetPosition(for item: Item, proposed: ItemPosition) -> ItemPosition? {
    guard let section = snapshot.sectionIdentifier(at: proposed.section) else { return nil }
    let others = remainingItems(in: section, without: item)
    let candidates = (0...others.count).sorted { first, second in
      let (near, far) = (abs(first - proposed.item), abs(second - proposed.item))
      return (near, first) < (far, second)
    }
    let index = candidates.first { index in
      isAllowed(
        item, in: section, above: index > 0 ? others[index - 1] : nil,
        below: index < others.count ? others[index] : nil)
    }
    return index.map { ItemPosition(section: proposed.section, item: $0) }
  }

  /// Returns the items of a section without an item and its visible children, which move with it.
  private func remainingItems(in section: Section, without item: Item) -> [Item] {
    let items = snapshot.itemIdentifiers(inSection: section)
    guard let start = items.firstIndex(of: item) else { return items }
    var end = start + 1
    if case .region = item {
      while end < items.count, case .destination = items[end] { end += 1 }
    }
    return Array(items[..<start] + items[end...])
  }

  private func isAllowed(_ item: Item, in section: Section, above: Item?, below: Item?) -> Bool {
    switch (item, section) {
    case (.favorite, .favorites): true
    case (.region, .continent):
      if case .destination? = below { false } else { true }
    case (.destination, .continent):
      switch above {
      case .destination?: true
      case .region?: above.map(isExpanded) ?? false
      default: false
      }
    default: false
    }
  }
}
