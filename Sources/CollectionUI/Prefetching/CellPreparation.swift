import CollectionEngine
import FramePacing
import ScrollPhysics

/// The state of preparing a view's cells ahead.
///
/// It is a class because a value would be copied as a whole by every access, several times per step.
final class CellPreparation {
  /// The cells that are bound to an item and not displayed.
  var waiting = WaitingCells<CollectionViewCell>()
  /// The window around the viewport in which cells may wait.
  var window = KeepWindow()
  /// The estimated costs of the steps, by registration.
  var costs = StepCostEstimator(interval: .seconds(1.0 / 60))
  /// The scheduler, which decides whether a step runs.
  var decider = SlackScheduler()
  /// The items that lack a prepared cell, the most urgent first, as of the frame that was begun.
  var candidates: [PreparationCandidate] = []
  /// Whether there may be something to prepare, so that frames are needed.
  var hasWork = false
  /// The slack budget of the current frame.
  var frame: SlackBudget?
  /// The step that was deferred until after presenting.
  var deferredStep: PreparationCandidate?
  /// The class of the cell that the last deferred step was for.
  var deferredCellType: CollectionViewCell.Type?
  /// The registrations of the last cells, which predict those of the next.
  var recentRegistrations = RecentRegistrations()
  /// The time to prepare a screen of items, plus three frames.
  ///
  /// Items that are visible sooner should be prepared by now.
  private(set) var leadTime = FrameDuration.zero
  /// Reusable memory for ranges of items.
  var runs: [Range<Int>] = []
  /// Reusable memory for the set of items that need no step.
  var readyItems = ReadyItemSet()
  /// The generation of textures with which all prepared waiting cells were drawn, or nil if one may have to be drawn
  /// again.
  var drawnGeneration: Int?
  /// The number of preparation steps of the last cell.
  var lastParts = 0.0
  /// The time spent in this frame's commit on cells that were not prepared.
  private(set) var forcedDuration = FrameDuration.zero
  /// The class of the cell that took the longest of these.
  private(set) var forcedType: CollectionViewCell.Type?
  /// The number of these cells, including those that were partly prepared.
  private(set) var forcedCount: Int32 = 0
  /// The time spent on creating cells in the current call of the provider.
  var creating = FrameDuration.zero
  private var longestForced = FrameDuration.zero
  /// The items whose cells client code is preparing, the innermost call last.
  private var itemsInProgress: [ItemInProgress] = []

  /// The policy of preparing cells.
  var policy = PreparationPolicy.stepwise {
    didSet {
      decider.policy = policy.slackPolicy
      window.extent = policy.extent
    }
  }

  /// The order in which items are prepared.
  var order: PreparationOrder { policy.order }

  /// The expected cost of preparing a cell from the beginning.
  var expectedCost: FrameDuration {
    recentRegistrations.meanCost { registration in
      var sum = costs.pessimisticCost(.configure, of: registration)
      for step in [PreparationStep.part, .size, .draw, .upload] where costs.isKnown(step, of: registration) {
        sum += costs.typicalCost(step, of: registration) * (step == .part ? lastParts : 1)
      }
      return sum
    }
  }

  /// Returns the expected cost of the next work unit of a cell.
  ///
  /// - Parameters:
  ///   - step: The cell's next step.
  ///   - registration: The cell's registration, or nil for an item without a cell, for which the worst cost of the
  ///     recent registrations is used.
  func workUnitCost(from step: PreparationStep, of registration: Int?) -> FrameDuration {
    if let registration { return workUnitCost(from: step, registration) }
    return recentRegistrations.worstCost { workUnitCost(from: step, $0) }
  }

  private func workUnitCost(from first: PreparationStep, _ registration: Int) -> FrameDuration {
    guard policy.workUnit == .cell else { return costs.pessimisticCost(first, of: registration) }
    var sum = FrameDuration.zero
    var step: PreparationStep? = first
    while let current = step {
      sum += (costs.meanCost(current, of: registration) ?? .zero) * (current == .part ? lastParts : 1)
      step = current.next
    }
    return sum
  }

  /// Moves the window in which cells may wait along with the content.
  ///
  /// - Returns: Whether scrolling continues as before: it is not if it reversed or its target changed.
  func recordMove(_ scroll: ScrollState, shown: FrameInstant) -> Bool {
    let landing = window.limits.landing
    let hasTurned = window.handle(scroll, shown: shown, lead: leadTime)
    return !hasTurned && window.limits.landing == landing
  }

  /// Records how the work ahead went since the last commit, when a frame's commit begins.
  func updateRecord(_ record: inout FrameRecord) {
    record.isDeferredStepForced = decider.isLastStepForced
    record.lastRefusal = decider.lastRefusal
    if record.isDeferredStepForced { record.slowestForcedType = deferredCellType }
  }

  /// Updates the lead time for the number of visible items, the cost of preparing each, and the frame interval.
  func updateLeadTime(items: Int, of cost: FrameDuration, interval: FrameDuration) {
    leadTime = interval * 3 + cost * Double(items)
  }

  /// Resets the measurements of forced cells, when a frame's commit begins.
  func beginCommit() {
    forcedDuration = .zero
    longestForced = .zero
    forcedType = nil
    forcedCount = 0
  }

  /// Records a cell that had to be prepared in the commit.
  func recordForced(_ type: CollectionViewCell.Type, took: FrameDuration) {
    forcedDuration += took
    forcedCount += 1
    guard forcedType == nil || took > longestForced else { return }
    longestForced = took
    forcedType = type
  }

  /// Records that client code is called to prepare an item's cell.
  func beginItem(_ index: Int) { itemsInProgress.append(ItemInProgress(index: index)) }

  /// Records that the code returned.
  ///
  /// - Returns: Whether it requested reconfiguring the same item.
  func endItem() -> Bool { itemsInProgress.popLast()?.needsReconfigure ?? false }

  /// Returns whether client code is preparing an item's cell.
  func isInProgress(_ index: Int) -> Bool { itemsInProgress.contains { $0.index == index } }

  /// Defers reconfiguring an item until client code that is preparing its cell returns.
  ///
  /// - Returns: Whether such code is running.
  func requestReconfigure(_ index: Int) -> Bool {
    guard let position = itemsInProgress.lastIndex(where: { $0.index == index }) else { return false }
    itemsInProgress[position].needsReconfigure = true
    return true
  }

  /// Returns the deferred step and clears it.
  func takeDeferredStep() -> PreparationCandidate? {
    defer { deferredStep = nil }
    return deferredStep
  }
}

/// An item whose cell client code is preparing.
private struct ItemInProgress {
  /// The flat index of the item.
  let index: Int
  /// Whether the code requested reconfiguring the same item.
  var needsReconfigure = false
}
