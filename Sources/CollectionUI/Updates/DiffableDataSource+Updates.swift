import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Views

/// Carries out what the queue of applies decides.
extension DiffableDataSource {
  func add(_ snapshot: Snapshot, isReload: Bool, _ completion: (() -> Void)?) {
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
    decide(.apply(ApplyRequest(snapshot, isReload: isReload, ticket: ticket)))
    if let view = shownView { view.whenReady { self.carryOut() } } else { carryOut() }
  }

  /// The view, as long as it shows this data source's items.
  private var shownView: CollectionView? {
    guard let view, view.source === self else { return nil }
    return view
  }

  /// Does what the queue says, until it says nothing more; never within itself.
  private func carryOut() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    defer { isCarryingOut = false }
    while true {
      let framesRun = shownView?.runsFrames ?? false
      // Those who wait are told before the view goes on.
      if !framesRun, case .complete(let ticket)? = decide(.complete(framesRun: false)) {
        complete(ticket)
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
    if let view = shownView {
      view.updateStatistics.replaced += queue.replaced - before.0
      view.updateStatistics.comparedInSlack += queue.compared - before.1
      view.hasUpdates = queue.needsFrames
    }
    return effect
  }

  private func show(_ effect: ApplyQueue<SectionID, ItemID>.Effect) {
    switch effect {
    case .complete(let ticket): complete(ticket)
    case .update(let request, let changes):
      guard let view = shownView else { return current = request.shown }
      // Whatever client code asks for meanwhile waits: the places below are those of this update.
      view.exclusively { update(view, to: request.shown, by: changes) }
    case .reload(let request):
      guard let view = shownView else { return current = request.shown }
      view.exclusively {
        keepAnnouncements(of: view)
        view.reloadAllItems { current = request.shown }
      }
      view.updateStatistics.reloadedAll += 1
    }
  }

  private func update(_ view: CollectionView, to next: Snapshot, by changes: Changeset) {
    if changes.hasStructuralChanges, !changes.isAppendOnly { keepAnnouncements(of: view) }
    let formerSectionCount = current.numberOfSections
    current = next
    if changes.hasStructuralChanges {
      view.updateStatistics.structural += 1
      let counts = ItemCounts(next.itemCounts)
      view.applyUpdate(
        ViewUpdate(
          newIndex: { old in
            changes.position(afterUpdateOf: ItemPosition(section: old.section, item: old.item))
              .flatMap { counts.index(section: $0.section, item: $0.item) }
          }, newSection: changes.section,
          layout: LayoutUpdate(changes, formerSectionCount: formerSectionCount, counts: counts),
          isAppendOnly: changes.isAppendOnly))
    }
    if changes.isReconfigureOnly { view.updateStatistics.reconfigureOnly += 1 }
    let sections = changes.sectionReloads
    if !sections.isEmpty { view.reloadSections { sections.contains($0) } }
    for position in changes.reloads where !sections.contains(position.section) {
      view.reload(IndexPath(item: position.item, section: position.section))
    }
    for position in changes.reconfigures where !sections.contains(position.section) {
      view.reconfigure(IndexPath(item: position.item, section: position.section))
    }
  }

  private func complete(_ ticket: Int) { completions.removeValue(forKey: ticket)?() }

  // MARK: Frames

  var needsFrames: Bool { queue.needsFrames }

  func collect(_ budget: FrameBudget) {
    guard queue.needsFrames else { return }
    if queue.isComparing, pacing.isOverdue() { step(budget.clock) }
    tellThoseWhoWait()
    carryOut()
  }

  /// Calls the completion handlers whose update was in a frame; what they apply is carried out when all were called.
  private func tellThoseWhoWait() {
    isCarryingOut = true
    defer { isCarryingOut = false }
    while case .complete(let ticket)? = decide(.complete(framesRun: true)) { complete(ticket) }
  }

  func frameBegins() { decide(.frame) }

  func slackStep(_ budget: FrameBudget) -> Bool {
    guard queue.isComparing, budget.allows(pacing.expectedCost) else { return false }
    step(budget.clock)
    return true
  }

  private func step(_ clock: any FrameClock) {
    let start = clock.now()
    decide(.advance(steps: StepPacing.steps))
    if clock.kind == .virtual { clock.spend(StepPacing.modelledCost) }
    pacing.note(clock.now() - start)
  }
}
