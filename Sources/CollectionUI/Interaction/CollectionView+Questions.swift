import CollectionEngine
public import CollectionLayout
public import struct FoundationEssentials.IndexPath
public import Geometry
import Views

extension CollectionView {
  /// The item at a point of the view's coordinates, as `convertFromWindow(_:)` gives them; nothing beside items.
  ///
  /// - Complexity: that of a question to the layout.
  public final func indexPathForItem(at point: Point) -> IndexPath? { itemIndex(at: point).map(indexPath(at:)) }

  /// The path of the item that a cell of this view is bound to, on screen or prepared; nothing for any other.
  ///
  /// - Complexity: O(log cells).
  public final func indexPath(for cell: CollectionViewCell) -> IndexPath? {
    guard let index = cell.itemIndex, displayed[index] === cell || preparation.waiting[index] === cell else {
      return nil
    }
    return indexPath(at: index)
  }

  /// The paths of the items on screen, in display order.
  public final var indexPathsForVisibleItems: [IndexPath] { displayed.entries.map { indexPath(at: $0.index) } }

  /// Where the layout has an item, in the content's coordinates, and what lies over it; nothing where there is no such item.
  ///
  /// - Complexity: that of a question to the layout.
  public final func layoutAttributesForItem(at path: IndexPath) -> LayoutAttributes? {
    flatIndex(at: path).map { solution.attributes(ofItem: $0) }
  }
}
