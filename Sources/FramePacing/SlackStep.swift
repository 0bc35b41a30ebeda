/// A step of work ahead that asks whether it may run.
public struct SlackStep: Hashable, Sendable {
  /// What it costs if it goes badly.
  public var cost: FrameDuration
  /// Whether the next frame will do it in its commit if it is not done by then.
  public var isNeededNext: Bool

  /// Whether it would be too late for it once the content began to move.
  public var isUrgent: Bool

  /// Makes a step; a negative cost counts as zero.
  public init(cost: FrameDuration, isNeededNext: Bool = false, isUrgent: Bool = false) {
    self.cost = max(.zero, cost)
    self.isNeededNext = isNeededNext
    self.isUrgent = isUrgent
  }
}
