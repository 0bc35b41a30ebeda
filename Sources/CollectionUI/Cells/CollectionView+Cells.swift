import CollectionEngine
import CollectionLayout
package import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Views

extension CollectionView {
  /// Provides the visible items that lack a cell with cells, in the items' order.
  func fillVisibleCells() {
    guard let source = displayedSource else {
      // The items of the deallocated data source are removed in the next frame.
      if hasSource, !showsFormerItems { needsVisibleUpdate = true }
      return
    }
    while let index = displayed.firstIndexWithoutCell { showCell(at: index, from: source) }
  }

  private func showCell(at index: Int, from source: any CollectionViewSource) {
    // The cell is being animated out and still displayed.
    if let cell = updateAnimator.reclaimCell(at: index) { return displayed.insert(cell, at: index) }
    let cell = dequeueWaitingCell(at: index, from: source) ?? prepareCellImmediately(at: index, from: source)
    // Before the delegate is notified, so that its selections and reconfigurations apply to this cell too.
    displayed.insert(cell, at: index)
    updateConfigurationState(of: cell)
    beginDisplaying(cell, at: indexPath(at: index))
  }

  /// Prepares a cell that is needed in this frame.
  func prepareCellImmediately(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let start = frameClock?.now()
    let cell = trackingForcedPreparation(index) {
      let cell = configureCell(at: index, from: source)
      finishPreparation(cell, at: index, PreparationProgress(next: .part), source)
      return cell
    }
    cell.isPrepared = true
    lifecycle.handle(.prepare(isForced: true), of: cell.number)
    if let start, let clock = frameClock { preparation.recordForced(type(of: cell), took: clock.now() - start) }
    return cell
  }

  /// Records and notifies the delegate that a cell is about to be displayed.
  func beginDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    lifecycle.handle(.willDisplay, of: cell.number)
    enteredCount += 1
    delegate?.collectionView(self, willDisplay: cell, at: path)
  }

  /// Assigns an item to a cell and moves the cell to the item's frame.
  func positionCell(_ cell: CollectionViewCell, at index: Int) {
    let frame = solution.frame(ofItem: index)
    cell.itemIndex = index
    cell.drawing.corner = frame.origin
    cell.frame = frame
  }

  /// Ends the display of a cell, which then waits for its item or goes to the pool.
  ///
  /// - Parameter index: The item that the cell may wait for, or nil if the cell is to be unbound. Default: nil.
  package func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int? = nil) {
    lifecycle.handle(.didEndDisplaying, of: cell.number)
    if index == nil { cell.itemIndex = nil }
    delegate?.collectionView(self, didEndDisplaying: cell, at: path)
    if let index, retainWaitingCell(cell, at: index) { return reconfigureLater(index) }
    recycleCell(cell)
  }

  /// Ends the display of cells that left the viewport, with their last index paths.
  func endDisplayingCells(_ leaving: [DisplayedCells<CollectionViewCell>.Entry]) {
    guard !leaving.isEmpty else { return }
    deferringUpdates {
      for (index, cell) in leaving where !updateAnimator.retain(cell, at: index) {
        endDisplaying(cell, at: indexPath(at: index), waitingFor: index)
      }
    }
  }

  /// Ends the display of every cell, supplementary view and decoration view.
  final func removeAllCells() {
    let cancelled = dataPrefetchController.apply(IndexMap(replacing: solution.itemCounts, by: ItemCounts([])))
    deferringUpdates {
      cancelPrefetching(cancelled)
      for (index, cell) in displayed.removeAll() { endDisplaying(cell, at: indexPath(at: index)) }
    }
    reconfiguring.queue.removeAll()
    // The cells of these items requested them.
    sizeRequests.removeAll()
    discardWaitingCells()
    // Elements with the same identities belong to other items afterwards.
    supplementaryController.removeAll()
  }
}
