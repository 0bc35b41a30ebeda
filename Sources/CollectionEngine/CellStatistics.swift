/// Counts of a collection view's cells over its life.
public struct CellStatistics: Hashable, Sendable {
  /// Cells made.
  public var created = 0
  /// Cells asked for.
  public var dequeued = 0
  /// Of those, cells that had shown another item before.
  public var reused = 0
  /// Cells configured for an item.
  public var prepared = 0
  /// Times that a cell came on screen.
  public var displayed = 0
  /// Cells configured again for the same item.
  public var reconfigured = 0
  /// Cells that asked for one size after the other without end; they keep the largest and are not asked again.
  public var frozenSizes = 0
  /// Sizes that cells asked for and that cannot be meant: no numbers, negative or infinite.
  public var refusedSizes = 0

  /// No cells.
  public init() {}
}
