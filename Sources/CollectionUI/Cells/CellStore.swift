import VitrineCollectionEngine
import VitrineDataStructures
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// Where each cell is: displayed, waiting for its item off screen, or in the pool of its registration.
///
/// The store moves cells from one place to another and counts it. It calls no client code except
/// ``CollectionReusableView/prepareForReuse()`` and ``CollectionReusableView/willEnterReusePool()``.
///
/// Invariants:
/// - A cell is in at most one place. One in none is being prepared, leaving in an animated update, or discarded.
/// - There are at most as many cells as were visible at the same time, plus those that may wait.
/// - Of waiting cells, the least needed is evicted first: the remotest one.
/// - The display list is empty whenever the displayed cells differ from those of the list.
final class CellStore {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) unowned(unsafe) var host: (any CellHost)!

  // Nothing that changes these calls client code, so that they cannot be accessed while they are being modified.
  @exclusivity(unchecked) private var displayed = DisplayedCells<CollectionViewCell>() {
    didSet { displayList.removeAll() }
  }
  @exclusivity(unchecked) private var waiting = WaitingCells<CollectionViewCell>()
  @exclusivity(unchecked) private var pool = ReusePool<CollectionViewCell>()
  @exclusivity(unchecked) private var lifecycle = CellLifecycle()
  @exclusivity(unchecked) private var maximumVisibleCount = 0
  /// The unretained drawings of the displayed cells, collected when a frame needs them.
  private let displayList = CachedDisplayList()

  /// The number of pooled cells of a registration that the pool holds back before it reuses the oldest.
  var quarantine = 0
  /// The extent around the viewport in which cells may wait, which limits their number and bytes.
  @exclusivity(unchecked) var keepExtent = KeepExtent.standard

  // MARK: - State

  /// The counts of cells over the controller's lifetime.
  var statistics: CellStatistics { lifecycle.statistics }

  /// The displayed cells, in the order of their items.
  var displayedCells: [CollectionViewCell] { displayed.cells }

  /// The indices of the items that have displayed cells, ascending.
  var displayedIndices: [Int] { displayed.indices }

  /// The displayed cells with the indices of their items, in order.
  var displayedEntries: [(index: Int, cell: CollectionViewCell)] { displayed.entries }

  /// The runs of items that are visible, of which some may lack a cell until one is displayed.
  var visibleRuns: [Range<Int>] { displayed.runs }

  /// The shortest range that contains every visible item.
  var visibleRange: Range<Int> { displayed.range }

  /// Returns the shortest range that contains every visible item but one.
  func visibleRange(excluding item: Int) -> Range<Int> { displayed.range(excluding: item) }

  /// The number of visible items.
  var visibleCount: Int { displayed.itemCount }

  /// Returns the displayed cell of an item, or nil if the item is not visible.
  func displayedCell(at index: Int) -> CollectionViewCell? { displayed[index] }

  /// The waiting cells, in the order of their items.
  var waitingCells: [CollectionViewCell] { waiting.cells }

  /// Returns the cell that waits for an item, or nil if none does.
  func waitingCell(at index: Int) -> CollectionViewCell? { waiting[index] }

  /// The number of bytes that waiting cells retain, as of when they were prepared.
  var waitingBytes: Int { waiting.bytes }

  /// The number of cells in the pools.
  var pooledCount: Int { pool.count }

  /// Whether the counts agree with the states of all cells.
  var isBalanced: Bool { lifecycle.isBalanced }

  /// Records that a number was refused, because it is not one, negative or infinite.
  func recordRefusedNumber() { lifecycle.recordRefusedNumber() }

  /// Records that a preferred size was refused.
  func recordRefusedSize() { lifecycle.recordRefusedSize() }

  /// Records that the layout ignores further sizes of an item, because they never come to rest.
  func recordFrozenSize() { lifecycle.recordFrozenSize() }

  // MARK: - Displaying

  /// The first visible item without a cell, or nil if each has one.
  var firstItemWithoutCell: Int? { displayed.firstIndexWithoutCell }

  /// Sets the visible items.
  ///
  /// - Returns: The cells of items that are not visible any more.
  func setVisibleRuns(_ runs: [Range<Int>]) -> [(index: Int, cell: CollectionViewCell)] {
    let leaving = displayed.setRuns(runs)
    maximumVisibleCount = max(maximumVisibleCount, displayed.itemCount)
    return leaving
  }

  /// Displays a cell for a visible item that has none.
  func display(_ cell: CollectionViewCell, at index: Int) { displayed.insert(cell, at: index) }

  /// Displays another cell for an item, and returns the last one.
  func replaceDisplayedCell(at index: Int, with cell: CollectionViewCell) -> CollectionViewCell? {
    displayed.replaceCell(at: index, with: cell)
  }

  /// Removes and returns all displayed cells.
  func removeDisplayedCells() -> [(index: Int, cell: CollectionViewCell)] { displayed.removeAll() }

  /// Counts an event of a cell.
  func record(_ event: CellEvent, of cell: CollectionViewCell) { lifecycle.handle(event, of: cell.number) }

  /// Updates the displayed items after an update, and returns the cells of deleted ones by their old indices.
  func applyToDisplayedCells(_ map: IndexMap) -> [(index: Int, cell: CollectionViewCell)] { displayed.apply(map) }

  /// Updates the items of displayed and waiting cells after an update, and recycles the waiting cells of deleted items.
  func apply(_ map: IndexMap) {
    for (index, cell) in displayed.entries { cell.itemIndex = index }
    for entry in waiting.apply(map) { recycle(entry.cell) }
    for entry in waiting.entries { entry.cell.itemIndex = entry.index }
  }

  // MARK: - Pools

  /// Removes and returns a cell from the pool of a registration, reset, or returns nil if it is empty.
  func dequeuePooledCell(_ registration: Int) -> CollectionViewCell? {
    guard let cell = pool.dequeueCell(of: registration, leaving: quarantine) else { return nil }
    cell.isPooled = false
    let isSpare = lifecycle.isSpare(cell.number)
    lifecycle.handle(.reuse, of: cell.number)
    if !isSpare { cell.prepareForReuse() }
    return cell
  }

  /// Adds a new cell.
  func add<Cell: CollectionViewCell>(_ cell: Cell, _ registration: Int) -> Cell {
    cell.number = lifecycle.create()
    cell.registration = registration
    return cell
  }

  /// Adds a new cell to the pool of a registration, ahead of need.
  func addSpareCell(_ cell: CollectionViewCell, _ registration: Int) {
    cell.registration = registration
    cell.number = lifecycle.createSpare()
    pool.enqueue(cell, of: registration, keepingAtMost: .max)
    cell.isPooled = true
  }

  /// Returns whether the pool of a registration is empty.
  func isPoolEmpty(of registration: Int) -> Bool { pool.isEmpty(of: registration) }

  /// The registration of which the fewest spare cells exist relative to its use, and the number of spare cells of all
  /// registrations in use; nil if no cell is in use.
  var scarcestRegistration: (registration: Int, pooled: Int, shares: [Int: Int])? {
    var shares: [Int: Int] = [:]
    for cell in displayed.cells { shares[cell.registration, default: 0] += 1 }
    for cell in waiting.cells { shares[cell.registration, default: 0] += 1 }
    guard let scarcest = pool.scarcestRegistration(shares) else { return nil }
    return (scarcest, shares.keys.reduce(0) { $0 + pool.count(of: $1) }, shares)
  }

  /// Discards a pooled cell of a registration that is not in use.
  ///
  /// - Returns: Whether there was one.
  func discardPooledCell(notIn shares: [Int: Int]) -> Bool {
    guard let cell = pool.dequeueCell(notIn: shares) else { return false }
    lifecycle.handle(.discard, of: cell.number)
    return true
  }

  /// Unbinds a cell from its item and puts it into its pool.
  func recycle(_ cell: CollectionViewCell) {
    cell.itemIndex = nil
    cell.isPrepared = false
    cell.removeFromSuperview()
    cell.willEnterReusePool()
    let isPooled = pool.enqueue(
      cell, of: cell.registration, keepingAtMost: maximumVisibleCount + waitingLimits.cells + quarantine)
    cell.isPooled = true
    lifecycle.handle(isPooled ? .pool : .discard, of: cell.number)
  }

  // MARK: - Waiting cells

  /// Lets a cell wait for its item.
  func wait(_ cell: CollectionViewCell, at index: Int, progress: PreparationProgress, wasDisplayed: Bool = false) {
    waiting.insert(cell, at: index, progress: progress, wasDisplayed: wasDisplayed)
  }

  /// Removes and returns the cell that waits for an item, and its progress, or nil if none does.
  func removeWaitingCell(at index: Int) -> (cell: CollectionViewCell, progress: PreparationProgress)? {
    waiting.removeCell(at: index).map { ($0.cell, $0.progress) }
  }

  /// Returns the progress of the cell that waits for an item, or nil if none does.
  func progress(at index: Int) -> PreparationProgress? { waiting.progress(at: index) }

  /// Sets the progress of the cell that waits for an item.
  ///
  /// - Returns: Whether a cell waits for the item.
  @discardableResult
  func setProgress(_ progress: PreparationProgress, at index: Int) -> Bool {
    waiting.setProgress(progress, at: index)
  }

  /// Whether all waiting cells are prepared.
  var areWaitingCellsReady: Bool { waiting.readyCount == waiting.count }

  /// Returns whether every item of the runs is displayed or has a waiting cell.
  func covers(_ runs: [Range<Int>]) -> Bool { waiting.covers(runs, excluding: displayed.runs) }

  /// The waiting cells with the indices of their items, in order.
  var waitingEntries: [(index: Int, cell: CollectionViewCell)] { waiting.entries.map { ($0.index, $0.cell) } }

  /// The waiting cells, as a value whose visit needs no check for exclusive access.
  var waitingValue: WaitingCells<CollectionViewCell> { waiting }

  /// Forgets how large cells were, because a layout change changes their sizes.
  func resetLargestBytes() { waiting.resetLargestBytes() }

  /// Evicts the waiting cells whose items do not satisfy a predicate.
  func evictWaitingCells(unless predicate: (Int) -> Bool) {
    guard !waiting.isEmpty else { return }
    // Moved out of the storage, because the predicate may read it.
    var cells = WaitingCells<CollectionViewCell>()
    swap(&cells, &waiting)
    let evicted = cells.removeCells(unless: predicate)
    swap(&cells, &waiting)
    for entry in evicted { recycle(entry.cell) }
  }

  /// Evicts every waiting cell.
  func removeWaitingCells() { for entry in waiting.removeAll() { recycle(entry.cell) } }

  // MARK: - Capacity

  /// The maximum number of waiting cells, and the maximum number of bytes that they retain.
  private var waitingLimits: (cells: Int, bytes: Int) {
    (keepExtent.maximumCells(visible: maximumVisibleCount), keepExtent.maximumBytes)
  }

  /// Whether one more cell may wait.
  var hasFreeCapacity: Bool {
    let limits = waitingLimits
    return waiting.hasCapacity(cells: limits.cells, bytes: limits.bytes)
  }

  /// Returns whether an item's cell could wait: it waits already, there is capacity, or a less needed cell waits.
  ///
  /// - Complexity: O(log cells), or O(cells) if the maximum number of cells waits.
  func hasCapacity(for index: Int) -> Bool {
    hasFreeCapacity || waiting[index] != nil || host.remoteness(index) < maximumRemoteness
  }

  /// The remoteness below which an item's cell may wait: infinity while there is capacity, otherwise that of the
  /// remotest waiting cell.
  ///
  /// - Complexity: O(1), or O(cells) if the maximum number of cells waits.
  var maximumRemoteness: Double {
    guard !hasFreeCapacity else { return .infinity }
    let remoteness = host.remoteness
    return waiting.leastNeeded { remoteness($0) }?.remoteness ?? 0
  }

  /// Evicts cells that are less needed than an item's, if there is no capacity.
  ///
  /// - Returns: Whether the item's cell may wait now.
  func makeCapacity(for index: Int) -> Bool {
    while !hasFreeCapacity {
      guard recycleLeastNeeded(than: index, where: { _ in true }) else { return false }
    }
    return true
  }

  /// Whether the number of cells reached the maximum of displayed and waiting cells.
  var hasReachedLimit: Bool {
    let counts = statistics
    return counts.visible + counts.waiting + counts.pooled >= maximumVisibleCount + waitingLimits.cells
  }

  /// Recycles the least needed waiting cell that satisfies a predicate.
  ///
  /// - Returns: Whether there was one that is less needed than the item's.
  @discardableResult
  func recycleLeastNeeded(than index: Int?, where predicate: (CollectionViewCell) -> Bool) -> Bool {
    let remoteness = host.remoteness
    guard let least = waiting.leastNeeded(where: predicate, remoteness: { remoteness($0) }),
      least.remoteness > index.map({ remoteness($0) }) ?? 0,
      let entry = waiting.removeCell(at: least.index)
    else { return false }
    recycle(entry.cell)
    return true
  }

  /// Records how many bytes a waiting cell retains, and releases the farthest cells if the limit is exceeded.
  func recordBytes(of cell: CollectionViewCell, at index: Int) {
    waiting.setBytes(cell.totalRetainedBytes, at: index)
    evictSurplusCells()
  }

  /// Releases the farthest waiting cells if they retain more bytes than allowed.
  func evictSurplusCells() {
    let limit = waitingLimits.bytes
    guard waiting.exceedsLimit(bytes: limit) else { return }
    let remoteness = host.remoteness
    while waiting.exceedsLimit(bytes: limit) {
      guard let least = waiting.leastNeeded(remoteness: { remoteness($0) }),
        let entry = waiting.removeCell(at: least.index)
      else { return }
      recycle(entry.cell)
    }
  }

  /// Empties the pools when memory is short.
  func releasePooledCells() {
    for cell in pool.removeAll() { lifecycle.handle(.discard, of: cell.number) }
  }

  // MARK: - Drawing and hit testing

  /// Appends the cached drawings of the displayed cells, at their current positions.
  ///
  /// - Parameters:
  ///   - contentOrigin: The point of the content at the view's origin.
  ///   - context: The context to draw in.
  ///   - redraw: A closure that records the drawing of a cell, which is out of date.
  func render(atContentOrigin contentOrigin: Point, in context: DrawContext, redraw: (CollectionViewCell) -> Void) {
    // Content scrolls by whole pixels and cells are aligned to pixels, so integer sums give their positions.
    let origin = context.origin - contentOrigin
    let (x, y) = (context.scale.contentPixel(origin.x), context.scale.contentPixel(origin.y))
    if !displayList.isComplete(for: context.resources.generation) {
      redrawCells(in: context.resources, redraw)
      displayList.rebuild(atX: x, y: y)
    }
    displayList.append(atX: x, y: y, to: context.list)
  }

  /// Redraws the cells whose drawings are out of date.
  ///
  /// Their code may change what is displayed.
  private func redrawCells(in resources: RenderResources, _ redraw: (CollectionViewCell) -> Void) {
    if displayList.isEmpty { collectDrawings() }
    var next = displayList.firstStaleIndex(from: 0, generation: resources.generation)
    while let position = next {
      redraw(displayed.cells[position])
      next = displayList.firstStaleIndex(from: position + 1, generation: resources.generation)
    }
    if displayList.isEmpty { collectDrawings() }
  }

  private func collectDrawings() { for cell in displayed.cells { displayList.addDrawing(cell.drawing) } }

  /// Returns the view of a displayed cell at a point of the content, or nil if there is none.
  func hitTest(_ location: Point) -> View? {
    for cell in displayed.cells {
      if let hit = cell.hitTest(location, displayedAt: cell.frame.origin) { return hit }
    }
    return nil
  }
}
