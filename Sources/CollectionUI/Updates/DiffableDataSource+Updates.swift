import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Views

/// Carries out what the queue of applies decides.
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
    // At once with the place that is kept for what is carried, or the others would jump there and back.
    if !isReload, let order = draggedOrder() { request.setOrder(order) }
    handleQueueEvent(.apply(request))
    // Also where the view has another data source by now, as it shows these items until the client's code has ended.
    if let view { view.performWhenReady { self.processQueue() } } else { processQueue() }
  }

  /// Shows another order than what was applied last, which still counts: that of an item that is carried.
  func showProvisionalOrder(_ snapshot: Snapshot) {
    handleQueueEvent(.apply(ApplyRequest(snapshot, isAnimated: true, isProvisional: true)))
    if let view { view.performWhenReady { self.processQueue() } } else { processQueue() }
  }

  /// The view, as long as it shows this data source's items.
  private var displayingView: CollectionView? {
    guard let view, view.source === self else { return nil }
    return view
  }

  /// Does what the queue says, until it says nothing more.
  ///
  /// - Parameter mayNest: whether within itself, too; otherwise that is left to what is going on.
  private func processQueue(mayNest: Bool = false) {
    guard mayNest || !isProcessingQueue else { return }
    let outer = isProcessingQueue
    isProcessingQueue = true
    defer { isProcessingQueue = outer }
    while true {
      let framesRun = displayingView?.runsFrames ?? false
      // Those who wait are told before the view goes on.
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
      // Whatever client code asks for meanwhile waits: the places below are those of this update.
      view.deferringUpdates {
        if request.isAnimated, !changes.isEmpty { view.beginUpdateAnimation() }
        view.interaction.precomputedSelection = remappedSelection(in: view, after: changes, request.shown)
        selectionRemapper = nil
        applyChangeset(view, to: request.shown, by: changes, holdsOffset: request.isProvisional)
        view.interaction.precomputedSelection = nil
      }
    case .reload(let request):
      guard let view = displayingView else { return current = request.shown }
      view.deferringUpdates {
        // First, as it calls client code, which finds what is announced in one place.
        view.endUpdateAnimation()
        // Who was told of what left by that may have given the view another data source: it shows these items until then.
        guard displayingView != nil else { return view.performWhenReady { self.current = request.shown } }
        preserveAnnouncements(of: view)
        let former = current
        view.reloadAllItems {
          current = request.shown
          let counts = (former: ItemCounts(former.itemCounts), shown: ItemCounts(request.shown.itemCounts))
          let isLarge = counts.former.total + counts.shown.total > InteractionState.maximumRemappedItems
          let newIndex = { (item: Int) -> Int? in
            guard let place = counts.former.position(of: item),
              let identifier = former.itemIdentifier(section: place.section, item: place.item),
              let position = request.shown.position(ofItem: identifier)
            else { return nil }
            return counts.shown.index(section: position.section, item: position.item)
          }
          view.remapInteraction(askingFor: isLarge ? newIndex : nil) {
            // Nothing stays of nothing, and in nothing.
            guard counts.former.total > 0, counts.shown.total > 0 else { return ItemIndexMap([]) }
            return ItemIndexMap(request.shown.changeset(from: former), from: counts.former, to: counts.shown)
          }
        }
        view.refreshInteractionAfterUpdate()
      }
      view.updateStatistics.reloadedAll += 1
    }
  }

  private func applyChangeset(_ view: CollectionView, to next: Snapshot, by changes: Changeset, holdsOffset: Bool) {
    if changes.hasStructuralChanges, !changes.isAppendOnly { preserveAnnouncements(of: view) }
    let former = current
    current = next
    view.applyChangeset(
      changes, formerSectionCount: former.numberOfSections, to: ItemCounts(next.itemCounts), holdsOffset: holdsOffset
    ) { ItemCounts(former.itemCounts) }
  }

  private func callCompletion(_ ticket: Int, _ isFinished: Bool) {
    completions.removeValue(forKey: ticket)?(isFinished)
  }

  // MARK: Frames

  var needsFrames: Bool { queue.needsFrames }

  func collectUpdates(_ budget: FrameBudget) {
    guard queue.needsFrames else { return }
    if queue.isComparing || selectionRemapper?.isComplete == false, pacing.isOverdue() { performStep(budget.clock) }
    if !(displayingView?.isAnimatingUpdates ?? false) { handleQueueEvent(.animationsEnded) }
    callFinishedCompletions()
    processQueue()
  }

  /// Calls the completion handlers whose update was in a frame; what they apply is carried out when all were called.
  private func callFinishedCompletions() {
    isProcessingQueue = true
    defer { isProcessingQueue = false }
    while case .complete(let ticket, let isFinished)? = handleQueueEvent(.complete(framesRun: true)) {
      callCompletion(ticket, isFinished)
    }
  }

  func frameWillBegin() { handleQueueEvent(.frameShown) }

  // Of another data source's view nothing is changed any more, and who waits is told before who waits for the other.
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
}
