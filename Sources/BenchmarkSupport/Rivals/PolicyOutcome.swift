/// What became of a script under a policy.
public struct PolicyOutcome: Hashable, Sendable {
  /// Milliseconds of hitches a second; 0 where nothing moved.
  public var hitchRatio: Double
  /// Late frames.
  public var late: Int
  /// Of those, late because work ahead ran past its limit.
  public var slackOverruns: Int
  /// Cells that a commit had to prepare, those of the first screen among them.
  public var forced: Int

  /// Makes an outcome.
  public init(hitchRatio: Double, late: Int, slackOverruns: Int, forced: Int) {
    (self.hitchRatio, self.late) = (hitchRatio, late)
    (self.slackOverruns, self.forced) = (slackOverruns, forced)
  }
}
