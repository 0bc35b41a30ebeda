/// A view that belongs to an item or a group and is placed by it, such as a badge at its corner.
public struct CollectionLayoutSupplementaryItem: Hashable, Sendable {
  /// Its size within the item or group that it belongs to; an estimated side is as long as the estimate.
  public var layoutSize: CollectionLayoutSize
  /// The name of its kind.
  public var elementKind: String
  /// The point of the item or group that it is placed at.
  public var containerAnchor: CollectionLayoutAnchor
  /// The point of its own that comes to lie there, or nothing for the one at the same edges.
  public var itemAnchor: CollectionLayoutAnchor?
  /// What lies over what; cells have 0 unless their group says otherwise.
  public var zIndex = 1

  /// Makes a supplementary item.
  ///
  /// With a container anchor alone it lies within, at the edges named, moved by the offset: `.top` and `.trailing` with
  /// a fractional offset of 0.5 and -0.5 is a badge whose middle is the corner.
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
