import CollectionEngine
import CollectionLayout
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Prepares the cells that items on screen lack, in the items' order.
  func fillVisibleCells() {
    guard let source = displayedSource else {
      // Its items go in the next frame.
      if hasSource, !showsFormerItems { needsVisibleUpdate = true }
      return
    }
    while let index = displayed.firstIndexWithoutCell { showCell(at: index, from: source) }
  }

  private func showCell(at index: Int, from source: any CollectionViewSource) {
    // Still displayed, though it was on its way out.
    if let cell = reclaimDisappearingCell(at: index) { return displayed.insert(cell, at: index) }
    let cell = dequeueWaitingCell(at: index, from: source) ?? prepareCellImmediately(at: index, from: source)
    // Before the delegate is told, as what it selects or has configured again then is meant for this cell too.
    displayed.insert(cell, at: index)
    updateConfigurationState(of: cell)
    beginDisplaying(cell, at: indexPath(at: index))
  }

  /// Prepares a cell that is needed at once.
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

  /// Tells of a cell that is about to come on screen.
  func beginDisplaying(_ cell: CollectionViewCell, at path: IndexPath) {
    lifecycle.handle(.willDisplay, of: cell.number)
    enteredCount += 1
    delegate?.collectionView(self, willDisplay: cell, at: path)
  }

  /// Gives a cell its item and the item's place.
  func positionCell(_ cell: CollectionViewCell, at index: Int) {
    let frame = solution.frame(ofItem: index)
    cell.itemIndex = index
    cell.drawing.corner = frame.origin
    cell.frame = frame
  }

  /// Lets a cell that is no longer among those displayed wait for its item, where it may, or else puts it into the pool.
  ///
  /// - Parameter waitsFor: the item that it may wait for; nothing where it is to lose its item.
  func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitsFor index: Int? = nil) {
    lifecycle.handle(.didEndDisplaying, of: cell.number)
    if index == nil { cell.itemIndex = nil }
    delegate?.collectionView(self, didEndDisplaying: cell, at: path)
    if let index, retainWaitingCell(cell, at: index) { return reconfigureLater(index) }
    recycleCell(cell)
  }

  /// Ends the display of cells that left, at the places where they were displayed last.
  func endDisplayingCells(_ leaving: [DisplayedCells<CollectionViewCell>.Entry]) {
    guard !leaving.isEmpty else { return }
    deferringUpdates {
      for (index, cell) in leaving where !retainDisappearingCell(cell, at: index) {
        endDisplaying(cell, at: indexPath(at: index), waitsFor: index)
      }
    }
  }

  /// Ends the display of every cell and of every view beside them.
  func removeAllCells() {
    discardMovement()
    endUpdateAnimation()
    recordShownItems(for: displayedSource)
    let tell = remapAnnouncements { _ in nil }
    deferringUpdates {
      tell()
      for (index, cell) in displayed.removeAll() { endDisplaying(cell, at: indexPath(at: index)) }
    }
    reconfiguring.queue.removeAll()
    // They were asked for by cells of these items.
    sizeRequests.removeAll()
    discardWaitingCells()
    // Whatever stands at their places afterwards, it is something else.
    endDisplayingElements(elements.removeAll(), areGone: true)
    discardWaitingElements()
  }

  /// The data source whose items are on screen; nothing between its being replaced and the other's items being taken.
  var displayedSource: (any CollectionViewSource)? { showsFormerItems ? nil : source }

  /// Another data source, or none: what it has is taken when the client's code that runs has ended.
  func switchSource(from former: (any CollectionViewSource)?) {
    showsFormerItems = true
    // What the client's code applies meanwhile is an update of the new items.
    let exchange = {
      self.deferringUpdates {
        // While its items are those on screen: what waits to be shown has others.
        self.cancelAnnouncements(former)
        former?.framesDidEnd()
        self.replaceAllItems()
      }
    }
    if clientCallDepth == 0 { exchange() } else { pendingUpdates.addSourceChange(exchange) }
  }

  /// A data source that went away took its items along: with them goes what was selected and wanted.
  ///
  /// Looked for before cells are asked for: nobody tells when an object goes that is not kept alive.
  final func reloadIfSourceLost() {
    dataSourceAdapter?.reloadIfDataSourceLost()
    guard hasSource, source == nil else { return }
    hasSource = false
    hasUpdates = false
    showsFormerItems = true
    performWhenReady { self.deferringUpdates { self.replaceAllItems() } }
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
    resetInteraction()
    showsFormerItems = false
    relayout(.everything, keeping: nil, from: 0)
    scroll(to: offset(of: .start), animated: false)
    refreshInteractionAfterUpdate()
  }
}
