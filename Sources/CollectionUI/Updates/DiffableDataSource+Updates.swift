import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Views

/// Carries out what the queue of applies decides.
extension DiffableDataSource {
  func add(_ snapshot: Snapshot, isReload: Bool = false, isAnimated: Bool = false, _ completion: ((Bool) -> Void)?) {
    latest = snapshot
    latest.removeMarks()
    shownView?.updateStatistics.applied += 1
    shownView?.updateStatistics.relocatedItems += snapshot.relocatedItemIdentifiers.count
    var ticket: Int?
    if let completion {
      lastTicket += 1
      ticket = lastTicket
      completions[lastTicket] = completion
    }
    var request = ApplyRequest(snapshot, isReload: isReload, isAnimated: isAnimated, ticket: ticket)
    // At once with the place that is kept for what is carried, or the others would jump there and back.
    if !isReload, let order = carriedOrder() { request.show(as: order) }
    decide(.apply(request))
    // Also where the view has another data source by now, as it shows these items until the client's code has ended.
    if let view { view.whenReady { self.carryOut() } } else { carryOut() }
  }

  /// Shows another order than what was applied last, which still counts: that of an item that is carried.
  func show(order snapshot: Snapshot) {
    decide(.apply(ApplyRequest(snapshot, isAnimated: true, isProvisional: true)))
    if let view { view.whenReady { self.carryOut() } } else { carryOut() }
  }

  /// The view, as long as it shows this data source's items.
  private var shownView: CollectionView? {
    guard let view, view.source === self else { return nil }
    return view
  }

  /// Does what the queue says, until it says nothing more.
  ///
  /// - Parameter mayNest: whether within itself, too; otherwise that is left to what is going on.
  private func carryOut(mayNest: Bool = false) {
    guard mayNest || !isCarryingOut else { return }
    let outer = isCarryingOut
    isCarryingOut = true
    defer { isCarryingOut = outer }
    while true {
      let framesRun = shownView?.runsFrames ?? false
      // Those who wait are told before the view goes on.
      if !framesRun, case .complete(let ticket, let isFinished)? = decide(.complete(framesRun: false)) {
        complete(ticket, isFinished)
      } else if framesRun, mustFollow(in: shownView) {
        return
      } else if let effect = decide(.next(framesRun: framesRun)) {
        show(effect)
      } else {
        return
      }
    }
  }

  @discardableResult
  private func decide(_ event: ApplyQueue<SectionID, ItemID>.Event) -> ApplyQueue<SectionID, ItemID>.Effect? {
    let before = (queue.replaced, queue.compared)
    let effect = queue.handle(event)
    hasPendingUpdate = queue.isWaiting
    if let view = shownView {
      view.updateStatistics.replaced += queue.replaced - before.0
      view.updateStatistics.comparedInSlack += queue.compared - before.1
      view.hasUpdates = queue.needsFrames
    }
    return effect
  }

  private func show(_ effect: ApplyQueue<SectionID, ItemID>.Effect) {
    switch effect {
    case .complete(let ticket, let isFinished): complete(ticket, isFinished)
    case .update(let request, let changes):
      guard let view = shownView else { return current = request.shown }
      // Whatever client code asks for meanwhile waits: the places below are those of this update.
      view.exclusively {
        if request.isAnimated, !changes.isEmpty { view.beginMotion() }
        view.interaction.foreknown = selected(in: view, after: changes, request.shown)
        following = nil
        update(view, to: request.shown, by: changes, holdsOffset: request.isProvisional)
        view.interaction.foreknown = nil
      }
    case .reload(let request):
      guard let view = shownView else { return current = request.shown }
      view.exclusively {
        // First, as it calls client code, which finds what is announced in one place.
        view.endMotion()
        // Who was told of what left by that may have given the view another data source: it shows these items until then.
        guard shownView != nil else { return view.whenReady { self.current = request.shown } }
        keepAnnouncements(of: view)
        let former = current
        view.reloadAllItems {
          current = request.shown
          let counts = (former: ItemCounts(former.itemCounts), shown: ItemCounts(request.shown.itemCounts))
          let isLarge = counts.former.total + counts.shown.total > ItemInteraction.mostFollowed
          let newIndex = { (item: Int) -> Int? in
            guard let place = counts.former.position(of: item),
              let identifier = former.itemIdentifier(section: place.section, item: place.item),
              let position = request.shown.position(ofItem: identifier)
            else { return nil }
            return counts.shown.index(section: position.section, item: position.item)
          }
          view.renumberInteraction(askingFor: isLarge ? newIndex : nil) {
            // Nothing stays of nothing, and in nothing.
            guard counts.former.total > 0, counts.shown.total > 0 else { return ItemRenumbering([]) }
            return ItemRenumbering(request.shown.changeset(from: former), from: counts.former, to: counts.shown)
          }
        }
        view.showInteractionAfterUpdate()
      }
      view.updateStatistics.reloadedAll += 1
    }
  }

  private func update(_ view: CollectionView, to next: Snapshot, by changes: Changeset, holdsOffset: Bool) {
    if changes.hasStructuralChanges, !changes.isAppendOnly { keepAnnouncements(of: view) }
    let former = current
    current = next
    view.carryOut(
      changes, formerSectionCount: former.numberOfSections, to: ItemCounts(next.itemCounts), holdsOffset: holdsOffset
    ) { ItemCounts(former.itemCounts) }
  }

  private func complete(_ ticket: Int, _ isFinished: Bool) {
    completions.removeValue(forKey: ticket)?(isFinished)
  }

  // MARK: Frames

  var needsFrames: Bool { queue.needsFrames }

  func collect(_ budget: FrameBudget) {
    guard queue.needsFrames else { return }
    if queue.isComparing || following?.isComplete == false, pacing.isOverdue() { step(budget.clock) }
    if !(shownView?.isInMotion ?? false) { decide(.rest) }
    tellThoseWhoWait()
    carryOut()
  }

  /// Calls the completion handlers whose update was in a frame; what they apply is carried out when all were called.
  private func tellThoseWhoWait() {
    isCarryingOut = true
    defer { isCarryingOut = false }
    while case .complete(let ticket, let isFinished)? = decide(.complete(framesRun: true)) {
      complete(ticket, isFinished)
    }
  }

  func frameBegins() { decide(.frame) }

  // Of another data source's view nothing is changed any more, and who waits is told before who waits for the other.
  func framesDidEnd() { carryOut(mayNest: shownView == nil) }

  func slackStep(_ budget: FrameBudget) -> Bool {
    guard queue.isComparing || following?.isComplete == false, budget.allows(pacing.expectedCost) else { return false }
    step(budget.clock)
    return true
  }

  private func step(_ clock: any FrameClock) {
    let start = clock.now()
    if queue.isComparing { decide(.advance(steps: StepPacing.steps)) } else { followOn() }
    StepPacing.countStep(on: clock)
    pacing.note(clock.now() - start)
  }
}
