internal import VitrineDataStructures

/// The state of a collection at one moment: its sections and the items of each section, in order, by identifier.
///
/// Copies are independent, and copying takes O(1). Identifiers are unique among sections and among items. Naming a
/// section or an anchor that does not exist, or an identifier twice in one call, is a programming error that stops the
/// program with a message.
///
/// Each identifier is stored once and represented by a number. Items are stored in leaves of up to 512 numbers that
/// copies share. The first change after a copy copies only what it touches: a leaf, the list of up to 128 leaves around
/// it, one reference for each 2^16 items, a number for each leaf if leaves are added or removed, the marks if they
/// change, and the list of sections. The complexities below omit these costs, which are a few kilobytes for a million
/// items in few sections with few marks. The marks take O(m), and the sections O(s). Hashing an identifier counts as
/// O(1).
public struct DiffableDataSourceSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  var table = SectionTable<SectionID>()
  var interner = Interner<ItemID>()
  var registry = HandleRegistry()
  var reloadedSections = IdentifierMarks<SectionID>()
  var reloadedItems = IdentifierMarks<ItemID>()
  var reconfiguredItems = IdentifierMarks<ItemID>()
  var relocatedItems = IdentifierMarks<ItemID>()
  /// The number of items before all of them were deleted.
  ///
  /// They are likely to be added again.
  var expectedItems = 0

  /// The number of items in all sections.
  ///
  /// - Complexity: O(1).
  public internal(set) var numberOfItems = 0

  /// Whether the snapshot has items that are not hashed yet.
  package var hasUnhashedItems: Bool { interner.hasUnhashedIdentifiers }

  /// Hashes the items that are not hashed yet, so that the first question about an item is answered at once.
  ///
  /// Copies of the snapshot share the result. The method may be called on any thread, while copies are used on others.
  ///
  /// - Precondition: No item was named twice in one call.
  /// - Complexity: O(n).
  package func hashItems() { interner.hashIdentifiers() }

  /// Takes what was hashed for the snapshot and its copies, if anything, so that questions about items are answered
  /// faster.
  ///
  /// - Complexity: O(log n).
  package mutating func adoptHashes() { interner.adoptHashes() }

  /// Creates an empty snapshot.
  ///
  /// - Complexity: O(1).
  public init() {}
}

extension DiffableDataSourceSnapshot {
  /// Appends sections.
  ///
  /// - Precondition: None of the sections exists.
  /// - Complexity: O(k) for k sections.
  public mutating func appendSections(_ identifiers: [SectionID]) {
    insert(identifiers, at: table.records.count)
  }

  /// Inserts sections before another section.
  ///
  /// - Precondition: The other section exists, and none of the new ones does.
  /// - Complexity: O(k + s) for k of s sections.
  public mutating func insertSections(_ identifiers: [SectionID], beforeSection anchor: SectionID) {
    insert(identifiers, at: rank(of: anchor))
  }

  /// Inserts sections after another section.
  ///
  /// - Precondition: The other section exists, and none of the new ones does.
  /// - Complexity: O(k + s) for k of s sections.
  public mutating func insertSections(_ identifiers: [SectionID], afterSection anchor: SectionID) {
    insert(identifiers, at: rank(of: anchor) + 1)
  }

  /// Deletes sections with their items.
  ///
  /// Sections that do not exist are ignored.
  ///
  /// - Complexity: O(s + k) amortised for k items of these sections, and O(m) for m marks.
  public mutating func deleteSections(_ identifiers: [SectionID]) {
    let known = identifiers.filter { table.rank(of: $0) != nil }
    guard !known.isEmpty else { return }
    for record in table.remove(Set(known)) {
      record.items.release(in: &registry)
      numberOfItems -= record.items.count
    }
    reloadedSections.remove(known)
    removeMarksOfAbsentItems()
    compactIfSparse()
  }

  /// Moves a section to the position immediately before another section.
  ///
  /// - Precondition: Both sections exist and are different.
  /// - Complexity: O(s).
  public mutating func moveSection(_ identifier: SectionID, beforeSection anchor: SectionID) {
    moveSection(identifier, to: anchor, after: false)
  }

  /// Moves a section to the position immediately after another section.
  ///
  /// - Precondition: Both sections exist and are different.
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

  private mutating func removeMarksOfAbsentItems() {
    reloadedItems.keep(where: contains)
    reconfiguredItems.keep(where: contains)
    relocatedItems.keep(where: contains)
  }
}

/// The position of an item in a snapshot: the index of its section and its index in the section.
public struct ItemPosition: Hashable, Comparable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the item in its section.
  public var item: Int

  /// Creates a position.
  ///
  /// - Complexity: O(1).
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Returns whether the first position is before the second in display order.
  ///
  /// - Complexity: O(1).
  public static func < (left: ItemPosition, right: ItemPosition) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
