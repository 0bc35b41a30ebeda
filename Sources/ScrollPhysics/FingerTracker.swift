internal import FramePacing

/// Follows a finger that holds content, by the distances that it went.
struct FingerTracker: Sendable {
  private var tracker = VelocityTracker()
  private var travel = 0.0

  /// The finger went so many points.
  mutating func add(_ distance: Double, at instant: FrameInstant) {
    travel = (travel + distance).bounded(by: ScrollLimits.position)
    tracker.add(position: travel, at: instant)
  }

  /// Its velocity in points a second at an instant: 0 once it has stood still for 40 ms.
  func velocity(at instant: FrameInstant) -> Double { tracker.velocity(at: instant) }
}
