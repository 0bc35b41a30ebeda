import CollectionEngine
import CollectionLayout
public import struct FoundationEssentials.IndexPath

/// What the view tells of its items: always where they are in the end, whatever moves.
extension CollectionView {
  /// All items of all sections.
  public final var itemCount: Int {
    requireSolvedLayout()
    return solution.itemCounts.total
  }

  /// All sections.
  public final var numberOfSections: Int {
    requireSolvedLayout()
    return solution.itemCounts.numberOfSections
  }

  /// The shortest range of flat indices that holds every item on screen.
  ///
  /// Where sections scroll across, items that are not on screen lie between two that are; those have no cell. An item that
  /// is carried counts where the place is seen that is kept for it; its cell is seen anyway.
  public final var visibleRange: Range<Int> {
    interaction.draggedItem.map { displayed.range(excluding: $0) } ?? displayed.range
  }

  /// The cells on screen, in display order.
  public final var visibleCells: [CollectionViewCell] { displayed.cells }

  /// Cells that wait for another item.
  public final var pooledCellCount: Int { pool.count }

  /// The cell of an item, if it is on screen.
  ///
  /// - Complexity: O(1), or O(log cells) between an update and the next frame.
  public final func cell(at index: Int) -> CollectionViewCell? { displayed[index] }

  /// The path of a flat index.
  ///
  /// - Complexity: O(log sections).
  public final func indexPath(at index: Int) -> IndexPath {
    requireSolvedLayout()
    let position = solution.itemCounts.position(of: index) ?? (section: 0, item: index)
    return IndexPath(item: position.item, section: position.section)
  }
}
