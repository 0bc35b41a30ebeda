/// The lives of cells.
public struct CellFigures: Encodable {
  /// Cells made.
  public var created = 0
  /// Cells asked for.
  public var dequeued = 0
  /// Of those, cells that had shown another item before.
  public var reused = 0
  /// Cells configured for an item.
  public var prepared = 0
  /// Of those, cells prepared in the slack of short commits.
  public var preparedInSlack = 0
  /// Of those, cells that a commit had to prepare.
  public var preparedForced = 0
  /// Times that a cell came on screen.
  public var displayed = 0
  /// Of those, times that it had waited since it was on screen for the same item.
  public var redisplayedFromWaiting = 0
  /// Cells that were prepared and let go without ever having been on screen.
  public var preparedNeverDisplayed = 0
  /// Cells configured again for the same item.
  public var reconfigured = 0
  /// Cells on screen.
  public var visible = 0
  /// Cells bound to an item and not on screen.
  public var waiting = 0
  /// Cells bound to no item.
  public var pooled = 0
  /// Numbers that clients gave and that cannot be meant: sizes, counts, places, insets and offsets.
  public var refusedNumbers = 0

  /// Nothing happened.
  public init() {}
}
