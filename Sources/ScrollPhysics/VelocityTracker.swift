public import VitrineFramePacing

/// An estimator of pointer velocity from timed positions, by the impulse strategy.
///
/// Each sample adds the work that changes the velocity of a unit mass to the one observed since the previous sample. An
/// outlier weighs less than in a difference of neighboring samples, and less with age. Samples older than 100 ms are
/// ignored, and a pause of 40 ms means that the pointer stopped.
///
/// The samples are in a fixed ring inside the value, without allocation.
public struct VelocityTracker: Sendable {
  /// The maximum reported speed, in points per second.
  public static let maximumSpeed = 30_000.0
  /// The maximum age of the samples used.
  public static let horizon = FrameDuration.milliseconds(100)
  /// The pause after which the pointer counts as stopped.
  public static let pause = FrameDuration.milliseconds(40)

  private struct Sample {
    var instant = FrameInstant.zero
    var position = 0.0
  }

  private static let capacity = 20
  private var ring = InlineArray<20, Sample>(repeating: Sample())
  private var next = 0
  private var count = 0

  /// Creates a tracker without samples.
  public init() {}

  /// Removes all samples.
  public mutating func reset() { count = 0 }

  /// Adds a position in points.
  ///
  /// The last of several samples with the same timestamp replaces the others. A timestamp before the newest one counts
  /// as the newest; events drained together may have either.
  ///
  /// - Complexity: O(1).
  public mutating func add(position: Double, at instant: FrameInstant) {
    let position = position.bounded(by: ScrollLimits.position)
    let instant = ScrollLimits.bounded(instant)
    if count > 0 {
      let newest = sample(0)
      if instant <= newest.instant {
        ring[(next + VelocityTracker.capacity - 1) % VelocityTracker.capacity].position = position
        return
      }
      if instant - newest.instant >= VelocityTracker.pause { count = 0 }
    }
    ring[next] = Sample(instant: instant, position: position)
    next = (next + 1) % VelocityTracker.capacity
    count = min(count + 1, VelocityTracker.capacity)
  }

  /// The velocity in points per second at the newest sample; 0 with fewer than two samples.
  ///
  /// - Complexity: O(1): at most 20 samples.
  public var velocity: Double {
    guard count > 1 else { return 0 }
    let newest = sample(0).instant
    var oldest = count - 1
    while oldest > 0, newest - sample(oldest).instant > VelocityTracker.horizon { oldest -= 1 }
    guard oldest > 0 else { return 0 }
    var work = 0.0
    for age in stride(from: oldest, to: 0, by: -1) {
      let seconds = (sample(age - 1).instant - sample(age).instant).seconds
      let speed = (sample(age - 1).position - sample(age).position) / seconds
      let before = VelocityTracker.velocity(ofWork: work)
      work += (speed - before) * speed.magnitude
      if age == oldest { work /= 2 }  // the pointer was already moving at the first sample
    }
    return VelocityTracker.velocity(ofWork: work).bounded(by: VelocityTracker.maximumSpeed)
  }

  /// Returns the velocity in points per second at an instant; 0 if the newest sample is at least 40 ms old.
  ///
  /// - Complexity: O(1).
  public func velocity(at instant: FrameInstant) -> Double {
    guard count > 0, ScrollLimits.bounded(instant) - sample(0).instant < VelocityTracker.pause else { return 0 }
    return velocity
  }

  private static func velocity(ofWork work: Double) -> Double {
    let speed = (2 * work.magnitude).squareRoot()
    return work < 0 ? -speed : speed
  }

  /// Returns a sample by its age; 0 is the newest.
  private func sample(_ age: Int) -> Sample {
    ring[(next + 2 * VelocityTracker.capacity - 1 - age) % VelocityTracker.capacity]
  }
}

/// A velocity tracker for a finger that drags content, fed with distances.
struct FingerTracker: Sendable {
  private var tracker = VelocityTracker()
  private var travel = 0.0

  /// Adds a distance in points.
  mutating func add(_ distance: Double, at instant: FrameInstant) {
    travel = (travel + distance).bounded(by: ScrollLimits.position)
    tracker.add(position: travel, at: instant)
  }

  /// Returns the velocity in points per second at an instant; 0 after a pause of 40 ms.
  func velocity(at instant: FrameInstant) -> Double { tracker.velocity(at: instant) }
}

/// A tracker for a burst of trackpad deltas that detects its end and final velocity.
///
/// SDL2 does not report when fingers touch or leave a trackpad, so a burst ends when no delta has arrived for three
/// times the median gap. A wrong guess is harmless, because the next delta resumes the drag.
struct ContinuousTracker: Sendable {
  /// The shortest and the longest timeout for the next delta; the longest applies after a single delta.
  static let timeouts = (shortest: FrameDuration.milliseconds(24), longest: FrameDuration.milliseconds(60))
  /// The number of consecutive deltas of one sign that a deceleration requires.
  static let minimumSameSignDeltas = 3

  private static let gapCapacity = 8
  private var tracker = VelocityTracker()
  private var travel = 0.0
  private var gaps = InlineArray<8, Int64>(repeating: 0)
  private var gapCount = 0
  private var last: FrameInstant?
  private var sameSignCount = 0

  /// Discards the burst.
  mutating func reset() { self = ContinuousTracker() }

  /// Adds a delta in points.
  mutating func add(_ delta: Double, at instant: FrameInstant) {
    travel = (travel + delta).bounded(by: ScrollLimits.position)
    tracker.add(position: travel, at: instant)
    if let last, instant > last {
      gaps[gapCount % ContinuousTracker.gapCapacity] = (instant - last).nanoseconds
      gapCount += 1
    }
    last = instant
    if delta > 0 { sameSignCount = max(0, sameSignCount) + 1 }
    if delta < 0 { sameSignCount = min(0, sameSignCount) - 1 }
  }

  /// The time after the last delta at which the burst ends: three times the median gap, between 24 and 60 ms.
  var timeout: FrameDuration {
    let count = min(gapCount, ContinuousTracker.gapCapacity)
    guard count > 0 else { return ContinuousTracker.timeouts.longest }
    var sorted = gaps
    for end in 1..<max(2, count) {
      var index = end
      while index > 0, index < count, sorted[index] < sorted[index - 1] {
        (sorted[index], sorted[index - 1]) = (sorted[index - 1], sorted[index])
        index -= 1
      }
    }
    let median = FrameDuration(nanoseconds: sorted[count / 2])
    guard median < ContinuousTracker.timeouts.longest else { return ContinuousTracker.timeouts.longest }
    return min(ContinuousTracker.timeouts.longest, max(ContinuousTracker.timeouts.shortest, median * 3))
  }

  /// Returns the velocity in points per second at the end of the burst, or 0 if the content is to stop.
  func releaseVelocity(above minimum: Double) -> Double {
    let velocity = tracker.velocity
    let sameSign = velocity > 0 ? sameSignCount : -sameSignCount
    return velocity.magnitude > minimum && sameSign >= ContinuousTracker.minimumSameSignDeltas ? velocity : 0
  }
}
