/// Counts of what was asked for ahead, over a collection view's life.
public struct PrefetchStatistics: Hashable, Sendable {
  /// Items that were announced.
  public var requested: Int
  /// Of those, items that were given up before they were on screen.
  public var cancelled: Int

  /// Makes counts; none unless told.
  public init(requested: Int = 0, cancelled: Int = 0) {
    self.requested = requested
    self.cancelled = cancelled
  }
}
