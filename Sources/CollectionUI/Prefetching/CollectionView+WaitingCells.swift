import CollectionEngine
import FramePacing
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Removes and returns the waiting cell of an item, prepared and positioned, or nil if there is none.
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

  /// Retains a cell that left the screen as a waiting cell, if it may wait.
  ///
  /// - Returns: Whether it is waiting.
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

  /// Evicts waiting cells that are too far away, after the content scrolled or its items changed.
  final func evictDistantCells() {
    orthogonal.updateWindows(shown: lastInstant, lead: preparation.leadTime)
    preparation.hasWork = preparesAhead
    supplementaryController.evictDistantViews()
    guard !preparation.waiting.isEmpty else { return }
    let retainsCells = preparesAhead
    let area = waitingArea
    evictWaitingCells { retainsCells && self.canWait($0, in: area) }
  }

  /// Evicts the waiting cells whose items do not satisfy a predicate.
  final func evictWaitingCells(unless predicate: (Int) -> Bool) {
    // Moved out of the state, because the predicate reads it.
    var waiting = WaitingCells<CollectionViewCell>()
    swap(&waiting, &preparation.waiting)
    let evicted = waiting.removeCells(unless: predicate)
    swap(&waiting, &preparation.waiting)
    for entry in evicted { recycleCell(entry.cell) }
  }

  /// Unbinds a cell from its item and puts it into its pool.
  final func recycleCell(_ cell: CollectionViewCell) {
    cell.itemIndex = nil
    cell.isPrepared = false
    cell.removeFromSuperview()
    let isPooled = pool.enqueue(
      cell, of: cell.registration, keepingAtMost: maximumVisibleCount + maximumWaitingCells + cellQuarantine)
    cell.isPooled = true
    lifecycle.handle(isPooled ? .pool : .discard, of: cell.number)
  }

  /// Updates the items of waiting cells after an update, and recycles the cells of deleted items.
  final func remapWaitingCells(_ map: IndexMap) {
    for entry in preparation.waiting.apply(map) { recycleCell(entry.cell) }
    for entry in preparation.waiting.entries { entry.cell.itemIndex = entry.index }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.deferredStep = nil
    preparation.frame = nil
  }

  /// Evicts every waiting cell.
  final func discardWaitingCells() {
    for entry in preparation.waiting.removeAll() { recycleCell(entry.cell) }
    preparation.candidates.removeAll(keepingCapacity: true)
    preparation.deferredStep = nil
  }

  /// Schedules configuring an item's waiting cell again, in slack time or when it is displayed.
  ///
  /// - Returns: Whether the item has a waiting cell.
  final func reconfigureWaiting(at index: Int) -> Bool {
    guard preparation.waiting.setProgress(PreparationProgress(next: .configure), at: index) else { return false }
    preparation.waiting[index]?.hasRequestedReconfigure = false
    preparation.hasWork = true
    return true
  }

  /// Positions waiting cells after a layout change.
  ///
  /// Cells whose size changed are laid out and drawn again.
  final func positionWaitingCells() {
    guard !preparation.waiting.isEmpty else { return }
    for entry in preparation.waiting.entries where entry.index < itemCount {
      let size = entry.cell.frame.size
      positionCell(entry.cell, at: entry.index)
      guard entry.cell.frame.size != size else { continue }
      remeasureWaitingCell(at: entry.index)
    }
  }

  /// Schedules laying out and measuring an item's waiting cell again.
  ///
  /// - Returns: Whether the item has a waiting cell.
  @discardableResult
  final func remeasureWaitingCell(at index: Int) -> Bool {
    guard let progress = preparation.waiting.progress(at: index) else { return false }
    if progress.next.map({ $0 > .size }) ?? true {
      preparation.waiting.setProgress(PreparationProgress(next: .size), at: index)
    }
    preparation.hasWork = preparesAhead
    return true
  }

  // MARK: - Capacity

  /// The maximum number of waiting cells.
  final var maximumWaitingCells: Int {
    preparation.window.extent(at: lastInstant).maximumCells(visible: maximumVisibleCount)
  }

  /// The maximum number of bytes that waiting cells retain, including their images as pixels and textures.
  ///
  /// Above this limit the cells farthest from the viewport are released first. One cell may wait regardless of its
  /// size. While memory is short, the limit is a quarter. The default is 64 MiB.
  public final var maximumPreparedBytes: Int {
    get { preparation.window.extent.maximumBytes }
    set {
      preparation.window.extent.maximumBytes = max(0, newValue)
      evictSurplusCells()
      needsVisibleUpdate = true
    }
  }

  /// The number of bytes that waiting cells retain, as of when they were prepared.
  public final var preparedBytes: Int { preparation.waiting.bytes }

  private var maximumWaitingBytes: Int { preparation.window.extent(at: lastInstant).maximumBytes }

  /// Whether one more cell may wait.
  final var hasFreeCapacity: Bool {
    preparation.waiting.hasCapacity(cells: maximumWaitingCells, bytes: maximumWaitingBytes)
  }

  /// Records how many bytes a waiting cell retains, and releases the farthest cells if the limit is exceeded.
  final func recordBytes(of cell: CollectionViewCell, at index: Int) {
    preparation.waiting.setBytes(cell.totalRetainedBytes, at: index)
    evictSurplusCells()
  }

  private func evictSurplusCells() {
    let limit = maximumWaitingBytes
    while preparation.waiting.exceedsLimit(bytes: limit) {
      guard let least = preparation.waiting.leastNeeded(remoteness: { remoteness(of: $0) }),
        let entry = preparation.waiting.removeCell(at: least.index)
      else { return }
      recycleCell(entry.cell)
    }
  }

  /// Whether memory was short recently, so that fewer cells wait.
  final var isMemoryShort: Bool {
    preparation.window.extent(at: frameClock?.now() ?? lastInstant) != preparation.window.extent
  }

  /// The time for which fewer cells wait after memory was short.
  private static var lowMemoryDuration: FrameDuration { .seconds(10) }

  /// Releases pooled cells, and prepared cells that are not needed within a second.
  final func releaseMemory() {
    let now = max(lastInstant, frameClock?.now() ?? lastInstant)
    preparation.window.reduceForLowMemory(until: now + CollectionView.lowMemoryDuration, scroll, shown: lastInstant)
    let situation = VisibilityForecast(
      scroll: scroll, window: preparation.window, shown: lastInstant, interval: preparation.costs.interval)
    let limit = lastInstant + .seconds(1)
    evictWaitingCells { index in
      guard canWait(index) else { return false }
      let extent = extent(ofItem: index)
      guard !situation.isAtRest else { return true }
      return situation.candidate(index, start: extent.start, end: extent.end)?.isNeeded(at: limit) ?? false
    }
    evictSurplusCells()
    for cell in pool.removeAll() { lifecycle.handle(.discard, of: cell.number) }
    supplementaryController.releaseMemory()
  }

  /// Returns whether an item's cell could wait: it waits already, there is capacity, or a less needed cell waits.
  ///
  /// - Complexity: O(log cells), or O(cells) if the maximum number of cells waits.
  final func hasCapacity(for index: Int) -> Bool {
    hasFreeCapacity || preparation.waiting[index] != nil || remoteness(of: index) < maximumRemoteness
  }

  /// The remoteness below which an item's cell may wait: infinity while there is capacity, otherwise that of the
  /// remotest waiting cell.
  ///
  /// - Complexity: O(1), or O(cells) if the maximum number of cells waits.
  final var maximumRemoteness: Double {
    guard !hasFreeCapacity else { return .infinity }
    return preparation.waiting.leastNeeded { remoteness(of: $0) }?.remoteness ?? 0
  }

  /// Evicts cells that are less needed than an item's, if there is no capacity.
  ///
  /// - Returns: Whether the item's cell may wait now.
  final func makeCapacity(for index: Int) -> Bool {
    while !hasFreeCapacity {
      guard recycleLeastNeeded(than: index, where: { _ in true }) else { return false }
    }
    return true
  }

  /// Whether the number of cells reached the maximum of displayed and waiting cells.
  final var hasReachedCellLimit: Bool {
    let counts = statistics
    return counts.visible + counts.waiting + counts.pooled >= maximumVisibleCount + maximumWaitingCells
  }

  /// Recycles the least needed waiting cell that satisfies a predicate.
  ///
  /// - Returns: Whether there was one that is less needed than the item's.
  @discardableResult
  final func recycleLeastNeeded(
    than index: Int?, where predicate: (CollectionViewCell) -> Bool
  ) -> Bool {
    guard let least = preparation.waiting.leastNeeded(where: predicate, remoteness: { remoteness(of: $0) }),
      least.remoteness > index.map({ remoteness(of: $0) }) ?? 0,
      let entry = preparation.waiting.removeCell(at: least.index)
    else { return false }
    recycleCell(entry.cell)
    return true
  }
}
