/// A motion that comes to have a constant velocity and keeps it: a key that is held, a pointer that says how fast.
///
/// `v(t) = V + (v0 - V) e^(-at)`. A beginning the other way counts as rest, so that it only ever goes one way.
struct GlideSimulation: Simulation {
  /// How fast the velocity is reached, in 1/s: 95 % of it in a quarter of a second.
  static let approach = 12.0

  /// Where it begins, in points.
  let start: Double
  /// The velocity at the beginning, in points a second.
  let initialVelocity: Double
  /// The velocity that it comes to have, in points a second.
  let velocity: Double

  /// Makes a motion; numbers that are not finite are moved to bounds far outside every content.
  init(start: Double, initialVelocity: Double, velocity: Double) {
    self.start = start.bounded(by: ScrollLimits.position)
    self.velocity = velocity.bounded(by: ScrollLimits.velocity)
    let initial = initialVelocity.bounded(by: ScrollLimits.velocity)
    self.initialVelocity = initial * self.velocity > 0 ? initial : 0
  }

  /// Thirty years; 0 without a velocity.
  var duration: Double { velocity == 0 ? 0 : ScrollLimits.seconds }

  var restPosition: Double { position(at: duration) }

  func position(at seconds: Double) -> Double {
    guard seconds > 0, velocity != 0 else { return start }
    let time = min(seconds, duration)
    let rate = GlideSimulation.approach
    let lag = (initialVelocity - velocity) / rate * (1 - Exponential.exp(-rate * time))
    return (start + velocity * time + lag).bounded(by: ScrollLimits.position)
  }

  func velocity(at seconds: Double) -> Double {
    guard seconds < duration else { return 0 }
    return velocity + (initialVelocity - velocity) * Exponential.exp(-GlideSimulation.approach * max(0, seconds))
  }

  /// The seconds until it passes a position, or nothing when it moves away from it.
  ///
  /// - Complexity: O(1): a bisection of a fixed number of steps.
  func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let way = position - start
    guard velocity != 0, way * velocity > 0 else { return nil }
    // Never slower than from rest, and from rest it lags V / a behind.
    var (before, after) = (0.0, way / velocity + 1 / GlideSimulation.approach)
    guard after <= duration else { return nil }
    for _ in 0..<60 {
      let middle = (before + after) / 2
      if (self.position(at: middle) - start).magnitude < way.magnitude { before = middle } else { after = middle }
    }
    return after
  }

  func translated(by points: Double) -> GlideSimulation {
    GlideSimulation(start: start + points, initialVelocity: initialVelocity, velocity: velocity)
  }
}
