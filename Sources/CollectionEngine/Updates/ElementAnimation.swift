internal import VitrineScrollPhysics

/// The animation of an element to its model geometry, as a function of time: a critically damped spring for each
/// component of its displacement.
///
/// `d(t) = (a + bt) e^(-ωt)`. From rest the displacement decreases without overshoot, and another displacement can be
/// added at any time without a jump in velocity.
public struct ElementAnimation: Hashable, Sendable {
  private let start: Displacement
  private let slope: Displacement

  /// The spring of all elements: it covers 95 % of the distance in 270 ms.
  static let spring = SpringParameters(stiffness: 310)

  /// Creates an animation.
  ///
  /// - Parameters:
  ///   - displacement: The initial displacement.
  ///   - velocity: The initial velocity, as a displacement per second. Default: zero.
  public init(from displacement: Displacement, velocity: Displacement = .zero) {
    start = displacement
    slope = velocity + displacement * ElementAnimation.spring.frequency
  }

  /// Returns the displacement after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func displacement(after seconds: Double) -> Displacement { displacement(at: Moment(seconds)) }

  /// Returns the velocity after a number of seconds, as a displacement per second.
  ///
  /// - Complexity: O(1).
  public func velocity(after seconds: Double) -> Displacement {
    let moment = Moment(seconds)
    return slope * moment.decay + displacement(at: moment) * -ElementAnimation.spring.frequency
  }

  /// Returns the animation that continues after a number of seconds with an additional displacement and the same
  /// velocity.
  func retargeted(by jump: Displacement, after seconds: Double) -> ElementAnimation {
    let frequency = ElementAnimation.spring.frequency
    let displacement = self.displacement(after: seconds) + jump
    let slope = (velocity(after: seconds) + displacement * frequency) * Exponential.exp(frequency * seconds)
    let start = displacement * Exponential.exp(frequency * seconds) + slope * -seconds
    return ElementAnimation(start: start, slope: slope)
  }

  private init(start: Displacement, slope: Displacement) {
    self.start = start
    self.slope = slope
  }

  /// The time until the displacement stays below a tenth of a point, in seconds.
  public var duration: Double { ElementAnimation.duration(start: start.extent, slope: slope.extent) }

  /// Returns the time until the displacements of all animations stay below a tenth of a point, in seconds.
  static func duration(of motions: some Sequence<ElementAnimation>) -> Double {
    var (start, slope) = (0.0, 0.0)
    for motion in motions {
      start = max(start, motion.start.extent)
      slope = max(slope, motion.slope.extent)
    }
    return duration(start: start, slope: slope)
  }

  /// A time in seconds and the spring's decay at that time, which are the same for all elements of a frame.
  struct Moment {
    let seconds: Double
    let decay: Double

    init(_ seconds: Double) {
      self.seconds = max(0, seconds)
      decay = Exponential.exp(-ElementAnimation.spring.frequency * self.seconds)
    }
  }

  func displacement(at moment: Moment) -> Displacement { (start + slope * moment.seconds) * moment.decay }

  private static func duration(start: Double, slope: Double) -> Double {
    // A spring with the largest displacement and the largest slope bounds all components.
    let frequency = spring.frequency
    return SpringSimulation(start: start, velocity: slope - frequency * start, target: 0, parameters: spring).duration
  }
}
