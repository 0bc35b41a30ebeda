internal import DataStructures

extension Changeset {
  /// The same changes as a difference of the items of all sections, as if there were none: for a store that is one list.
  ///
  /// A move is a removal and an insertion that name each other. The items of a section that moved, move.
  /// `old.itemIdentifiers.applying(difference)` is `new.itemIdentifiers`.
  ///
  /// - Precondition: The changes are those from the old to the new snapshot.
  /// - Complexity: O(s + k log n) for k items that came, went or moved, those of sections that did so among them.
  public func collectionDifference<SectionID, ItemID>(
    from old: DiffableDataSourceSnapshot<SectionID, ItemID>, to new: DiffableDataSourceSnapshot<SectionID, ItemID>
  ) -> CollectionDifference<ItemID> {
    let (oldStarts, newStarts) = (SectionStarts(old.itemCounts), SectionStarts(new.itemCounts))
    let leaving = places(
      ofSections: Array(sectionDeletes.ranges.joined()) + sectionMoves.map(\.from), in: oldStarts,
      and: sections.map { ($0.oldSection, $0.departures) })
    let arriving = places(
      ofSections: Array(sectionInserts.ranges.joined()) + sectionMoves.map(\.to), in: newStarts,
      and: sections.map { ($0.newSection, $0.arrivals) })

    var origins: [Int: Int] = [:]
    var changes: [CollectionDifference<ItemID>.Change] = []
    changes.reserveCapacity(leaving.count + arriving.count)
    for place in leaving {
      guard let item = old.itemIdentifier(at: place) else { Changeset.misuseOfOthers() }
      let offset = oldStarts.offset(of: place)
      let target = new.position(ofItem: item).map { newStarts.offset(of: $0) }
      if let target { origins[target] = offset }
      changes.append(.remove(offset: offset, element: item, associatedWith: target))
    }
    for place in arriving {
      guard let item = new.itemIdentifier(at: place) else { Changeset.misuseOfOthers() }
      let offset = newStarts.offset(of: place)
      changes.append(.insert(offset: offset, element: item, associatedWith: origins[offset]))
    }
    guard let difference = CollectionDifference(changes) else { Changeset.misuseOfOthers() }
    return difference
  }

  private static func misuseOfOthers() -> Never {
    failPrecondition("A changeset can be converted only with the two snapshots that it is the difference of.")
  }

  /// All places of some sections, and of the others those that runs name.
  private func places(
    ofSections whole: [Int], in starts: SectionStarts, and runs: [(section: Int, items: IndexRuns)]
  ) -> [ItemPosition] {
    let isWhole = Set(whole)
    var places: [ItemPosition] = []
    for section in whole {
      places += (0..<starts.count(ofSection: section)).map { ItemPosition(section: section, item: $0) }
    }
    for (section, items) in runs where !isWhole.contains(section) {
      places += items.ranges.joined().map { ItemPosition(section: section, item: $0) }
    }
    return places
  }
}
