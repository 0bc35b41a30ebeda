/// The place of one cell in a group.
public struct CollectionLayoutItem: CollectionLayoutSubitem, Hashable {
  /// Its sides.
  public let layoutSize: CollectionLayoutSize
  /// Views that are placed by it, such as a badge.
  public let supplementaryItems: [CollectionLayoutSupplementaryItem]
  /// How much smaller the cell is than its place, in points.
  ///
  /// Applied last: the places of other items do not depend on it. Ignored along an axis whose dimension is estimated.
  ///
  /// - Precondition: all are finite and not negative. A cell keeps at least a pixel.
  public var contentInsets = DirectionalInsets.zero {
    didSet { contentInsets.demandUsable(of: "a layout item") }
  }
  /// Room to leave free outside its edges.
  public var edgeSpacing: CollectionLayoutEdgeSpacing?

  /// Makes an item.
  public init(layoutSize: CollectionLayoutSize, supplementaryItems: [CollectionLayoutSupplementaryItem] = []) {
    self.layoutSize = layoutSize
    self.supplementaryItems = supplementaryItems
  }
}
