/// The offsets that a scroll view may rest at along one axis, and the length that it shows of its content.
public struct ScrollRange: Hashable, Sendable {
  /// The smallest offset in points.
  public let minimum: Double
  /// The largest offset in points, at least ``minimum``.
  public let maximum: Double
  /// How much of the content is shown, in points, at least 0.
  public let viewportLength: Double

  /// Nothing to scroll and nothing shown.
  public static let zero = ScrollRange(minimum: 0, maximum: 0, viewportLength: 0)

  /// Makes a range; a maximum below the minimum counts as the minimum, and NaN as 0.
  public init(minimum: Double, maximum: Double, viewportLength: Double) {
    self.minimum = minimum.bounded(by: ScrollLimits.position)
    self.maximum = max(self.minimum, maximum.bounded(by: ScrollLimits.position))
    self.viewportLength = max(0, viewportLength.bounded(by: ScrollLimits.position))
  }

  /// The range for content of a length with room before and after it, all in points.
  ///
  /// Content that fits rests at its beginning: offset `-leadingInset`.
  public init(
    contentLength: Double, viewportLength: Double, leadingInset: Double = 0, trailingInset: Double = 0
  ) {
    let content = contentLength.bounded(by: ScrollLimits.position)
    let viewport = max(0, viewportLength.bounded(by: ScrollLimits.position))
    let leading = leadingInset.bounded(by: ScrollLimits.position)
    let trailing = trailingInset.bounded(by: ScrollLimits.position)
    // No room is no negative zero, which would be printed as such.
    self.init(minimum: 0 - leading, maximum: content + trailing - viewport, viewportLength: viewport)
  }

  /// The allowed offset nearest to one; NaN counts as 0.
  ///
  /// - Complexity: O(1).
  public func clamp(_ offset: Double) -> Double {
    min(maximum, max(minimum, offset.bounded(by: ScrollLimits.position)))
  }

  /// The nearest offset that is beyond an end by a viewport at most.
  func clampBeyond(_ offset: Double) -> Double {
    min(maximum + viewportLength, max(minimum - viewportLength, offset.isNaN ? 0 : offset))
  }

  /// Whether an offset is allowed.
  public func contains(_ offset: Double) -> Bool { offset >= minimum && offset <= maximum }

  /// The distance between the ends in points.
  public var length: Double { maximum - minimum }
}
