import CollectionEngine
import FramePacing
import Geometry
import Views

extension CollectionView {
  /// The cell that waits for an item, if one does, finished and placed.
  final func dequeueWaitingCell(at index: Int, from source: any CollectionViewSource) -> CollectionViewCell? {
    guard let entry = preparation.waiting.removeCell(at: index) else { return nil }
    let cell = entry.cell
    let isForced = entry.progress.next.map { $0 <= .part } ?? false
    let start = isForced ? frameClock?.now() : nil
    if !entry.progress.isReady {
      trackingForcedPreparation(index) { finishPreparation(cell, at: index, entry.progress, source) }
    }
    if let start, let clock = frameClock { preparation.recordForced(type(of: cell), took: clock.now() - start) }
    recordPrepared(cell, isForced: isForced)
    positionCell(cell, at: index)
    cell.layoutIfNeeded()
    return cell
  }

  /// Lets a cell that left the screen wait for its item, where it may.
  ///
  /// - Returns: whether it does.
  final func retainWaitingCell(_ cell: CollectionViewCell, at index: Int) -> Bool {
    guard preparesAhead, index < itemCount, preparation.waiting[index] == nil else { return false }
    guard canWait(index), makeCapacity(for: index) else { return false }
    preparation.waiting.insert(cell, at: index, progress: .ready, wasDisplayed: true)
    if let generation = preparation.drawnGeneration, !cell.drawing.isValid(for: generation) {
      preparation.drawnGeneration = nil
    }
    recordBytes(of: cell, at: index)
    return true
  }

  /// The content stands elsewhere or shows other items: lets go of cells that wait too far away.
  final func evictDistantCells() {
    orthogonal.updateWindows(shown: lastInstant, lead: preparation.leadTime)
    preparation.hasWork = preparesAhead
    evictDistantElements()
    guard !preparation.waiting.isEmpty else { return }
    let isKept = preparesAhead
    let ground = waitingArea
    evictWaitingCells { isKept && self.canWait($0, in: ground) }
  }

  /// Lets go of the cells whose items may not wait.
  final func evictWaitingCells(unless isKept: (Int) -> Bool) {
    // Taken out, as the question looks at what is prepared.
    var waiting = WaitingCells<CollectionViewCell>()
    swap(&waiting, &preparation.waiting)
    let dropped = waiting.removeCells(unless: isKept)
    swap(&waiting, &preparation.waiting)
    for entry in dropped { recycleCell(entry.cell) }
  }

  /// Takes a cell's item from it and puts it into its pool.
  final func recycleCell(_ cell: CollectionViewCell) {
    cell.itemIndex = nil
    cell.isPrepared = false
    cell.removeFromSuperview()
    let isKept = pool.enqueue(
      cell, of: cell.registration, keepingAtMost: maximumVisibleCount + maximumWaitingCells + cellQuarantine)
    cell.isPooled = true
    lifecycle.handle(isKept ? .pool : .discard, of: cell.number)
  }

  /// The items are numbered anew: cells wait on for those that stay.
  final func remapWaitingCells(_ newIndex: (Int) -> Int?) {
    for entry in preparation.waiting.remapIndices(newIndex) { recycleCell(entry.cell) }
    for entry in preparation.waiting.entries { entry.cell.itemIndex = entry.index }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.deferredStep = nil
    preparation.frame = nil
  }

  /// Lets go of every cell that waits.
  final func discardWaitingCells() {
    for entry in preparation.waiting.removeAll() { recycleCell(entry.cell) }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.deferredStep = nil
  }

  /// An item's cell waits and is to be configured again: in slack, or when it comes on screen.
  ///
  /// - Returns: whether one waits.
  final func reconfigureWaiting(at index: Int) -> Bool {
    guard preparation.waiting.setProgress(PreparationProgress(next: .configure), at: index) else { return false }
    preparation.waiting[index]?.hasRequestedReconfigure = false
    preparation.hasWork = true
    return true
  }

  /// Items stand elsewhere: cells that wait for them take their places, and what has another size is laid out and drawn
  /// again.
  final func positionWaitingCells() {
    guard !preparation.waiting.isEmpty else { return }
    for entry in preparation.waiting.entries where entry.index < itemCount {
      let size = entry.cell.frame.size
      positionCell(entry.cell, at: entry.index)
      guard entry.cell.frame.size != size else { continue }
      remeasureWaitingCell(at: entry.index)
    }
  }

  /// A waiting cell is laid out and asked for its size again.
  ///
  /// - Returns: whether one waits for the item.
  @discardableResult
  final func remeasureWaitingCell(at index: Int) -> Bool {
    guard let progress = preparation.waiting.progress(at: index) else { return false }
    if progress.next.map({ $0 > .size }) ?? true {
      preparation.waiting.setProgress(PreparationProgress(next: .size), at: index)
    }
    preparation.hasWork = preparesAhead
    return true
  }
}
