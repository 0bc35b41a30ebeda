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
  /// late. Cells that wait have theirs in slack, or when they come on screen.
  final func reconfigure(_ path: IndexPath) {
    guard let index = solution.itemCounts.index(section: path.section, item: path.item) else { return }
    guard shownCell(at: index) != nil else {
      if reconfigureWaiting(at: index) { setNeedsDisplay() }
      return
    }
    guard runsFrames else { return reconfigureNow(index) }
    reconfiguring.queue.add(index)
    setNeedsDisplay()
  }

  /// Configures cells again that are on screen: what waits longest first, then the nearest; at least one a frame.
  ///
  /// None of them twice: a handler may ask for the very item that it is called for.
  final func reconfigureVisible() {
    var done: Set<Int> = []
    while !reconfiguring.queue.isEmpty {
      let middle = Point(x: visibleRect.midX, y: visibleRect.midY)
      let next = reconfiguring.queue.next { index in
        let frame = solution.frame(ofItem: index)
        return (frame.midX - middle.x) * (frame.midX - middle.x) + (frame.midY - middle.y) * (frame.midY - middle.y)
      }
      guard let index = next, let cell = shownCell(at: index) else { continue }
      guard done.insert(index).inserted else { return reconfiguring.queue.putBack(index) }
      guard let clock = frameClock else {
        reconfigureNow(index)
        continue
      }
      let start = clock.now()
      guard reconfiguring.allows(cell.registration, at: start) else {
        reconfiguring.queue.putBack(index)
        return setNeedsDisplay()
      }
      reconfigureNow(index)
      reconfiguring.note(clock.now() - start, of: cell.registration)
    }
  }

  /// A cell left the screen and waits: it is configured again there, if it was to be on screen.
  final func reconfigureLater(_ index: Int) {
    if reconfiguring.queue.remove(index) { _ = reconfigureWaiting(at: index) }
  }

  /// The cell of an item that is on screen, or seen to leave it.
  private func shownCell(at index: Int) -> CollectionViewCell? { displayed[index] ?? leavingCell(at: index) }

  private func reconfigureNow(_ index: Int) {
    guard let source = shownSource, let cell = shownCell(at: index) else { return }
    // A handler that asks for its own item again would never end, be it by way of another's.
    guard !reconfiguring.running.contains(where: { $0 === cell }) else { return reconfiguring.queue.add(index) }
    reconfiguring.running.append(cell)
    defer { reconfiguring.running.removeLast() }
    exclusively {
      configureAgain(cell, at: index, from: source)
      for part in 0..<max(0, cell.preparationSteps) { cell.prepare(step: part) }
      // Now, as a layout while drawing would ask for another frame.
      cell.layoutIfNeeded()
      if solution.asksForSize(ofItem: index) { cell.invalidateIntrinsicContentSize() }
      // Now, as an update that waits may take the cell's item away.
      ledger.handle(.reconfigure, of: cell.number)
    }
  }

  /// Has the provider configure an item's own cell; within ``exclusively(_:)``.
  final func configureAgain(_ cell: CollectionViewCell, at index: Int, from source: any CollectionViewSource) {
    // A handler may have other items reconfigured.
    let outer = reconfiguredCell
    reconfiguredCell = cell
    let answer = source.cell(at: index, in: self)
    reconfiguredCell = outer
    demandSame(answer, as: cell, at: indexPath(at: index))
  }
}
