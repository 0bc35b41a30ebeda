/// What became of operations that loaded what items show.
///
/// `started` = `completed` + `cancelled` + `running`, and `completed` = `shown` + `ahead` + `wasted`.
public struct OperationFigures: Encodable {
  /// Operations begun.
  public var started: Int
  /// Of those, operations that have loaded what they were to.
  public var completed: Int
  /// Of those, operations that were cancelled before they had.
  public var cancelled: Int
  /// Of those, operations that are under way.
  public var running: Int
  /// Of the completed ones, those whose result a cell has shown.
  public var shown: Int
  /// Of the completed ones, those whose result waits for a cell to come.
  public var ahead: Int
  /// Of the completed ones, those whose result no cell has shown or will show.
  public var wasted: Int
  /// Cells on screen that waited for a result, times milliseconds.
  public var waitingCellMs: Double

  /// Makes figures; milliseconds are kept to the microsecond.
  public init(
    started: Int, completed: Int, cancelled: Int, running: Int, shown: Int, ahead: Int, wasted: Int,
    waitingCellMs: Double
  ) {
    self.started = started
    self.completed = completed
    self.cancelled = cancelled
    self.running = running
    self.shown = shown
    self.ahead = ahead
    self.wasted = wasted
    self.waitingCellMs = RunReport.rounded(waitingCellMs, 3)
  }
}
