public import FramePacing

/// How much time a phase has left: a clock and a moment on its line.
public struct FrameBudget {
  /// The frame's clock.
  public let clock: any FrameClock
  /// The moment by which the phase should end.
  public internal(set) var limit: FrameInstant
  /// The refresh at which the frame is due.
  public let target: FrameInstant
  /// What work ahead has to keep to; nothing in other phases.
  public let slack: SlackBudget?

  /// Makes a budget.
  public init(clock: any FrameClock, limit: FrameInstant, target: FrameInstant, slack: SlackBudget? = nil) {
    self.clock = clock
    self.limit = limit
    self.target = target
    self.slack = slack
  }

  /// The time left, none when the limit has passed.
  public var remaining: FrameDuration { max(.zero, limit - clock.now()) }

  /// Whether a cost fits before the limit; in slack with room to spare, as work takes longer there than it was seen to take.
  public func allows(_ cost: FrameDuration) -> Bool {
    clock.now() + cost + (slack?.longestReserve ?? .zero) < limit
  }
}
