public import FramePacing

/// What became of the time that short commits left, on the run's clock.
public struct SlackFigures: Encodable {
  /// From the ends of commits to their deadlines, in milliseconds.
  @Measured public var availableMs: Double?
  /// What steps of work ahead took, in milliseconds.
  @Measured public var usedMs: Double?
  /// Steps that were taken.
  public var steps: Int
  /// Steps that did not fit.
  @Measured public var refusals: Int?
  /// Steps that ended too late, or frames in whose slack anything that began in time did, whichever are more.
  @Measured public var overruns: Int?

  /// The figures that a collection view counted.
  public init(_ ledger: SlackStatistics) {
    self.init(
      availableMs: ledger.availableMs, usedMs: ledger.usedMs, steps: ledger.steps, refusals: ledger.refusals,
      overruns: ledger.overruns)
  }

  /// Makes figures; milliseconds are kept to the microsecond.
  public init(availableMs: Double, usedMs: Double, steps: Int, refusals: Int, overruns: Int) {
    self.availableMs = RunReport.rounded(availableMs, 3)
    self.usedMs = RunReport.rounded(usedMs, 3)
    self.steps = steps
    self.refusals = refusals
    self.overruns = overruns
  }

  /// The same figures with what the loop saw: frames whose slack ended too late, by steps or by other work.
  func mergingOverruns(_ frames: Int) -> SlackFigures {
    var all = self
    all.overruns = overruns.map { max($0, frames) }
    return all
  }

  /// The same figures as a clock sees them: without costs nothing is known of time, and everything fits into none.
  func masked(by visibility: CostVisibility) -> SlackFigures {
    guard visibility == .none else { return self }
    var seen = self
    (seen.availableMs, seen.usedMs, seen.refusals, seen.overruns) = (nil, nil, nil, nil)
    return seen
  }
}
