internal import VitrineDataStructures

/// The description of a cell in a group.
public struct CollectionLayoutItem: CollectionLayoutSubitem, Hashable {
  /// The size within the containing group.
  public let layoutSize: CollectionLayoutSize
  /// The supplementary views that are anchored to the item, such as a badge.
  public let supplementaryItems: [CollectionLayoutSupplementaryItem]
  /// The distances between the edges of the item's slot and its cell, in points.
  ///
  /// Insets are applied last and do not affect the frames of other items. Ignored along an axis whose dimension is
  /// estimated. The cell keeps a length of at least one pixel.
  ///
  /// - Precondition: All distances are finite and not negative.
  public var contentInsets = DirectionalEdgeInsets.zero {
    didSet { contentInsets.checkValid(of: "a layout item") }
  }
  /// The space outside the edges of the item.
  public var edgeSpacing: CollectionLayoutEdgeSpacing?

  /// Creates an item of the given size.
  public init(layoutSize: CollectionLayoutSize, supplementaryItems: [CollectionLayoutSupplementaryItem] = []) {
    self.layoutSize = layoutSize
    self.supplementaryItems = supplementaryItems
  }
}

/// A component of a group: an item or another group.
///
/// Other conforming types are treated as items.
public protocol CollectionLayoutSubitem: Sendable {
  /// The size within the containing group or section.
  var layoutSize: CollectionLayoutSize { get }
  /// The distances between the edges and the content, in points.
  ///
  /// Ignored along an axis whose dimension is estimated.
  var contentInsets: DirectionalEdgeInsets { get }
  /// The space outside the edges.
  var edgeSpacing: CollectionLayoutEdgeSpacing? { get }
  /// The supplementary views that are anchored to the subitem.
  var supplementaryItems: [CollectionLayoutSupplementaryItem] { get }
}

/// The space outside the edges of an item or a group.
///
/// Unlike content insets, it counts when items are fitted into a group.
public struct CollectionLayoutEdgeSpacing: Hashable, Sendable {
  /// The space before the leading edge, or nil for none.
  public var leading: CollectionLayoutSpacing?
  /// The space above the top edge, or nil for none.
  public var top: CollectionLayoutSpacing?
  /// The space after the trailing edge, or nil for none.
  public var trailing: CollectionLayoutSpacing?
  /// The space below the bottom edge, or nil for none.
  public var bottom: CollectionLayoutSpacing?

  /// Creates edge spacing.
  ///
  /// Default: nil for each edge.
  public init(
    leading: CollectionLayoutSpacing? = nil, top: CollectionLayoutSpacing? = nil,
    trailing: CollectionLayoutSpacing? = nil, bottom: CollectionLayoutSpacing? = nil
  ) {
    self.leading = leading
    self.top = top
    self.trailing = trailing
    self.bottom = bottom
  }
}

/// The space between the items of a group, or outside an edge of a subitem.
public struct CollectionLayoutSpacing: Hashable, Sendable {
  /// The space in points; the minimum if the spacing is flexible.
  public let points: Double
  /// Whether the spacing grows with the remaining space.
  public let isFlexible: Bool

  private init(_ points: Double, isFlexible: Bool) {
    checkPrecondition(
      points.isFinite && points >= 0,
      "A layout spacing was created with \(points). It must be a finite number that is not negative.")
    self.points = points
    self.isFlexible = isFlexible
  }

  /// Returns spacing of exactly the given number of points.
  ///
  /// - Precondition: The number is finite and not negative.
  public static func fixed(_ points: Double) -> CollectionLayoutSpacing { .init(points, isFlexible: false) }

  /// Returns spacing of at least the given number of points.
  ///
  /// All flexible spacings of a group share the remaining space equally.
  ///
  /// - Precondition: The number is finite and not negative.
  public static func flexible(_ points: Double) -> CollectionLayoutSpacing { .init(points, isFlexible: true) }
}
