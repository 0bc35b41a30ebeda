internal import VitrineDataStructures

extension DiffableDataSourceSnapshot {
  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var numberOfSections: Int { table.records.count }

  /// The identifiers of the sections, in order.
  ///
  /// - Complexity: O(s).
  public var sectionIdentifiers: [SectionID] { table.records.map(\.identifier) }

  /// The identifiers of the items in all sections, in order.
  ///
  /// - Complexity: O(n).
  public var itemIdentifiers: [ItemID] {
    var identifiers: [ItemID] = []
    identifiers.reserveCapacity(numberOfItems)
    for record in table.records {
      for block in record.items.blocks {
        for leaf in block.leaves { for handle in leaf.handles { identifiers.append(interner[handle]) } }
      }
    }
    return identifiers
  }

  /// Returns the number of items in a section.
  ///
  /// - Precondition: The section exists.
  /// - Complexity: O(1).
  public func numberOfItems(inSection section: SectionID) -> Int { table.records[rank(of: section)].items.count }

  /// Returns the number of items in the section at an index.
  ///
  /// - Precondition: The index is in 0..<``numberOfSections``.
  /// - Complexity: O(1).
  public func numberOfItems(inSectionAt index: Int) -> Int {
    checkPrecondition(table.records.indices.contains(index), "There is no section at index \(index).")
    return table.records[index].items.count
  }

  /// The number of items in each section, in order.
  ///
  /// - Complexity: O(s).
  public var itemCounts: [Int] { table.records.map(\.items.count) }

  /// Returns the identifiers of the items in a section, in order.
  ///
  /// - Precondition: The section exists.
  /// - Complexity: O(k) for k items of the section.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    table.records[rank(of: section)].items.handles.map { interner[$0] }
  }

  /// Returns the item with the given section and item indexes, or nil if there is none.
  ///
  /// - Complexity: O(log n + n / 2^16 + 128), for summing the counts of blocks and of the leaves in one block.
  public func itemIdentifier(section: Int, item: Int) -> ItemID? {
    guard table.records.indices.contains(section), item >= 0, item < table.records[section].items.count else {
      return nil
    }
    return interner[table.records[section].items[item]]
  }

  /// Returns the item at a position, or nil if there is none.
  ///
  /// - Complexity: O(log n + n / 2^16 + 128), for summing the counts of blocks and of the leaves in one block.
  public func itemIdentifier(at position: ItemPosition) -> ItemID? {
    itemIdentifier(section: position.section, item: position.item)
  }

  /// Returns the section at an index, or nil if there is none.
  ///
  /// - Complexity: O(1).
  public func sectionIdentifier(at index: Int) -> SectionID? {
    table.records.indices.contains(index) ? table.records[index].identifier : nil
  }

  /// Returns the index of an item among the items of all sections, or nil if the item does not exist.
  ///
  /// - Complexity: That of ``position(ofItem:)``, and O(s).
  public func indexOfItem(_ identifier: ItemID) -> Int? {
    guard let position = position(ofItem: identifier) else { return nil }
    return table.records[..<position.section].reduce(position.item) { $0 + $1.items.count }
  }

  /// Returns the index of a section, or nil if the section does not exist.
  ///
  /// - Complexity: O(1).
  public func indexOfSection(_ identifier: SectionID) -> Int? { table.rank(of: identifier) }

  /// Returns whether the snapshot contains an item.
  ///
  /// - Complexity: O(log n), or O(1) for a snapshot that was built in one call.
  public func contains(_ identifier: ItemID) -> Bool { location(of: identifier) != nil }

  /// Returns the position of an item, or nil if the item does not exist.
  ///
  /// - Complexity: O(log n + n / 2^16 + 512), for searching the item's leaf and the keys of the leaves before it.
  public func position(ofItem identifier: ItemID) -> ItemPosition? {
    guard let location = location(of: identifier) else { return nil }
    let rank = table.rank(ofKey: registry.section(ofLeaf: location.leaf))
    return table.records[rank].items.path(
      to: location.handle, inLeaf: location.leaf, ofBlock: registry.leaves[location.leaf]
    )
    .map { ItemPosition(section: rank, item: $0.index) }
  }

  /// Returns the section that contains an item, or nil if the item does not exist.
  ///
  /// - Complexity: O(log n).
  public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
    location(of: identifier).map { table.records[table.rank(ofKey: registry.section(ofLeaf: $0.leaf))].identifier }
  }

  /// Returns the handle of an item and the key of its leaf, or nil if the item does not exist.
  private func location(of identifier: ItemID) -> (handle: Handle, leaf: Int32)? {
    guard let handle = interner.handle(of: identifier) else { return nil }
    let leaf = registry.leafKeys[handle]
    return leaf < 0 ? nil : (handle, leaf)
  }

  /// The sections marked to be reloaded, in the order of marking.
  ///
  /// - Complexity: O(m) for m marks.
  public var reloadedSectionIdentifiers: [SectionID] { reloadedSections.identifiers }

  /// The items marked to be reloaded, in the order of marking.
  ///
  /// - Complexity: O(m) for m marks.
  public var reloadedItemIdentifiers: [ItemID] { reloadedItems.identifiers }

  /// The items marked to be reconfigured, in the order of marking.
  ///
  /// - Complexity: O(m) for m marks.
  public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItems.identifiers }

  /// The items that already existed when they were appended or inserted, and were moved instead.
  ///
  /// This is allowed, but it is more expensive than an insertion and often a mistake, so the data source counts these
  /// items. Explicit moves are not included.
  ///
  /// - Complexity: O(m) for m such items.
  public var relocatedItemIdentifiers: [ItemID] { relocatedItems.identifiers }
}

extension DiffableDataSourceSnapshot: Equatable {
  /// Returns whether two snapshots have the same sections, items and marks in the same order.
  ///
  /// - Complexity: O(s) and O(1) for each block of up to 2^16 items that both share, and O(n) for the rest.
  public static func == (left: DiffableDataSourceSnapshot, right: DiffableDataSourceSnapshot) -> Bool {
    guard left.numberOfItems == right.numberOfItems, left.numberOfSections == right.numberOfSections,
      left.reloadedSections == right.reloadedSections, left.reloadedItems == right.reloadedItems,
      left.reconfiguredItems == right.reconfiguredItems
    else { return false }
    let mapping = HandleMapping(old: left.interner, new: right.interner)
    return zip(left.table.records, right.table.records).allSatisfy { mine, theirs in
      guard mine.identifier == theirs.identifier, mine.items.count == theirs.items.count else { return false }
      var ends = CommonEnds(mine.items, theirs.items)
      var steps = Int.max
      return ends.advance(mapping, steps: &steps) && ends.head == mine.items.count
    }
  }
}
