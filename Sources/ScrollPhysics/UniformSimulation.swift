/// A motion at constant velocity that never ends by itself: a held key, or a steady scroll for measurement.
public struct UniformSimulation: Simulation {
  /// Where it begins, in points.
  public let start: Double
  /// The velocity in points a second.
  public let initialVelocity: Double

  /// Makes a motion.
  ///
  /// Numbers that are not finite are moved to bounds far outside every content.
  public init(start: Double, velocity: Double) {
    self.start = start.bounded(by: ScrollLimits.position)
    initialVelocity = velocity.bounded(by: ScrollLimits.velocity)
  }

  /// Thirty years; 0 without a velocity.
  public var duration: Double { initialVelocity == 0 ? 0 : ScrollLimits.seconds }

  /// Where it would be after ``duration``.
  public var restPosition: Double { position(at: duration) }

  /// The position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds > 0 else { return start }
    return (start + initialVelocity * min(seconds, duration)).bounded(by: ScrollLimits.position)
  }

  /// The velocity in points a second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double { seconds < duration ? initialVelocity : 0 }

  /// The seconds until it passes a position, or nothing when it moves away from it.
  ///
  /// - Complexity: O(1).
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let seconds = (position - start) / initialVelocity
    return seconds > 0 && seconds <= duration ? seconds : nil
  }

  /// The same motion with every position a number of points larger.
  public func translated(by points: Double) -> UniformSimulation {
    UniformSimulation(start: start + points, velocity: initialVelocity)
  }
}
