public import VitrineFramePacing
import VitrineRendering

/// The pacing of a loop, and whether it is to be measured.
public struct LoopPacing: Sendable {
  /// The initial clock.
  public var kind: ClockKind
  /// The time between refreshes.
  public var interval: FrameDuration
  /// Whether the first presents decide between vsync and timer.
  public var isMeasured: Bool
  /// The reason for the kind of clock, as readable text.
  public var reason: String

  /// Whether the interval is that of the window's display, also after the window moves to another one.
  public var followsDisplay: Bool

  /// Whether the first presents decided, so that later ones may decide again.
  private var wasMeasured: Bool
  /// Whether presenting waited for the refresh and then stopped waiting.
  var hasStoppedWaiting = false

  /// Creates the pacing; by default the interval does not follow the display.
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

  /// Adopts the refresh rate of the display that shows the window.
  ///
  /// - Returns: Whether the interval changed.
  mutating func updateInterval(from info: DisplayInfo) -> Bool {
    guard followsDisplay, let rate = info.refreshHz, rate.isFinite, rate >= 1 else { return false }
    let next = FrameDuration.seconds(1 / rate)
    guard next != interval else { return false }
    interval = next
    return true
  }

  /// Whether measuring again is useful after a change; a renderer that never waits is measured once.
  var canMeasureAgain: Bool { wasMeasured && !isMeasured }

  /// Starts another measurement.
  mutating func beginMeasuring() {
    kind = .vsync
    isMeasured = true
    hasStoppedWaiting = false
  }

  /// Adopts the result of a measurement.
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

extension FramePlan {
  /// Returns the time by which a phase should end: after a fraction of the remaining time, and at most a number of
  /// microseconds.
  ///
  /// Work that does not fit waits for the next frame.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - share: The fraction of the remaining time.
  ///   - maximum: The maximum duration in microseconds.
  ///   - reserved: The time to leave for later phases.
  func limit(
    from now: FrameInstant, share: Double, atMostMicroseconds maximum: Double, reserving reserved: FrameDuration = .zero
  ) -> FrameInstant {
    now + min(max(.zero, deadline - reserved - now) * share, .microseconds(maximum))
  }
}

/// A timer that fires once after each idle period, so that the loop releases memory reserved for further frames.
///
/// The timeout is long enough that the user is unlikely to continue immediately, because the memory then has to be
/// allocated again.
struct IdleTimer: Sendable {
  /// The time without a drawn frame after which the timer fires.
  static let timeout = FrameDuration.seconds(15)

  /// The time at which the timer fires, or nil if it has fired since the last frame.
  private(set) var due: FrameInstant?

  /// Restarts the timer after a frame.
  mutating func recordFrame(at instant: FrameInstant) { due = instant + IdleTimer.timeout }

  /// Returns whether the timer is due, and disarms it.
  mutating func fireIfDue(at now: FrameInstant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }
}

/// The visibility of a window, by the reports of the window system and the behavior of presenting.
struct Occlusion: Sendable {
  /// The time without drawing after presents were held back, before the next trial.
  static let trialInterval = FrameDuration.seconds(1)

  /// Whether the window system reports the window as hidden.
  var isHidden = false
  /// The time of the next trial present, or nil if presents are not held back.
  private(set) var nextTrial: FrameInstant?
  /// Whether the current frame is a trial.
  private(set) var isTrial = false

  /// Whether nothing is to be drawn.
  var isOccluded: Bool { isHidden || nextTrial != nil }

  /// Returns whether a trial is due.
  func isTrialDue(at now: FrameInstant) -> Bool { !isHidden && nextTrial.map { $0 <= now } ?? false }

  /// Suspends presenting because presents are held back.
  mutating func suspendPresenting(at instant: FrameInstant) {
    nextTrial = instant + Occlusion.trialInterval
    isTrial = false
  }

  /// Begins a trial present.
  mutating func beginTrial() {
    nextTrial = nil
    isTrial = true
  }

  /// Ends a trial present.
  ///
  /// - Parameters:
  ///   - instant: The time at which the present returned.
  ///   - isHeldBack: Whether it was held back like those before.
  mutating func endTrial(at instant: FrameInstant, isHeldBack: Bool) {
    guard isTrial else { return }
    isTrial = false
    if isHeldBack { suspendPresenting(at: instant) }
  }
}
