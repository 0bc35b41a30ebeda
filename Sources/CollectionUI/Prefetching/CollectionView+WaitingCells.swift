import CollectionEngine
import FramePacing
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Evicts waiting cells that are too far away, after the content scrolled or its items changed.
  final func evictDistantCells() {
    orthogonal.updateWindows(shown: lastInstant, lead: preparation.leadTime)
    preparation.hasWork = preparesAhead
    supplementaryController.evictDistantViews()
    let retainsCells = preparesAhead
    let area = waitingArea
    cellController.evictWaitingCells { retainsCells && self.canWait($0, in: area) }
  }

  // MARK: - Capacity

  /// The maximum number of bytes that waiting cells retain, including their images as pixels and textures.
  ///
  /// Above this limit the cells farthest from the viewport are released first. One cell may wait regardless of its
  /// size. While memory is short, the limit is a quarter. The default is 64 MiB.
  public final var maximumPreparedBytes: Int {
    get { preparation.window.extent.maximumBytes }
    set {
      preparation.window.extent.maximumBytes = max(0, newValue)
      cellController.evictSurplusCells()
      needsVisibleUpdate = true
    }
  }

  /// The number of bytes that waiting cells retain, as of when they were prepared.
  public final var preparedBytes: Int { cellController.waitingBytes }

  /// Whether memory was short recently, so that fewer cells wait.
  final var isMemoryShort: Bool {
    preparation.window.extent(at: stepMeter.clock?.now() ?? lastInstant) != preparation.window.extent
  }

  /// The time for which fewer cells wait after memory was short.
  private static var lowMemoryDuration: FrameDuration { .seconds(10) }

  /// Releases pooled cells, and prepared cells that are not needed within a second.
  final func releaseMemory() {
    let now = max(lastInstant, stepMeter.clock?.now() ?? lastInstant)
    preparation.window.reduceForLowMemory(until: now + CollectionView.lowMemoryDuration, scroll, shown: lastInstant)
    let situation = VisibilityForecast(
      scroll: scroll, window: preparation.window, shown: lastInstant, interval: stepMeter.interval)
    let limit = lastInstant + .seconds(1)
    cellController.evictWaitingCells { index in
      guard canWait(index) else { return false }
      let extent = extent(ofItem: index)
      guard !situation.isAtRest else { return true }
      return situation.candidate(index, start: extent.start, end: extent.end)?.isNeeded(at: limit) ?? false
    }
    cellController.evictSurplusCells()
    cellController.releasePooledCells()
    supplementaryController.releaseMemory()
  }

  /// Creates a cell for its pool at rest, if scrolling will need more cells than exist.
  ///
  /// No cells are created while memory is short.
  ///
  /// - Returns: Whether a cell was created or discarded.
  final func makeSpareCellAtRest() -> Bool {
    guard preparesAhead, clientCallDepth == 0, displayedSource != nil, !isMemoryShort else { return false }
    let maximum = preparation.window.extent.maximumCells(visible: cellController.visibleCount)
    return cellController.makeSpareCellAtRest(maximumWaiting: maximum)
  }
}
