internal import DataStructures

/// The state of a collection at one moment: which sections there are and which items each holds, in order, by identifier.
///
/// A value: copies are independent, and copying takes O(1). Every identifier is there at most once; sections and items
/// have namespaces of their own. Naming a section or an anchor that is not there, or the same identifier twice in one
/// call, is a mistake of the caller and stops the program with a sentence that names it.
///
/// Each identifier is stored once and known by a number from then on. Items are kept in leaves of up to 512 numbers that
/// copies share. The first change after a copy copies what it touches: a leaf, the list of up to 128 leaves around it, one
/// reference for each 2^16 items, a number for each leaf where leaves come or go, the marks where those change, and the
/// list of sections. The complexities below leave out these, which for a million items in few sections, with few marks,
/// are some kilobytes; the marks are O(m) and the sections O(s). Hashing an identifier counts as O(1).
public struct DiffableDataSourceSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  var table = SectionTable<SectionID>()
  var interner = Interner<ItemID>()
  var ledger = HandleLedger()
  var reloadedSections = IdentifierMarks<SectionID>()
  var reloadedItems = IdentifierMarks<ItemID>()
  var reconfiguredItems = IdentifierMarks<ItemID>()
  var relocatedItems = IdentifierMarks<ItemID>()
  /// How many items there were before all were deleted: they may be about to come back.
  var expectedItems = 0

  /// The number of items in all sections.
  ///
  /// - Complexity: O(1).
  public internal(set) var numberOfItems = 0

  /// Makes an empty snapshot.
  ///
  /// - Complexity: O(1).
  public init() {}
}

extension DiffableDataSourceSnapshot {
  /// Adds sections at the end.
  ///
  /// - Precondition: None of them is there already.
  /// - Complexity: O(k) for k sections.
  public mutating func appendSections(_ identifiers: [SectionID]) {
    insert(identifiers, at: table.records.count)
  }

  /// Adds sections before another.
  ///
  /// - Precondition: The other section is there, and none of the new ones.
  /// - Complexity: O(k + s) for k of s sections.
  public mutating func insertSections(_ identifiers: [SectionID], beforeSection anchor: SectionID) {
    insert(identifiers, at: rank(of: anchor))
  }

  /// Adds sections after another.
  ///
  /// - Precondition: The other section is there, and none of the new ones.
  /// - Complexity: O(k + s) for k of s sections.
  public mutating func insertSections(_ identifiers: [SectionID], afterSection anchor: SectionID) {
    insert(identifiers, at: rank(of: anchor) + 1)
  }

  /// Removes sections and their items; unknown sections are ignored.
  ///
  /// - Complexity: O(s + k) amortised for k items of these sections, and O(m) for m marks.
  public mutating func deleteSections(_ identifiers: [SectionID]) {
    let known = identifiers.filter { table.rank(of: $0) != nil }
    guard !known.isEmpty else { return }
    for record in table.remove(Set(known)) {
      record.items.release(in: &ledger)
      numberOfItems -= record.items.count
    }
    reloadedSections.remove(known)
    forgetMarksOfAbsentItems()
    compactIfSparse()
  }

  /// Moves a section to just before another.
  ///
  /// - Precondition: Both are there, and they are two.
  /// - Complexity: O(s).
  public mutating func moveSection(_ identifier: SectionID, beforeSection anchor: SectionID) {
    moveSection(identifier, to: anchor, after: false)
  }

  /// Moves a section to just after another.
  ///
  /// - Precondition: Both are there, and they are two.
  /// - Complexity: O(s).
  public mutating func moveSection(_ identifier: SectionID, afterSection anchor: SectionID) {
    moveSection(identifier, to: anchor, after: true)
  }

  private mutating func moveSection(_ identifier: SectionID, to anchor: SectionID, after: Bool) {
    let from = rank(of: identifier)
    let target = rank(of: anchor)
    checkPrecondition(from != target, "The section \(identifier) cannot be moved next to itself.")
    table.move(from: from, to: (target > from ? target - 1 : target) + (after ? 1 : 0))
  }

  private mutating func insert(_ identifiers: [SectionID], at rank: Int) {
    for (offset, identifier) in identifiers.enumerated() {
      checkPrecondition(
        table.insert(identifier, at: rank + offset),
        "The section \(identifier) is in the snapshot already, or named twice.")
    }
    table.renumber(from: rank)
  }

  func rank(of section: SectionID) -> Int {
    guard let rank = table.rank(of: section) else {
      failPrecondition("There is no section \(section) in the snapshot.")
    }
    return rank
  }

  private mutating func forgetMarksOfAbsentItems() {
    reloadedItems.keep(where: contains)
    reconfiguredItems.keep(where: contains)
    relocatedItems.keep(where: contains)
  }
}
