internal import VitrineFramePacing

/// The offsets at which a scroll view can rest along one axis, and the length of its viewport.
public struct ScrollRange: Hashable, Sendable {
  /// The smallest offset in points.
  public let minimum: Double
  /// The largest offset in points, at least ``minimum``.
  public let maximum: Double
  /// The visible length of the content in points, at least 0.
  public let viewportLength: Double

  /// The range without offsets to scroll to and without a viewport.
  public static let zero = ScrollRange(minimum: 0, maximum: 0, viewportLength: 0)

  /// Creates a range; a maximum below the minimum becomes the minimum, and NaN becomes 0.
  public init(minimum: Double, maximum: Double, viewportLength: Double) {
    self.minimum = minimum.bounded(by: ScrollLimits.position)
    self.maximum = max(self.minimum, maximum.bounded(by: ScrollLimits.position))
    self.viewportLength = max(0, viewportLength.bounded(by: ScrollLimits.position))
  }

  /// Creates the range of content with insets, all lengths in points.
  ///
  /// Content that fits into the viewport rests at the offset `-leadingInset`.
  public init(
    contentLength: Double, viewportLength: Double, leadingInset: Double = 0, trailingInset: Double = 0
  ) {
    let content = contentLength.bounded(by: ScrollLimits.position)
    let viewport = max(0, viewportLength.bounded(by: ScrollLimits.position))
    let leading = leadingInset.bounded(by: ScrollLimits.position)
    let trailing = trailingInset.bounded(by: ScrollLimits.position)
    // Subtracts from 0 because a negated inset of 0 would be a negative zero, which prints as such.
    self.init(minimum: 0 - leading, maximum: content + trailing - viewport, viewportLength: viewport)
  }

  /// Returns the nearest allowed offset; NaN counts as 0.
  ///
  /// - Complexity: O(1).
  public func clamp(_ offset: Double) -> Double {
    min(maximum, max(minimum, offset.bounded(by: ScrollLimits.position)))
  }

  /// Returns the nearest offset that lies at most a viewport beyond an edge.
  func clampBeyond(_ offset: Double) -> Double {
    min(maximum + viewportLength, max(minimum - viewportLength, offset.isNaN ? 0 : offset))
  }

  /// Returns whether an offset is allowed.
  public func contains(_ offset: Double) -> Bool { offset >= minimum && offset <= maximum }

  /// The distance between the smallest and the largest offset, in points.
  public var length: Double { maximum - minimum }
}

/// The resistance of content that is dragged beyond an edge.
///
/// `shown = (1 - 1 / (pulled c / d + 1)) d` with the viewport's length d and c = 0.55, as in UIKit. The displacement
/// stays below d.
public struct RubberBand: Hashable, Sendable {
  /// The length of the viewport in points.
  public let viewportLength: Double
  /// The fraction by which content follows a small pull, greater than 0 and at most 1.
  public let coefficient: Double

  /// Creates a rubber band; clamps the length to at least 0 and the coefficient to 0.01...1.
  public init(viewportLength: Double, coefficient: Double = 0.55) {
    self.viewportLength = max(0, viewportLength.bounded(by: ScrollLimits.position))
    self.coefficient = max(0.01, coefficient.bounded(by: 1))
  }

  /// Returns the displacement of the content beyond the edge for a pull of the finger beyond it, both in points.
  ///
  /// The result has the sign of the pull.
  ///
  /// - Complexity: O(1).
  public func shown(pulled: Double) -> Double {
    guard viewportLength > 0 else { return 0 }
    let pull = pulled.bounded(by: ScrollLimits.position)
    let scaled = min(1e300, pull.magnitude * coefficient / viewportLength)
    return (pull < 0 ? -1 : 1) * viewportLength * scaled / (scaled + 1)
  }

  /// Returns the pull that displaces content by a number of points beyond the edge: the inverse of ``shown(pulled:)``.
  ///
  /// Needed when content is caught while it returns. A displacement of a viewport or more, which no pull produces,
  /// returns the largest representable pull.
  ///
  /// - Complexity: O(1).
  public func pulled(shown: Double) -> Double {
    let distance = shown.bounded(by: ScrollLimits.position)
    let rest = viewportLength - distance.magnitude
    let sign = distance < 0 ? -1.0 : 1.0
    guard distance != 0, viewportLength > 0 else { return 0 }
    guard rest > 0 else { return sign * ScrollLimits.position }
    return sign * min(ScrollLimits.position, viewportLength * distance.magnitude / (coefficient * rest))
  }
}

/// The bounds of all numbers in scroll physics, so that no input produces an infinity or a NaN.
enum ScrollLimits {
  /// The maximum distance from the origin in points; a Double still resolves eighths of a point there.
  static let position = 1e15
  /// The maximum speed in points per second.
  static let velocity = 1e9
  /// The maximum angular frequency of a spring, in 1/s: it goes most of its way within a millisecond.
  static let frequency = 1_000.0
  /// The speed in points per second below which content does not bounce, because it would move by less than a pixel.
  static let minimumBounceSpeed = 10.0
  /// The maximum effective pull beyond an edge, in viewports; it displaces content by nine tenths of a viewport.
  static let longestPull = 20.0
  /// The maximum duration of a motion in seconds; in nanoseconds it fits an instant with a large margin.
  static let seconds = 1e9

  /// Returns an instant that can be subtracted from any other without overflow.
  static func bounded(_ instant: FrameInstant) -> FrameInstant {
    min(max(instant, .distantPast), .distantFuture)
  }

  /// Returns the instant a number of seconds later, at most the distant future.
  static func instant(_ seconds: Double, after start: FrameInstant) -> FrameInstant {
    let nanoseconds = (seconds.bounded(by: ScrollLimits.seconds) * 1e9).rounded(.up)
    return bounded(start + FrameDuration(nanoseconds: Int64(nanoseconds)))
  }
}

extension Double {
  /// Returns the number clamped to `-limit...limit`; 0 for NaN.
  func bounded(by limit: Double) -> Double { isNaN ? 0 : Swift.min(limit, Swift.max(-limit, self)) }
}
