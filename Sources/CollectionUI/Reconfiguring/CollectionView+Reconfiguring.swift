import CollectionEngine
import CollectionLayout
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Views

extension CollectionView {
  /// Runs the provider again on the item's own cell, if it has one.
  ///
  /// Where frames run, in the coming ones: as many a frame as fit into a part of it, so that many answers at once make none
  /// late. Cells that wait have theirs in slack, or when they come on screen. Asked for by the code that prepares the very
  /// item's cell, it follows that.
  final func reconfigureItem(_ path: IndexPath) {
    guard let index = solution.itemCounts.index(section: path.section, item: path.item) else { return }
    guard !preparation.requestReconfigure(index) else { return }
    guard displayedCell(at: index) != nil else {
      if reconfigureWaiting(at: index) { setNeedsDisplay() }
      return
    }
    guard runsFrames else { return reconfigureNow(index) }
    enqueueReconfigure(index)
  }

  /// Configures cells again that are on screen: what waits longest first, then the nearest; at least one a frame.
  ///
  /// None of them twice: a handler may ask for the very item that it is called for.
  final func reconfigureVisibleCells() {
    var done: Set<Int> = []
    while !reconfiguring.queue.isEmpty {
      let middle = Point(x: visibleRect.midX, y: visibleRect.midY)
      let next = reconfiguring.queue.popNext { index in
        let frame = solution.frame(ofItem: index)
        return (frame.midX - middle.x) * (frame.midX - middle.x) + (frame.midY - middle.y) * (frame.midY - middle.y)
      }
      guard let index = next, let cell = displayedCell(at: index) else { continue }
      guard done.insert(index).inserted else { return reconfiguring.queue.reinsert(index) }
      guard let clock = frameClock else {
        reconfigureNow(index)
        continue
      }
      let start = clock.workTimestamp()
      guard reconfiguring.allows(cell.registration, at: start.instant) else {
        reconfiguring.queue.reinsert(index)
        return setNeedsDisplay()
      }
      reconfigureNow(index)
      reconfiguring.recordCost(start.cost(until: clock.workTimestamp()), of: cell.registration)
    }
  }

  /// A cell left the screen and waits: it is configured again there, if it was to be on screen.
  final func reconfigureLater(_ index: Int) {
    if reconfiguring.queue.remove(index) { _ = reconfigureWaiting(at: index) }
  }

  /// The cell of an item that is on screen, or seen to leave it.
  private func displayedCell(at index: Int) -> CollectionViewCell? { displayed[index] ?? disappearingCell(at: index) }

  private func reconfigureNow(_ index: Int) {
    guard let source = displayedSource, let cell = displayedCell(at: index) else { return }
    deferringUpdates {
      let (_, isAskedAgain) = trackingPreparation(index) {
        configureAgain(cell, at: index, from: source)
        for part in 0..<max(0, cell.preparationSteps) { cell.prepare(step: part) }
        // Now, as a layout while drawing would ask for another frame.
        cell.layoutIfNeeded()
      }
      if isAskedAgain { enqueueReconfigure(index) }
      if solution.asksForSize(ofItem: index) { cell.invalidateIntrinsicContentSize() }
      // Now, as an update that waits may take the cell's item away.
      lifecycle.handle(.reconfigure, of: cell.number)
    }
  }

  /// An item on screen is configured again in the coming frames: code that asks for its own item would never end.
  private func enqueueReconfigure(_ index: Int) {
    reconfiguring.queue.add(index)
    setNeedsDisplay()
  }

  /// Runs client code that prepares an item's cell; what it asks for of the very item is noted.
  ///
  /// - Returns: what it returned, and whether it asked for that to be configured again.
  final func trackingPreparation<Result>(_ index: Int, _ body: () -> Result) -> (result: Result, isAskedAgain: Bool) {
    preparation.beginItem(index)
    let result = body()
    return (result, preparation.endItem())
  }

  /// Runs client code that prepares a cell which comes on screen in this frame.
  ///
  /// What it asks for of the very item is done once that is there.
  final func trackingForcedPreparation<Result>(_ index: Int, _ body: () -> Result) -> Result {
    let (result, isAskedAgain) = trackingPreparation(index, body)
    if isAskedAgain { enqueueReconfigure(index) }
    return result
  }

  /// Has the provider configure an item's own cell; within ``exclusively(_:)``.
  final func configureAgain(_ cell: CollectionViewCell, at index: Int, from source: any CollectionViewSource) {
    // A handler may have other items reconfigured.
    let outer = reconfiguredCell
    reconfiguredCell = cell
    let answer = source.cell(at: index, in: self)
    reconfiguredCell = outer
    requireSameCell(answer, as: cell, at: indexPath(at: index))
  }
}
