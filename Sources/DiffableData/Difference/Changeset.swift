/// The difference of two snapshots, in indexes: what to do to the old one to get the new one.
///
/// Deletions and origins of moves count in the old snapshot, insertions and destinations in the new one. Items of a
/// deleted section that are gone too, and new items of an inserted section, are not listed apart. What is not listed
/// keeps its order, and the moves are as few as can be up to ``moveBound``. Lists are in order of place and equal for equal snapshots.
public struct Changeset: Hashable, Sendable {
  /// Old indexes of sections that are gone.
  public let sectionDeletes: IndexRuns
  /// New indexes of sections that were not there.
  public let sectionInserts: IndexRuns
  /// Sections that changed their order, by destination.
  public let sectionMoves: [SectionMove]
  /// The surviving sections whose items changed, by new index.
  public let sections: [SectionChange]
  /// Items that changed their section or their order, as runs of neighbours, by destination.
  public let itemMoves: ContiguousArray<ItemMove>
  /// New indexes of sections, in both snapshots, that are to be shown anew.
  public let sectionReloads: IndexRuns
  /// New places of items, in both snapshots, that are to get a new cell; in order.
  public let reloads: [ItemPosition]
  /// New places of items, in both snapshots, whose cells are to be configured again; in order.
  ///
  /// An item that is to get a new cell is not among them.
  public let reconfigures: [ItemPosition]
  /// Whether something was inserted at the very end, and structure changed nowhere else.
  ///
  /// Whatever was there is then where it was, before all that is new. Marks do not count.
  public let isAppendOnly: Bool

  /// The same in the order of their origins.
  ///
  /// - Complexity: O(1); each is looked up as it is asked for.
  public var itemMovesByOrigin: some RandomAccessCollection<ItemMove> { movesByOrigin.lazy.map { itemMoves[Int($0)] } }

  /// How many items move.
  public let movedItemCount: Int

  /// How many moves are found to be the fewest.
  public static let moveBound = 1 << 16

  /// Whether more items move than ``moveBound``: too many to follow each.
  ///
  /// Their moves are listed all the same, and lead to the new snapshot, but need not be the fewest.
  ///
  /// - Complexity: O(1).
  public var isStructuralShuffle: Bool { movedItemCount > Changeset.moveBound }

  private let movesByOrigin: ContiguousArray<Int32>
  /// The indexes of changed sections in the order of the old snapshot.
  private let changesByOrigin: [Int]
  /// Old indexes of sections that were deleted or moved.
  let sectionDepartures: IndexRuns
  /// New indexes of sections that were inserted or moved.
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

  /// Whether sections or items came, went or changed places.
  ///
  /// - Complexity: O(1).
  public var hasStructuralChanges: Bool {
    !(sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && sections.isEmpty
      && itemMoves.isEmpty)
  }

  /// Whether there is nothing to do.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool {
    !hasStructuralChanges && sectionReloads.isEmpty && reloads.isEmpty && reconfigures.isEmpty
  }

  /// Whether all there is to do is to configure cells again.
  ///
  /// - Complexity: O(1).
  public var isReconfigureOnly: Bool {
    !hasStructuralChanges && sectionReloads.isEmpty && reloads.isEmpty && !reconfigures.isEmpty
  }

  /// The new index of a section by its old one, or nothing when it is gone.
  ///
  /// - Precondition: The old snapshot has the index.
  /// - Complexity: O(log m + m) for m moved sections.
  public func section(afterUpdateOf old: Int) -> Int? {
    if let move = sectionMoves.first(where: { $0.from == old }) { return move.to }
    guard !sectionDepartures.contains(old) else { return nil }
    return sectionArrivals.absentIndex(old - sectionDepartures.count(below: old))
  }

  /// The new place of an item by its old one, or nothing when it is gone.
  ///
  /// - Precondition: The old snapshot has the place.
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

  private func change(ofOldSection section: Int) -> SectionChange? {
    var low = 0
    var high = changesByOrigin.count
    while low < high {
      let middle = (low + high) / 2
      if sections[changesByOrigin[middle]].oldSection < section { low = middle + 1 } else { high = middle }
    }
    guard low < changesByOrigin.count, sections[changesByOrigin[low]].oldSection == section else { return nil }
    return sections[changesByOrigin[low]]
  }

  /// The last move that begins at a place or before it.
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
