/// What a reordering does: the items before and afterwards, and the difference, for the client to carry to its store.
///
/// A store that is one list applies ``difference``; one that is a list a section applies those of
/// ``sectionTransactions``; one that is rebuilt takes ``finalSnapshot``.
public struct DiffableDataSourceTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The items of all sections.
  public typealias Snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>
  /// The tree of one section's items.
  public typealias SectionSnapshot = DiffableDataSourceSectionSnapshot<ItemID>
  /// What happens to one section.
  public typealias SectionTransaction = DiffableDataSourceSectionTransaction<SectionID, ItemID>

  /// The visible items before.
  public let initialSnapshot: Snapshot
  /// The visible items afterwards.
  public let finalSnapshot: Snapshot
  /// What to do to the items of the one to get those of the other, as if there were no sections.
  public let difference: CollectionDifference<ItemID>

  /// The trees before of those sections that are more than a list.
  public let initialOutlines: [SectionID: SectionSnapshot]
  /// The trees afterwards of those sections that are more than a list.
  public let finalOutlines: [SectionID: SectionSnapshot]

  private let changedSections: [SectionID]

  /// Makes a transaction from two snapshots, and from the trees of sections that are more than a list of visible items.
  ///
  /// - Complexity: that of `changeset(from:)` and of `collectionDifference(from:to:)`, and O(t) for the items t of trees.
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

  /// What happens to each section whose items change: in their order afterwards, and then those that are gone.
  ///
  /// - Complexity: O(c log c) for the c items of these sections; they are made anew each time.
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
  /// The items of a section as a tree without levels; empty for a section that is not there.
  ///
  /// - Complexity: O(k) for k items of the section.
  public func outline(ofSection section: SectionID) -> DiffableDataSourceSectionSnapshot<ItemID> {
    var outline = DiffableDataSourceSectionSnapshot<ItemID>()
    if indexOfSection(section) != nil { outline.append(itemIdentifiers(inSection: section)) }
    return outline
  }
}
