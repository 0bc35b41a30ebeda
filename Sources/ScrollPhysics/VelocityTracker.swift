public import FramePacing

/// Estimates the velocity of a hand from timed positions, by the impulse strategy.
///
/// Each sample adds the work that would have changed the velocity to the one seen since the sample before; the velocity
/// is that of a unit mass with this work. An odd sample weighs less than in a difference of neighbours, and less the
/// older it is. Samples older than 100 ms are not used, and a pause of 40 ms means that the hand stood still.
///
/// A fixed ring of samples inside the value: nothing is allocated.
public struct VelocityTracker: Sendable {
  /// The highest speed that is reported, in points a second.
  public static let maximumSpeed = 30_000.0
  /// How far back samples are used.
  public static let horizon = FrameDuration.milliseconds(100)
  /// A pause this long means that the hand stood still.
  public static let pause = FrameDuration.milliseconds(40)

  private struct Sample {
    var instant = FrameInstant.zero
    var position = 0.0
  }

  private static let capacity = 20
  private var ring = InlineArray<20, Sample>(repeating: Sample())
  private var next = 0
  private var count = 0

  /// Makes a tracker that has seen nothing.
  public init() {}

  /// Forgets every sample.
  public mutating func reset() { count = 0 }

  /// Takes a position in points.
  ///
  /// Of samples with the same time stamp the last one counts, and a time stamp before the newest counts as the newest:
  /// events that were drained together may carry either.
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

  /// The velocity in points a second at the newest sample; 0 with fewer than two samples.
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
      if age == oldest { work /= 2 }  // the hand already moved when the first sample was taken
    }
    return VelocityTracker.velocity(ofWork: work).bounded(by: VelocityTracker.maximumSpeed)
  }

  /// The velocity in points a second at an instant: 0 when the newest sample is 40 ms old or older.
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

  /// A sample by its age: 0 is the newest.
  private func sample(_ age: Int) -> Sample {
    ring[(next + 2 * VelocityTracker.capacity - 1 - age) % VelocityTracker.capacity]
  }
}
