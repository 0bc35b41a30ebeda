internal import DataStructures
public import Geometry

/// A view at the edge of a section or of the whole layout, such as a header or a footer.
///
/// Where content scrolls down, what is aligned to the top or a top corner stands before the items and what is aligned to
/// the bottom behind them; `.leading` and `.trailing` stand beside them. Where content scrolls to the side, leading and
/// trailing and their corners stand before and behind the items, `.top` and `.bottom` beside them. Several at one edge
/// are stacked in the order in which they are listed, as one reads.
public struct CollectionLayoutBoundarySupplementaryItem: Hashable, Sendable {
  /// Both sides, as shares of the section's room or in points; an estimated side is asked of the view.
  public var layoutSize: CollectionLayoutSize
  /// The name of its kind.
  public var elementKind: String
  /// The edge or corner where it stands.
  public var alignment: RectAlignment
  /// How far it is moved from there, in points; x is counted from where lines begin.
  public var absoluteOffset: Point
  /// Room to leave free within its place, in points; ignored along an estimated side.
  ///
  /// - Precondition: all are finite and not negative; solving the layout stops the program otherwise.
  public var contentInsets = DirectionalInsets.zero
  /// Whether it has a place of its own; otherwise it lies over the content at its edge.
  public var extendsBoundary = true
  /// Whether it stays at the viewport's edge while any part of its section is seen; it then lies over the items.
  public var pinToVisibleBounds = false
  /// What lies over what.
  ///
  /// In a section with a background all but the background are moved one to the front, and what is pinned one more; what
  /// is pinned of the whole layout lies over what is pinned of sections.
  public var zIndex = 0

  /// Makes a view at an edge.
  ///
  /// - Precondition: The offset is finite.
  public init(
    layoutSize: CollectionLayoutSize, elementKind: String, alignment: RectAlignment, absoluteOffset: Point = .zero
  ) {
    checkPrecondition(
      absoluteOffset.x.isFinite && absoluteOffset.y.isFinite,
      "A boundary item is moved by (\(absoluteOffset.x), \(absoluteOffset.y)). Both must be finite numbers.")
    self.layoutSize = layoutSize
    self.elementKind = elementKind
    self.alignment = alignment
    self.absoluteOffset = absoluteOffset
  }
}
