internal import VitrineDataStructures

extension Changeset {
  /// Returns the changes as a difference of the items of all sections, without the sections, for a store that is a
  /// single list.
  ///
  /// A move is a removal and an insertion that are associated with each other. The items of a moved section count as
  /// moved. `old.itemIdentifiers.applying(difference)` equals `new.itemIdentifiers`.
  ///
  /// - Precondition: The changeset is the difference from the old to the new snapshot.
  /// - Complexity: O(s + k log n) for k deleted, inserted and moved items, including those of deleted, inserted and
  ///   moved sections.
  public func collectionDifference<SectionID, ItemID>(
    from old: DiffableDataSourceSnapshot<SectionID, ItemID>, to new: DiffableDataSourceSnapshot<SectionID, ItemID>
  ) -> CollectionDifference<ItemID> {
    let (oldStarts, newStarts) = (SectionStarts(old.itemCounts), SectionStarts(new.itemCounts))
    let leaving = positions(
      ofSections: Array(sectionDeletes.ranges.joined()) + sectionMoves.map(\.from), in: oldStarts,
      and: sections.map { ($0.oldSection, $0.departures) })
    let arriving = positions(
      ofSections: Array(sectionInserts.ranges.joined()) + sectionMoves.map(\.to), in: newStarts,
      and: sections.map { ($0.newSection, $0.arrivals) })

    var origins: [Int: Int] = [:]
    var changes: [CollectionDifference<ItemID>.Change] = []
    changes.reserveCapacity(leaving.count + arriving.count)
    for position in leaving {
      guard let item = old.itemIdentifier(at: position) else { Changeset.failForMismatchedSnapshots() }
      let offset = oldStarts.offset(of: position)
      let target = new.position(ofItem: item).map { newStarts.offset(of: $0) }
      if let target { origins[target] = offset }
      changes.append(.remove(offset: offset, element: item, associatedWith: target))
    }
    for position in arriving {
      guard let item = new.itemIdentifier(at: position) else { Changeset.failForMismatchedSnapshots() }
      let offset = newStarts.offset(of: position)
      changes.append(.insert(offset: offset, element: item, associatedWith: origins[offset]))
    }
    guard let difference = CollectionDifference(changes) else { Changeset.failForMismatchedSnapshots() }
    return difference
  }

  private static func failForMismatchedSnapshots() -> Never {
    failPrecondition("A changeset can be converted only with the two snapshots that it is the difference of.")
  }

  /// Returns all positions in some sections, and the positions in runs of the others.
  private func positions(
    ofSections whole: [Int], in starts: SectionStarts, and runs: [(section: Int, items: IndexRuns)]
  ) -> [ItemPosition] {
    let isWhole = Set(whole)
    var positions: [ItemPosition] = []
    for section in whole {
      positions += (0..<starts.count(ofSection: section)).map { ItemPosition(section: section, item: $0) }
    }
    for (section, items) in runs where !isWhole.contains(section) {
      positions += items.ranges.joined().map { ItemPosition(section: section, item: $0) }
    }
    return positions
  }
}

/// The index of the first item of each section in the list of all items.
private struct SectionStarts {
  /// The first index of each section, followed by the number of all items.
  private var starts: [Int] = [0]

  init(_ counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    var start = 0
    for count in counts {
      start += count
      starts.append(start)
    }
  }

  func count(ofSection section: Int) -> Int { starts[section + 1] - starts[section] }

  func offset(of position: ItemPosition) -> Int { starts[position.section] + position.item }
}
