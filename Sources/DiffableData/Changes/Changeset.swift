/// The difference of two snapshots, by index: the changes that lead from the old snapshot to the new one.
///
/// Deletions and origins of moves are indexes in the old snapshot; insertions and destinations are indexes in the new
/// one. Deleted items of a deleted section and inserted items of an inserted section are not listed separately. Items
/// that are not listed keep their order. The number of moves is minimal up to ``moveBound``. All lists are sorted by
/// position, and equal snapshots have equal changesets.
public struct Changeset: Hashable, Sendable {
  /// The old indexes of deleted sections.
  public let sectionDeletes: IndexRuns
  /// The new indexes of inserted sections.
  public let sectionInserts: IndexRuns
  /// The moved sections, sorted by destination.
  public let sectionMoves: [SectionMove]
  /// The item changes of the sections in both snapshots, sorted by new index.
  ///
  /// Unchanged sections are omitted.
  public let sections: [SectionChange]
  /// The items that moved to another section or in their order, as runs of adjacent items, sorted by destination.
  public let itemMoves: ContiguousArray<ItemMove>
  /// The new indexes of the sections to reload that exist in both snapshots.
  public let sectionReloads: IndexRuns
  /// The new positions of the items to reload that exist in both snapshots, sorted.
  public let reloads: [ItemPosition]
  /// The new positions of the items to reconfigure that exist in both snapshots, sorted.
  ///
  /// Items to reload are not included.
  public let reconfigures: [ItemPosition]
  /// Whether the only structural change is an insertion at the very end.
  ///
  /// All previous items then keep their positions. Reloads and reconfigurations are ignored.
  public let isAppendOnly: Bool

  /// The item moves, sorted by origin.
  ///
  /// - Complexity: O(1). Each element is looked up on access.
  public var itemMovesByOrigin: some RandomAccessCollection<ItemMove> { movesByOrigin.lazy.map { itemMoves[Int($0)] } }

  /// The number of moved items.
  public let movedItemCount: Int

  /// The maximum number of moved items for which the number of moves is guaranteed to be minimal.
  public static let moveBound = 1 << 16

  /// Whether more than ``moveBound`` items move, too many to animate each of them.
  ///
  /// Their moves are listed and lead to the new snapshot, but their number may not be minimal.
  ///
  /// - Complexity: O(1).
  public var isStructuralShuffle: Bool { movedItemCount > Changeset.moveBound }

  let movesByOrigin: ContiguousArray<Int32>
  /// The indexes of the section changes, sorted by old section.
  private let changesByOrigin: [Int]
  /// The old indexes of deleted and moved sections.
  let sectionDepartures: IndexRuns
  /// The new indexes of inserted and moved sections.
  let sectionArrivals: IndexRuns

  init(
    sections: SectionDifference, changes: [SectionChange], listing: ChangeListing, marks: ChangedMarks,
    oldCounts: (sections: Int, last: Int)
  ) {
    sectionDeletes = sections.deletes
    sectionInserts = sections.inserts
    sectionMoves = sections.moves
    self.sections = changes
    itemMoves = listing.moves.moves
    movedItemCount = listing.moves.itemCount
    movesByOrigin = listing.moves.byOrigin
    sectionReloads = marks.sections
    reloads = marks.reloads
    reconfigures = marks.reconfigures
    isAppendOnly = Changeset.isAppendOnly(sections, changes, listing.moves.itemCount, oldCounts)
    var order = Array(changes.indices)
    if order.count > 1 { order.sort { changes[$0].oldSection < changes[$1].oldSection } }
    changesByOrigin = order
    sectionDepartures = IndexRuns(sectionDeletes.ranges.joined() + sectionMoves.map(\.from))
    sectionArrivals = IndexRuns(sectionInserts.ranges.joined() + sectionMoves.map(\.to))
  }

  private static func isAppendOnly(
    _ sections: SectionDifference, _ changes: [SectionChange], _ moves: Int, _ old: (sections: Int, last: Int)
  ) -> Bool {
    guard sections.deletes.isEmpty, moves == 0, !(sections.inserts.isEmpty && changes.isEmpty) else { return false }
    for (section, origin) in sections.origins.enumerated() where origin != (section < old.sections ? section : -1) {
      return false
    }
    return changes.allSatisfy { change in
      change.oldSection == old.sections - 1 && change.deletes.isEmpty
        && (change.inserts.ranges.first?.lowerBound ?? 0) >= old.last
    }
  }

  // MARK: - Queries

  /// Whether sections or items were inserted, deleted or moved.
  ///
  /// - Complexity: O(1).
  public var hasStructuralChanges: Bool {
    !(sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && sections.isEmpty
      && itemMoves.isEmpty)
  }

  /// Whether there are no changes.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool {
    !hasStructuralChanges && sectionReloads.isEmpty && reloads.isEmpty && reconfigures.isEmpty
  }

  /// Whether the only changes are reconfigurations.
  ///
  /// - Complexity: O(1).
  public var isReconfigureOnly: Bool {
    !hasStructuralChanges && sectionReloads.isEmpty && reloads.isEmpty && !reconfigures.isEmpty
  }

  // MARK: - Old to new

  /// Returns the new index of a section, or nil if the section was deleted.
  ///
  /// - Precondition: The old snapshot has the index.
  /// - Complexity: O(m + log r) for m moved sections and r runs of deleted and inserted ones.
  public func section(afterUpdateOf old: Int) -> Int? {
    if let move = sectionMoves.first(where: { $0.from == old }) { return move.to }
    guard !sectionDepartures.contains(old) else { return nil }
    return sectionArrivals.absentIndex(old - sectionDepartures.count(below: old))
  }

  /// Returns the new position of an item, or nil if the item was deleted.
  ///
  /// - Precondition: The old snapshot has the position.
  /// - Complexity: O(log c) for c changes, and O(m) for m moved sections.
  public func position(afterUpdateOf old: ItemPosition) -> ItemPosition? {
    if let destination = move(from: old)?.destination(of: old) { return destination }
    guard let section = section(afterUpdateOf: old.section) else { return nil }
    guard let change = change(ofOldSection: old.section) else {
      return ItemPosition(section: section, item: old.item)
    }
    guard !change.departures.contains(old.item) else { return nil }
    let item = change.arrivals.absentIndex(old.item - change.departures.count(below: old.item))
    return ItemPosition(section: section, item: item)
  }

  func change(ofOldSection section: Int) -> SectionChange? {
    var low = 0
    var high = changesByOrigin.count
    while low < high {
      let middle = (low + high) / 2
      if sections[changesByOrigin[middle]].oldSection < section { low = middle + 1 } else { high = middle }
    }
    guard low < changesByOrigin.count, sections[changesByOrigin[low]].oldSection == section else { return nil }
    return sections[changesByOrigin[low]]
  }

  /// Returns the last move whose origin is at a position or before it, or nil if there is none.
  private func move(from old: ItemPosition) -> ItemMove? {
    var low = 0
    var high = movesByOrigin.count
    while low < high {
      let middle = (low + high) / 2
      if itemMoves[Int(movesByOrigin[middle])].from <= old { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? itemMoves[Int(movesByOrigin[low - 1])] : nil
  }
}

// MARK: - New to old

extension Changeset {
  /// Returns the old index of a section, or nil if the section was inserted.
  ///
  /// - Precondition: The new snapshot has the index.
  /// - Complexity: O(m + log r) for m moved sections and r runs of deleted and inserted ones.
  public func section(beforeUpdateOf new: Int) -> Int? {
    if let move = sectionMoves.first(where: { $0.to == new }) { return move.from }
    guard !sectionArrivals.contains(new) else { return nil }
    return sectionDepartures.absentIndex(new - sectionArrivals.count(below: new))
  }

  /// Returns the old position of an item, or nil if the item was inserted.
  ///
  /// - Precondition: The new snapshot has the position.
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

  /// Returns whether the item at a new position was moved.
  ///
  /// Items whose positions only shifted were not.
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

  /// Returns the last move whose destination is at a position or before it, or nil if there is none.
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
  /// Returns the old position of an item, or nil if the move does not include the item.
  fileprivate func origin(of new: ItemPosition) -> ItemPosition? {
    guard new.section == to.section, new.item >= to.item, new.item < to.item + count else { return nil }
    return ItemPosition(section: from.section, item: from.item + new.item - to.item)
  }
}

// MARK: - Changes of sections and items

/// The item changes of a section that exists in both snapshots.
public struct SectionChange: Hashable, Sendable {
  /// The section's index in the old snapshot.
  public let oldSection: Int
  /// The section's index in the new snapshot.
  public let newSection: Int
  /// The old indexes of items that do not exist in the new snapshot.
  public let deletes: IndexRuns
  /// The new indexes of items that do not exist in the old snapshot.
  public let inserts: IndexRuns
  /// The old indexes of items that were deleted or moved, within the section or out of it.
  public let departures: IndexRuns
  /// The new indexes of items that were inserted or moved, within the section or into it.
  public let arrivals: IndexRuns
}

/// The move of a section that exists in both snapshots and whose order among these changed.
public struct SectionMove: Hashable, Sendable {
  /// The section's index in the old snapshot.
  public var from: Int
  /// The section's index in the new snapshot.
  public var to: Int

  /// Creates a move.
  ///
  /// - Complexity: O(1).
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// The move of adjacent items that are adjacent again after the move.
///
/// The items were in another section, or in a different order among the items that do not move.
public struct ItemMove: Hashable, Sendable {
  // A shuffle of a million items has as many moves: half the width takes half the time to write.
  private let fromSection: Int32
  private let fromItem: Int32
  private let toSection: Int32
  private let toItem: Int32
  private let length: Int32

  /// Creates a move from the positions of its first item.
  ///
  /// A section may have fewer than 2^31 items.
  ///
  /// - Complexity: O(1).
  public init(from: ItemPosition, to: ItemPosition, count: Int = 1) {
    fromSection = Int32(truncatingIfNeeded: from.section)
    fromItem = Int32(truncatingIfNeeded: from.item)
    toSection = Int32(truncatingIfNeeded: to.section)
    toItem = Int32(truncatingIfNeeded: to.item)
    length = Int32(truncatingIfNeeded: count)
  }

  /// The position of the first item in the old snapshot.
  ///
  /// - Complexity: O(1).
  public var from: ItemPosition { ItemPosition(section: Int(fromSection), item: Int(fromItem)) }

  /// The position of the first item in the new snapshot.
  ///
  /// - Complexity: O(1).
  public var to: ItemPosition { ItemPosition(section: Int(toSection), item: Int(toItem)) }

  /// The number of items.
  ///
  /// - Complexity: O(1).
  public var count: Int { Int(length) }

  /// Returns the new position of an item, or nil if the move does not include the item.
  func destination(of old: ItemPosition) -> ItemPosition? {
    guard old.section == from.section, old.item >= from.item, old.item < from.item + count else { return nil }
    return ItemPosition(section: to.section, item: to.item + old.item - from.item)
  }
}
