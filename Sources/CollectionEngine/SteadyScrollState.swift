/// Whether the content can scroll without a query of the layout, because no cell enters or leaves the screen.
public struct SteadyScrollState: Sendable {
  /// The offsets at which no cell enters or leaves the screen.
  public private(set) var range = SteadyScrollRange.none
  /// Whether cells came or went since the range was computed, so that it must be computed again before the next frame.
  public private(set) var isStale = false
  /// Whether the content has scrolled since the last check.
  public var hasScrolled = false
  /// Whether the content moved within the range in this frame.
  public var hasMoved = false

  /// Creates a state without a range.
  public init() {}

  /// Invalidates the range because cells come or go.
  public mutating func invalidateRange() {
    range = .none
    isStale = true
  }

  /// Sets the range after a query of the layout.
  public mutating func setRange(_ range: SteadyScrollRange) {
    self.range = range
    isStale = false
  }

  /// Returns whether the content has scrolled and an offset is within the range.
  public func isSteady(at offset: Double) -> Bool { hasScrolled && range.contains(offset) }

  /// Records that a movement within the range was handled.
  public mutating func recordMove() {
    hasScrolled = false
    hasMoved = true
  }

  /// Returns whether the content moved within the range in this frame, and resets the flag.
  ///
  /// Called once per frame.
  public mutating func takeHasMoved() -> Bool {
    defer { hasMoved = false }
    return hasMoved
  }
}

/// The offsets at which the same items are on screen as at the last query of the layout.
///
/// While the offset is within the range, the layout is not queried again: most frames of a scroll only move what is
/// displayed. The range is built from all items on screen and all items within a lookahead distance.
public struct SteadyScrollRange: Sendable {
  private let offset: Double
  private let length: Double
  private let lookahead: Double
  /// The smallest end and the largest start of the visible items.
  private var visibleEdges = (firstEnd: Double.infinity, lastStart: -Double.infinity)
  /// The end of the last item before the viewport, and the start of the first item after it.
  private var hiddenEdges = (lastEnd: -Double.infinity, firstStart: Double.infinity)

  /// The offsets between which the supplementary views are the same.
  private var offsetLimits = -Double.infinity...Double.infinity

  /// An empty range.
  public static let none = SteadyScrollRange(around: 0, length: 0, lookahead: -1)

  /// Creates a range around an offset.
  ///
  /// - Parameters:
  ///   - offset: The current offset, in points.
  ///   - length: The length of the viewport, in points.
  ///   - lookahead: The lookahead before and after the viewport within which all items are recorded, in points.
  public init(around offset: Double, length: Double, lookahead: Double) {
    self.offset = offset
    self.length = length
    self.lookahead = lookahead
  }

  /// Returns whether the same items are on screen at an offset.
  public func contains(_ offset: Double) -> Bool {
    // The same sum that layouts compare with, so that rounding is the same.
    let end = offset + length
    return (offset - self.offset).magnitude <= lookahead && offsetLimits.contains(offset)
      && visibleEdges.firstEnd > offset
      && visibleEdges.lastStart < end
      && hiddenEdges.lastEnd <= offset && hiddenEdges.firstStart >= end
  }

  /// Restricts the range to the offsets at which the supplementary views are the same.
  public mutating func restrict(to offsets: ClosedRange<Double>) { offsetLimits = offsetLimits.clamped(to: offsets) }

  /// Restricts the range so that an item neither enters nor leaves the screen.
  ///
  /// - Parameters:
  ///   - start: The start of the item along the axis, in points.
  ///   - end: The end of the item along the axis, in points.
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
