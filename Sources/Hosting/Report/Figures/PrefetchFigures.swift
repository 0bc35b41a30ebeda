public import CollectionUI

/// Data that was asked for before its items were seen.
public struct PrefetchFigures: Encodable {
  /// Items whose data was asked for.
  public var requested: Int
  /// Of those, items that were given up before they were on screen.
  public var cancelled: Int

  /// The figures that a collection view counted.
  public init(_ counts: PrefetchStatistics) { self.init(requested: counts.requested, cancelled: counts.cancelled) }

  /// Makes figures.
  public init(requested: Int, cancelled: Int) {
    self.requested = requested
    self.cancelled = cancelled
  }
}
