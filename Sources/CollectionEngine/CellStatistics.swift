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
  /// Of those, cells prepared in the slack of a short commit.
  public var preparedInSlack = 0
  /// Of those, cells that a commit had to prepare because none waited.
  public var preparedForced = 0
  /// Of those, cells that were let go or given another item without ever having been on screen.
  public var preparedNeverDisplayed = 0
  /// Times that a cell came on screen.
  public var displayed = 0
  /// Of those, times that it had been on screen for the same item before, and had waited since.
  public var redisplayedFromWaiting = 0
  /// Cells configured again for the same item.
  public var reconfigured = 0
  /// Cells on screen now.
  public var visible = 0
  /// Cells bound to an item and not on screen now.
  public var waiting = 0
  /// Cells in pools now.
  public var pooled = 0
  /// Cells that were let go.
  public var discarded = 0
  /// Cells that asked for one size after the other without end; they keep the largest and are not asked again.
  public var frozenSizes = 0
  /// Sizes that cells asked for and that cannot be meant: no numbers, negative or infinite.
  public var refusedSizes = 0
  /// Other numbers that clients gave and that cannot be meant.
  ///
  /// Counts below 0, and places, insets and offsets that are no numbers or infinite. What was taken in their place is what
  /// stood there, or 0.
  public var refusedNumbers = 0

  /// No cells.
  public init() {}
}
