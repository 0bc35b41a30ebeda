public import DiffableData

/// What a client of a data source says to the reordering of items by hand.
///
/// Where an item is carried over others, the layout is asked how it would stand among them before it does: closures that a
/// layout asks for sizes by place are to answer for one place more than a section has items.
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
