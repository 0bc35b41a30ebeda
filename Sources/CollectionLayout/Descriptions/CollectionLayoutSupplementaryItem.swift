internal import VitrineDataStructures
public import VitrineGeometry

/// A supplementary view that is anchored to an item or a group, such as a badge at its corner.
public struct CollectionLayoutSupplementaryItem: Hashable, Sendable {
  /// The size relative to the item or group.
  ///
  /// An estimated dimension is used as is.
  public var layoutSize: CollectionLayoutSize
  /// The name of the element kind.
  public var elementKind: String
  /// The point of the item or group to which the view is anchored.
  public var containerAnchor: CollectionLayoutAnchor
  /// The point of the view that is placed at ``containerAnchor``, or nil for the point at the same edges.
  public var itemAnchor: CollectionLayoutAnchor?
  /// The stacking order.
  ///
  /// Default: 1. Cells have 0, except in custom groups.
  public var zIndex = 1

  /// Creates a supplementary item.
  ///
  /// Without an item anchor, the view lies inside the item or group at the edges of the container anchor, moved by the
  /// offset. For example, `.top` and `.trailing` with a fractional offset of 0.5 and -0.5 center a badge on the corner.
  public init(
    layoutSize: CollectionLayoutSize, elementKind: String, containerAnchor: CollectionLayoutAnchor,
    itemAnchor: CollectionLayoutAnchor? = nil
  ) {
    self.layoutSize = layoutSize
    self.elementKind = elementKind
    self.containerAnchor = containerAnchor
    self.itemAnchor = itemAnchor
  }
}

extension CollectionLayoutSupplementaryItem {
  /// Returns the frame of the view on the item or group that it belongs to.
  ///
  /// The size in whole pixels does not depend on the position.
  func frame(on host: PixelFrame, in container: SectionContainer) -> PixelFrame {
    let x = span(on: host, .horizontal, in: container)
    let y = span(on: host, .vertical, in: container)
    return PixelFrame(minX: x.start, minY: y.start, maxX: x.end, maxY: y.end)
  }

  private func span(on host: PixelFrame, _ axis: Axis, in container: SectionContainer) -> (start: Int, end: Int) {
    let scale = container.scale.pixelsPerPoint
    let size = Size(width: Double(host.width), height: Double(host.height))
    let length = PixelEdge.nearest(GroupBox.pixels(layoutSize[axis], in: size, scale: scale))
    let own = itemAnchor ?? CollectionLayoutAnchor(edges: containerAnchor.edges)
    let anchor = containerAnchor.unit(axis) * Double(host.length(axis))
    let start =
      anchor - own.unit(axis) * Double(length) + distance(containerAnchor, axis, length, scale)
      + distance(own, axis, length, scale)
    let limit = Double(SectionContainer.maximumLength)
    let first = host.start(axis) + PixelEdge.nearest(min(max(-limit, start), limit))
    return (first, first + length)
  }

  /// Returns the offset of an anchor along an axis, in pixels.
  private func distance(_ anchor: CollectionLayoutAnchor, _ axis: Axis, _ length: Int, _ scale: Double) -> Double {
    switch anchor.offset {
    case .absolute(let point): point[axis] * scale
    case .fractional(let point): point[axis] * Double(length)
    }
  }
}

// MARK: - Boundary items

/// A view at the edge of a section or of the whole layout, such as a header or a footer.
///
/// The edges at the start and the end of the scroll axis, and all corners, are headers and footers before and after the
/// items. For example, `.top` and `.topLeading` are headers if the content scrolls vertically. The other two edges are
/// views at the sides of the items. Views at the same edge are stacked in the order in which they are listed.
public struct CollectionLayoutBoundarySupplementaryItem: Hashable, Sendable {
  /// The size in points or relative to the section's container.
  ///
  /// The view's preferred size replaces an estimated dimension.
  public var layoutSize: CollectionLayoutSize
  /// The name of the element kind.
  public var elementKind: String
  /// The edge or corner at which the view is placed.
  public var alignment: RectAlignment
  /// The distance from that position, in points.
  ///
  /// Positive x points in reading direction.
  public var absoluteOffset: Point
  /// The distances between the view and the space that it occupies, in points.
  ///
  /// Ignored along an estimated dimension.
  ///
  /// - Precondition: All distances are finite and not negative. This is checked when the layout is solved.
  public var contentInsets = DirectionalEdgeInsets.zero
  /// Whether the view occupies its own space; otherwise it overlaps the content at its edge.
  ///
  /// Default: true.
  public var extendsBoundary = true
  /// Whether the view stays at the edge of the viewport, in front of the items, while its section is visible.
  ///
  /// Default: false.
  public var pinToVisibleBounds = false
  /// The stacking order.
  ///
  /// Default: 0.
  ///
  /// In a section with a background, 1 is added for all other elements. Pinned views get another 1. Pinned views of the
  /// whole layout are in front of pinned views of sections.
  public var zIndex = 0

  /// Creates a view at an edge or a corner.
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

// MARK: - Anchors and alignments

/// A point of a rectangle (a corner, the center of an edge or the center), moved by an offset.
public struct CollectionLayoutAnchor: Hashable, Sendable {
  /// The edges of a rectangle.
  ///
  /// Along an axis of which neither or both edges are set, the anchor is centered.
  public struct Edges: OptionSet, Hashable, Sendable {
    /// The edges as a bit mask.
    public let rawValue: UInt8

    /// Creates a set of edges from a bit mask.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The edge at which lines start: the left edge in left-to-right layouts.
    public static let leading = Edges(rawValue: 1)
    /// The top edge.
    public static let top = Edges(rawValue: 2)
    /// The edge at which lines end: the right edge in left-to-right layouts.
    public static let trailing = Edges(rawValue: 4)
    /// The bottom edge.
    public static let bottom = Edges(rawValue: 8)
  }

  /// The offset of an anchor.
  ///
  /// Positive values point in reading direction and down.
  public enum Offset: Hashable, Sendable {
    /// An offset in points.
    case absolute(Point)
    /// An offset in fractions of the supplementary view's size.
    case fractional(Point)
  }

  /// The edges that determine the point of the rectangle.
  public let edges: Edges
  /// The offset from that point.
  public let offset: Offset

  /// Creates an anchor without an offset.
  public init(edges: Edges) { self.init(edges, .absolute(.zero)) }

  /// Creates an anchor with an offset in points.
  ///
  /// - Precondition: The offset is finite.
  public init(edges: Edges, absoluteOffset: Point) { self.init(edges, .absolute(absoluteOffset)) }

  /// Creates an anchor with an offset in fractions of the supplementary view's size.
  ///
  /// - Precondition: The offset is finite.
  public init(edges: Edges, fractionalOffset: Point) { self.init(edges, .fractional(fractionalOffset)) }

  private init(_ edges: Edges, _ offset: Offset) {
    switch offset {
    case .absolute(let point), .fractional(let point):
      checkPrecondition(
        point.x.isFinite && point.y.isFinite,
        "A layout anchor was moved by \(point.x), \(point.y). Both must be finite numbers.")
    }
    self.edges = edges
    self.offset = offset
  }

  /// Returns the position of the point along an axis of the rectangle, as a fraction of its length.
  func unit(_ axis: Axis) -> Double {
    let (first, last): (Edges, Edges) = axis == .horizontal ? (.leading, .trailing) : (.top, .bottom)
    if edges.contains(first) == edges.contains(last) { return 0.5 }
    return edges.contains(first) ? 0 : 1
  }
}

/// An edge or a corner of a rectangle.
public enum RectAlignment: Hashable, Sendable {
  /// The center of the top edge.
  case top
  /// The top leading corner.
  case topLeading
  /// The center of the leading edge.
  case leading
  /// The bottom leading corner.
  case bottomLeading
  /// The center of the bottom edge.
  case bottom
  /// The bottom trailing corner.
  case bottomTrailing
  /// The center of the trailing edge.
  case trailing
  /// The top trailing corner.
  case topTrailing
}
