import FramePacing

/// A strength that goes evenly to another one: a function of time, with an end.
struct Fade {
  private var startValue = 0.0
  private var startInstant = FrameInstant.distantPast
  private var duration = FrameDuration.zero
  /// Where it goes.
  private(set) var targetValue = 0.0

  /// Goes to a strength from wherever it is; nothing happens where it goes there already.
  ///
  /// - Parameter duration: how long the whole way takes; a part of it takes less.
  mutating func animate(to goal: Double, duration: FrameDuration, at instant: FrameInstant) {
    guard goal != self.targetValue else { return }
    startValue = value(at: instant)
    startInstant = instant
    self.duration = duration * (goal - startValue).magnitude
    self.targetValue = goal
  }

  /// The strength at an instant.
  func value(at instant: FrameInstant) -> Double {
    guard isRunning(at: instant) else { return targetValue }
    return startValue + (targetValue - startValue) * max(0, (instant - startInstant).seconds / duration.seconds)
  }

  /// Whether it is still on its way.
  func isRunning(at instant: FrameInstant) -> Bool { duration > .zero && instant < startInstant + duration }
}
