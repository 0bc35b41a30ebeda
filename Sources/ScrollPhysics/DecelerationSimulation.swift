/// A free motion that dies away exponentially, as after a flick: `v(t) = v0 e^(-kt)`.
public struct DecelerationSimulation: Simulation {
  /// Where it begins, in points.
  public let start: Double
  /// The velocity at the beginning, in points a second.
  public let initialVelocity: Double
  /// How fast it dies away.
  public let rate: DecelerationRate
  /// The motion counts as ended when this many points are left of its endless way.
  public let restDistance: Double
  /// The seconds until no more than ``restDistance`` is left; 0 when that is so from the beginning.
  public let duration: Double

  /// Makes a motion.
  ///
  /// Numbers that are not finite are moved to bounds far outside every content.
  public init(start: Double, velocity: Double, rate: DecelerationRate = .normal, restDistance: Double = 0.5) {
    self.start = start.bounded(by: ScrollLimits.position)
    initialVelocity = velocity.bounded(by: ScrollLimits.velocity)
    self.rate = rate
    self.restDistance = max(1e-3, restDistance.bounded(by: ScrollLimits.position))
    let way = initialVelocity.magnitude / rate.decay
    duration = way > self.restDistance ? Exponential.log(way / self.restDistance) / rate.decay : 0
  }

  /// Where the motion would end if it never counted as ended: `x0 + v0 / k`, in points.
  public var projection: Double { start + initialVelocity / rate.decay }

  /// Where it rests, in points: ``restDistance`` short of its ``projection``.
  public var restPosition: Double { position(at: duration) }

  /// The position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds > 0 else { return start }
    return start + initialVelocity / rate.decay * (1 - Exponential.exp(-rate.decay * min(seconds, duration)))
  }

  /// The velocity in points a second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double {
    guard seconds < duration else { return 0 }
    return initialVelocity * Exponential.exp(-rate.decay * max(0, seconds))
  }

  /// The seconds until it passes a position, or nothing when it rests before.
  ///
  /// - Complexity: O(1).
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let share = (position - start) * rate.decay / initialVelocity
    guard share > 0, share < 1 else { return nil }
    let seconds = -Exponential.log(1 - share) / rate.decay
    return seconds <= duration ? seconds : nil
  }

  /// The same motion with every position a number of points larger.
  public func translated(by points: Double) -> DecelerationSimulation {
    DecelerationSimulation(start: start + points, velocity: initialVelocity, rate: rate, restDistance: restDistance)
  }
}
