/// A reordering by the user: the items before and after it, and the difference to apply to the client's backing store.
///
/// A store that is a single list applies ``difference``. A store with one list per section applies the differences of
/// ``sectionTransactions``. A store that is rebuilt uses ``finalSnapshot``.
public struct DiffableDataSourceTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The items of all sections.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  /// The tree of one section's items.
  public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>
  /// The changes of one section.
  public typealias SectionTransaction = DiffableDataSourceSectionTransaction<SectionID, ItemID>

  /// The visible items before the reordering.
  public let initialSnapshot: Snapshot
  /// The visible items after the reordering.
  public let finalSnapshot: Snapshot
  /// The difference between the items of both snapshots, without the sections.
  public let difference: CollectionDifference<ItemID>

  /// The trees before the reordering, of the sections that have more than a flat list.
  public let initialOutlines: [SectionID: SectionSnapshot]
  /// The trees after the reordering, of the sections that have more than a flat list.
  public let finalOutlines: [SectionID: SectionSnapshot]

  private let changedSections: [SectionID]

  /// Creates a transaction from two snapshots and the trees of the sections that have more than a flat list.
  ///
  /// - Complexity: That of `changeset(from:)` and `collectionDifference(from:to:)`, and O(t) for t items in trees.
  public init(
    from initial: Snapshot, to final: Snapshot, initialOutlines: [SectionID: SectionSnapshot] = [:],
    finalOutlines: [SectionID: SectionSnapshot] = [:]
  ) {
    initialSnapshot = initial
    finalSnapshot = final
    self.initialOutlines = initialOutlines
    self.finalOutlines = finalOutlines
    let changes = final.changeset(from: initial)
    difference = changes.collectionDifference(from: initial, to: final)

    let listed = Set(changes.sections.map(\.newSection))
    var changed: [SectionID] = []
    for (index, section) in final.sectionIdentifiers.enumerated() {
      let isChanged =
        listed.contains(index) || changes.sectionInserts.contains(index)
        || initialOutlines[section] != finalOutlines[section]
      if isChanged { changed.append(section) }
    }
    changed += changes.sectionDeletes.ranges.joined().compactMap { initial.sectionIdentifier(at: $0) }
    changedSections = changed
  }

  /// The transactions of all sections whose items change, in the new order, followed by the deleted sections.
  ///
  /// - Complexity: O(c log c) for c items in these sections, on every access.
  public var sectionTransactions: [SectionTransaction] {
    changedSections.map { section in
      SectionTransaction(
        sectionIdentifier: section,
        initialSnapshot: initialOutlines[section] ?? initialSnapshot.outline(ofSection: section),
        finalSnapshot: finalOutlines[section] ?? finalSnapshot.outline(ofSection: section))
    }
  }
}

extension DiffableDataSourceSnapshot {
  /// Returns the items of a section as a flat tree, or an empty tree if the section does not exist.
  ///
  /// - Complexity: O(k) for k items of the section.
  public func outline(ofSection section: SectionID) -> DiffableDataSourceSectionSnapshot<ItemID> {
    var outline = DiffableDataSourceSectionSnapshot<ItemID>()
    if indexOfSection(section) != nil { outline.append(itemIdentifiers(inSection: section)) }
    return outline
  }
}

/// The changes of one section by a reordering.
public struct DiffableDataSourceSectionTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The section.
  public let sectionIdentifier: SectionID
  /// The section's tree before the reordering.
  ///
  /// Empty for an inserted section.
  public let initialSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
  /// The section's tree after the reordering.
  ///
  /// Empty for a deleted section.
  public let finalSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
  /// The difference between the items of both trees, visible or not.
  ///
  /// An item that moves to another section is a removal here and an insertion in that section's transaction.
  public let difference: CollectionDifference<ItemID>

  /// Creates a transaction from a section's trees.
  ///
  /// - Complexity: O(n log n) for n items in both trees.
  public init(
    sectionIdentifier: SectionID, initialSnapshot: DiffableDataSourceSectionSnapshot<ItemID>,
    finalSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
  ) {
    self.sectionIdentifier = sectionIdentifier
    self.initialSnapshot = initialSnapshot
    self.finalSnapshot = finalSnapshot
    var initial = DiffableDataSourceSnapshot<SectionID, ItemID>()
    initial.appendSections([sectionIdentifier])
    var final = initial
    initial.appendItems(initialSnapshot.items)
    final.appendItems(finalSnapshot.items)
    difference = final.changeset(from: initial).collectionDifference(from: initial, to: final)
  }
}
