import CollectionEngine
import CollectionLayout
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Prepares the cells that items on screen lack, in the items' order.
  func fill() {
    guard let source = shownSource else {
      // Its items go in the next frame.
      if hasSource, !showsFormerItems { needsPlan = true }
      return
    }
    while let index = displayed.firstMissing { showCell(at: index, from: source) }
  }

  private func showCell(at index: Int, from source: any CollectionViewSource) {
    // Still displayed, though it was on its way out.
    if let cell = takeLeaving(at: index) { return displayed.insert(cell, at: index) }
    let cell = takeWaiting(at: index, from: source) ?? forceCell(at: index, from: source)
    // Before the delegate is told, as what it selects or has configured again then is meant for this cell too.
    displayed.insert(cell, at: index)
    showState(of: cell)
    beginDisplaying(cell, at: indexPath(at: index))
  }

  /// Prepares a cell that is needed at once.
  func forceCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell {
    let start = frameClock?.now()
    let cell = preparingForced(index) {
      let cell = configureCell(at: index, from: source)
      finish(cell, at: index, PreparationProgress(next: .part), source)
      return cell
    }
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
    dropMovement()
    endMotion()
    noteShown(of: shownSource)
    let tell = renumberAnnouncements { _ in nil }
    exclusively {
      tell()
      for (index, cell) in displayed.removeAll() { endDisplaying(cell, at: indexPath(at: index)) }
    }
    reconfiguring.queue.removeAll()
    // They were asked for by cells of these items.
    wishes.removeAll()
    dropWaiting()
    // Whatever stands at their places afterwards, it is something else.
    retire(elements.removeAll(), areGone: true)
    dropWaitingElements()
  }

  /// The data source whose items are on screen; nothing between its being replaced and the other's items being taken.
  var shownSource: (any CollectionViewSource)? { showsFormerItems ? nil : source }

  /// Another data source, or none: what it has is taken when the client's code that runs has ended.
  func takeSource(after former: (any CollectionViewSource)?) {
    showsFormerItems = true
    // What the client's code applies meanwhile is an update of the new items.
    let exchange = {
      self.exclusively {
        // While its items are those on screen: what waits to be shown has others.
        self.giveUpAnnouncements(former)
        former?.framesDidEnd()
        self.replaceAllItems()
      }
    }
    if depth == 0 { exchange() } else { waitingUpdates.addExchange(exchange) }
  }

  /// A data source that went away took its items along: with them goes what was selected and wanted.
  ///
  /// Looked for before cells are asked for: nobody tells when an object goes that is not kept alive.
  final func noticeLoss() {
    classic?.noticeLoss()
    guard hasSource, source == nil else { return }
    hasSource = false
    hasUpdates = false
    showsFormerItems = true
    whenReady { self.exclusively { self.replaceAllItems() } }
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
    showsFormerItems = false
    relayout(.everything, keeping: nil, from: 0)
    scroll(to: offset(of: .start), animated: false)
    showInteractionAfterUpdate()
  }
}
