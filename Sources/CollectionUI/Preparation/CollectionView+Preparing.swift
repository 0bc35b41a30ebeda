import CollectionEngine
import CollectionLayout
public import FramePacing
public import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// The cells that are prepared and not on screen, in the order of their items.
  ///
  /// They are bound to their items, and come on screen without work.
  public final var preparedCells: [CollectionViewCell] { preparation.waiting.cells }

  /// The cell of an item, on screen or prepared.
  ///
  /// - Complexity: O(log cells).
  public final func cellForItem(at path: IndexPath) -> CollectionViewCell? {
    flatIndex(at: path).flatMap {
      displayed[$0] ?? preparation.waiting[$0] ?? disappearingCell(at: $0)
    }
  }

  /// Whether an item has a cell, on screen, waiting or being prepared.
  ///
  /// - Complexity: O(log cells).
  final func hasCell(at index: Int) -> Bool {
    displayed[index] != nil || preparation.waiting[index] != nil || disappearingCell(at: index) != nil
      || preparation.isInProgress(index)
  }

  /// What became of the time that short commits left.
  public final var slackStatistics: SlackStatistics { preparation.decider.statistics }

  /// Whether cells are prepared before their items are seen.
  final var preparesAhead: Bool { isPrefetchingEnabled && isCellPrefetchingEnabled }

  // MARK: Frames

  /// Begins the slack of a frame.
  private func beginSlack(_ frame: SlackBudget, _ budget: FrameBudget) {
    preparation.deferredStep = nil
    preparation.costs.interval = max(.milliseconds(1), frame.nextDeadline - frame.deadline)
    let cost = preparation.expectedCost
    preparation.updateLeadTime(items: displayed.itemCount, of: cost, interval: preparation.costs.interval)
    if hasEverythingReady() {
      preparation.candidates.removeAll(keepingCapacity: true)
    } else {
      listCandidates(expecting: cost)
    }
    preparation.hasWork = !preparation.candidates.isEmpty
    var frame = frame
    for candidate in preparation.candidates where candidate.isNeeded(at: frame.nextTarget) {
      frame.isNextCommitShort = false
      break
    }
    // What is to be seen next is not known while the content stands still.
    frame.isAtRest = frame.isAtRest && !isTracked
    preparation.frame = frame
    preparation.decider.beginFrame(frame, at: budget.clock.now())
  }

  /// Prepares a step of the most urgent cell, if it fits.
  ///
  /// - Returns: whether a step was done.
  final func prepareInSlack(_ budget: FrameBudget) -> Bool {
    // Items ahead may be gone once the snapshot that waits is shown, and others in their place.
    guard let source = displayedSource else {
      preparation.hasWork = false
      if hasSource, !showsFormerItems { needsVisibleUpdate = true }
      return false
    }
    guard preparesAhead, preparation.hasWork, let frame = budget.slack, !source.hasPendingUpdate else { return false }
    if preparation.frame?.index != frame.index { beginSlack(frame, budget) }
    guard preparation.deferredStep == nil, let next = nextCandidate() else { return false }
    switch preparation.decider.decide(slackStep(of: next, in: frame), at: budget.clock.now()) {
    case .run:
      let start = budget.clock.workTimestamp()
      prepareWorkUnit(of: next, source)
      finishStep(since: start, budget.clock)
      return true
    case .runAfterPresent, .forced:
      preparation.deferredStep = next
      return false
    case .refused:
      return false
    }
  }

  /// One step after presenting: of a cell, or of the indicator's time line.
  final func performDeferredWork(_ budget: FrameBudget) -> Bool {
    prepareAfterPresent(budget) || prepareIndicator(budget)
  }

  /// Takes the step that did not fit before the frame was presented; while nothing moves, urgent ones behind it.
  ///
  /// - Returns: whether a step was done.
  private func prepareAfterPresent(_ budget: FrameBudget) -> Bool {
    guard let source, !source.hasPendingUpdate, let frame = preparation.frame else {
      if preparation.takeDeferredStep() != nil { preparation.decider.cancelStep() }
      return false
    }
    if preparation.deferredStep == nil, frame.isAtRest, preparation.decider.hasDeferredStep, let next = nextCandidate(),
      next.rank == .soon,
      preparation.decider.decide(slackStep(of: next, in: frame), at: budget.clock.now()) == .runAfterPresent
    {
      preparation.deferredStep = next
    }
    guard let next = preparation.takeDeferredStep() else { return false }
    guard nextStep(of: next) != nil else {
      preparation.decider.cancelStep()
      return false
    }
    let start = budget.clock.workTimestamp()
    guard preparation.decider.startStep(at: start.instant) else { return false }
    prepareWorkUnit(of: next, source)
    finishStep(since: start, budget.clock)
    preparation.deferredCellType = preparation.waiting[next.index].map { type(of: $0) }
    return true
  }

  private func finishStep(since start: WorkTimestamp, _ clock: any FrameClock) {
    let end = clock.workTimestamp()
    preparation.decider.finishStep(at: end.instant, lost: start.preemptedTime(until: end))
  }

  private func slackStep(of candidate: PreparationCandidate, in frame: SlackBudget) -> SlackStep {
    SlackStep(
      cost: nextStep(of: candidate).map { preparation.workUnitCost(from: $0, of: registration(of: candidate)) }
        ?? .zero,
      isNeededNext: candidate.isNeeded(at: frame.nextTarget), isUrgent: candidate.rank == .soon)
  }

  /// The registration of the view that waits, or of the next view of its kind; nothing for a cell that is to come.
  private func registration(of candidate: PreparationCandidate) -> Int? {
    if let element = elementPreparation.element(candidate.index) {
      return elementPreparation.registrations[element.identity.kind] ?? -1
    }
    return preparation.waiting[candidate.index]?.registration
  }

  final func prepareStep(of candidate: PreparationCandidate, _ source: any CollectionViewSource) {
    if let element = elementPreparation.element(candidate.index) {
      prepareStep(of: element, source)
    } else {
      prepareStep(of: candidate.index, source)
    }
  }

  private func nextCandidate() -> PreparationCandidate? {
    while let next = preparation.candidates.first {
      if nextStep(of: next) != nil { return next }
      preparation.candidates.removeFirst()
    }
    return nil
  }

  // MARK: Records

  /// A frame's commit begins: its record says what became of work ahead until now.
  final func recordPreparation(_ record: inout FrameRecord) {
    record.preparesAhead = preparesAhead
    preparation.updateRecord(&record)
  }

  /// A frame's commit had to prepare cells.
  final func recordForcedCells(_ record: inout FrameRecord, _ count: Int32) {
    let count = max(count, preparation.forcedCount)
    guard count > 0 else { return }
    record.cellsForced += count
    record.forcedDuration = record.forcedDuration + preparation.forcedDuration
    record.slowestForcedType = preparation.forcedType
  }
}
