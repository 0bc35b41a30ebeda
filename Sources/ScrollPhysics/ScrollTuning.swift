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
  /// Whether hands can pull content beyond its ends, and what runs into one bounces.
  ///
  /// Wheels and keys never do.
  public var bounces = true
  /// The share of a small pull beyond an end that content follows a finger on a screen.
  public var touchBand = 0.55
  /// The share of a small pull beyond an end that content follows fingers on a trackpad.
  public var trackpadBand = 0.2
  /// The spring that brings content back from beyond an end.
  public var bounce = SpringParameters.edgeBounce
  /// The highest speed at which content shoots out beyond an end, in points a second.
  public var maximumBounceSpeed = 1_000.0
  /// Whether what no hand moves is at its place at once: notches, keys, scrolling to a place.
  ///
  /// Nothing goes beyond an end then, as it would have to come back; what runs on from a hand does so still.
  public var reducesMotion = false

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
