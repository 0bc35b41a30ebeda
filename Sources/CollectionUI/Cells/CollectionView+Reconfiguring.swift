import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Views

extension CollectionView {
  /// Configures the item's current cell again, if it has one.
  ///
  /// While frames run, this happens in the coming ones, within a share of each frame's time, so that many requests do
  /// not delay a frame. Waiting cells are configured again in slack time, or when they are displayed. If the code that
  /// prepares the item's cell requests it, it happens after that code returns.
  final func reconfigureItem(_ path: IndexPath) {
    guard let index = solution.itemCounts.index(section: path.section, item: path.item) else { return }
    guard !preparation.requestReconfigure(index) else { return }
    guard shownCell(at: index) != nil else {
      if reconfigureWaiting(at: index) { setNeedsDisplay() }
      return
    }
    guard runsFrames else { return reconfigureNow(index) }
    enqueueReconfigure(index)
  }

  /// Configures displayed cells again: the longest waiting first, then the nearest to the center.
  ///
  /// At least one per frame. No cell is configured twice in one call, because a handler may request its own item.
  final func reconfigureVisibleCells() {
    var done: Set<Int> = []
    while !reconfiguring.queue.isEmpty {
      let middle = Point(x: visibleRect.midX, y: visibleRect.midY)
      let next = reconfiguring.queue.popNext { index in
        let frame = solution.frame(ofItem: index)
        return (frame.midX - middle.x) * (frame.midX - middle.x) + (frame.midY - middle.y) * (frame.midY - middle.y)
      }
      guard let index = next, let cell = shownCell(at: index) else { continue }
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

  /// Passes a pending reconfiguration on to a cell that left the screen and waits.
  final func reconfigureLater(_ index: Int) {
    if reconfiguring.queue.remove(index) { _ = reconfigureWaiting(at: index) }
  }

  /// Returns the cell of an item that is displayed or being animated out.
  private func shownCell(at index: Int) -> CollectionViewCell? {
    displayed[index] ?? updateAnimator.retainedCell(at: index)
  }

  private func reconfigureNow(_ index: Int) {
    guard let source = displayedSource, let cell = shownCell(at: index) else { return }
    deferringUpdates {
      let (_, needsReconfigure) = trackingPreparation(index) {
        configureAgain(cell, at: index, from: source)
        for part in 0..<max(0, cell.preparationSteps) { cell.prepare(step: part) }
        // Now, because a layout while drawing would request another frame.
        cell.layoutIfNeeded()
      }
      if needsReconfigure { enqueueReconfigure(index) }
      if solution.usesPreferredSize(ofItem: index) { cell.invalidateIntrinsicContentSize() }
      // Now, because a pending update may unbind the cell from its item.
      lifecycle.handle(.reconfigure, of: cell.number)
    }
  }

  /// Schedules the cell for the coming frames.
  ///
  /// Code that requests its own item immediately would never end.
  private func enqueueReconfigure(_ index: Int) {
    reconfiguring.queue.add(index)
    setNeedsDisplay()
  }

  /// Calls client code that prepares an item's cell, recording whether it requests reconfiguring the same item.
  ///
  /// - Returns: The result, and whether the item is to be configured again.
  final func trackingPreparation<Result>(_ index: Int, _ body: () -> Result) -> (result: Result, needsReconfigure: Bool)
  {
    preparation.beginItem(index)
    let result = body()
    return (result, preparation.endItem())
  }

  /// Calls client code that prepares a cell needed in this frame.
  ///
  /// If it requests reconfiguring the same item, that happens in the coming frames.
  final func trackingForcedPreparation<Result>(_ index: Int, _ body: () -> Result) -> Result {
    let (result, needsReconfigure) = trackingPreparation(index, body)
    if needsReconfigure { enqueueReconfigure(index) }
    return result
  }

  /// Calls the provider to configure the item's current cell.
  ///
  /// Call it within ``deferringUpdates(_:)``.
  final func configureAgain(_ cell: CollectionViewCell, at index: Int, from source: any CollectionViewSource) {
    // A handler may reconfigure other items.
    let outer = reconfiguredCell
    reconfiguredCell = cell
    let returned = source.cell(at: index, in: self)
    reconfiguredCell = outer
    requireSameCell(returned, as: cell, at: indexPath(at: index))
  }
}

/// The displayed cells to configure again, and the time that it takes.
struct ReconfigureState {
  /// The items.
  var queue = ReconfigureQueue()
  /// The estimated costs, by registration.
  private var costs: [CostEstimate] = []
  /// The deadline of the frame's commit, and the time until which cells may be configured again once the first was.
  private var deadline = FrameInstant.distantFuture
  private var limit: FrameInstant?

  /// The share of the remaining frame time that may be used.
  static let budgetShare = 0.25
  /// The maximum time used in a frame.
  static let maximumBudget = FrameDuration.milliseconds(2)

  /// Begins a frame's commit.
  mutating func beginFrame(_ deadline: FrameInstant) {
    queue.beginFrame()
    self.deadline = deadline
    limit = nil
  }

  /// Returns whether a cell may be configured again in this frame.
  mutating func allows(_ registration: Int, at now: FrameInstant) -> Bool {
    guard let limit else {
      // The first is always allowed, so that the queue makes progress.
      limit = now + min(max(.zero, deadline - now) * ReconfigureState.budgetShare, ReconfigureState.maximumBudget)
      return true
    }
    return now + expectedCost(of: registration) <= limit
  }

  /// Returns the 90th percentile of the cost, or zero while none is known.
  private func expectedCost(of registration: Int) -> FrameDuration {
    guard costs.indices.contains(registration) else { return .zero }
    return costs[registration].pessimistic ?? .zero
  }

  /// Records a measured cost.
  mutating func recordCost(_ cost: FrameDuration, of registration: Int) {
    guard registration >= 0 else { return }
    while costs.count <= registration { costs.append(CostEstimate()) }
    costs[registration].record(cost)
  }
}
