public import DiffableData

/// What a client of a data source says to the expanding and collapsing of items.
public struct SectionSnapshotHandlers<ItemID: Hashable & Sendable> {
  /// Says whether an item may be expanded; without it every one may.
  public var shouldExpandItem: ((ItemID) -> Bool)?
  /// Is told before an item is expanded.
  public var willExpandItem: ((ItemID) -> Void)?
  /// Says whether an item may be collapsed; without it every one may.
  public var shouldCollapseItem: ((ItemID) -> Bool)?
  /// Is told before an item is collapsed.
  public var willCollapseItem: ((ItemID) -> Void)?
  /// Gives the children of an item that is expanded, in exchange for those it has now: so they need not be there before.
  public var snapshotForExpandingParent:
    (
      (_ parent: ItemID, _ current: DiffableDataSourceSectionSnapshot<ItemID>)
        -> DiffableDataSourceSectionSnapshot<ItemID>
    )?

  /// Makes handlers that allow everything and say nothing.
  public init() {}
}
