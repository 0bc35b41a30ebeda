public import DiffableData

/// What a client of a data source says to the reordering of items by hand.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Says whether an item may be put elsewhere; without it none may.
  public var canReorderItem: ((ItemID) -> Bool)?
  /// Is told before the data source commits a new order.
  public var willReorder: ((DiffableDataSourceTransaction<SectionID, ItemID>) -> Void)?
  /// Is told when the data source has committed a new order: all that is left to do is to store it.
  public var didReorder: ((DiffableDataSourceTransaction<SectionID, ItemID>) -> Void)?

  /// Makes handlers that allow nothing.
  public init() {}
}
