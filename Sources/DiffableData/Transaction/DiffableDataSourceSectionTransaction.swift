/// What a reordering does to one section.
public struct DiffableDataSourceSectionTransaction<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The section.
  public let sectionIdentifier: SectionID
  /// Its tree before; empty for a section that was not there.
  public let initialSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
  /// Its tree afterwards; empty for a section that is gone.
  public let finalSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
  /// What to do to the items of the one, visible or not, to get those of the other.
  ///
  /// An item that goes to another section is removed here, and inserted in that one's transaction.
  public let difference: CollectionDifference<ItemID>

  /// Makes a transaction from a section's trees.
  ///
  /// - Complexity: O(n log n) for n items of both.
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
