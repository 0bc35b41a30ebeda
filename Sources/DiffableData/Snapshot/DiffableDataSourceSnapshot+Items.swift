internal import DataStructures

extension DiffableDataSourceSnapshot {
  /// Adds items at the end of a section, by default of the last one.
  ///
  /// An item that is there already is moved to its new place and named in ``relocatedItemIdentifiers``.
  ///
  /// - Precondition: The section is there; no item is named twice.
  /// - Complexity: O(k log n) amortised for k items, also when a copy of the snapshot is kept before each call; O(k)
  ///   when all identifiers came in one call.
  public mutating func appendItems(_ identifiers: [ItemID], toSection section: SectionID? = nil) {
    checkPrecondition(
      section != nil || !table.records.isEmpty, "Items cannot be appended to a snapshot without sections.")
    let rank = section.map { self.rank(of: $0) } ?? table.records.count - 1
    let handles = admit(identifiers, areMoved: false)
    table.records[rank].items.append(handles[...], owner: table.records[rank].key, in: &ledger)
    numberOfItems += identifiers.count
    compactIfSparse()
  }

  /// Adds items before another; items that are there already are moved and named as relocated.
  ///
  /// - Precondition: The other item is there and not among them; no item is named twice.
  /// - Complexity: O(k log n + n / 2^16 + 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], beforeItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: false, areMoved: false)
  }

  /// Adds items after another; items that are there already are moved and named as relocated.
  ///
  /// - Precondition: The other item is there and not among them; no item is named twice.
  /// - Complexity: O(k log n + n / 2^16 + 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], afterItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: true, areMoved: false)
  }

  /// Removes items and their marks; unknown ones are ignored.
  ///
  /// - Complexity: O(k (log n + n / 2^16 + 512)) amortised for k items, and that once for neighbours in a leaf. Once most
  ///   identifiers that the snapshot knows are gone it forgets them, in O(n); a copy taken before that pays again.
  public mutating func deleteItems(_ identifiers: [ItemID]) {
    takeOut(identifiers.compactMap(interner.handle(of:)))
    compactIfSparse()
    reloadedItems.remove(identifiers)
    reconfiguredItems.remove(identifiers)
    relocatedItems.remove(identifiers)
  }

  /// Removes every item; the sections stay.
  ///
  /// The snapshot goes on knowing the identifiers until its marks are removed: what comes back meanwhile is compared with
  /// older snapshots by number.
  ///
  /// - Complexity: O(s), and O(n / 512) for items that no copy shares.
  public mutating func deleteAllItems() {
    ledger = HandleLedger()
    for rank in table.records.indices { table.records[rank].items = HandleList() }
    expectedItems = max(expectedItems, numberOfItems)
    reloadedItems = IdentifierMarks()
    reconfiguredItems = IdentifierMarks()
    relocatedItems = IdentifierMarks()
    numberOfItems = 0
  }

  /// Moves an item to just before another, in whichever section that is.
  ///
  /// - Precondition: Both are there, and they are two.
  /// - Complexity: O(log n + n / 2^16 + 512) amortised.
  public mutating func moveItem(_ identifier: ItemID, beforeItem anchor: ItemID) {
    checkPrecondition(contains(identifier), "There is no item \(identifier) in the snapshot.")
    insert([identifier], at: anchor, after: false, areMoved: true)
  }

  /// Moves an item to just after another, in whichever section that is.
  ///
  /// - Precondition: Both are there, and they are two.
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
    let handles = admit(identifiers, areMoved: areMoved)
    guard let position = position(ofItem: anchor) else { return }
    let item = position.item + (after ? 1 : 0)
    let key = table.records[position.section].key
    table.records[position.section].items.insert(handles[...], at: item, owner: key, in: &ledger)
    numberOfItems += identifiers.count
    compactIfSparse()
  }

  /// The handles of items that are to be put somewhere; those that are there already are taken out.
  private mutating func admit(_ identifiers: [ItemID], areMoved: Bool) -> ContiguousArray<Handle> {
    let known = interner.count
    let handles = interner.intern(identifiers)
    ledger.places.grow(to: interner.count)
    guard interner.count - known < handles.count else { return handles }
    // Some were known before the call, or come twice in it.
    var present: ContiguousArray<(handle: Handle, leaf: Int32)> = []
    for handle in handles {
      let place = ledger.places[handle]
      checkPrecondition(place >= PlaceMap.none, "The item \(interner[handle]) is named twice in one call.")
      if place >= 0 { present.append((handle, place)) }
      ledger.places[handle] = PlaceMap.awaited
    }
    if !present.isEmpty {
      for (handle, leaf) in present { ledger.places[handle] = leaf }
      takeOut(present.map(\.handle))
      if !areMoved { for (handle, _) in present { relocatedItems.insert(interner[handle]) } }
    }
    return handles
  }

  /// Takes out items that are there; others are ignored.
  private mutating func takeOut(_ handles: some Sequence<Handle>) {
    // By leaf, in the order of their keys: what is merged on the way depends on the order.
    var losses: ContiguousArray<(leaf: Int32, handle: Handle)> = []
    for handle in handles where ledger.places[handle] >= 0 {
      losses.append((ledger.places[handle], handle))
      ledger.places[handle] = PlaceMap.none
    }
    numberOfItems -= losses.count
    losses.sort { $0.leaf < $1.leaf }
    var touched: ContiguousArray<(leaf: Int32, rank: Int)> = []
    var next = 0
    while next < losses.count {
      let first = losses[next]
      var count = 1
      while next + count < losses.count, losses[next + count].leaf == first.leaf { count += 1 }
      let rank = table.rank(ofKey: ledger.section(ofLeaf: first.leaf))
      table.records[rank].items.remove((count, first.handle), fromLeaf: first.leaf, in: &ledger)
      touched.append((first.leaf, rank))
      next += count
    }
    // Not before: a neighbour may have had something to lose as well.
    for (leaf, rank) in touched { table.records[rank].items.join(leaf: leaf, in: &ledger) }
  }

  /// Forgets identifiers that are gone once they are most of those that are known.
  mutating func compactIfSparse() {
    guard interner.count > 2 * max(numberOfItems, expectedItems) + 1_024 else { return }
    let identifiers = itemIdentifiers
    interner = Interner()
    let handles = interner.intern(identifiers)
    ledger = HandleLedger()
    ledger.places.grow(to: interner.count)
    var first = 0
    for rank in table.records.indices {
      let end = first + table.records[rank].items.count
      table.records[rank].items = HandleList()
      table.records[rank].items.append(handles[first..<end], owner: table.records[rank].key, in: &ledger)
      first = end
    }
  }
}
