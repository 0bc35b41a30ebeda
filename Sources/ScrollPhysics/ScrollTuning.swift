/// The parameters of scroll motion.
public struct ScrollTuning: Hashable, Sendable {
  /// The deceleration rate of flicks.
  public var rate = DecelerationRate.normal
  /// The spring of keys and of animated scrolling to an offset.
  public var keyboard = SpringParameters.keyboard
  /// The length of a page as a fraction of the viewport; 0.9 by default.
  public var pageFraction = 0.9
  /// The maximum distance in viewports that an animated scroll shows; 1.5 by default.
  public var longestAnimatedViewports = 1.5
  /// The speed in points per second below which content stops when fingers leave it; 50 by default.
  public var minimumReleaseSpeed = 50.0
  /// The maximum speed of accumulated flicks, in points per second; 200,000 by default.
  public var maximumAccumulatedSpeed = 200_000.0
  /// The remaining distance in points at which a flick ends; 0.5 by default.
  public var restDistance = 0.5
  /// Whether drags can move content beyond its edges and coasting content bounces there; true by default.
  ///
  /// Wheels and keys never move content beyond an edge.
  public var bounces = true
  /// Whether drags can also move content beyond its edges that fits into the viewport; false by default.
  public var alwaysBounces = false
  /// The fraction by which content follows a small pull of a finger beyond an edge; 0.55 by default.
  public var touchBand = 0.55
  /// The fraction by which content follows a small pull on a trackpad beyond an edge; 0.2 by default.
  public var trackpadBand = 0.2
  /// The spring that returns content from beyond an edge.
  public var bounce = SpringParameters.edgeBounce
  /// The maximum speed of content that moves out beyond an edge, in points per second; 1,000 by default.
  public var maximumBounceSpeed = 1_000.0
  /// Whether wheel notches, keys and programmatic scrolling move content without animation; false by default.
  ///
  /// Content then never moves beyond an edge, because it would have to return. Flicks still decelerate.
  public var reducesMotion = false

  /// The default parameters.
  public static let standard = ScrollTuning()

  /// Creates the default parameters.
  public init() {}

  /// Returns the velocity of a flick added to the remainder of an earlier one, both in points per second.
  ///
  /// A flick in the same direction with at least a third of the remaining speed adds to all of it. A slower one adds to
  /// a smaller part, and below an eighth replaces it, as it is meant to slow the content down. A flick in the other
  /// direction replaces it too.
  func accumulated(_ velocity: Double, onto remaining: Double) -> Double {
    guard remaining != 0, (velocity > 0) == (remaining > 0) else { return velocity }
    let share = min(1, max(0, (velocity / remaining - 1.0 / 8) / (1.0 / 3 - 1.0 / 8)))
    let spare = maximumAccumulatedSpeed.bounded(by: ScrollLimits.velocity) - velocity.magnitude
    return velocity + (remaining * share).bounded(by: max(0, spare))
  }
}

/// The rate at which a flick decelerates.
public struct DecelerationRate: Hashable, Sendable {
  /// The fraction of the velocity that remains after a millisecond, between 0.5 and 0.9999.
  public let perMillisecond: Double

  /// The decay constant in 1/s: the velocity falls as e^(-decay t).
  public let decay: Double

  /// UIKit's normal rate: 0.998 per millisecond.
  public static let normal = DecelerationRate(perMillisecond: 0.998)
  /// UIKit's fast rate, for paging: 0.99 per millisecond.
  public static let fast = DecelerationRate(perMillisecond: 0.99)

  /// Creates a rate; clamps the fraction to 0.5...0.9999, and NaN becomes 0.998.
  public init(perMillisecond share: Double) {
    perMillisecond = share.isNaN ? 0.998 : min(0.9999, max(0.5, share))
    decay = -1_000 * Exponential.log(perMillisecond)
  }

  /// Creates the rate with a decay constant in 1/s.
  init(decay: Double) {
    self.decay = max(0.1, decay.bounded(by: 500))
    perMillisecond = Exponential.exp(-self.decay / 1_000)
  }
}

/// The rule for the page at which a paging scroll view comes to rest after a drag.
public enum PageRule {
  /// The speed in points per second below which content returns to the nearest page.
  public static let turningSpeed = 300.0

  /// Returns the offset of the target page in points: the nearest page, or the next one in the direction of motion.
  ///
  /// - Parameters:
  ///   - offset: The offset at which the drag ends.
  ///   - velocity: The velocity at that time, in points per second.
  ///   - range: The allowed offsets. Pages start at its minimum and have the length of the viewport; the last one ends
  ///     at its maximum.
  /// - Complexity: O(1).
  public static func offset(from offset: Double, velocity: Double, in range: ScrollRange) -> Double {
    let (place, page) = (range.clamp(offset) - range.minimum, range.viewportLength)
    guard page > 0 else { return range.clamp(offset) }
    // A page that is almost reached does not count as the next one.
    let slip = page * 0.001
    let number =
      if velocity >= turningSpeed {
        ((place + slip) / page).rounded(.down) + 1
      } else if velocity <= -turningSpeed {
        ((place - slip) / page).rounded(.up) - 1
      } else {
        nearest(place, page, range.length)
      }
    return range.clamp(range.minimum + number * page)
  }

  /// Returns the number of the nearest page; the last page may be less than a page away from the one before.
  private static func nearest(_ place: Double, _ page: Double, _ length: Double) -> Double {
    let number = (place / page).rounded()
    let last = (length / page).rounded(.up)
    return length - place < (place - number * page).magnitude ? last : number
  }
}
