package import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
package import VitrineFramePacing
package import VitrineGeometry
import VitrineRendering
package import VitrineViews

/// The owner of cells: displayed, prepared and waiting off screen, and pooled.
///
/// The layout says which items are visible; the controller gives each a cell: the one that waits for the item, one from
/// the pool of its registration, or a new one. A cell that leaves the screen waits for its item as long as the item is
/// near (``CellHost/canWait(_:)``), and goes to the pool otherwise. The steps of preparing a cell run ahead in slack
/// time, one at a time (``prepareStep(at:from:)``), or together when the cell is needed.
///
/// Invariants:
/// - ``CellStore`` knows where each cell is, and counts each transition.
/// - Every `willDisplay` is followed by one `didEndDisplaying`.
/// - A cell is bound to an item (``CollectionViewCell/itemIndex``) except in the pool, and updates change the index.
/// - A provider returns exactly the cell that it dequeued. A reconfigured item keeps its cell.
package final class CellController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any CellHost)! {
    didSet { store.host = host }
  }
  let meter: StepMeter

  private let store = CellStore()
  private var entered = 0

  /// The cell that was dequeued last, until its provider returns it.
  private var dequeuedCell: CollectionViewCell?
  /// The cell that is being configured again, while its provider runs.
  private var reconfiguredCell: CollectionViewCell?
  /// The displayed cells to configure again.
  private var reconfiguring = ReconfigureState()
  /// The items whose cells client code is preparing, the innermost call last.
  private var itemsInProgress: [(index: Int, needsReconfigure: Bool)] = []

  /// The generation of textures with which all prepared waiting cells were drawn, or nil if one may have to be drawn
  /// again.
  private var drawnGeneration: Int?

  /// The time to spend whenever a cell is configured for an item, for demonstrations and tests.
  package var addedCost = FrameDuration.zero

  /// The maximum number of pooled cells up to which spare cells are created.
  private static let maximumSpareCells = 256

  /// Creates a controller without cells.
  ///
  /// - Parameter meter: The owner of registrations and costs.
  package init(meter: StepMeter) { self.meter = meter }

  // MARK: - State

  /// The counts of cells over the controller's lifetime.
  package var statistics: CellStatistics { store.statistics }

  /// The displayed cells, in the order of their items.
  package var displayedCells: [CollectionViewCell] { store.displayedCells }

  /// The indices of the items that have displayed cells, ascending.
  package var displayedIndices: [Int] { store.displayedIndices }

  /// The displayed cells with the indices of their items, in order.
  package var displayedEntries: [(index: Int, cell: CollectionViewCell)] { store.displayedEntries }

  /// The runs of items that are visible, of which some may lack a cell until ``fillVisibleCells()``.
  package var visibleRuns: [Range<Int>] { store.visibleRuns }

  /// The shortest range that contains every visible item.
  package var visibleRange: Range<Int> { store.visibleRange }

  /// Returns the shortest range that contains every visible item but one.
  package func visibleRange(excluding item: Int) -> Range<Int> { store.visibleRange(excluding: item) }

  /// The number of visible items.
  package var visibleCount: Int { store.visibleCount }

  /// Returns the displayed cell of an item, or nil if the item is not visible.
  package func displayedCell(at index: Int) -> CollectionViewCell? { store.displayedCell(at: index) }

  /// The waiting cells, in the order of their items.
  package var waitingCells: [CollectionViewCell] { store.waitingCells }

  /// Returns the cell that waits for an item, or nil if none does.
  package func waitingCell(at index: Int) -> CollectionViewCell? { store.waitingCell(at: index) }

  /// The number of bytes that waiting cells retain, as of when they were prepared.
  package var waitingBytes: Int { store.waitingBytes }

  /// The number of cells in the pools.
  package var pooledCount: Int { store.pooledCount }

  /// The extent around the viewport in which cells may wait, which limits their number and bytes.
  package var keepExtent: KeepExtent {
    get { store.keepExtent }
    set { store.keepExtent = newValue }
  }

  /// The number of pooled cells of a registration that the pool holds back before it reuses the oldest.
  package var quarantine: Int {
    get { store.quarantine }
    set { store.quarantine = newValue }
  }

  /// Whether the counts agree with the states of all cells.
  package var isBalanced: Bool { store.isBalanced }

  /// Records that a number was refused, because it is not one, negative or infinite.
  package func recordRefusedNumber() { store.recordRefusedNumber() }

  /// Records that a preferred size was refused.
  package func recordRefusedSize() { store.recordRefusedSize() }

  /// Records that the layout ignores further sizes of an item, because they never come to rest.
  package func recordFrozenSize() { store.recordFrozenSize() }

  // MARK: - Visible items

  /// Begins the commit of a frame.
  package func beginCommit() { entered = 0 }

  /// The number of cells whose display began in this commit.
  package var enteredCount: Int { entered }

  /// Displays the items of the given runs, and ends the display of the cells of others.
  ///
  /// - Returns: Whether other items are visible than before.
  package func setVisibleRuns(_ runs: [Range<Int>]) -> Bool {
    guard runs != store.visibleRuns else { return false }
    let leaving = store.setVisibleRuns(runs)
    guard !leaving.isEmpty else { return true }
    // Read once, because each reading retains it.
    let host: any CellHost = host
    host.deferringUpdates {
      for (index, cell) in leaving where !host.retainLeavingCell(cell, at: index) {
        endDisplaying(cell, at: host.indexPath(at: index), waitingFor: index, host)
      }
    }
    return true
  }

  /// Provides the visible items that lack a cell with cells, in the items' order.
  ///
  /// - Parameter source: The data source of the displayed items.
  package func fillVisibleCells(from source: any CellSource) {
    let host: any CellHost = host
    while let index = store.firstItemWithoutCell {
      // The cell is being animated out and still displayed.
      if let cell = host.reclaimLeavingCell(at: index) {
        store.display(cell, at: index)
        continue
      }
      let cell = dequeueWaitingCell(at: index, from: source, host) ?? prepareImmediately(at: index, from: source)
      // Before the delegate is notified, so that its selections and reconfigurations apply to this cell too.
      store.display(cell, at: index)
      updateState(of: cell, host)
      beginDisplaying(cell, at: host.indexPath(at: index), host)
    }
  }

  /// Prepares a cell that is needed in this frame.
  private func prepareImmediately(at index: Int, from source: any CellSource) -> CollectionViewCell {
    let start = meter.clock?.now()
    let cell = trackingForcedPreparation(index) {
      let cell = configureCell(at: index, from: source)
      finishPreparation(cell, at: index, PreparationProgress(next: .part), source)
      return cell
    }
    cell.isPrepared = true
    store.record(.prepare(isForced: true), of: cell)
    if let start, let clock = meter.clock { host.recordForced(type(of: cell), took: clock.now() - start) }
    return cell
  }

  private func beginDisplaying(_ cell: CollectionViewCell, at path: IndexPath, _ host: any CellHost) {
    store.record(.willDisplay, of: cell)
    entered += 1
    host.willDisplay(cell, at: path)
  }

  /// Ends the display of a cell, which then waits for its item or goes to the pool.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - path: The last index path of its item.
  ///   - index: The item that the cell may wait for, or nil if the cell is to be unbound.
  package func endDisplaying(_ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?) {
    endDisplaying(cell, at: path, waitingFor: index, host)
  }

  private func endDisplaying(
    _ cell: CollectionViewCell, at path: IndexPath, waitingFor index: Int?, _ host: any CellHost
  ) {
    store.record(.didEndDisplaying, of: cell)
    if index == nil { cell.itemIndex = nil }
    host.didEndDisplaying(cell, at: path)
    if let index, retainWaitingCell(cell, at: index, host) {
      // Its pending reconfiguration is left to slack time.
      if reconfiguring.queue.remove(index) { _ = reconfigureWaitingCell(at: index) }
      return
    }
    store.recycle(cell)
  }

  /// Assigns an item to a cell and moves the cell to the item's frame.
  package func position(_ cell: CollectionViewCell, at index: Int) { position(cell, at: index, in: host.solution) }

  private func position(_ cell: CollectionViewCell, at index: Int, in layout: any SolvedLayout) {
    let frame = layout.frame(ofItem: index)
    cell.itemIndex = index
    cell.drawing.corner = frame.origin
    cell.frame = frame
  }

  /// Moves the displayed cells to their items' frames.
  package func positionDisplayedCells() {
    for cell in store.displayedCells {
      if let index = cell.itemIndex { position(cell, at: index) }
    }
  }

  /// Moves all cells to their items' frames and lays them out, after a layout change.
  ///
  /// Waiting cells whose size changed are laid out and drawn again in slack time.
  package func layOutCells() {
    for cell in store.displayedCells {
      guard let index = cell.itemIndex else { continue }
      position(cell, at: index)
      cell.layoutIfNeeded()
    }
    for (index, cell) in store.waitingEntries where index < host.itemCount {
      let size = cell.frame.size
      position(cell, at: index)
      if cell.frame.size != size { remeasureWaitingCell(at: index) }
    }
  }

  // MARK: - Configuration states

  /// Updates the configuration states of displayed and waiting cells.
  package func updateStates() {
    let host: any CellHost = host
    for cell in store.displayedCells { updateState(of: cell, host) }
    for cell in store.waitingCells { updateState(of: cell, host) }
  }

  /// Updates the configuration state of a cell, which may have changed while the cell was prepared.
  private func updateState(of cell: CollectionViewCell, _ host: any CellHost) {
    if let index = cell.itemIndex { cell.applyState(host.configurationState(of: index)) }
  }

  // MARK: - Dequeueing

  /// Returns a cell for a provider that dequeues one, configured by its handler: the one that is configured again, one
  /// from the pool, or a new one.
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - path: The index path of the item, which is passed to the handler.
  ///   - index: The flat index of the item, or nil if there is no such item.
  ///   - item: The identifier of the item.
  /// - Precondition: The provider that dequeued the last cell has returned it.
  package func dequeueCell<Cell: CollectionViewCell, ItemID: Hashable & Sendable>(
    using registration: CellRegistration<Cell, ItemID>, for path: IndexPath, at index: Int?, item: ItemID
  ) -> Cell {
    let number = meter.number(of: registration)
    let cell: Cell
    if let existing = reconfiguredCell {
      guard let current = existing as? Cell, current.registration == number else {
        failPrecondition(
          """
          While item \(item) was reconfigured its provider requested a cell of another registration. Reconfiguring keeps \
          the cell: use reloadItems to change its kind.
          """)
      }
      cell = current
    } else {
      checkPrecondition(
        dequeuedCell == nil,
        """
        A cell was dequeued that no provider returned. Dequeue cells within a cell provider alone, one for each call: any \
        other would be lost.
        """)
      // If the maximum number of cells exists, the least needed waiting cell is reused.
      if store.isPoolEmpty(of: number), store.hasReachedLimit {
        store.recycleLeastNeeded(than: index) { $0.registration == number }
      }
      cell =
        store.dequeuePooledCell(number) as? Cell ?? store.add(meter.measuring(.create, of: number) { Cell() }, number)
      dequeuedCell = cell
      cell.hasRequestedReconfigure = false
    }
    cell.boundItem = item
    meter.callingClient(.handler, of: number, Cell.self) { registration.handler(cell, path, item) }
    cell.configure(using: index.map { host.configurationState(of: $0) } ?? CellConfigurationState())
    return cell
  }

  // MARK: - Configuring

  /// Dequeues and configures a cell for an item, and positions it.
  private func configureCell(at index: Int, from source: any CellSource) -> CollectionViewCell {
    let start = meter.clock?.workTimestamp()
    meter.resetCreationTime()
    let cell = host.provideCell(at: index, from: source)
    requireDequeuedCell(cell, as: dequeuedCell, at: host.indexPath(at: index))
    dequeuedCell = nil
    position(cell, at: index)
    host.adoptChild(cell)
    if addedCost > .zero { meter.clock?.spend(addedCost) }
    if let start { meter.record(.configure, of: cell.registration, since: start, less: meter.creationTime) }
    meter.recordCell(of: cell.registration, partCount: cell.preparationSteps)
    return cell
  }

  /// Calls the provider to configure the item's current cell.
  ///
  /// Call it within `deferringUpdates`.
  private func configureAgain(_ cell: CollectionViewCell, at index: Int, from source: any CellSource) {
    // A handler may reconfigure other items.
    let outer = reconfiguredCell
    reconfiguredCell = cell
    let returned = host.provideCell(at: index, from: source)
    reconfiguredCell = outer
    requireSameCell(returned, as: cell, at: host.indexPath(at: index))
  }

  /// Calls client code that prepares an item's cell, recording whether it requests reconfiguring the same item.
  ///
  /// - Returns: The result, and whether the item is to be configured again.
  private func trackingPreparation<Result>(
    _ index: Int, _ body: () -> Result
  ) -> (result: Result, needsReconfigure: Bool) {
    itemsInProgress.append((index, false))
    let result = body()
    return (result, itemsInProgress.popLast()?.needsReconfigure ?? false)
  }

  /// Calls client code that prepares a cell needed in this frame.
  ///
  /// If it requests reconfiguring the same item, that happens in the coming frames.
  private func trackingForcedPreparation<Result>(_ index: Int, _ body: () -> Result) -> Result {
    let (result, needsReconfigure) = trackingPreparation(index, body)
    if needsReconfigure { enqueueReconfigure(index) }
    return result
  }

  // MARK: - Reconfiguring

  /// Whether displayed cells are to be configured again.
  package var needsReconfigure: Bool { !reconfiguring.queue.isEmpty }

  /// Begins a frame's commit, of which a share may be used to configure cells again.
  package func beginReconfiguring(until deadline: FrameInstant) { reconfiguring.beginFrame(deadline) }

  /// Configures an item's current cell again, if it has one.
  ///
  /// While frames run, this happens in the coming ones, within a share of each frame's time, so that many requests do
  /// not delay a frame. Waiting cells are configured again in slack time, or when they are displayed. If the code that
  /// prepares the item's cell requests it, it happens after that code returns.
  package func reconfigureItem(_ index: Int) {
    if let position = itemsInProgress.lastIndex(where: { $0.index == index }) {
      itemsInProgress[position].needsReconfigure = true
      return
    }
    host.unfreezeSize(ofItem: index)
    guard shownCell(at: index) != nil else {
      if reconfigureWaitingCell(at: index) { host.setNeedsDisplay() }
      return
    }
    guard host.runsFrames else { return reconfigureNow(index) }
    enqueueReconfigure(index)
  }

  /// Configures displayed cells again: the longest waiting first, then the nearest to the center.
  ///
  /// At least one per frame. No cell is configured twice in one call, because a handler may request its own item.
  package func reconfigureVisibleCells() {
    guard needsReconfigure else { return }
    let host: any CellHost = host
    var done: Set<Int> = []
    while !reconfiguring.queue.isEmpty {
      let middle = Point(x: host.visibleRect.midX, y: host.visibleRect.midY)
      let next = reconfiguring.queue.popNext { index in
        let frame = host.solution.frame(ofItem: index)
        return (frame.midX - middle.x) * (frame.midX - middle.x) + (frame.midY - middle.y) * (frame.midY - middle.y)
      }
      guard let index = next, let cell = shownCell(at: index) else { continue }
      guard done.insert(index).inserted else { return reconfiguring.queue.reinsert(index) }
      guard let clock = meter.clock else {
        reconfigureNow(index)
        continue
      }
      let start = clock.workTimestamp()
      guard reconfiguring.allows(cell.registration, at: start.instant) else {
        reconfiguring.queue.reinsert(index)
        return host.setNeedsDisplay()
      }
      reconfigureNow(index)
      reconfiguring.recordCost(start.cost(until: clock.workTimestamp()), of: cell.registration)
    }
  }

  /// Returns the cell of an item that is displayed or leaving in an animated update.
  private func shownCell(at index: Int) -> CollectionViewCell? {
    store.displayedCell(at: index) ?? host.leavingCell(at: index)
  }

  private func reconfigureNow(_ index: Int) {
    let host: any CellHost = host
    guard let source = host.cellSource, let cell = shownCell(at: index) else { return }
    host.deferringUpdates {
      let (_, needsReconfigure) = trackingPreparation(index) {
        configureAgain(cell, at: index, from: source)
        for part in 0..<max(0, cell.preparationSteps) { cell.prepare(step: part) }
        // Now, because a layout while drawing would request another frame.
        cell.layoutIfNeeded()
      }
      if needsReconfigure { enqueueReconfigure(index) }
      if host.solution.usesPreferredSize(ofItem: index) { cell.invalidateIntrinsicContentSize() }
      // Now, because a pending update may unbind the cell from its item.
      store.record(.reconfigure, of: cell)
    }
  }

  /// Schedules the cell for the coming frames.
  ///
  /// Code that requests its own item immediately would never end.
  private func enqueueReconfigure(_ index: Int) {
    reconfiguring.queue.add(index)
    host.setNeedsDisplay()
  }

  /// Schedules configuring an item's waiting cell again, in slack time or when it is displayed.
  ///
  /// - Returns: Whether the item has a waiting cell.
  private func reconfigureWaitingCell(at index: Int) -> Bool {
    guard store.setProgress(PreparationProgress(next: .configure), at: index) else { return false }
    store.waitingCell(at: index)?.hasRequestedReconfigure = false
    host.setNeedsPreparation()
    return true
  }

  // MARK: - Updates

  /// Updates the indices of displayed items after an update, before the layout is updated.
  ///
  /// - Returns: The cells of deleted items, by their old indices.
  package func applyToDisplayedCells(_ map: IndexMap) -> [(index: Int, cell: CollectionViewCell)] {
    store.applyToDisplayedCells(map)
  }

  /// Updates the items of all other cells after an update, and recycles the waiting cells of deleted items.
  package func apply(_ map: IndexMap) {
    reconfiguring.queue.apply(map)
    store.apply(map)
  }

  /// Replaces the item's cell by another one, if it has a cell.
  package func reloadItem(_ index: Int) {
    guard let source = host.cellSource else { return }
    if let (cell, _) = store.removeWaitingCell(at: index) {
      store.recycle(cell)
      host.setNeedsPreparation()
    }
    _ = reconfiguring.queue.remove(index)
    host.detachLeavingCell(at: index)
    guard store.displayedCell(at: index) != nil else { return }
    host.deferringUpdates {
      let path = host.indexPath(at: index)
      let next = prepareImmediately(at: index, from: source)
      if let last = store.replaceDisplayedCell(at: index, with: next), !host.retainReplacedCell(last, at: index) {
        endDisplaying(last, at: path, waitingFor: nil)
      }
      updateState(of: next, host)
      beginDisplaying(next, at: path, host)
    }
  }

  /// Replaces the cells of the items that satisfy a predicate, if they have any.
  package func reloadItems(where isReloaded: (Int) -> Bool) {
    store.evictWaitingCells { !isReloaded($0) }
    for (index, _) in store.displayedEntries where isReloaded(index) { reloadItem(index) }
  }

  /// Ends the display of every cell, because all items are replaced.
  package func removeDisplayedCells() {
    for (index, cell) in store.removeDisplayedCells() {
      endDisplaying(cell, at: host.indexPath(at: index), waitingFor: nil)
    }
    reconfiguring.queue.removeAll()
  }

  /// Evicts every waiting cell.
  package func removeWaitingCells() { store.removeWaitingCells() }

  // MARK: - Waiting cells

  /// Removes and returns the waiting cell of an item, prepared and positioned, or nil if there is none.
  private func dequeueWaitingCell(
    at index: Int, from source: any CellSource, _ host: any CellHost
  ) -> CollectionViewCell? {
    guard let (cell, progress) = store.removeWaitingCell(at: index) else { return nil }
    let isForced = progress.next.map { $0 <= .part } ?? false
    let start = isForced ? meter.clock?.now() : nil
    if !progress.isReady {
      trackingForcedPreparation(index) { finishPreparation(cell, at: index, progress, source) }
    }
    if let start, let clock = meter.clock { host.recordForced(type(of: cell), took: clock.now() - start) }
    recordPrepared(cell, isForced: isForced)
    position(cell, at: index, in: host.solution)
    cell.layoutIfNeeded()
    return cell
  }

  /// Retains a cell that left the screen as a waiting cell, if it may wait.
  ///
  /// - Returns: Whether it is waiting.
  private func retainWaitingCell(_ cell: CollectionViewCell, at index: Int, _ host: any CellHost) -> Bool {
    guard host.preparesAhead, index < host.itemCount, store.waitingCell(at: index) == nil else { return false }
    guard host.canWait(index), store.makeCapacity(for: index) else { return false }
    store.wait(cell, at: index, progress: .ready, wasDisplayed: true)
    if let generation = drawnGeneration, !cell.drawing.isValid(for: generation) { drawnGeneration = nil }
    store.recordBytes(of: cell, at: index)
    return true
  }

  /// Schedules laying out and measuring an item's waiting cell again.
  ///
  /// - Returns: Whether the item has a waiting cell.
  @discardableResult
  package func remeasureWaitingCell(at index: Int) -> Bool {
    guard let progress = store.progress(at: index) else { return false }
    if progress.next.map({ $0 > .size }) ?? true {
      store.setProgress(PreparationProgress(next: .size), at: index)
    }
    host.setNeedsPreparation()
    return true
  }

  /// Schedules measuring again the waiting cells whose items satisfy a predicate.
  package func remeasureWaitingCells(where predicate: (Int) -> Bool) {
    for (index, _) in store.waitingEntries where predicate(index) { remeasureWaitingCell(at: index) }
  }

  /// Forgets how large cells were, because a layout change changes their sizes.
  package func resetLargestBytes() { store.resetLargestBytes() }

  /// Evicts the waiting cells whose items do not satisfy a predicate.
  package func evictWaitingCells(unless predicate: (Int) -> Bool) { store.evictWaitingCells(unless: predicate) }

  /// Releases the farthest waiting cells if they retain more bytes than allowed.
  package func evictSurplusCells() { store.evictSurplusCells() }

  /// Empties the pools when memory is short.
  package func releasePooledCells() { store.releasePooledCells() }

  /// Returns whether an item's cell could wait: it waits already, there is capacity, or a less needed cell waits.
  ///
  /// - Complexity: O(log cells), or O(cells) if the maximum number of cells waits.
  package func hasCapacity(for index: Int) -> Bool { store.hasCapacity(for: index) }

  /// The remoteness below which an item's cell may wait: infinity while there is capacity, otherwise that of the
  /// remotest waiting cell.
  ///
  /// - Complexity: O(1), or O(cells) if the maximum number of cells waits.
  package var maximumRemoteness: Double { store.maximumRemoteness }

  // MARK: - Preparing ahead

  /// Records that the drawing of a view became invalid, which may be a waiting one.
  package func drawingDidBecomeInvalid() { drawnGeneration = nil }

  /// Whether every visible item has a cell, and every waiting cell is prepared and drawn.
  package var areAllCellsReady: Bool {
    guard let generation = drawnGeneration, generation == host.renderResources?.generation else { return false }
    return store.areWaitingCellsReady && store.firstItemWithoutCell == nil
  }

  /// Returns whether every item of the runs is displayed or has a waiting cell.
  package func covers(_ runs: [Range<Int>]) -> Bool { store.covers(runs) }

  /// Lists the items whose waiting cells need no further step, as ``nextStep(at:)`` determines for one item.
  ///
  /// The cells are visited once, because the lists of candidates query most items several times.
  package func listReadyItems(into ready: inout ReadyItemSet) {
    ready.removeAll()
    let generation = host.renderResources?.generation
    // Copied for the loop, because each access to a property is checked for exclusivity.
    let waiting = store.waitingValue
    if let generation, drawnGeneration == generation {
      // No cell is accessed, because cells are scattered in memory.
      for (position, index) in waiting.indices.enumerated() where waiting.isReady(at: position) { ready.append(index) }
      return
    }
    drawnGeneration = generation
    for (position, index) in waiting.indices.enumerated() {
      guard let cell = waiting.readyCell(at: position) else { continue }
      if let generation, !cell.drawing.isValid(for: generation), cell.isWorthDrawingAhead {
        drawnGeneration = nil
        continue
      }
      ready.append(index)
    }
  }

  /// Returns the next step of preparing an item's cell, or nil if its waiting cell is prepared.
  ///
  /// - Complexity: O(log cells), without allocation.
  package func nextStep(at index: Int) -> PreparationStep? {
    guard let progress = store.progress(at: index) else {
      let expected = meter.lastRegistration
      let createsCell = store.isPoolEmpty(of: expected) && meter.canCreateCell(of: expected) && !store.hasReachedLimit
      return createsCell && store.hasFreeCapacity ? .create : .configure
    }
    if let next = progress.next { return next }
    guard let generation = host.renderResources?.generation, let cell = store.waitingCell(at: index) else { return nil }
    return cell.drawing.isValid(for: generation) || !cell.isWorthDrawingAhead ? nil : .draw
  }

  /// Performs the next step of preparing an item's cell ahead.
  package func prepareStep(at index: Int, from source: any CellSource) {
    guard let step = nextStep(at: index) else { return }
    guard let cell = store.waitingCell(at: index), let progress = store.progress(at: index) else {
      return step == .create ? makeSpareCell(meter.lastRegistration) : beginPreparing(index, source)
    }
    let host: any CellHost = host
    // Updates by client code are deferred, so that all indices remain valid.
    host.deferringUpdates {
      var (next, needsReconfigure) = trackingPreparation(index) {
        performStep(step, of: cell, at: index, progress, source)
      }
      guard store.waitingCell(at: index) === cell else { return }
      if needsReconfigure, !cell.hasRequestedReconfigure {
        cell.hasRequestedReconfigure = true
        next = PreparationProgress(next: .configure)
      }
      store.setProgress(next, at: index)
      if next.isReady { recordPrepared(cell, isForced: false) }
      store.recordBytes(of: cell, at: index)
    }
  }

  /// Dequeues and configures the cell of an item ahead.
  private func beginPreparing(_ index: Int, _ source: any CellSource) {
    host.deferringUpdates {
      guard store.makeCapacity(for: index) else { return }
      let (cell, needsReconfigure) = trackingPreparation(index) { configureCell(at: index, from: source) }
      cell.hasRequestedReconfigure = needsReconfigure
      let next: PreparationStep = needsReconfigure ? .configure : cell.preparationSteps > 0 ? .part : .size
      store.wait(cell, at: index, progress: PreparationProgress(next: next))
      updateState(of: cell, host)
    }
  }

  /// Performs a step of a waiting cell.
  ///
  /// - Returns: The cell's progress after the step.
  private func performStep(
    _ step: PreparationStep, of cell: CollectionViewCell, at index: Int, _ progress: PreparationProgress,
    _ source: any CellSource
  ) -> PreparationProgress {
    var progress = progress
    switch step {
    case .create, .configure:
      reconfigure(cell, at: index, source)
      progress = PreparationProgress(next: cell.preparationSteps > 0 ? .part : .size)
    case .part:
      if progress.part < cell.preparationSteps { performPart(progress.part, of: cell) }
      progress.advance(isWhole: progress.part + 1 >= cell.preparationSteps)
    case .size:
      measure(cell, at: index)
      progress.advance()
    case .draw:
      progress = draw(cell, after: progress)
    case .upload:
      uploadTextures(cell)
      // With its image the cell must be drawn again. Textures that are still missing are left to the frame that
      // displays it.
      progress = PreparationProgress(next: .draw)
      progress.advance(isWhole: false)
    }
    return progress
  }

  /// Performs the remaining steps of a cell that is needed now, except drawing and uploading, which the frame performs.
  private func finishPreparation(
    _ cell: CollectionViewCell, at index: Int, _ progress: PreparationProgress, _ source: any CellSource
  ) {
    guard let next = progress.next else { return }
    var part = progress.next == .part ? progress.part : 0
    if next <= .configure { reconfigure(cell, at: index, source) }
    if next <= .part {
      while part < cell.preparationSteps {
        performPart(part, of: cell)
        part += 1
      }
    }
    if next <= .size { measure(cell, at: index) }
  }

  /// Calls the provider again for an item's waiting cell.
  private func reconfigure(_ cell: CollectionViewCell, at index: Int, _ source: any CellSource) {
    let start = meter.clock?.workTimestamp()
    host.deferringUpdates {
      configureAgain(cell, at: index, from: source)
      // Now, because a pending update may unbind the cell from its item.
      if let start { meter.record(.configure, of: cell.registration, since: start) }
      recordPrepared(cell, isForced: false)
      store.record(.reconfigure, of: cell)
    }
  }

  private func performPart(_ part: Int, of cell: CollectionViewCell) {
    meter.measuring(.part, of: cell.registration) {
      meter.callingClient(.step, of: cell.registration, type(of: cell)) { cell.prepare(step: part) }
    }
  }

  private func measure(_ cell: CollectionViewCell, at index: Int) {
    meter.measuring(.size, of: cell.registration) {
      cell.layoutIfNeeded()
      host.requestPreferredSize(cell, at: index)
    }
  }

  private func draw(_ cell: CollectionViewCell, after progress: PreparationProgress) -> PreparationProgress {
    guard let resources = host.renderResources else { return .ready }
    if !cell.drawing.isValid(for: resources.generation) { redraw(cell, in: resources) }
    let needsUpload = progress.part == 0 && resources.uploads.isAwaited(within: cell)
    return needsUpload ? PreparationProgress(next: .upload) : .ready
  }

  private func uploadTextures(_ cell: CollectionViewCell) {
    guard let uploads = host.renderResources?.uploads, let clock = meter.clock else { return }
    meter.measuring(.upload, of: cell.registration) {
      while uploads.uploadNext(within: cell, clock) {}
    }
  }

  /// Records that a cell is prepared, once: in slack time, or forced if a commit had to perform its steps.
  private func recordPrepared(_ cell: CollectionViewCell, isForced: Bool) {
    guard !cell.isPrepared else { return }
    cell.isPrepared = true
    store.record(.prepare(isForced: isForced), of: cell)
  }

  // MARK: - Spare cells

  /// Creates a cell for its pool ahead of need.
  private func makeSpareCell(_ registration: Int) {
    if let cell = meter.makeCell(of: registration) { store.addSpareCell(cell, registration) }
  }

  /// Creates a cell for its pool at rest, if scrolling will need more cells than exist.
  ///
  /// Cells are created up to the number of visible items and of cells that may wait while scrolling, with at most 256 in
  /// the pools, of the registrations of displayed and waiting cells. If the maximum number of cells exists, cells of
  /// other registrations are discarded first.
  ///
  /// - Parameter maximumWaiting: The number of cells that may wait while scrolling.
  /// - Returns: Whether a cell was created or discarded.
  /// - Complexity: O(cells).
  package func makeSpareCellAtRest(maximumWaiting: Int) -> Bool {
    guard store.hasFreeCapacity, let scarce = store.scarcestRegistration, meter.canCreateCell(of: scarce.registration)
    else { return false }
    let needed = min(host.itemCount, store.visibleCount + maximumWaiting)
    let counts = statistics
    guard scarce.pooled < CellController.maximumSpareCells, counts.visible + counts.waiting + scarce.pooled < needed
    else {
      return false
    }
    guard store.hasReachedLimit else {
      makeSpareCell(scarce.registration)
      return true
    }
    return store.discardPooledCell(notIn: scarce.shares)
  }

  // MARK: - Drawing and hit testing

  /// Appends the cached drawings of the displayed cells, at their current positions.
  package func render(atContentOrigin contentOrigin: Point, in context: DrawContext) {
    store.render(atContentOrigin: contentOrigin, in: context) { redraw($0, in: context.resources) }
  }

  private func redraw(_ cell: CollectionViewCell, in resources: RenderResources) {
    meter.measuring(.draw, of: cell.registration) { cell.redraw(in: resources) }
  }

  /// Returns the view of a displayed cell at a point of the content, or nil if there is none.
  package func hitTest(_ location: Point) -> View? { store.hitTest(location) }
}
