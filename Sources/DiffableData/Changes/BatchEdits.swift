/// The edits of sections and items, by index, that make up one batch update.
///
/// Deletions, reloads, reconfigurations and origins of moves use the indexes before the update. Insertions and
/// destinations of moves use those after it. The order of the edits is irrelevant.
public struct BatchEdits: Hashable, Sendable {
  /// The move of an item.
  public struct Move: Hashable, Sendable {
    /// The position before the update.
    public var from: ItemPosition
    /// The position after the update.
    public var to: ItemPosition

    /// Creates a move.
    public init(from: ItemPosition, to: ItemPosition) {
      self.from = from
      self.to = to
    }
  }

  /// The deleted sections, with their items.
  public var sectionDeletes: [Int] = []
  /// The inserted sections, with their items.
  public var sectionInserts: [Int] = []
  /// The moved sections, with their items.
  public var sectionMoves: [SectionMove] = []
  /// The reloaded sections.
  ///
  /// All their items are replaced, and their number may change.
  public var sectionReloads: [Int] = []
  /// The deleted items.
  public var deletes: [ItemPosition] = []
  /// The inserted items.
  public var inserts: [ItemPosition] = []
  /// The moved items.
  public var moves: [Move] = []
  /// The items that get new cells.
  public var reloads: [ItemPosition] = []
  /// The items whose cells are configured again.
  public var reconfigures: [ItemPosition] = []

  /// Creates an empty batch.
  public init() {}

  /// Whether there are no edits.
  public var isEmpty: Bool { self == BatchEdits() }
}

// MARK: - Validation

extension BatchEdits {
  /// Checks that the edits are consistent with the item counts before and after the update.
  ///
  /// - Parameters:
  ///   - before: The number of items in each section before the update.
  ///   - after: The number of items in each section after the update.
  /// - Throws: The first contradiction: missing sections or items, then conflicts, then counts, each for sections
  ///   before items.
  /// - Complexity: O(s + e log e) for s sections and e edits.
  public func check(from before: [Int], to after: [Int]) throws(BatchUpdateError) {
    try checkSections(before.count, after.count)
    try checkItems(before, after)
    try checkCounts(before, after)
  }

  private func checkSections(_ before: Int, _ after: Int) throws(BatchUpdateError) {
    let origins = sectionMoves.map(\.from)
    let destinations = sectionMoves.map(\.to)
    for section in sectionDeletes + sectionReloads + origins where !(0..<before).contains(section) {
      throw .noSection(section, of: before, isBefore: true)
    }
    for section in sectionInserts + destinations where !(0..<after).contains(section) {
      throw .noSection(section, of: after, isBefore: false)
    }
    if let (section, first, second) = BatchEdits.conflict([
      (.delete, sectionDeletes), (.reload, sectionReloads), (.moveAway, origins),
    ]) {
      throw .sectionConflict(section, first, second)
    }
    if let (section, first, second) = BatchEdits.conflict([(.insert, sectionInserts), (.moveTo, destinations)]) {
      throw .sectionConflict(section, first, second)
    }
    guard before - sectionDeletes.count + sectionInserts.count == after else {
      throw .sectionCount(
        before: before, after: after, inserted: sectionInserts.count, deleted: sectionDeletes.count)
    }
  }

  private func checkItems(_ before: [Int], _ after: [Int]) throws(BatchUpdateError) {
    let origins = moves.map(\.from)
    let destinations = moves.map(\.to)
    for position in deletes + reloads + reconfigures + origins {
      try BatchEdits.checkExists(position, in: before, isBefore: true)
    }
    for position in inserts + destinations { try BatchEdits.checkExists(position, in: after, isBefore: false) }
    if let (position, first, second) = BatchEdits.conflict([
      (.delete, deletes), (.reload, reloads), (.moveAway, origins),
    ]) {
      throw .itemConflict(position, first, second)
    }
    if let (position, first, second) = BatchEdits.conflict([(.insert, inserts), (.moveTo, destinations)]) {
      throw .itemConflict(position, first, second)
    }
    // Reconfiguring an item twice is allowed.
    if let (position, first, second) = BatchEdits.conflict([
      (.delete, deletes), (.reconfigure, Array(Set(reconfigures))),
    ]) {
      throw .itemConflict(position, first, second)
    }
  }

  private static func checkExists(_ position: ItemPosition, in counts: [Int], isBefore: Bool) throws(BatchUpdateError) {
    guard counts.indices.contains(position.section) else {
      throw .noSection(position.section, of: counts.count, isBefore: isBefore)
    }
    guard (0..<counts[position.section]).contains(position.item) else {
      throw .noItem(position, of: counts[position.section], isBefore: isBefore)
    }
  }

  private func checkCounts(_ before: [Int], _ after: [Int]) throws(BatchUpdateError) {
    var changes = sectionChanges(before, after)[...]
    for (old, new) in survivors(before.count, after.count) {
      let change = changes.first?.newSection == new ? changes.popFirst() : nil
      let departures = change?.departures.count ?? 0
      let arrivals = change?.arrivals.count ?? 0
      guard before[old] - departures + arrivals == after[new] else {
        let (deleted, inserted) = (change?.deletes.count ?? 0, change?.inserts.count ?? 0)
        throw .itemCount(
          section: new, before: before[old], after: after[new], inserted: inserted, deleted: deleted,
          movedIn: arrivals - inserted, movedOut: departures - deleted)
      }
    }
  }

  /// Returns the first position that two edits name, with the kinds of the edits, or nil if there is none.
  private static func conflict<Position: Comparable>(
    _ kinds: [(kind: BatchEditKind, positions: [Position])]
  ) -> (Position, BatchEditKind, BatchEditKind)? {
    // Sorted by position, then in the order of the kinds.
    let named = kinds.enumerated().flatMap { rank, kind in kind.positions.map { (position: $0, rank: rank) } }
      .sorted { ($0.position, $0.rank) < ($1.position, $1.rank) }
    for (first, second) in zip(named, named.dropFirst()) where first.position == second.position {
      return (first.position, kinds[first.rank].kind, kinds[second.rank].kind)
    }
    return nil
  }
}

// MARK: - Errors

/// An error that describes why batch edits contradict the item counts before and after the update.
public enum BatchUpdateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An edit names a missing section: its index, the number of sections, and whether these are the sections before the
  /// update.
  case noSection(Int, of: Int, isBefore: Bool)
  /// An edit names a missing item: its position, the number of items in the section, and whether these are the items
  /// before the update.
  case noItem(ItemPosition, of: Int, isBefore: Bool)
  /// Two conflicting edits name the same section.
  case sectionConflict(Int, BatchEditKind, BatchEditKind)
  /// Two conflicting edits name the same item.
  case itemConflict(ItemPosition, BatchEditKind, BatchEditKind)
  /// The number of sections after the update does not match the edits.
  case sectionCount(before: Int, after: Int, inserted: Int, deleted: Int)
  /// The number of items in a section after the update does not match the edits. The section index is the one after the
  /// update.
  case itemCount(section: Int, before: Int, after: Int, inserted: Int, deleted: Int, movedIn: Int, movedOut: Int)

  /// The description of the error, with a hint for its correction.
  public var description: String {
    switch self {
    case .noSection(let section, let count, let isBefore):
      "An update names section \(section), and \(Self.number(count, "section", isBefore))."
    case .noItem(let position, let count, let isBefore):
      """
      An update names section \(position.section), item \(position.item), and in that section \
      \(Self.number(count, "item", isBefore)).
      """
    case .sectionConflict(let section, let first, let second):
      Self.conflict("section \(section)", first, second)
    case .itemConflict(let position, let first, let second):
      Self.conflict("section \(position.section), item \(position.item)", first, second)
    case .sectionCount(let before, let after, let inserted, let deleted):
      """
      The number of sections contradicts the update: the data source has \(after), and there were \(before), of which \
      \(deleted) were deleted, and \(inserted) were inserted. Change the data within the update, and name every change.
      """
    case .itemCount(let section, let before, let after, let inserted, let deleted, let movedIn, let movedOut):
      """
      The number of items in section \(section) contradicts the update: the data source has \(after), and there were \
      \(before), of which \(deleted) were deleted and \(movedOut) moved out, and \(inserted) were inserted and \(movedIn) \
      moved in. Change the data within the update, and name every change.
      """
    }
  }

  private static func number(_ count: Int, _ noun: String, _ isBefore: Bool) -> String {
    let verb = isBefore ? (count == 1 ? "was" : "were") : count == 1 ? "is" : "are"
    let when =
      isBefore ? "before it, where deletions, reloads and origins of moves count" : "after it, where insertions count"
    return "there \(verb) \(count) \(count == 1 ? noun : noun + "s") \(when)"
  }

  private static func conflict(_ name: String, _ first: BatchEditKind, _ second: BatchEditKind) -> String {
    guard first != second else { return "An update is to \(first.rawValue) \(name) twice. Name it once." }
    return "An update is to \(first.rawValue) and to \(second.rawValue) \(name). One of them excludes the other."
  }
}

/// The kind of an edit.
public enum BatchEditKind: String, Hashable, Sendable {
  /// Deletes a section or an item.
  case delete
  /// Inserts a section or an item.
  case insert
  /// Reloads a section or an item.
  case reload
  /// Configures an item's cell again.
  case reconfigure
  /// Moves a section or an item away from the position.
  case moveAway = "move away"
  /// Moves a section or an item to the position.
  case moveTo = "move something to"
}
