public import FramePacing
import Rendering

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

  /// Whether the interval is that of the display which shows the window, also where it is moved to another one.
  public var followsDisplay: Bool

  /// Whether the first presents decided, and others may decide otherwise.
  private var wasMeasured: Bool
  /// Whether presenting waited for the refresh, and came not to.
  var hasStoppedWaiting = false

  /// Makes a choice; the interval stays as it is unless told.
  public init(
    kind: ClockKind, interval: FrameDuration, isMeasured: Bool, reason: String, followsDisplay: Bool = false
  ) {
    self.kind = kind
    self.interval = interval
    self.isMeasured = isMeasured
    wasMeasured = isMeasured && kind == .vsync
    self.reason = reason
    self.followsDisplay = followsDisplay
  }

  /// The window is shown by another display, or that has another refresh.
  ///
  /// - Returns: whether the interval is another one.
  mutating func updateInterval(from info: DisplayInfo) -> Bool {
    guard followsDisplay, let rate = info.refreshHz, rate.isFinite, rate >= 1 else { return false }
    let next = FrameDuration.seconds(1 / rate)
    guard next != interval else { return false }
    interval = next
    return true
  }

  /// Whether it is worth while to measure again, now that something changed: a renderer that never waits is not asked twice.
  var canMeasureAgain: Bool { wasMeasured && !isMeasured }

  /// Presents decide again.
  mutating func beginMeasuring() {
    kind = .vsync
    isMeasured = true
    hasStoppedWaiting = false
  }

  /// The first presents were measured: they decide.
  mutating func finishMeasuring(with probe: PresentProbe) {
    kind = probe.finding == .vsync ? .vsync : .timer
    isMeasured = false
    let measured = (probe.typicalDuration.milliseconds * 100).rounded() / 100
    reason =
      kind == .vsync
      ? "presenting was measured to wait for the refresh (\(measured) ms)"
      : "presenting was measured to return after \(measured) ms, without waiting for a refresh"
  }
}
