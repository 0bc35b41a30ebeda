import DiffableData

/// Where an entry may stand: favourites among favourites, destinations below a region that is expanded, and regions before
/// or behind others with all that is below them.
///
/// A value that is asked for a place and names the nearest that is allowed.
nonisolated struct MoveRules {
  private let snapshot: DiffableDataSourceSnapshot<Shelf, Entry>
  private let isExpanded: (Entry) -> Bool

  /// Looks at the items as they are shown.
  init(_ snapshot: DiffableDataSourceSnapshot<Shelf, Entry>, isExpanded: @escaping (Entry) -> Bool) {
    self.snapshot = snapshot
    self.isExpanded = isExpanded
  }

  /// The nearest place to a proposed one; nothing where there is none in that section.
  func place(for entry: Entry, proposed: ItemPosition) -> ItemPosition? {
    guard let shelf = snapshot.sectionIdentifier(at: proposed.section) else { return nil }
    let others = others(in: shelf, than: entry)
    let ways = (0...others.count).sorted { first, second in
      let (near, far) = (abs(first - proposed.item), abs(second - proposed.item))
      return (near, first) < (far, second)
    }
    let place = ways.first { place in
      mayStand(
        entry, in: shelf, above: place > 0 ? others[place - 1] : nil, below: place < others.count ? others[place] : nil)
    }
    return place.map { ItemPosition(section: proposed.section, item: $0) }
  }

  /// The items of a section without an entry, and without what is shown below it: that goes along.
  private func others(in shelf: Shelf, than entry: Entry) -> [Entry] {
    let items = snapshot.itemIdentifiers(inSection: shelf)
    guard let start = items.firstIndex(of: entry) else { return items }
    var end = start + 1
    if case .region = entry {
      while end < items.count, case .destination = items[end] { end += 1 }
    }
    return Array(items[..<start] + items[end...])
  }

  private func mayStand(_ entry: Entry, in shelf: Shelf, above: Entry?, below: Entry?) -> Bool {
    switch (entry, shelf) {
    case (.favourite, .favourites): true
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
