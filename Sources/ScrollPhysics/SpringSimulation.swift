/// A critically damped spring: the fastest motion to a target without oscillation.
///
/// `x(t) = target + (a + bt) e^(-ωt)` from any position and velocity, so the target can change at any time without a
/// jump in either. The motion overshoots its target at most once, and only if its initial velocity exceeds ω times the
/// distance.
public struct SpringSimulation: Simulation {
  /// The position at the start, in points.
  ///
  /// A slow motion that starts within ``restDistance`` of the target is at the target immediately.
  public let start: Double
  /// The velocity at the start, in points per second.
  public let initialVelocity: Double
  /// The position at the end, in points.
  public let target: Double
  /// The stiffness of the spring.
  public let parameters: SpringParameters
  /// The seconds until the motion stays within ``restDistance`` of its target.
  public let duration: Double

  /// The distance in points from its target at which a spring is at rest: less than any screen resolves.
  public static let restDistance = 0.1

  private let slope: Double

  /// Creates a motion; clamps non-finite values to bounds far outside any content.
  public init(start: Double, velocity: Double = 0, target: Double, parameters: SpringParameters) {
    self.start = start.bounded(by: ScrollLimits.position)
    initialVelocity = velocity.bounded(by: ScrollLimits.velocity)
    self.target = target.bounded(by: ScrollLimits.position)
    self.parameters = parameters
    slope = initialVelocity + parameters.frequency * (self.start - self.target)
    duration = SpringSimulation.settlingTime(
      distance: (self.start - self.target).magnitude, slope: slope.magnitude, frequency: parameters.frequency)
  }

  /// The target, in points.
  public var restPosition: Double { target }

  /// Returns the position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds < duration, duration > 0 else { return target }
    guard seconds > 0 else { return start }
    return target + (start - target + slope * seconds) * Exponential.exp(-parameters.frequency * seconds)
  }

  /// Returns the velocity in points per second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double {
    guard seconds < duration, duration > 0 else { return 0 }
    let time = max(0, seconds)
    let frequency = parameters.frequency
    return (slope - frequency * (start - target + slope * time)) * Exponential.exp(-frequency * time)
  }

  /// Returns the seconds until the motion first reaches a position, or nil if it never does.
  ///
  /// - Complexity: O(1): two bisections with a fixed number of steps.
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    guard duration > 0 else { return position == target ? 0 : nil }
    // The path turns at most once, where the velocity is 0; before and after it is monotonic.
    let turn = slope == 0 ? 0 : initialVelocity / (parameters.frequency * slope)
    let first = turn > 0 && turn < duration ? turn : duration
    return crossing(of: position, from: 0, to: first) ?? crossing(of: position, from: first, to: duration)
  }

  /// Returns the same motion with all positions moved by a number of points.
  public func translated(by points: Double) -> SpringSimulation {
    SpringSimulation(
      start: start + points, velocity: initialVelocity, target: target + points, parameters: parameters)
  }

  /// Returns the motion to another target from the position and velocity after a number of seconds.
  public func retargeted(
    to target: Double, after seconds: Double, parameters: SpringParameters? = nil
  ) -> SpringSimulation {
    SpringSimulation(
      start: position(at: seconds), velocity: velocity(at: seconds), target: target,
      parameters: parameters ?? self.parameters)
  }

  private func crossing(of level: Double, from begin: Double, to end: Double) -> Double? {
    let rises = position(at: end) > position(at: begin)
    let (low, high) = rises ? (position(at: begin), position(at: end)) : (position(at: end), position(at: begin))
    guard begin < end, level >= low, level <= high else { return nil }
    var (before, after) = (begin, end)
    for _ in 0..<60 {
      let middle = (before + after) / 2
      if (position(at: middle) < level) == rises { before = middle } else { after = middle }
    }
    return after
  }

  /// Returns the first time after which `(a + bt) e^(-ωt)` stays within the rest distance.
  private static func settlingTime(distance: Double, slope: Double, frequency: Double) -> Double {
    func envelope(_ time: Double) -> Double { (distance + slope * time) * Exponential.exp(-frequency * time) }
    var low = slope > 0 ? max(0, 1 / frequency - distance / slope) : 0  // decreasing from here on
    guard envelope(low) > restDistance else { return 0 }
    var high = low + 1 / frequency
    for _ in 0..<64 where envelope(high) > restDistance { high = low + (high - low) * 2 }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if envelope(middle) > restDistance { low = middle } else { high = middle }
    }
    return high
  }
}

/// The stiffness of a critically damped spring of mass 1.
public struct SpringParameters: Hashable, Sendable {
  /// The stiffness k in 1/s².
  public let stiffness: Double

  /// The angular frequency `√k` in 1/s: after `4.74 / ω` seconds 5 % of the distance remains.
  public let frequency: Double

  /// The spring of a wheel notch within a series: 95 % of the distance in 150 ms.
  public static let wheel = SpringParameters(stiffness: 1_000)
  /// The spring of the first wheel notch after a pause: 95 % in 134 ms.
  public static let wheelBegin = SpringParameters(stiffness: 1_250)
  /// The spring of the last notches of a slowing wheel: 95 % in 106 ms.
  public static let wheelSlowing = SpringParameters(stiffness: 2_000)
  /// The spring of keys and animated scrolling: 95 % in 250 ms.
  public static let keyboard = SpringParameters(stiffness: 360)
  /// The spring of the return from beyond an edge: 95 % in 474 ms.
  public static let edgeBounce = SpringParameters(stiffness: 100)

  /// Creates parameters; clamps the stiffness to 1...1,000,000, and NaN becomes 1.
  public init(stiffness: Double) {
    self.stiffness = max(1, stiffness.bounded(by: 1_000_000))
    frequency = self.stiffness.squareRoot()
  }
}
