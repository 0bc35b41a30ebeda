import CollectionEngine
import FramePacing
import ScrollPhysics
import Views

/// How many cells there may be: as many as are seen at most, and as many again as may wait.
extension CollectionView {
  /// How many cells may wait.
  final var maximumWaitingCells: Int {
    preparation.window.extent(at: lastInstant).maximumCells(visible: maximumVisibleCount)
  }

  /// The most bytes that waiting cells hold together, their pictures as pixels and as textures.
  ///
  /// 64 MiB by default. Above this limit the cells farthest from the visible area are released first. One cell may wait whatever it holds. While
  /// memory is short, the limit is a quarter.
  public final var maximumPreparedBytes: Int {
    get { preparation.window.extent.maximumBytes }
    set {
      preparation.window.extent.maximumBytes = max(0, newValue)
      evictSurplusCells()
      needsVisibleUpdate = true
    }
  }

  /// How many bytes the cells that wait hold, as of when they were prepared.
  public final var preparedBytes: Int { preparation.waiting.bytes }

  private var maximumWaitingBytes: Int { preparation.window.extent(at: lastInstant).maximumBytes }

  /// Whether one more cell may wait beside those that do.
  final var hasFreeCapacity: Bool {
    preparation.waiting.hasCapacity(cells: maximumWaitingCells, bytes: maximumWaitingBytes)
  }

  /// Notes how many bytes a waiting cell holds, and releases the cells farthest away where all hold too many.
  final func recordBytes(of cell: CollectionViewCell, at index: Int) {
    preparation.waiting.setBytes(cell.totalRetainedBytes, at: index)
    evictSurplusCells()
  }

  private func evictSurplusCells() {
    let most = maximumWaitingBytes
    while preparation.waiting.exceedsLimit(bytes: most) {
      guard let least = preparation.waiting.leastNeeded(remoteness: { remoteness(of: $0) }),
        let entry = preparation.waiting.removeCell(at: least.index)
      else { return }
      recycleCell(entry.cell)
    }
  }

  /// Whether memory was short a while ago, so that fewer cells wait.
  final var isMemoryShort: Bool {
    preparation.window.extent(at: frameClock?.now() ?? lastInstant) != preparation.window.extent
  }

  /// For how long fewer cells wait once memory was short.
  private static var lowMemoryDuration: FrameDuration { .seconds(10) }

  /// Lets go of cells in pools, and of prepared ones that are not needed within a second.
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
    emptyElementPools()
  }

  /// Whether an item's cell could wait: one waits already, there is room for one more, or one waits that is needed less.
  ///
  /// - Complexity: O(log cells), O(cells) once as many wait as may.
  final func hasCapacity(for index: Int) -> Bool {
    hasFreeCapacity || preparation.waiting[index] != nil || remoteness(of: index) < maximumRemoteness
  }

  /// How remote an item may be for its cell to wait: infinite while there is room, then less than the remotest of
  /// these.
  ///
  /// - Complexity: O(1), O(cells) once as many wait as may.
  final var maximumRemoteness: Double {
    guard !hasFreeCapacity else { return .infinity }
    return preparation.waiting.leastNeeded { remoteness(of: $0) }?.remoteness ?? 0
  }

  /// Lets go of cells that are needed less than an item's, where there is no room for one more.
  ///
  /// - Returns: whether the item's cell may wait now.
  final func makeCapacity(for index: Int) -> Bool {
    while !hasFreeCapacity {
      guard recycleLeastNeeded(than: index, where: { _ in true }) else { return false }
    }
    return true
  }

  /// Whether one more cell would be more than are ever seen and may wait together.
  final var hasReachedCellLimit: Bool {
    let counts = statistics
    return counts.visible + counts.waiting + counts.pooled >= maximumVisibleCount + maximumWaitingCells
  }

  /// Puts the cell of a registration into its pool that is needed least of those that wait.
  ///
  /// - Returns: whether there is one that is needed less than an item's.
  @discardableResult
  final func recycleLeastNeeded(
    than index: Int?, where isSuitable: (CollectionViewCell) -> Bool
  ) -> Bool {
    guard let least = preparation.waiting.leastNeeded(where: isSuitable, remoteness: { remoteness(of: $0) }),
      least.remoteness > index.map({ remoteness(of: $0) }) ?? 0,
      let entry = preparation.waiting.removeCell(at: least.index)
    else { return false }
    recycleCell(entry.cell)
    return true
  }
}
