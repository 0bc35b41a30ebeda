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
  /// The first presents were measured: they decide.
  mutating func settle(by probe: PresentProbe) {
    kind = probe.finding == .vsync ? .vsync : .timer
    isMeasured = false
    let measured = (probe.typicalDuration.milliseconds * 100).rounded() / 100
    reason =
      kind == .vsync
      ? "presenting was measured to wait for the refresh (\(measured) ms)"
      : "presenting was measured to return after \(measured) ms, without waiting for a refresh"
  }
}
