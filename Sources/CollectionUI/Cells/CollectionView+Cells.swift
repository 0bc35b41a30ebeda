public import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
package import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// Cells. Their owner is ``CellController``.
extension CollectionView {
  /// Dequeues a cell of a registration, reused or created, and configures it for an item.
  ///
  /// Call this method in a cell provider, once for each call of the provider. While an item is being reconfigured, the
  /// method returns the item's current cell, and `prepareForReuse` is not called.
  ///
  /// - Precondition: The registration was not created inside the provider.
  public final func dequeueConfiguredReusableCell<Cell: CollectionViewCell, ItemID: Hashable & Sendable>(
    using registration: CellRegistration<Cell, ItemID>, for indexPath: IndexPath, item: ItemID
  ) -> Cell {
    checkPrecondition(
      !registration.isMadeInProvider,
      """
      A cell registration was made inside a cell provider. Each request would make another one, none would ever be \
      used twice, and its cells would never be reused: make the registration once, outside the provider.
      """)
    return cellController.dequeueCell(using: registration, for: indexPath, at: flatIndex(at: indexPath), item: item)
  }

  /// The number of pooled cells of a registration that the pool holds back before it reuses the oldest.
  ///
  /// A debugging aid. A client that retains a cell and writes to it later stops a debug build if the cell is in the
  /// pool by then. The more cells are held back, the likelier this is. The default is 0.
  public final var cellQuarantine: Int {
    get { cellController.quarantine }
    set { cellController.quarantine = max(0, newValue) }
  }

  /// Configures the item's current cell again, if it has one.
  final func reconfigureItem(at index: Int) { cellController.reconfigureItem(index) }

  /// Provides the visible items that lack a cell with cells.
  final func fillVisibleCells() {
    guard let source = displayedSource else {
      // The items of the deallocated data source are removed in the next frame.
      if sourceController.isLost { setNeedsVisibleUpdate() }
      return
    }
    cellController.fillVisibleCells(from: source)
  }

  /// Ends the display of every cell, supplementary view and decoration view.
  final func removeAllCells() {
    let cancelled = dataPrefetchController.apply(IndexMap(replacing: solution.itemCounts, by: ItemCounts([])))
    deferringUpdates {
      cancelPrefetching(cancelled)
      cellController.removeDisplayedCells()
    }
    // The cells of these items requested them.
    layoutController.discardSizeRequests()
    cellController.removeWaitingCells()
    prefetchController.removeCandidates()
    // Elements with the same identities belong to other items afterwards.
    supplementaryController.removeAll()
  }

  /// Schedules work ahead, because the drawing of a view became invalid, which may be a waiting one.
  final func drawingDidBecomeInvalid() {
    setNeedsPreparation()
    cellController.drawingDidBecomeInvalid()
  }
}

extension CollectionView: CellHost {
  package final var cellSource: (any CellSource)? { displayedSource }

  package final func provideCell(at index: Int, from source: any CellSource) -> CollectionViewCell {
    source.cell(at: index, in: self)
  }

  package final func recordForced(_ type: CollectionViewCell.Type, took duration: FrameDuration) {
    prefetchController.recordForced(type, took: duration)
  }

  package final func retainLeavingCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    updateAnimator.retain(cell, at: index)
  }

  package final func retainReplacedCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    updateAnimator.retainReplaced(cell, at: index)
  }

  package final func leavingCell(at index: Int) -> CollectionViewCell? { updateAnimator.retainedCell(at: index) }

  package final func reclaimLeavingCell(at index: Int) -> CollectionViewCell? { updateAnimator.reclaimCell(at: index) }

  package final func detachLeavingCell(at index: Int) { updateAnimator.detachCell(at: index) }

  package final func willDisplay(_ cell: CollectionViewCell, at path: IndexPath) {
    delegate?.collectionView(self, willDisplay: cell, at: path)
  }

  package final func didEndDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    delegate?.collectionView(self, didEndDisplaying: cell, at: path)
  }

  package final func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?) {
    cellController.endDisplaying(cell, at: path, waitingFor: index)
  }
}
