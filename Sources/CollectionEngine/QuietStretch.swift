/// The offsets at which the same items are on screen as when a layout was last asked.
///
/// While the content stays within, the layout is not asked again: most frames of a scroll move what is there and nothing
/// else. It is told of every item on screen, and of every one within a reach of it.
public struct SteadyScrollRange: Sendable {
  private let offset: Double
  private let length: Double
  private let lookahead: Double
  /// The items that are seen: where the first of them ends, and the last begins.
  private var visibleEdges = (firstEnd: Double.infinity, lastStart: -Double.infinity)
  /// The others: where the last one before what is seen ends, and the first behind it begins.
  private var hiddenEdges = (lastEnd: -Double.infinity, firstStart: Double.infinity)

  /// Between which offsets the views beside the items are the same.
  private var offsetLimits = -Double.infinity...Double.infinity

  /// No offset at all.
  public static let none = SteadyScrollRange(around: 0, length: 0, reach: -1)

  /// Begins a stretch around an offset.
  ///
  /// - Parameters:
  ///   - offset: where the content stands, in points.
  ///   - length: how much of it is seen.
  ///   - reach: how far before and behind what is seen the stretch is told of all items.
  public init(around offset: Double, length: Double, reach: Double) {
    self.offset = offset
    self.length = length
    self.lookahead = reach
  }

  /// Whether the same items are on screen at an offset.
  public func contains(_ offset: Double) -> Bool {
    // The same sum as a layout compares with, so that rounding is the same.
    let end = offset + length
    return (offset - self.offset).magnitude <= lookahead && offsetLimits.contains(offset)
      && visibleEdges.firstEnd > offset
      && visibleEdges.lastStart < end
      && hiddenEdges.lastEnd <= offset && hiddenEdges.firstStart >= end
  }

  /// Views beside the items are the same between two offsets alone.
  public mutating func restrict(to offsets: ClosedRange<Double>) { offsetLimits = offsetLimits.clamped(to: offsets) }

  /// An item takes up a part of the content along its axis: the stretch ends before it enters or leaves.
  ///
  /// - Parameters:
  ///   - start: where it begins, in points.
  ///   - end: where it ends.
  public mutating func recordItem(from start: Double, to end: Double) {
    if start < offset + length, end > offset {
      visibleEdges = (min(visibleEdges.firstEnd, end), max(visibleEdges.lastStart, start))
    } else if start >= offset + length {
      hiddenEdges.firstStart = min(hiddenEdges.firstStart, start)
    } else {
      hiddenEdges.lastEnd = max(hiddenEdges.lastEnd, end)
    }
  }
}
