internal import DataStructures

extension DiffableDataSourceSnapshot {
  /// Adds items at the end of a section, by default of the last one.
  ///
  /// An item that is there already is moved to its new place.
  ///
  /// - Precondition: The section is there; no item is named twice.
  /// - Complexity: O(k log n) amortised for k items, also when a copy of the snapshot is kept before each call.
  public mutating func appendItems(_ identifiers: [ItemID], toSection section: SectionID? = nil) {
    demand(section != nil || !table.records.isEmpty, "Items cannot be appended to a snapshot without sections.")
    let rank = section.map { self.rank(of: $0) } ?? table.records.count - 1
    takeOutKnown(identifiers)
    let runs = table.records[rank].items.append(identifiers, owner: table.records[rank].key, in: &ledger)
    index.place(runs, of: table.records[rank].items) { misuse("The item \($0) is named twice in one call.") }
    numberOfItems += identifiers.count
  }

  /// Adds items before another; items that are there already are moved.
  ///
  /// - Precondition: The other item is there and not among them; no item is named twice.
  /// - Complexity: O(k log n + n / 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], beforeItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: false)
  }

  /// Adds items after another; items that are there already are moved.
  ///
  /// - Precondition: The other item is there and not among them; no item is named twice.
  /// - Complexity: O(k log n + n / 512) amortised for k items.
  public mutating func insertItems(_ identifiers: [ItemID], afterItem anchor: ItemID) {
    insert(identifiers, at: anchor, after: true)
  }

  /// Removes items and their marks; unknown ones are ignored.
  ///
  /// - Complexity: O(k log n + n / 512) amortised for k items.
  public mutating func deleteItems(_ identifiers: [ItemID]) {
    takeOut(identifiers)
    reloadedItems.remove(identifiers)
    reconfiguredItems.remove(identifiers)
  }

  /// Removes every item; the sections stay.
  ///
  /// - Complexity: O(n / 512 + s).
  public mutating func deleteAllItems() {
    index.removeAll()
    ledger = ChunkLedger()
    for rank in table.records.indices { table.records[rank].items = ChunkedItems() }
    reloadedItems = IdentifierMarks()
    reconfiguredItems = IdentifierMarks()
    numberOfItems = 0
  }

  /// Moves an item to just before another, in whichever section that is.
  ///
  /// - Precondition: Both are there, and they are two.
  /// - Complexity: O(log n + n / 512) amortised.
  public mutating func moveItem(_ identifier: ItemID, beforeItem anchor: ItemID) {
    demand(contains(identifier), "There is no item \(identifier) in the snapshot.")
    insert([identifier], at: anchor, after: false)
  }

  /// Moves an item to just after another, in whichever section that is.
  ///
  /// - Precondition: Both are there, and they are two.
  /// - Complexity: O(log n + n / 512) amortised.
  public mutating func moveItem(_ identifier: ItemID, afterItem anchor: ItemID) {
    demand(contains(identifier), "There is no item \(identifier) in the snapshot.")
    insert([identifier], at: anchor, after: true)
  }

  private mutating func insert(_ identifiers: [ItemID], at anchor: ItemID, after: Bool) {
    demand(contains(anchor), "There is no item \(anchor) in the snapshot.")
    var seen = Set<ItemID>(minimumCapacity: identifiers.count)
    for identifier in identifiers {
      demand(identifier != anchor, "The item \(identifier) cannot be put next to itself.")
      demand(seen.insert(identifier).inserted, "The item \(identifier) is named twice in one call.")
    }
    takeOutKnown(identifiers)
    guard let position = position(ofItem: anchor) else { return }
    let item = position.item + (after ? 1 : 0)
    let key = table.records[position.section].key
    let runs = table.records[position.section].items.insert(identifiers, at: item, owner: key, in: &ledger)
    index.place(runs, of: table.records[position.section].items)
    numberOfItems += identifiers.count
  }

  /// Takes out those items that are there, so that they can be put elsewhere.
  private mutating func takeOutKnown(_ identifiers: [ItemID]) {
    guard !index.isUntouched else { return }
    let known = identifiers.filter(contains)
    if !known.isEmpty { takeOut(known) }
  }

  private mutating func takeOut(_ identifiers: [ItemID]) {
    var doomed: [Int32: [(id: ItemID, hint: Int)]] = [:]
    var ranks: Set<Int> = []
    var known: [ItemID] = []
    for identifier in identifiers {
      guard let place = index[identifier] else { continue }
      known.append(identifier)
      doomed[place.chunk, default: []].append((identifier, Int(place.slot)))
      ranks.insert(table.rank(ofKey: ledger.owner(of: place.chunk)))
    }
    index.remove(known)
    for rank in ranks.sorted() {
      let before = table.records[rank].items.count
      let runs = table.records[rank].items.remove(doomed, in: &ledger)
      index.place(runs, of: table.records[rank].items)
      numberOfItems += table.records[rank].items.count - before
    }
  }
}
