public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
public import VitrineCollectionLayout
import VitrineDataStructures
public import VitrineGeometry
import VitrineViews

/// Queries about items and cells. Frames are always the final ones, even while views are animated.
extension CollectionView {
  /// The number of items in all sections.
  public final var itemCount: Int {
    requireSolvedLayout()
    return solution.itemCounts.total
  }

  /// The number of sections.
  public final var numberOfSections: Int {
    requireSolvedLayout()
    return solution.itemCounts.numberOfSections
  }

  /// Returns the number of items in a section.
  ///
  /// - Precondition: The section exists.
  /// - Complexity: O(1).
  public final func numberOfItems(inSection section: Int) -> Int {
    requireSolvedLayout()
    let counts = solution.itemCounts
    checkPrecondition(
      (0..<counts.numberOfSections).contains(section),
      "There is no section \(section) in the collection view, which has \(counts.numberOfSections).")
    return counts.items(inSection: section).count
  }

  /// The shortest range of flat indices that contains every visible item.
  ///
  /// With orthogonal sections, the range may contain items that are not visible and have no cell. A dragged item counts
  /// only where its gap is visible. Its cell is visible anyway.
  public final var visibleRange: Range<Int> {
    dragController.draggedItem.map { cellController.visibleRange(excluding: $0) } ?? cellController.visibleRange
  }

  /// The displayed cells, in display order.
  public final var visibleCells: [CollectionViewCell] { cellController.displayedCells }

  /// The number of cells in the reuse pool.
  public final var pooledCellCount: Int { cellController.pooledCount }

  /// Returns the displayed cell of an item, or nil if the item is not visible.
  ///
  /// - Complexity: O(1), or O(log cells) between an update and the next frame.
  public final func cell(at index: Int) -> CollectionViewCell? { cellController.displayedCell(at: index) }

  /// Returns the index path of the item at the given flat index.
  ///
  /// - Complexity: O(log sections).
  public final func indexPath(at index: Int) -> IndexPath {
    requireSolvedLayout()
    let position = solution.itemCounts.position(of: index) ?? (section: 0, item: index)
    return IndexPath(item: position.item, section: position.section)
  }

  // MARK: - Layout

  /// Returns the flat index of the item at the given index path, or nil if there is no such item.
  ///
  /// - Complexity: O(1).
  public final func flatIndex(at path: IndexPath) -> Int? {
    requireSolvedLayout()
    return solution.itemCounts.index(section: path.section, item: path.item)
  }

  /// Returns the frame of an item in the content's coordinates, or nil if there is no such item.
  public final func frameOfItem(at path: IndexPath) -> Rect? {
    flatIndex(at: path).map { solution.frame(ofItem: $0) }
  }

  /// The size of the first item, or the size it would have if there were one.
  public final var firstItemSize: Size {
    requireSolvedLayout()
    if solution.itemCounts.total > 0 { return solution.frame(ofItem: 0).size }
    let environment = solution.environment
    return solving { collectionViewLayout.solved(in: environment, for: ItemCounts([1])).frame(ofItem: 0).size }
  }

  // MARK: - Locating items

  /// Returns the index path of the item at a point in the view's coordinates, or nil if there is no item.
  ///
  /// Use `convertFromWindow(_:)` to convert a point of the window.
  ///
  /// - Complexity: That of a layout query.
  public final func indexPathForItem(at point: Point) -> IndexPath? { itemIndex(at: point).map(indexPath(at:)) }

  /// Returns the index path of the item that a displayed or prepared cell of this view is bound to, or nil for any
  /// other cell.
  ///
  /// - Complexity: O(log cells).
  public final func indexPath(for cell: CollectionViewCell) -> IndexPath? {
    guard let index = cell.itemIndex, displayedOrWaitingCell(at: index) === cell else { return nil }
    return indexPath(at: index)
  }

  /// The index paths of the visible items, in display order.
  public final var indexPathsForVisibleItems: [IndexPath] {
    cellController.displayedEntries.map { indexPath(at: $0.index) }
  }

  /// Returns the layout attributes of an item, in the content's coordinates, or nil if there is no such item.
  ///
  /// - Complexity: That of a layout query.
  public final func layoutAttributesForItem(at path: IndexPath) -> LayoutAttributes? {
    flatIndex(at: path).map { solution.attributes(ofItem: $0) }
  }

  // MARK: - Cells

  /// The prepared cells that are not displayed, in the order of their items.
  ///
  /// They are bound to their items and can be displayed without further work.
  public final var preparedCells: [CollectionViewCell] { cellController.waitingCells }

  /// Returns the displayed or prepared cell of an item, or nil if it has none.
  ///
  /// - Complexity: O(log cells).
  public final func cellForItem(at path: IndexPath) -> CollectionViewCell? {
    flatIndex(at: path).flatMap {
      displayedOrWaitingCell(at: $0) ?? updateAnimator.retainedCell(at: $0)
    }
  }

  private func displayedOrWaitingCell(at index: Int) -> CollectionViewCell? {
    cellController.displayedCell(at: index) ?? cellController.waitingCell(at: index)
  }
}
