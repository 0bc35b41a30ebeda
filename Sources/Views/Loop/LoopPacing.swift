public import FramePacing

/// How a loop is paced, and whether that is settled or to be measured.
public struct LoopPacing: Sendable {
  /// The clock to begin with.
  public var kind: ClockKind
  /// The time from one refresh to the next.
  public var interval: FrameDuration
  /// Whether the first presents decide between vsync and timer.
  public var isMeasured: Bool
  /// Why the clock is what it is, for people.
  public var reason: String

  /// Makes a choice.
  public init(kind: ClockKind, interval: FrameDuration, isMeasured: Bool, reason: String) {
    self.kind = kind
    self.interval = interval
    self.isMeasured = isMeasured
    self.reason = reason
  }
}
