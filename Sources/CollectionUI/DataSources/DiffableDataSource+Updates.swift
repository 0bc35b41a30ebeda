import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineViews

/// Performing the effects of the queue of applied snapshots.
extension DiffableDataSource {
  func enqueueSnapshot(
    _ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, _ completion: ((Bool) -> Void)?
  ) {
    latest = snapshot
    latest.removeMarks()
    hashItemsAhead(snapshot)
    var counts = UpdateStatistics()
    counts.applied = 1
    counts.relocatedItems = snapshot.relocatedItemIdentifiers.count
    host?.sourceDidChange(self, adding: counts)
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
    processQueueWhenReady()
  }

  /// Hashes a snapshot's items on another thread, because the first question about one, such as that of a
  /// reconfiguration, would otherwise take the time of a frame.
  private func hashItemsAhead(_ snapshot: Snapshot) {
    guard snapshot.hasUnhashedItems else { return }
    Task.detached(priority: .utility) { [weak self] in
      snapshot.hashItems()
      await self?.itemsDidHash()
    }
  }

  /// Displays another order of the last applied snapshot, while an item is dragged.
  func showProvisionalOrder(_ snapshot: Snapshot) {
    handleQueueEvent(.apply(ApplyRequest(snapshot, isAnimated: true, isProvisional: true)))
    processQueueWhenReady()
  }

  /// The view, unless it has another data source.
  private var displayingHost: (any DataSourceHost)? {
    guard let host, host.hasSource(self) else { return nil }
    return host
  }

  private func processQueueWhenReady() {
    if let host { host.performWhenReady { self.processQueue() } } else { processQueue() }
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
      let host = displayingHost
      let framesRun = host?.runsFrames ?? false
      // Completion handlers are called before the view continues.
      if !framesRun, case .complete(let ticket, let isFinished)? = handleQueueEvent(.complete(framesRun: false)) {
        callCompletion(ticket, isFinished)
      } else if framesRun, let host, let next = queue.ready, !host.isReady(for: update(next.request, next.changes)) {
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
    var counts = UpdateStatistics()
    counts.replaced = queue.replaced - before.0
    counts.comparedInSlack = queue.compared - before.1
    host?.sourceDidChange(self, adding: counts)
    return effect
  }

  private func performEffect(_ effect: ApplyQueue<SectionID, ItemID>.Effect) {
    switch effect {
    case .complete(let ticket, let isFinished): callCompletion(ticket, isFinished)
    case .update(let request, let changes): display(request, by: update(request, changes))
    case .reload(let request): display(request, by: CollectionUpdate(reloading: map(to: request.shown)))
    }
  }

  private func display(_ request: ApplyQueue<SectionID, ItemID>.Request, by update: CollectionUpdate) {
    let show = { self.show(request.shown, update.map.counts) }
    if let host = displayingHost { host.performUpdate(update, showing: show) } else { show() }
  }

  private func update(_ request: ApplyQueue<SectionID, ItemID>.Request, _ changes: Changeset) -> CollectionUpdate {
    // Counting takes time for each section, and an update that only configures cells again changes no counts.
    let counts = changes.hasStructuralChanges ? counts(request.shown) : itemCounts
    var update = CollectionUpdate(changes, from: itemCounts, to: counts)
    update.isAnimated = request.isAnimated
    update.keepsOffset = request.isProvisional
    return update
  }

  /// The number of items from which snapshots are not compared to map the selection of a reload.
  private static var maximumComparedItems: Int { 20_000 }

  /// Returns the map from the current snapshot to another one, by identifier if they are large.
  private func map(to next: Snapshot) -> IndexMap {
    let former = current
    let (formerCounts, counts) = (itemCounts, counts(next))
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
    if queue.isComparing, pacing.isOverdue() { performStep(budget.clock) }
    if !(displayingHost?.isAnimatingUpdates ?? false) { handleQueueEvent(.animationsEnded) }
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
  func framesDidEnd() { processQueue(mayNest: displayingHost == nil) }

  func slackStep(_ budget: FrameBudget) -> Bool {
    guard queue.isComparing, budget.allows(pacing.expectedCost) else { return false }
    performStep(budget.clock)
    return true
  }

  private func performStep(_ clock: any FrameClock) {
    let start = clock.now()
    handleQueueEvent(.advance(steps: StepPacing.itemsPerStep))
    StepPacing.spendModelledCost(on: clock)
    pacing.recordStep(clock.now() - start)
  }

  private func counts(_ snapshot: Snapshot) -> ItemCounts { ItemCounts(snapshot.itemCounts) }
}
