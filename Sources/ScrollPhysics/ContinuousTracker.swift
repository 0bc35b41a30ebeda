internal import FramePacing

/// Follows a burst of trackpad deltas and decides when it has ended and with which velocity.
///
/// SDL2 tells neither that fingers left a trackpad nor that they touch it, so a burst ends when no delta has come for
/// three times the usual gap. A wrong guess is harmless: the next delta takes the content again.
struct ContinuousTracker: Sendable {
  /// The shortest and the longest wait for the next delta, and the wait when only one was seen.
  static let waits = (shortest: FrameDuration.milliseconds(24), longest: FrameDuration.milliseconds(60))
  /// A free motion follows only when this many deltas in a row had one sign.
  static let agreeingDeltas = 3

  private static let gapCapacity = 8
  private var tracker = VelocityTracker()
  private var travel = 0.0
  private var gaps = InlineArray<8, Int64>(repeating: 0)
  private var gapCount = 0
  private var last: FrameInstant?
  private var agreeing = 0

  /// Forgets the burst.
  mutating func reset() { self = ContinuousTracker() }

  /// Takes a delta in points.
  mutating func add(_ delta: Double, at instant: FrameInstant) {
    travel = (travel + delta).bounded(by: ScrollLimits.position)
    tracker.add(position: travel, at: instant)
    if let last, instant > last {
      gaps[gapCount % ContinuousTracker.gapCapacity] = (instant - last).nanoseconds
      gapCount += 1
    }
    last = instant
    if delta > 0 { agreeing = max(0, agreeing) + 1 }
    if delta < 0 { agreeing = min(0, agreeing) - 1 }
  }

  /// How long after the last delta the burst counts as ended: thrice the median gap, between 24 and 60 ms.
  var wait: FrameDuration {
    let count = min(gapCount, ContinuousTracker.gapCapacity)
    guard count > 0 else { return ContinuousTracker.waits.longest }
    var sorted = gaps
    for end in 1..<max(2, count) {
      var place = end
      while place > 0, place < count, sorted[place] < sorted[place - 1] {
        (sorted[place], sorted[place - 1]) = (sorted[place - 1], sorted[place])
        place -= 1
      }
    }
    let median = FrameDuration(nanoseconds: sorted[count / 2])
    guard median < ContinuousTracker.waits.longest else { return ContinuousTracker.waits.longest }
    return min(ContinuousTracker.waits.longest, max(ContinuousTracker.waits.shortest, median * 3))
  }

  /// The velocity in points a second that the content keeps when the burst ends; 0 when it is to stand still.
  func releaseVelocity(above minimum: Double) -> Double {
    let velocity = tracker.velocity
    let agrees = velocity > 0 ? agreeing : -agreeing
    return velocity.magnitude > minimum && agrees >= ContinuousTracker.agreeingDeltas ? velocity : 0
  }
}
