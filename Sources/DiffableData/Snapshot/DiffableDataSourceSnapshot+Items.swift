internal import VitrineDataStructures

extension DiffableDataSourceSnapshot {
  /// Appends items to a section, by default to the last one.
  ///
  /// An item that already exists is moved and added to ``relocatedItemIdentifiers``.
  ///
  /// The first items of a snapshot, if they are thousands, are hashed later: when the snapshot is first asked about an
  /// item, or on another thread after the snapshot is applied. An item that is named twice stops the program then.
  ///
  /// - Precondition: The section exists, and no item is named twice.
  /// - Complexity: O(k log n) amortised for k items, even if a copy of the snapshot is made before each call. O(k) if
  ///   all identifiers were added in one call.
  public mutating func appendItems(_ identifiers: [ItemID], toSection section: SectionID? = nil) {
    checkPrecondition(
      section != nil || !table.records.isEmpty, "Items cannot be appended to a snapshot without sections.")
    let rank = section.map { self.rank(of: $0) } ?? table.records.count - 1
    if interner.appendWithoutHashing(identifiers) {
      registry = HandleRegistry()
      registry.leafKeys.fill(count: identifiers.count)
      table.records[rank].items.fill(count: identifiers.count, owner: table.records[rank].key, in: &registry)
      numberOfItems = identifiers.count
      return
    }
    let handles = prepareForInsertion(identifiers, areMoved: false)
    table.records[rank].items.append(handles[...], owner: table.records[rank].key, in: &registry)
    numberOfItems += identifiers.count
    compactIfSparse()
  }

  /// Inserts items before another item.
  ///
  /// Items that already exist are moved and count as relocated.
  ///
  /// - Precondition: The other item exists and is not among the items, and no item is named twice.
  /// - Complexity: O(k log n + n / 2^16 + 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], beforeItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: false, areMoved: false)
  }

  /// Inserts items after another item.
  ///
  /// Items that already exist are moved and count as relocated.
  ///
  /// - Precondition: The other item exists and is not among the items, and no item is named twice.
  /// - Complexity: O(k log n + n / 2^16 + 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], afterItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: true, areMoved: false)
  }

  /// Deletes items and their marks.
  ///
  /// Items that do not exist are ignored.
  ///
  /// - Complexity: O(k (log n + n / 2^16 + 512)) amortised for k items, where adjacent items in a leaf count once. When
  ///   most of the known identifiers have been deleted, they are forgotten in O(n). A copy made before that repeats
  ///   this cost.
  public mutating func deleteItems(_ identifiers: [ItemID]) {
    removeFromLeaves(identifiers.compactMap(interner.handle(of:)))
    compactIfSparse()
    reloadedItems.remove(identifiers)
    reconfiguredItems.remove(identifiers)
    relocatedItems.remove(identifiers)
  }

  /// Deletes all items and keeps the sections.
  ///
  /// The snapshot remembers the identifiers until its marks are removed, so that items that are added again are
  /// compared with older snapshots by number.
  ///
  /// - Complexity: O(s), and O(n / 512) for items that no copy shares.
  public mutating func deleteAllItems() {
    registry = HandleRegistry()
    for rank in table.records.indices { table.records[rank].items = HandleList() }
    expectedItems = max(expectedItems, numberOfItems)
    reloadedItems = IdentifierMarks()
    reconfiguredItems = IdentifierMarks()
    relocatedItems = IdentifierMarks()
    numberOfItems = 0
  }

  /// Moves an item to the position immediately before another item, in any section.
  ///
  /// - Precondition: Both items exist and are different.
  /// - Complexity: O(log n + n / 2^16 + 512) amortised.
  public mutating func moveItem(_ identifier: ItemID, beforeItem anchor: ItemID) {
    checkPrecondition(contains(identifier), "There is no item \(identifier) in the snapshot.")
    insert([identifier], at: anchor, after: false, areMoved: true)
  }

  /// Moves an item to the position immediately after another item, in any section.
  ///
  /// - Precondition: Both items exist and are different.
  /// - Complexity: O(log n + n / 2^16 + 512) amortised.
  public mutating func moveItem(_ identifier: ItemID, afterItem anchor: ItemID) {
    checkPrecondition(contains(identifier), "There is no item \(identifier) in the snapshot.")
    insert([identifier], at: anchor, after: true, areMoved: true)
  }

  private mutating func insert(_ identifiers: [ItemID], at anchor: ItemID, after: Bool, areMoved: Bool) {
    checkPrecondition(contains(anchor), "There is no item \(anchor) in the snapshot.")
    for identifier in identifiers {
      checkPrecondition(identifier != anchor, "The item \(identifier) cannot be put next to itself.")
    }
    let handles = prepareForInsertion(identifiers, areMoved: areMoved)
    guard let position = position(ofItem: anchor) else { return }
    let item = position.item + (after ? 1 : 0)
    let key = table.records[position.section].key
    table.records[position.section].items.insert(handles[...], at: item, owner: key, in: &registry)
    numberOfItems += identifiers.count
    compactIfSparse()
  }

  /// Returns the handles of items to insert and removes the items that already exist.
  private mutating func prepareForInsertion(_ identifiers: [ItemID], areMoved: Bool) -> ContiguousArray<Handle> {
    let known = interner.count
    let handles = interner.intern(identifiers)
    registry.leafKeys.grow(to: interner.count)
    guard interner.count - known < handles.count else { return handles }
    // Some identifiers were known before the call, or are named twice.
    var present: ContiguousArray<(handle: Handle, leaf: Int32)> = []
    for handle in handles {
      let leafKey = registry.leafKeys[handle]
      checkPrecondition(leafKey >= LeafKeyMap.none, "The item \(interner[handle]) is named twice in one call.")
      if leafKey >= 0 { present.append((handle, leafKey)) }
      registry.leafKeys[handle] = LeafKeyMap.pending
    }
    if !present.isEmpty {
      for (handle, leaf) in present { registry.leafKeys[handle] = leaf }
      removeFromLeaves(present.map(\.handle))
      if !areMoved { for (handle, _) in present { relocatedItems.insert(interner[handle]) } }
    }
    return handles
  }

  /// Removes existing items from their leaves.
  ///
  /// Others are ignored.
  private mutating func removeFromLeaves(_ handles: some Sequence<Handle>) {
    // Sorted by leaf, because the merging of leaves depends on the order.
    var losses: ContiguousArray<(leaf: Int32, handle: Handle)> = []
    for handle in handles where registry.leafKeys[handle] >= 0 {
      losses.append((registry.leafKeys[handle], handle))
      registry.leafKeys[handle] = LeafKeyMap.none
    }
    numberOfItems -= losses.count
    losses.sort { $0.leaf < $1.leaf }
    var touched: ContiguousArray<(leaf: Int32, rank: Int)> = []
    var next = 0
    while next < losses.count {
      let first = losses[next]
      var count = 1
      while next + count < losses.count, losses[next + count].leaf == first.leaf { count += 1 }
      let rank = table.rank(ofKey: registry.section(ofLeaf: first.leaf))
      table.records[rank].items.remove((count, first.handle), fromLeaf: first.leaf, in: &registry)
      touched.append((first.leaf, rank))
      next += count
    }
    // After all removals, because they may affect adjacent leaves.
    for (leaf, rank) in touched { table.records[rank].items.merge(leaf: leaf, in: &registry) }
  }

  /// Forgets deleted identifiers when they are more than half of all known ones.
  mutating func compactIfSparse() {
    guard interner.count > 2 * max(numberOfItems, expectedItems) + 1_024 else { return }
    let identifiers = itemIdentifiers
    interner = Interner()
    let handles = interner.intern(identifiers)
    registry = HandleRegistry()
    registry.leafKeys.grow(to: interner.count)
    var first = 0
    for rank in table.records.indices {
      let end = first + table.records[rank].items.count
      table.records[rank].items = HandleList()
      table.records[rank].items.append(handles[first..<end], owner: table.records[rank].key, in: &registry)
      first = end
    }
  }
}
