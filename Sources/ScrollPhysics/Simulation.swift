/// A motion along one axis in closed form: position and velocity as functions of the seconds since its start.
///
/// Without step-by-step integration the path is the same at every frame rate, and the future is known. Times before the
/// start count as 0, those after the end as ``duration``.
public protocol Simulation: Hashable, Sendable {
  /// Returns the position in points.
  ///
  /// - Complexity: O(1).
  func position(at seconds: Double) -> Double

  /// Returns the velocity in points per second; 0 from the end onward.
  ///
  /// - Complexity: O(1).
  func velocity(at seconds: Double) -> Double

  /// The seconds after which the motion ends.
  var duration: Double { get }

  /// The position at the end, in points.
  var restPosition: Double { get }

  /// Returns the seconds until the motion first reaches a position, or nil if it never does.
  ///
  /// - Complexity: O(1).
  func time(reaching position: Double) -> Double?

  /// Returns the same motion with all positions moved by a number of points.
  func translated(by points: Double) -> Self
}

// MARK: - Deceleration

/// An exponentially decelerating motion, as after a flick: `v(t) = v0 e^(-kt)`.
public struct DecelerationSimulation: Simulation {
  /// The position at the start, in points.
  public let start: Double
  /// The velocity at the start, in points per second.
  public let initialVelocity: Double
  /// The rate of deceleration.
  public let rate: DecelerationRate
  /// The distance in points from the ``projection`` at which the motion ends.
  public let restDistance: Double
  /// The seconds until at most ``restDistance`` remains; 0 if that is so at the start.
  public let duration: Double

  /// Creates a motion; clamps non-finite values to bounds far outside any content.
  public init(start: Double, velocity: Double, rate: DecelerationRate = .normal, restDistance: Double = 0.5) {
    self.start = start.bounded(by: ScrollLimits.position)
    initialVelocity = velocity.bounded(by: ScrollLimits.velocity)
    self.rate = rate
    self.restDistance = max(1e-3, restDistance.bounded(by: ScrollLimits.position))
    let distance = initialVelocity.magnitude / rate.decay
    duration = distance > self.restDistance ? Exponential.log(distance / self.restDistance) / rate.decay : 0
  }

  /// The limit of the position for infinite time: `x0 + v0 / k`, in points.
  public var projection: Double { start + initialVelocity / rate.decay }

  /// The position at the end, in points: ``restDistance`` short of the ``projection``.
  public var restPosition: Double { position(at: duration) }

  /// Returns the position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds > 0 else { return start }
    return start + initialVelocity / rate.decay * (1 - Exponential.exp(-rate.decay * min(seconds, duration)))
  }

  /// Returns the velocity in points per second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double {
    guard seconds < duration else { return 0 }
    return initialVelocity * Exponential.exp(-rate.decay * max(0, seconds))
  }

  /// Returns the seconds until the motion passes a position, or nil if it ends before.
  ///
  /// - Complexity: O(1).
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let share = (position - start) * rate.decay / initialVelocity
    guard share > 0, share < 1 else { return nil }
    let seconds = -Exponential.log(1 - share) / rate.decay
    return seconds <= duration ? seconds : nil
  }

  /// Returns the same motion with all positions moved by a number of points.
  public func translated(by points: Double) -> DecelerationSimulation {
    DecelerationSimulation(start: start + points, velocity: initialVelocity, rate: rate, restDistance: restDistance)
  }
}

// MARK: - Uniform motion

/// A motion with constant velocity and no end: a pressed key, or steady scrolling for measurements.
public struct UniformSimulation: Simulation {
  /// The position at the start, in points.
  public let start: Double
  /// The velocity in points per second.
  public let initialVelocity: Double

  /// Creates a motion; clamps non-finite values to bounds far outside any content.
  public init(start: Double, velocity: Double) {
    self.start = start.bounded(by: ScrollLimits.position)
    initialVelocity = velocity.bounded(by: ScrollLimits.velocity)
  }

  /// Thirty years in seconds; 0 without a velocity.
  public var duration: Double { initialVelocity == 0 ? 0 : ScrollLimits.seconds }

  /// The position after ``duration``, in points.
  public var restPosition: Double { position(at: duration) }

  /// Returns the position in points after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func position(at seconds: Double) -> Double {
    guard seconds > 0 else { return start }
    return (start + initialVelocity * min(seconds, duration)).bounded(by: ScrollLimits.position)
  }

  /// Returns the velocity in points per second after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func velocity(at seconds: Double) -> Double { seconds < duration ? initialVelocity : 0 }

  /// Returns the seconds until the motion passes a position, or nil if it moves away from it.
  ///
  /// - Complexity: O(1).
  public func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let seconds = (position - start) / initialVelocity
    return seconds > 0 && seconds <= duration ? seconds : nil
  }

  /// Returns the same motion with all positions moved by a number of points.
  public func translated(by points: Double) -> UniformSimulation {
    UniformSimulation(start: start + points, velocity: initialVelocity)
  }
}

// MARK: - Glide

/// A motion that approaches a constant velocity and keeps it, for pressed keys and autoscroll.
///
/// `v(t) = V + (v0 - V) e^(-at)`. An initial velocity in the opposite direction counts as 0, so the motion has one
/// direction.
struct GlideSimulation: Simulation {
  /// The rate in 1/s at which the velocity is approached: 95 % in a quarter of a second.
  static let approachRate = 12.0

  /// The position at the start, in points.
  let start: Double
  /// The velocity at the start, in points per second.
  let initialVelocity: Double
  /// The final velocity, in points per second.
  let velocity: Double

  /// Creates a motion; clamps non-finite values to bounds far outside any content.
  init(start: Double, initialVelocity: Double, velocity: Double) {
    self.start = start.bounded(by: ScrollLimits.position)
    self.velocity = velocity.bounded(by: ScrollLimits.velocity)
    let initial = initialVelocity.bounded(by: ScrollLimits.velocity)
    self.initialVelocity = initial * self.velocity > 0 ? initial : 0
  }

  /// Thirty years in seconds; 0 without a velocity.
  var duration: Double { velocity == 0 ? 0 : ScrollLimits.seconds }

  var restPosition: Double { position(at: duration) }

  func position(at seconds: Double) -> Double {
    guard seconds > 0, velocity != 0 else { return start }
    let time = min(seconds, duration)
    let rate = GlideSimulation.approachRate
    let lag = (initialVelocity - velocity) / rate * (1 - Exponential.exp(-rate * time))
    return (start + velocity * time + lag).bounded(by: ScrollLimits.position)
  }

  func velocity(at seconds: Double) -> Double {
    guard seconds < duration else { return 0 }
    return velocity + (initialVelocity - velocity) * Exponential.exp(-GlideSimulation.approachRate * max(0, seconds))
  }

  /// Returns the seconds until the motion passes a position, or nil if it moves away from it.
  ///
  /// - Complexity: O(1): a bisection with a fixed number of steps.
  func time(reaching position: Double) -> Double? {
    guard position != start else { return 0 }
    let distance = position - start
    guard velocity != 0, distance * velocity > 0 else { return nil }
    // The motion is never slower than from rest, and from rest it lags V / a behind.
    var (before, after) = (0.0, distance / velocity + 1 / GlideSimulation.approachRate)
    guard after <= duration else { return nil }
    for _ in 0..<60 {
      let middle = (before + after) / 2
      if (self.position(at: middle) - start).magnitude < distance.magnitude { before = middle } else { after = middle }
    }
    return after
  }

  func translated(by points: Double) -> GlideSimulation {
    GlideSimulation(start: start + points, initialVelocity: initialVelocity, velocity: velocity)
  }
}

// MARK: - Exponential function

/// The exponential function and the natural logarithm in portable arithmetic.
///
/// The C library uses different instructions on different processors, and the last bit of its results differs; a replay
/// must produce the same frames on every machine. Addition, multiplication and division are exact to the last bit
/// everywhere.
package enum Exponential {
  private static let log2High = 6.931_471_803_691_238_164_90e-01
  private static let log2Low = 1.908_214_929_270_587_700_02e-10

  /// Returns e raised to a power, within two units in the last place; 0 below -745, and powers above 709 count as 709.
  package static func exp(_ power: Double) -> Double {
    guard power > -745 else { return 0 }
    let bounded = min(power, 709)
    let steps = (bounded / 0.693_147_180_559_945_309_42).rounded()
    let rest = (bounded - steps * log2High) - steps * log2Low
    // A Taylor series by Horner's rule: |rest| <= 0.347, so the first omitted term is below 4e-18.
    var sum = 1.0
    var divisor = 13.0
    while divisor >= 1 {
      sum = 1 + rest * sum / divisor
      divisor -= 1
    }
    return sum * Double(sign: .plus, exponent: Int(steps), significand: 1)
  }

  /// Returns the natural logarithm of a positive finite number; other numbers count as the smallest positive number.
  package static func log(_ number: Double) -> Double {
    let positive = number > 0 ? min(number, .greatestFiniteMagnitude) : .leastNonzeroMagnitude
    var exponent = Double(positive.exponent)
    var fraction = positive.significand
    if fraction > 1.414_213_562_373_095 {
      fraction /= 2
      exponent += 1
    }
    // log m = 2 artanh((m - 1) / (m + 1)); the quotient is at most 0.172, so eleven odd powers suffice.
    let quotient = (fraction - 1) / (fraction + 1)
    let square = quotient * quotient
    var sum = 0.0
    var odd = 21.0
    while odd >= 1 {
      sum = sum * square + 1 / odd
      odd -= 2
    }
    return exponent * log2High + (exponent * log2Low + 2 * quotient * sum)
  }
}
