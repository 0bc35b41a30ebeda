/// The taste of a scroll view.
public struct ScrollTuning: Hashable, Sendable {
  /// How fast a flick dies away.
  public var rate = DecelerationRate.normal
  /// The spring of keys and of scrolling to a place.
  public var keyboard = SpringParameters.keyboard
  /// The share of the viewport that a page is.
  public var pageFraction = 0.9
  /// How many viewports of a long way to a place are shown.
  public var longestAnimatedViewports = 1.5
  /// Fingers that leave a trackpad slower than this, in points a second, leave the content where it is.
  public var minimumReleaseSpeed = 50.0
  /// The highest speed that flicks add up to, in points a second.
  public var maximumAccumulatedSpeed = 200_000.0
  /// A flick counts as ended when this many points are left.
  public var restDistance = 0.5

  /// The usual taste.
  public static let standard = ScrollTuning()

  /// Makes the usual taste, to be changed.
  public init() {}

  /// The velocity of a flick on top of one that still runs, both in points a second.
  ///
  /// A flick with at least a third of the speed that is left, the same way, adds to all of it. A slower one adds to less
  /// of it, and below an eighth it is meant to slow down; one the other way is meant to turn around.
  func accumulated(_ velocity: Double, onto left: Double) -> Double {
    guard left != 0, (velocity > 0) == (left > 0) else { return velocity }
    let share = min(1, max(0, (velocity / left - 1.0 / 8) / (1.0 / 3 - 1.0 / 8)))
    let spare = maximumAccumulatedSpeed.bounded(by: ScrollLimits.velocity) - velocity.magnitude
    return velocity + (left * share).bounded(by: max(0, spare))
  }
}
