internal import DataStructures

extension DiffableDataSourceSnapshot {
  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var numberOfSections: Int { table.records.count }

  /// The sections in order.
  ///
  /// - Complexity: O(s).
  public var sectionIdentifiers: [SectionID] { table.records.map(\.identifier) }

  /// The items of all sections in order.
  ///
  /// - Complexity: O(n).
  public var itemIdentifiers: [ItemID] {
    var identifiers: [ItemID] = []
    identifiers.reserveCapacity(numberOfItems)
    for record in table.records {
      for chunk in record.items.chunks { identifiers.append(contentsOf: chunk) }
    }
    return identifiers
  }

  /// The number of items in a section.
  ///
  /// - Precondition: The section is there.
  /// - Complexity: O(1).
  public func numberOfItems(inSection section: SectionID) -> Int { table.records[rank(of: section)].items.count }

  /// The number of items in the section at an index.
  ///
  /// - Precondition: The index is within 0..<``numberOfSections``.
  /// - Complexity: O(1).
  public func numberOfItems(inSectionAt index: Int) -> Int {
    demand(table.records.indices.contains(index), "There is no section at index \(index).")
    return table.records[index].items.count
  }

  /// The number of items in each section, in order.
  ///
  /// - Complexity: O(s).
  public var itemCounts: [Int] { table.records.map(\.items.count) }

  /// The items of a section in order.
  ///
  /// - Precondition: The section is there.
  /// - Complexity: O(k) for k items of the section.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    table.records[rank(of: section)].items.chunks.flatMap { $0 }
  }

  /// The item at a place, or nothing when there is none.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(section: Int, item: Int) -> ItemID? {
    guard table.records.indices.contains(section), item >= 0, item < table.records[section].items.count else {
      return nil
    }
    return table.records[section].items[item]
  }

  /// The item at a place, or nothing when there is none.
  ///
  /// - Complexity: O(log n).
  public func itemIdentifier(at position: ItemPosition) -> ItemID? {
    itemIdentifier(section: position.section, item: position.item)
  }

  /// The section at an index, or nothing when there is none.
  ///
  /// - Complexity: O(1).
  public func sectionIdentifier(at index: Int) -> SectionID? {
    table.records.indices.contains(index) ? table.records[index].identifier : nil
  }

  /// The index of an item among the items of all sections, or nothing.
  ///
  /// - Complexity: O(log n + n / 512 + s).
  public func indexOfItem(_ identifier: ItemID) -> Int? {
    guard let position = position(ofItem: identifier) else { return nil }
    return table.records[..<position.section].reduce(position.item) { $0 + $1.items.count }
  }

  /// The index of a section, or nothing.
  ///
  /// - Complexity: O(1).
  public func indexOfSection(_ identifier: SectionID) -> Int? { table.rank(of: identifier) }

  /// Whether an item is there.
  ///
  /// - Complexity: O(log n); O(1) for a snapshot that was built in one go.
  public func contains(_ identifier: ItemID) -> Bool { index[identifier] != nil }

  /// The place of an item, or nothing.
  ///
  /// - Complexity: O(log n + n / 512) with a very small second part: a search among as many numbers.
  public func position(ofItem identifier: ItemID) -> ItemPosition? {
    guard let place = index[identifier] else { return nil }
    let section = table.rank(ofKey: ledger.owner(of: place.chunk))
    return table.records[section].items.index(of: identifier, at: place).map {
      ItemPosition(section: section, item: $0)
    }
  }

  /// The section that an item is in, or nothing.
  ///
  /// - Complexity: O(log n).
  public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
    index[identifier].map { table.records[table.rank(ofKey: ledger.owner(of: $0.chunk))].identifier }
  }

  /// The sections that are marked to be shown anew, in the order of marking.
  ///
  /// - Complexity: O(1).
  public var reloadedSectionIdentifiers: [SectionID] { reloadedSections.identifiers }

  /// The items that are marked to get a new cell, in the order of marking.
  ///
  /// - Complexity: O(1).
  public var reloadedItemIdentifiers: [ItemID] { reloadedItems.identifiers }

  /// The items whose cells are marked to be configured again, in the order of marking.
  ///
  /// - Complexity: O(1).
  public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItems.identifiers }
}

extension DiffableDataSourceSnapshot: Equatable {
  /// Whether two snapshots hold the same sections, items and marks in the same order.
  ///
  /// - Complexity: O(s + n / 512) over what both share, O(n) over the rest.
  public static func == (left: DiffableDataSourceSnapshot, right: DiffableDataSourceSnapshot) -> Bool {
    guard left.numberOfItems == right.numberOfItems, left.numberOfSections == right.numberOfSections,
      left.reloadedSections == right.reloadedSections, left.reloadedItems == right.reloadedItems,
      left.reconfiguredItems == right.reconfiguredItems
    else { return false }
    return zip(left.table.records, right.table.records).allSatisfy { mine, theirs in
      mine.identifier == theirs.identifier && mine.items.count == theirs.items.count
        && mine.items.commonPrefix(with: theirs.items) == mine.items.count
    }
  }
}
