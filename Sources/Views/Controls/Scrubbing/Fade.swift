import FramePacing

/// A strength that goes evenly to another one: a function of time, with an end.
struct Fade {
  private var start = 0.0
  private var begin = FrameInstant.distantPast
  private var duration = FrameDuration.zero
  /// Where it goes.
  private(set) var goal = 0.0

  /// Goes to a strength from wherever it is; nothing happens where it goes there already.
  ///
  /// - Parameter duration: how long the whole way takes; a part of it takes less.
  mutating func turn(to goal: Double, in duration: FrameDuration, at instant: FrameInstant) {
    guard goal != self.goal else { return }
    start = level(at: instant)
    begin = instant
    self.duration = duration * (goal - start).magnitude
    self.goal = goal
  }

  /// The strength at an instant.
  func level(at instant: FrameInstant) -> Double {
    guard isRunning(at: instant) else { return goal }
    return start + (goal - start) * max(0, (instant - begin).seconds / duration.seconds)
  }

  /// Whether it is still on its way.
  func isRunning(at instant: FrameInstant) -> Bool { duration > .zero && instant < begin + duration }
}
