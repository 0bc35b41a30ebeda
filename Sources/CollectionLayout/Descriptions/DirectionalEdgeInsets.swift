internal import VitrineDataStructures
internal import VitrineGeometry

/// Distances inward from the edges of a rectangle, in points, that depend on the reading direction.
public struct DirectionalEdgeInsets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: Double
  /// The distance from the edge at which lines start: the left edge in left-to-right layouts.
  public var leading: Double
  /// The distance from the bottom edge.
  public var bottom: Double
  /// The distance from the edge at which lines end: the right edge in left-to-right layouts.
  public var trailing: Double

  /// Insets of 0 at all edges.
  public static let zero = DirectionalEdgeInsets()

  /// Creates insets.
  ///
  /// Default: 0 at each edge.
  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  /// Creates insets of the same distance at each edge.
  public init(all distance: Double) {
    self.init(top: distance, leading: distance, bottom: distance, trailing: distance)
  }
}

extension DirectionalEdgeInsets {
  /// Traps unless all distances are finite and not negative.
  func checkValid(of owner: @autoclosure () -> String) {
    checkPrecondition(
      [top, leading, bottom, trailing].allSatisfy { $0.isFinite && $0 >= 0 },
      "The content insets of \(owner()) are \(top), \(leading), \(bottom), \(trailing)"
        + " (top, leading, bottom, trailing). They must be finite numbers that are not negative.")
  }
}

/// Insets in whole pixels along and across a scroll axis.
struct PixelInsets: Hashable, Sendable {
  let start: Int
  let end: Int
  let crossStart: Int
  let crossEnd: Int

  /// Rounds each inset to whole pixels.
  init(_ insets: DirectionalEdgeInsets, axis: Axis, container: SectionContainer) {
    let (top, bottom) = (container.pixels(insets.top), container.pixels(insets.bottom))
    let (leading, trailing) = (container.pixels(insets.leading), container.pixels(insets.trailing))
    (start, end, crossStart, crossEnd) =
      axis == .vertical ? (top, bottom, leading, trailing) : (leading, trailing, top, bottom)
  }
}

extension Range<Int> {
  /// Returns the range with its bounds moved inward, or an empty range if they would cross.
  func narrowed(start: Int, end: Int) -> Range<Int> {
    (lowerBound + start)..<Swift.max(lowerBound + start, upperBound - end)
  }
}
