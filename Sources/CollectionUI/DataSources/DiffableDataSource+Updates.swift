import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Views

/// Performing the effects of the queue of applied snapshots.
extension DiffableDataSource {
  func enqueueSnapshot(
    _ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, _ completion: ((Bool) -> Void)?
  ) {
    latest = snapshot
    latest.removeMarks()
    displayingView?.updateStatistics.applied += 1
    displayingView?.updateStatistics.relocatedItems += snapshot.relocatedItemIdentifiers.count
    var ticket: Int?
    if let completion {
      lastTicket += 1
      ticket = lastTicket
      completions[lastTicket] = completion
    }
    var request = ApplyRequest(snapshot, isReload: isReload, isAnimated: isAnimated, ticket: ticket)
    // Immediately with the gap for the dragged item, or the other items would move there and back.
    if !isReload, let order = draggedOrder() { request.setOrder(order) }
    handleQueueEvent(.apply(request))
    // Also if the view has another data source, because it displays these items until running client code returns.
    if let view { view.performWhenReady { self.processQueue() } } else { processQueue() }
  }

  /// Displays another order of the last applied snapshot, while an item is dragged.
  func showProvisionalOrder(_ snapshot: Snapshot) {
    handleQueueEvent(.apply(ApplyRequest(snapshot, isAnimated: true, isProvisional: true)))
    if let view { view.performWhenReady { self.processQueue() } } else { processQueue() }
  }

  /// The view, as long as it displays this data source's items.
  private var displayingView: CollectionView? {
    guard let view, view.source === self else { return nil }
    return view
  }

  /// Performs the effects of the queue until there are no more.
  ///
  /// - Parameter mayNest: Whether to run inside a running call. Otherwise the running call performs the effects.
  private func processQueue(mayNest: Bool = false) {
    guard mayNest || !isProcessingQueue else { return }
    let wasProcessing = isProcessingQueue
    isProcessingQueue = true
    defer { isProcessingQueue = wasProcessing }
    while true {
      let framesRun = displayingView?.runsFrames ?? false
      // Completion handlers are called before the view continues.
      if !framesRun, case .complete(let ticket, let isFinished)? = handleQueueEvent(.complete(framesRun: false)) {
        callCompletion(ticket, isFinished)
      } else if framesRun, needsSelectionRemapping(in: displayingView) {
        return
      } else if let effect = handleQueueEvent(.next(framesRun: framesRun)) {
        performEffect(effect)
      } else {
        return
      }
    }
  }

  @discardableResult
  private func handleQueueEvent(_ event: ApplyQueue<SectionID, ItemID>.Event) -> ApplyQueue<SectionID, ItemID>.Effect? {
    let before = (queue.replaced, queue.compared)
    let effect = queue.handle(event)
    hasPendingUpdate = queue.isWaiting
    if let view = displayingView {
      view.updateStatistics.replaced += queue.replaced - before.0
      view.updateStatistics.comparedInSlack += queue.compared - before.1
      view.hasUpdates = queue.needsFrames
    }
    return effect
  }

  private func performEffect(_ effect: ApplyQueue<SectionID, ItemID>.Effect) {
    switch effect {
    case .complete(let ticket, let isFinished): callCompletion(ticket, isFinished)
    case .update(let request, let changes):
      guard let view = displayingView else { return current = request.shown }
      // Counting takes time for each section, and an update that only configures cells again changes no counts.
      let isStructural = changes.hasStructuralChanges
      let former = isStructural ? counts(current) : view.displayedItemCounts
      var update = CollectionUpdate(changes, from: former, to: isStructural ? counts(request.shown) : former)
      update.isAnimated = request.isAnimated
      update.keepsOffset = request.isProvisional
      // Before the selection is mapped, and after client code in progress, which may change it.
      view.deferringUpdates {
        update.selection = remappedSelection(in: view, after: changes, request.shown)
        selectionRemapper = nil
        view.performUpdate(update) { self.current = request.shown }
      }
    case .reload(let request):
      guard let view = displayingView else { return current = request.shown }
      view.performUpdate(CollectionUpdate(reloading: map(to: request.shown))) { self.current = request.shown }
    }
  }

  /// The number of items from which snapshots are not compared to map the selection of a reload.
  private static var maximumComparedItems: Int { 20_000 }

  /// Returns the map from the current snapshot to another one, by identifier if they are large.
  private func map(to next: Snapshot) -> IndexMap {
    let former = current
    let (formerCounts, counts) = (counts(former), counts(next))
    guard formerCounts.total + counts.total > Self.maximumComparedItems else {
      return IndexMap(next.changeset(from: former), from: formerCounts, to: counts)
    }
    @Sendable nonisolated func index(_ item: Int, in snapshot: (Snapshot, ItemCounts), of other: (Snapshot, ItemCounts))
      -> Int?
    {
      guard let old = other.1.position(of: item),
        let identifier = other.0.itemIdentifier(section: old.section, item: old.item),
        let position = snapshot.0.position(ofItem: identifier)
      else { return nil }
      return snapshot.1.index(section: position.section, item: position.item)
    }
    return IndexMap(
      from: formerCounts, to: counts, newIndex: { index($0, in: (next, counts), of: (former, formerCounts)) },
      oldIndex: { index($0, in: (former, formerCounts), of: (next, counts)) })
  }

  private func callCompletion(_ ticket: Int, _ isFinished: Bool) {
    completions.removeValue(forKey: ticket)?(isFinished)
  }

  // MARK: - Frames

  var needsFrames: Bool { queue.needsFrames }

  func collectUpdates(_ budget: FrameBudget) {
    guard queue.needsFrames else { return }
    if queue.isComparing || selectionRemapper?.isComplete == false, pacing.isOverdue() { performStep(budget.clock) }
    if !(displayingView?.isAnimatingUpdates ?? false) { handleQueueEvent(.animationsEnded) }
    callFinishedCompletions()
    processQueue()
  }

  /// Calls the completion handlers of displayed updates.
  ///
  /// Snapshots that they apply are processed after all were called.
  private func callFinishedCompletions() {
    isProcessingQueue = true
    defer { isProcessingQueue = false }
    while case .complete(let ticket, let isFinished)? = handleQueueEvent(.complete(framesRun: true)) {
      callCompletion(ticket, isFinished)
    }
  }

  func frameWillBegin() { handleQueueEvent(.frameShown) }

  // The view of another data source is not changed, and pending handlers are called before those of the other one.
  func framesDidEnd() { processQueue(mayNest: displayingView == nil) }

  func slackStep(_ budget: FrameBudget) -> Bool {
    guard queue.isComparing || selectionRemapper?.isComplete == false, budget.allows(pacing.expectedCost) else {
      return false
    }
    performStep(budget.clock)
    return true
  }

  private func performStep(_ clock: any FrameClock) {
    let start = clock.now()
    if queue.isComparing { handleQueueEvent(.advance(steps: StepPacing.itemsPerStep)) } else { remapNextItems() }
    StepPacing.spendModelledCost(on: clock)
    pacing.recordStep(clock.now() - start)
  }

  // MARK: - Selection

  /// The number of selected items that are remapped in one step, and the maximum remapped in the update's own frame.
  private var itemsPerStep: Int { 1_024 }
  private var maximumItemsPerFrame: Int { 2_000 }

  /// Returns whether the next update must wait, because it changes the indices of very many items.
  ///
  /// It waits until a large selection was remapped, and until all items under a rubber band were found, which depends
  /// on their frames.
  func needsSelectionRemapping(in view: CollectionView?) -> Bool {
    guard let view, let next = queue.ready, next.changes.hasManyRuns else {
      selectionRemapper = nil
      return false
    }
    if !view.rubberBandController.isIdle { return true }
    let items = view.selection.items
    guard items.count > maximumItemsPerFrame,
      items.count < view.itemCount || next.changes.allExceptInserted(in: counts(next.request.shown)) == nil
    else {
      selectionRemapper = nil
      return false
    }
    if let selectionRemapper {
      guard selectionRemapper.isComplete else { return true }
      if remappedSelection(in: view, after: next.changes, next.request.shown) != nil { return false }
    }
    selectionRemapper = SelectionRemapper(items, to: next.request.shown.numberOfItems)
    return true
  }

  /// Remaps some more selected items before the update is displayed.
  func remapNextItems() {
    guard let view, let next = queue.ready else { return }
    let map = IndexMap(next.changes, from: counts(current), to: counts(next.request.shown))
    let before = selectionRemapper?.remappedCount ?? 0
    selectionRemapper?.advance(atMost: itemsPerStep, newIndex: map.newIndex(ofItem:))
    view.updateStatistics.remappedAhead += (selectionRemapper?.remappedCount ?? 0) - before
  }

  /// Returns the selection after a large update, or nil if it must be computed in the update's frame.
  func remappedSelection(in view: CollectionView, after changes: Changeset, _ next: Snapshot) -> IndexRuns? {
    guard changes.hasManyRuns else { return nil }
    let items = view.selection.items
    let counts = ItemCounts(next.itemCounts)
    if !items.isEmpty, items.count == view.itemCount, let rest = changes.allExceptInserted(in: counts) { return rest }
    let map = IndexMap(changes, from: self.counts(current), to: counts)
    return selectionRemapper?.remappedSelection(
      of: items, changedAtMost: maximumItemsPerFrame, newIndex: map.newIndex(ofItem:))
  }

  private func counts(_ snapshot: Snapshot) -> ItemCounts { ItemCounts(snapshot.itemCounts) }
}

// MARK: - Pacing

/// The pacing of long work, such as comparing snapshots, in steps.
nonisolated struct StepPacing: Sendable {
  /// The number of items of one step.
  static let itemsPerStep = 4_096
  /// The cost of a step on a virtual clock, on which code takes no time.
  static let modelledCost = FrameDuration.microseconds(400)

  /// The expected cost of a step.
  ///
  /// It rises immediately and falls slowly, and is never zero.
  private(set) var expectedCost = StepPacing.modelledCost
  /// Whether a step was performed since the last call of ``isOverdue()``.
  private var hasStepped = false

  /// Advances a virtual clock by the modelled cost of a step.
  static func spendModelledCost(on clock: any FrameClock) {
    clock.advanceByModelledTime(modelledCost)
  }

  /// Records the measured cost of a step.
  mutating func recordStep(_ cost: FrameDuration) {
    hasStepped = true
    expectedCost = cost > expectedCost ? cost : expectedCost + (cost - expectedCost) * 0.05
  }

  /// Returns whether the frame that begins must perform a step, because the last one had no slack time for any.
  mutating func isOverdue() -> Bool {
    defer { hasStepped = false }
    return !hasStepped
  }
}
