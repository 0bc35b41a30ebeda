internal import ScrollPhysics

/// The way of an element to its place, as a function of time: a critically damped spring on each part of its displacement.
///
/// `d(t) = (a + bt) e^(-ωt)`: from rest it goes straight to its place and never past it, and another displacement may be
/// added at any time without a jump in velocity.
public struct ElementAnimation: Hashable, Sendable {
  private let start: Displacement
  private let slope: Displacement

  /// How hard all elements are pulled: 95 % of the way in 270 ms.
  static let spring = SpringParameters(stiffness: 310)

  /// Makes a motion.
  ///
  /// - Parameters:
  ///   - displacement: where it begins.
  ///   - velocity: how fast it goes there, in parts of a displacement a second.
  public init(from displacement: Displacement, velocity: Displacement = .zero) {
    start = displacement
    slope = velocity + displacement * ElementAnimation.spring.frequency
  }

  /// How far it is from its place after a number of seconds.
  ///
  /// - Complexity: O(1).
  public func displacement(after seconds: Double) -> Displacement { displacement(at: Moment(seconds)) }

  /// How fast it goes after a number of seconds, in parts of a displacement a second.
  ///
  /// - Complexity: O(1).
  public func velocity(after seconds: Double) -> Displacement {
    let moment = Moment(seconds)
    return slope * moment.decay + displacement(at: moment) * -ElementAnimation.spring.frequency
  }

  /// The same motion until a number of seconds, and from then on with a jump in its place and none in its velocity.
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

  /// The seconds until it stays within a tenth of a point of its place.
  public var duration: Double { ElementAnimation.duration(start: start.extent, slope: slope.extent) }

  /// The seconds until all of some motions do so.
  static func duration(of motions: some Sequence<ElementAnimation>) -> Double {
    var (start, slope) = (0.0, 0.0)
    for motion in motions {
      start = max(start, motion.start.extent)
      slope = max(slope, motion.slope.extent)
    }
    return duration(start: start, slope: slope)
  }

  /// A number of seconds, and how much of a spring's pull is left then: the same for all elements of a frame.
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
    // One that begins as far away as the farthest part and is as fast as the fastest is never nearer than any of them.
    let frequency = spring.frequency
    return SpringSimulation(start: start, velocity: slope - frequency * start, target: 0, parameters: spring).duration
  }
}
