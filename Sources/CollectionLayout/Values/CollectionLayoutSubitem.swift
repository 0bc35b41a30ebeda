/// What a group is made of: items, and other groups.
///
/// Anything else that conforms counts as an item.
public protocol CollectionLayoutSubitem: Sendable {
  /// Its sides.
  var layoutSize: CollectionLayoutSize { get }
  /// How far its content stays away from its edges, in points; ignored along an axis whose dimension is estimated.
  var contentInsets: DirectionalInsets { get }
  /// Room to leave free outside its edges.
  var edgeSpacing: CollectionLayoutEdgeSpacing? { get }
  /// Views that are placed by it.
  var supplementaryItems: [CollectionLayoutSupplementaryItem] { get }
}
