public import CollectionUI
public import VitrineCollectionEngine
public import VitrineFramePacing

/// The figures of a collection view's cells.
public struct CellFigures: Encodable {
  /// The number of created cells.
  public var created = 0
  /// The number of dequeued cells.
  public var dequeued = 0
  /// The number of dequeued cells that had shown another item before.
  public var reused = 0
  /// The number of times a cell was configured for an item.
  public var prepared = 0
  /// The number of these that happened in the slack of short commits.
  public var preparedInSlack = 0
  /// The number of these that happened in a commit, which was forced to prepare the cell.
  public var preparedForced = 0
  /// The number of times a cell became visible.
  public var displayed = 0
  /// The number of these for which a waiting cell became visible again for the same item.
  public var redisplayedFromWaiting = 0
  /// The number of cells that were prepared and evicted without ever being visible.
  public var preparedNeverDisplayed = 0
  /// The number of times a cell was configured again for the same item.
  public var reconfigured = 0
  /// The number of visible cells.
  public var visible = 0
  /// The number of waiting cells, which are bound to an item and not visible.
  public var waiting = 0
  /// The number of pooled cells, which are bound to no item.
  public var pooled = 0
  /// The number of invalid values from clients: sizes, counts, positions, insets and offsets.
  public var refusedNumbers = 0

  /// Creates empty figures.
  public init() {}
}

extension CellFigures {
  /// Creates figures from a collection view's statistics.
  public init(_ counts: CellStatistics) {
    created = counts.created
    dequeued = counts.dequeued
    reused = counts.reused
    prepared = counts.prepared
    preparedInSlack = counts.preparedInSlack
    preparedForced = counts.preparedForced
    displayed = counts.displayed
    redisplayedFromWaiting = counts.redisplayedFromWaiting
    preparedNeverDisplayed = counts.preparedNeverDisplayed
    reconfigured = counts.reconfigured
    visible = counts.visible
    waiting = counts.waiting
    pooled = counts.pooled
    refusedNumbers = counts.refusedSizes + counts.refusedNumbers
  }
}

/// The figures of the slack of short commits, on the run's clock.
public struct SlackFigures: Encodable {
  /// The time from the ends of commits to their deadlines in milliseconds.
  @Measured public var availableMs: Double?
  /// The time that preparation steps took in milliseconds.
  @Measured public var usedMs: Double?
  /// The number of performed steps.
  public var steps: Int
  /// The number of steps that did not fit.
  @Measured public var refusals: Int?
  /// The number of steps that ended too late, or the number of frames in which work in slack did, if that is larger.
  @Measured public var overruns: Int?

  /// Creates figures from a collection view's statistics.
  public init(_ statistics: SlackStatistics) {
    self.init(
      availableMs: statistics.availableMs, usedMs: statistics.usedMs, steps: statistics.steps,
      refusals: statistics.refusals,
      overruns: statistics.overruns)
  }

  /// Creates figures.
  ///
  /// Milliseconds are rounded to three decimals.
  public init(availableMs: Double, usedMs: Double, steps: Int, refusals: Int, overruns: Int) {
    self.availableMs = RunReport.rounded(availableMs, 3)
    self.usedMs = RunReport.rounded(usedMs, 3)
    self.steps = steps
    self.refusals = refusals
    self.overruns = overruns
  }

  /// Returns the figures with the loop's count of frames whose slack ended too late, if that is larger.
  func mergingOverruns(_ frames: Int) -> SlackFigures {
    var all = self
    all.overruns = overruns.map { max($0, frames) }
    return all
  }

  /// Returns the figures that a clock can measure.
  ///
  /// Without costs, times and refusals are unknown.
  func masked(by visibility: CostVisibility) -> SlackFigures {
    guard visibility == .none else { return self }
    var seen = self
    (seen.availableMs, seen.usedMs, seen.refusals, seen.overruns) = (nil, nil, nil, nil)
    return seen
  }
}

/// The figures of data prefetching.
public struct PrefetchFigures: Encodable {
  /// The number of items whose data was requested.
  public var requested: Int
  /// The number of these that were cancelled before the item was visible.
  public var cancelled: Int

  /// Creates figures from a collection view's statistics.
  public init(_ counts: PrefetchStatistics) { self.init(requested: counts.requested, cancelled: counts.cancelled) }

  /// Creates figures.
  public init(requested: Int, cancelled: Int) {
    self.requested = requested
    self.cancelled = cancelled
  }
}

/// The figures of operations that load the content of items.
///
/// `started` = `completed` + `cancelled` + `running`, and `completed` = `shown` + `ahead` + `wasted`.
public struct OperationFigures: Encodable {
  /// The number of started operations.
  public var started: Int
  /// The number of operations that loaded their content.
  public var completed: Int
  /// The number of operations that were cancelled before that.
  public var cancelled: Int
  /// The number of running operations.
  public var running: Int
  /// The number of completed operations whose result a cell has shown.
  public var shown: Int
  /// The number of completed operations whose result is waiting for its cell.
  public var ahead: Int
  /// The number of completed operations whose result no cell has shown or will show.
  public var wasted: Int
  /// The sum over visible cells of the time in milliseconds that they waited for a result.
  public var waitingCellMs: Double

  /// Creates figures.
  ///
  /// Milliseconds are rounded to three decimals.
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
