/// A critically damped spring: the fastest way to a target that does not swing around it.
///
/// `x(t) = target + (a + bt) e^(-ωt)` from any position and velocity, so a new target may be given at any time without
/// a jump in either. It passes its target at most once, and only when it began faster than ω times the distance.
public struct SpringSimulation: Simulation {
  /// Where it begins, in points.
  ///
  /// Within ``restDistance`` of the target and slow, it is at the target from the beginning.
  public let start: Double
  /// The velocity at the beginning, in points a second.
  public let initialVelocity: Double
  /// Where it rests, in points.
  public let target: Double
  /// How hard it pulls.
  public let parameters: SpringParameters
  /// The seconds until it stays within ``restDistance`` of its target.
  public let duration: Double

  /// The points from its target within which a spring counts as at rest: less than any screen shows.
  public static let restDistance = 0.1

  private let slope: Double

  /// Makes a motion.
  ///
  /// Numbers that are not finite are moved to bounds far outside every content.
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

  /// The position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds < duration, duration > 0 else { return target }
    guard seconds > 0 else { return start }
    return target + (start - target + slope * seconds) * Exponential.exp(-parameters.frequency * seconds)
  }

  /// The velocity in points a second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double {
    guard seconds < duration, duration > 0 else { return 0 }
    let time = max(0, seconds)
    let frequency = parameters.frequency
    return (slope - frequency * (start - target + slope * time)) * Exponential.exp(-frequency * time)
  }

  /// The seconds until it first stands at a position, or nothing when it never does.
  ///
  /// - Complexity: O(1): two bisections of a fixed number of steps.
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    guard duration > 0 else { return position == target ? 0 : nil }
    // The path turns at most once, where the velocity is 0; before and after it runs one way.
    let turn = slope == 0 ? 0 : initialVelocity / (parameters.frequency * slope)
    let first = turn > 0 && turn < duration ? turn : duration
    return crossing(of: position, from: 0, to: first) ?? crossing(of: position, from: first, to: duration)
  }

  /// The same motion with every position a number of points larger.
  public func translated(by points: Double) -> SpringSimulation {
    SpringSimulation(
      start: start + points, velocity: initialVelocity, target: target + points, parameters: parameters)
  }

  /// The same spring from where it is after a number of seconds, pulled to another target without a jump in velocity.
  public func retargeted(
    to target: Double, after seconds: Double, parameters: SpringParameters? = nil
  ) -> SpringSimulation {
    SpringSimulation(
      start: position(at: seconds), velocity: velocity(at: seconds), target: target,
      parameters: parameters ?? self.parameters)
  }

  private func crossing(of wanted: Double, from begin: Double, to end: Double) -> Double? {
    let rises = position(at: end) > position(at: begin)
    let (low, high) = rises ? (position(at: begin), position(at: end)) : (position(at: end), position(at: begin))
    guard begin < end, wanted >= low, wanted <= high else { return nil }
    var (before, after) = (begin, end)
    for _ in 0..<60 {
      let middle = (before + after) / 2
      if (position(at: middle) < wanted) == rises { before = middle } else { after = middle }
    }
    return after
  }

  /// The first time after which `(a + bt) e^(-ωt)` stays within the rest distance.
  private static func settlingTime(distance: Double, slope: Double, frequency: Double) -> Double {
    func envelope(_ time: Double) -> Double { (distance + slope * time) * Exponential.exp(-frequency * time) }
    var low = slope > 0 ? max(0, 1 / frequency - distance / slope) : 0  // it falls from here on
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
