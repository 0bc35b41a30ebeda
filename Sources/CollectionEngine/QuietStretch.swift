/// The offsets at which the same items are on screen as when a layout was last asked.
///
/// While the content stays within, the layout is not asked again: most frames of a scroll move what is there and nothing
/// else. It is told of every item on screen, and of every one within a reach of it.
public struct QuietStretch: Hashable, Sendable {
  /// What a layout's rounding to pixels may make of an edge, in points.
  private static let tolerance = 0.001

  private var low: Double
  private var high: Double
  private let offset: Double
  private let length: Double

  /// No offset at all.
  public static let none = QuietStretch(around: 0, length: 0, reach: -1)

  /// Begins a stretch around an offset.
  ///
  /// - Parameters:
  ///   - offset: where the content stands, in points.
  ///   - length: how much of it is seen.
  ///   - reach: how far before and behind what is seen the stretch is told of all items.
  public init(around offset: Double, length: Double, reach: Double) {
    low = offset - reach
    high = offset + reach
    self.offset = offset
    self.length = length
  }

  /// Whether the same items are on screen at an offset.
  public func contains(_ offset: Double) -> Bool { low <= offset && offset <= high }

  /// An item takes up a part of the content along its axis: the stretch ends before it enters or leaves.
  ///
  /// - Parameters:
  ///   - start: where it begins, in points.
  ///   - end: where it ends.
  public mutating func note(from start: Double, to end: Double) {
    let leadingEdge = start - length
    if start < offset + length, end > offset {
      low = max(low, leadingEdge + QuietStretch.tolerance)
      high = min(high, end - QuietStretch.tolerance)
    } else if leadingEdge >= offset {
      high = min(high, leadingEdge - QuietStretch.tolerance)
    } else {
      low = max(low, end + QuietStretch.tolerance)
    }
  }
}
