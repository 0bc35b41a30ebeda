import CollectionEngine
import CollectionLayout
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Prepares the cells that items on screen lack, in the items' order.
  func fill() {
    guard let source else { return }
    while let index = displayed.firstMissing { displayed.insert(showCell(at: index, from: source), at: index) }
  }

  private func showCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    // Still displayed, though it was on its way out.
    if let cell = takeLeaving(at: index) { return cell }
    let cell = takeWaiting(at: index, from: source) ?? forceCell(at: index, from: source)
    beginDisplaying(cell, at: indexPath(at: index))
    return cell
  }

  /// Prepares a cell that is needed at once.
  func forceCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let start = frameClock?.now()
    let cell = configureCell(at: index, from: source)
    finish(cell, at: index, PreparationProgress(next: .part), source)
    cell.isPrepared = true
    ledger.handle(.prepare(isForced: true), of: cell.number)
    if let start, let clock = frameClock { preparation.noteForced(type(of: cell), took: clock.now() - start) }
    return cell
  }

  /// Tells of a cell that is about to come on screen.
  func beginDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    ledger.handle(.willDisplay, of: cell.number)
    entered += 1
    delegate?.collectionView(self, willDisplay: cell, at: path)
  }

  /// Gives a cell its item and the item's place.
  func place(_ cell: CollectionViewCell, at index: Int) {
    let frame = solution.frame(ofItem: index)
    cell.itemIndex = index
    cell.drawing.corner = frame.origin
    cell.frame = frame
  }

  /// Lets a cell that is no longer among those displayed wait for its item, where it may, or else puts it into the pool.
  ///
  /// - Parameter waitsFor: the item that it may wait for; nothing where it is to lose its item.
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitsFor index: Int? = nil) {
    ledger.handle(.didEndDisplaying, of: cell.number)
    if index == nil { cell.itemIndex = nil }
    delegate?.collectionView(self, didEndDisplaying: cell, at: path)
    if let index, keepWaiting(cell, at: index) { return reconfigureLater(index) }
    putBack(cell)
  }

  /// Ends the display of cells that left, at the places where they were displayed last.
  func retire(_ leaving: [DisplayedCells<CollectionViewCell>.Entry]) {
    guard !leaving.isEmpty else { return }
    exclusively {
      for (index, cell) in leaving where !keepLeaving(cell, at: index) {
        endDisplaying(cell, at: indexPath(at: index), waitsFor: index)
      }
    }
  }

  /// Ends the display of every cell and of every view beside them.
  func removeAllCells() {
    endMotion()
    let tell = renumberAnnouncements { _ in nil }
    exclusively {
      tell()
      for (index, cell) in displayed.removeAll() { endDisplaying(cell, at: indexPath(at: index)) }
    }
    reconfiguring.queue.removeAll()
    dropWaiting()
    dropWaitingElements()
    retire(elements.removeAll())
  }

  /// The items are other ones: asks for every cell anew, and leaves the offset where it is as far as there is content.
  func reloadAllItems(_ exchange: () -> Void) {
    removeAllCells()
    exchange()
    relayout(.everything, keeping: nil, from: 0)
  }

  /// Begins anew with the items of another data source, at the top.
  func replaceAllItems() {
    removeAllCells()
    forgetInteraction()
    relayout(.everything, keeping: nil, from: 0)
    scroll(to: solution.beginsAtEnd ? solution.maximumOffset : 0, animated: false)
    showInteractionAfterUpdate()
  }
}
