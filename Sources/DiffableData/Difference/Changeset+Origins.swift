extension Changeset {
  /// The old index of a section by its new one, or nothing when it was not there.
  ///
  /// - Precondition: The new snapshot has the index.
  /// - Complexity: O(log m + m) for m moved sections.
  public func section(beforeUpdateOf new: Int) -> Int? {
    if let move = sectionMoves.first(where: { $0.to == new }) { return move.from }
    guard !sectionArrivals.contains(new) else { return nil }
    return sectionDepartures.absentIndex(new - sectionArrivals.count(below: new))
  }

  /// The old place of an item by its new one, or nothing when it was not there.
  ///
  /// - Precondition: The new snapshot has the place.
  /// - Complexity: O(log c) for c changes, and O(m) for m moved sections.
  public func position(beforeUpdateOf new: ItemPosition) -> ItemPosition? {
    if let origin = move(to: new)?.origin(of: new) { return origin }
    guard let section = section(beforeUpdateOf: new.section) else { return nil }
    guard let change = change(ofNewSection: new.section) else {
      return ItemPosition(section: section, item: new.item)
    }
    guard !change.arrivals.contains(new.item) else { return nil }
    let item = change.departures.absentIndex(new.item - change.arrivals.count(below: new.item))
    return ItemPosition(section: section, item: item)
  }

  /// Whether the item that stands at a place now went there by a move of its own: what makes way for others does not.
  ///
  /// - Complexity: O(log c) for c changes.
  public func isMoved(to new: ItemPosition) -> Bool { move(to: new)?.origin(of: new) != nil }

  private func change(ofNewSection section: Int) -> SectionChange? {
    var low = 0
    var high = sections.count
    while low < high {
      let middle = (low + high) / 2
      if sections[middle].newSection < section { low = middle + 1 } else { high = middle }
    }
    return low < sections.count && sections[low].newSection == section ? sections[low] : nil
  }

  /// The last move that ends at a place or before it.
  private func move(to new: ItemPosition) -> ItemMove? {
    var low = 0
    var high = itemMoves.count
    while low < high {
      let middle = (low + high) / 2
      if itemMoves[middle].to <= new { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? itemMoves[low - 1] : nil
  }
}

extension ItemMove {
  /// The old place of an item by its new one, or nothing when it is not among them.
  fileprivate func origin(of new: ItemPosition) -> ItemPosition? {
    guard new.section == to.section, new.item >= to.item, new.item < to.item + count else { return nil }
    return ItemPosition(section: from.section, item: from.item + new.item - to.item)
  }
}
