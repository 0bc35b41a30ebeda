package import CollectionEngine
import CollectionLayout
public import FramePacing
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// The counts of how the slack time of frames was used.
  public final var slackStatistics: SlackStatistics { preparation.decider.statistics }

  /// Whether cells are prepared before their items are visible.
  package final var preparesAhead: Bool { isPrefetchingEnabled && isCellPrefetchingEnabled }

  // MARK: - Frames

  /// Begins the slack time of a frame.
  private func beginSlack(_ frame: SlackBudget, _ budget: FrameBudget) {
    preparation.deferredStep = nil
    stepMeter.interval = max(.milliseconds(1), frame.nextDeadline - frame.deadline)
    let cost = cellController.expectedCost
    preparation.updateLeadTime(items: cellController.visibleCount, of: cost, interval: stepMeter.interval)
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
    // At rest it is not known which items will be visible next.
    frame.isAtRest = frame.isAtRest && !isTracked
    preparation.frame = frame
    preparation.decider.beginFrame(frame, at: budget.clock.now())
  }

  /// Performs a step of the most urgent candidate, if it fits.
  ///
  /// - Returns: Whether a step was performed.
  final func prepareInSlack(_ budget: FrameBudget) -> Bool {
    // Items may be deleted or replaced once the pending snapshot is displayed.
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

  /// Performs one step after presenting: of a cell, or of the scroll indicator's timeline.
  final func performDeferredWork(_ budget: FrameBudget) -> Bool {
    prepareAfterPresent(budget) || prepareIndicator(budget)
  }

  /// Performs the step that did not fit before presenting.
  ///
  /// At rest, performs further urgent steps.
  ///
  /// - Returns: Whether a step was performed.
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
    preparation.deferredCellType = cellController.waitingCell(at: next.index).map { type(of: $0) }
    return true
  }

  private func finishStep(since start: WorkTimestamp, _ clock: any FrameClock) {
    let end = clock.workTimestamp()
    preparation.decider.finishStep(at: end.instant, lost: start.preemptedTime(until: end))
  }

  private func slackStep(of candidate: PreparationCandidate, in frame: SlackBudget) -> SlackStep {
    SlackStep(
      cost: nextStep(of: candidate).map {
        cellController.workUnitCost(
          from: $0, of: registration(of: candidate), isWhole: preparation.policy.workUnit == .cell)
      }
        ?? .zero,
      isNeededNext: candidate.isNeeded(at: frame.nextTarget), isUrgent: candidate.rank == .soon)
  }

  /// Returns the registration of a candidate's waiting view, or of the next view of its kind.
  ///
  /// Nil for an item without a cell.
  private func registration(of candidate: PreparationCandidate) -> Int? {
    if SupplementaryController.isElement(candidate.index) {
      return supplementaryController.registration(ofCandidate: candidate.index)
    }
    return cellController.waitingCell(at: candidate.index)?.registration
  }

  final func prepareStep(of candidate: PreparationCandidate, _ source: any CollectionViewSource) {
    if SupplementaryController.isElement(candidate.index) {
      supplementaryController.prepareStep(ofCandidate: candidate.index)
    } else {
      cellController.prepareStep(at: candidate.index, from: source)
    }
  }

  /// Returns the next step of preparing a candidate, which is an item or an element, or nil if there is none.
  final func nextStep(of candidate: PreparationCandidate) -> PreparationStep? {
    let index = candidate.index
    if SupplementaryController.isElement(index) { return supplementaryController.nextStep(ofCandidate: index) }
    guard index < itemCount, cellController.displayedCell(at: index) == nil,
      cellController.hasCapacity(for: index)
    else { return nil }
    return cellController.nextStep(at: index)
  }

  private func nextCandidate() -> PreparationCandidate? {
    while let next = preparation.candidates.first {
      if nextStep(of: next) != nil { return next }
      preparation.candidates.removeFirst()
    }
    return nil
  }

  // MARK: - Frame records

  /// Records how the work ahead went since the last commit, when a frame's commit begins.
  final func recordPreparation(_ record: inout FrameRecord) {
    record.preparesAhead = preparesAhead
    preparation.updateRecord(&record)
  }

  /// Records the cells that had to be prepared in a frame's commit.
  final func recordForcedCells(_ record: inout FrameRecord, _ count: Int32) {
    let count = max(count, preparation.forcedCount)
    guard count > 0 else { return }
    record.cellsForced += count
    record.forcedDuration = record.forcedDuration + preparation.forcedDuration
    record.slowestForcedType = preparation.forcedType
  }

  // MARK: - Policy

  /// The policy of preparing cells ahead.
  ///
  /// Another one can be set to measure it.
  package final var preparationPolicy: PreparationPolicy {
    get { preparation.policy }
    set { preparation.policy = newValue }
  }

  /// Performs a candidate's next work unit: one step or all steps.
  final func prepareWorkUnit(of candidate: PreparationCandidate, _ source: any CollectionViewSource) {
    prepareStep(of: candidate, source)
    guard preparation.policy.workUnit == .cell else { return }
    // Client code may invalidate a step endlessly, or delete the items.
    var steps = 1
    while steps < CollectionView.maximumSteps, displayedSource === source, nextStep(of: candidate) != nil {
      prepareStep(of: candidate, source)
      steps += 1
    }
  }

  /// The maximum number of steps of a cell that is prepared as a whole.
  private static var maximumSteps: Int { 1_000 }
}
