/// Counts of what was asked for ahead, over a collection view's life.
public struct PrefetchStatistics: Hashable, Sendable {
  /// Items that were announced.
  public var requested = 0
  /// Of those, items that were given up before they were on screen.
  public var cancelled = 0

  /// Nothing yet.
  public init() {}
}
