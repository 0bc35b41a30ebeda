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
      for block in record.items.blocks {
        for leaf in block.leaves { for handle in leaf.handles { identifiers.append(interner[handle]) } }
      }
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
    checkPrecondition(table.records.indices.contains(index), "There is no section at index \(index).")
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
    table.records[rank(of: section)].items.handles.map { interner[$0] }
  }

  /// The item at a place, or nothing when there is none.
  ///
  /// - Complexity: O(log n + n / 2^16 + 128): a walk along the counts of blocks, and of leaves in one.
  public func itemIdentifier(section: Int, item: Int) -> ItemID? {
    guard table.records.indices.contains(section), item >= 0, item < table.records[section].items.count else {
      return nil
    }
    return interner[table.records[section].items[item]]
  }

  /// The item at a place, or nothing when there is none.
  ///
  /// - Complexity: O(log n + n / 2^16 + 128): a walk along the counts of blocks, and of leaves in one.
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
  /// - Complexity: as that of ``position(ofItem:)``, and O(s).
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
  public func contains(_ identifier: ItemID) -> Bool { place(of: identifier) != nil }

  /// The place of an item, or nothing.
  ///
  /// - Complexity: O(log n + n / 2^16 + 512): a look at the item's leaf and at the keys of those before it.
  public func position(ofItem identifier: ItemID) -> ItemPosition? {
    guard let place = place(of: identifier) else { return nil }
    let rank = table.rank(ofKey: ledger.section(ofLeaf: place.leaf))
    return table.records[rank].items.path(to: place.handle, inLeaf: place.leaf, ofBlock: ledger.leaves[place.leaf])
      .map { ItemPosition(section: rank, item: $0.index) }
  }

  /// The section that an item is in, or nothing.
  ///
  /// - Complexity: O(log n).
  public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
    place(of: identifier).map { table.records[table.rank(ofKey: ledger.section(ofLeaf: $0.leaf))].identifier }
  }

  /// The handle of an item that is there, and the key of its leaf.
  private func place(of identifier: ItemID) -> (handle: Handle, leaf: Int32)? {
    guard let handle = interner.handle(of: identifier) else { return nil }
    let leaf = ledger.places[handle]
    return leaf < 0 ? nil : (handle, leaf)
  }

  /// The sections that are marked to be shown anew, in the order of marking.
  ///
  /// - Complexity: O(m) for m of them.
  public var reloadedSectionIdentifiers: [SectionID] { reloadedSections.identifiers }

  /// The items that are marked to get a new cell, in the order of marking.
  ///
  /// - Complexity: O(m) for m of them.
  public var reloadedItemIdentifiers: [ItemID] { reloadedItems.identifiers }

  /// The items whose cells are marked to be configured again, in the order of marking.
  ///
  /// - Complexity: O(m) for m of them.
  public var reconfiguredItemIdentifiers: [ItemID] { reconfiguredItems.identifiers }

  /// The items that were there already when they were appended or inserted, and were moved into place instead.
  ///
  /// Legal, dearer than an insertion, and often a mistake: so whoever applies the snapshot counts them. A move that was
  /// asked for as such is not among them.
  ///
  /// - Complexity: O(m) for m of them.
  public var relocatedItemIdentifiers: [ItemID] { relocatedItems.identifiers }
}

extension DiffableDataSourceSnapshot: Equatable {
  /// Whether two snapshots hold the same sections, items and marks in the same order.
  ///
  /// - Complexity: O(s) and O(1) for each block of up to 2^16 items that both share, O(n) over the rest.
  public static func == (left: DiffableDataSourceSnapshot, right: DiffableDataSourceSnapshot) -> Bool {
    guard left.numberOfItems == right.numberOfItems, left.numberOfSections == right.numberOfSections,
      left.reloadedSections == right.reloadedSections, left.reloadedItems == right.reloadedItems,
      left.reconfiguredItems == right.reconfiguredItems
    else { return false }
    let names = HandleNames(old: left.interner, new: right.interner)
    return zip(left.table.records, right.table.records).allSatisfy { mine, theirs in
      guard mine.identifier == theirs.identifier, mine.items.count == theirs.items.count else { return false }
      var ends = CommonEnds(mine.items, theirs.items)
      var steps = Int.max
      return ends.advance(names, steps: &steps) && ends.head == mine.items.count
    }
  }
}
