import Glibc

/// The course of an animation over its duration.
public nonisolated enum AnimationCurve: Hashable, Sendable {
  /// At a constant speed.
  case linear
  /// Slowly at first.
  case easeIn
  /// Slowly at the end.
  case easeOut
  /// Slowly at first and at the end.
  case easeInOut
  /// As a spring with a damping ratio: 1 does not overshoot, and smaller ratios, down to 0.1, oscillate.
  ///
  /// A spring that interrupts an animation continues with its velocity.
  case spring(dampingRatio: Double)
}

/// A number that changes over the duration of an animation.
nonisolated struct AnimatedNumber: Hashable, Sendable {
  /// The number at the start.
  var start: Double
  /// The number at the end.
  var end: Double
  /// The change per second at the start, for springs.
  var velocity: Double

  /// Creates a number that changes from one value to another.
  init(start: Double, end: Double, velocity: Double = 0) {
    self.start = start
    self.end = end
    self.velocity = velocity
  }

  /// Returns the number after a number of seconds.
  ///
  /// - Complexity: O(1).
  func value(at seconds: Double, of duration: Double, _ curve: AnimationCurve) -> Double {
    guard seconds < duration, duration > 0 else { return end }
    guard seconds > 0 else { return start }
    let progress = seconds / duration
    switch curve {
    case .linear: return start + (end - start) * progress
    case .easeIn: return start + (end - start) * progress * progress * progress
    case .easeOut:
      let rest = 1 - progress
      return start + (end - start) * (1 - rest * rest * rest)
    case .easeInOut: return start + (end - start) * progress * progress * (3 - 2 * progress)
    case .spring(let ratio): return springValue(at: seconds, of: duration, ratio: max(0.1, min(1, ratio)))
    }
  }

  /// Returns the change per second after a number of seconds.
  func velocity(at seconds: Double, of duration: Double, _ curve: AnimationCurve) -> Double {
    guard seconds > 0 else { return velocity }
    let step = min(1e-4, duration / 1_000)
    guard seconds + step < duration else { return 0 }
    return (value(at: seconds + step, of: duration, curve) - value(at: seconds, of: duration, curve)) / step
  }

  /// A spring whose distance from its end is a thousandth of that at the start after the duration.
  private func springValue(at seconds: Double, of duration: Double, ratio: Double) -> Double {
    let distance = start - end
    guard ratio < 1 else {
      let frequency = 9.2334 / duration
      return end + (distance + (velocity + frequency * distance) * seconds) * exp(-frequency * seconds)
    }
    let decay = 6.9078 / duration
    let frequency = decay / ratio * (1 - ratio * ratio).squareRoot()
    let phase = frequency * seconds
    return end + exp(-decay * seconds)
      * (distance * cos(phase) + (velocity + decay * distance) / frequency * sin(phase))
  }
}
