import CollectionEngine
import FramePacing
import ScrollPhysics

/// The machines that prepare cells ahead, and what they keep from frame to frame.
///
/// A view has one of its own. As a value it would be copied whole by every question of it, several times a step.
final class CellPreparation {
  /// Cells that are bound to an item and not on screen.
  var waiting = WaitingCells<CollectionViewCell>()
  /// Where cells may wait.
  var window = KeepWindow()
  /// What each step costs, by registration.
  var costs = StepCostEstimator(interval: .seconds(1.0 / 60))
  /// Whether a step runs.
  var decider = SlackScheduler()
  /// The items that lack a cell which is ready, the most urgent first, as of the frame that was begun.
  var candidates: [PreparationCandidate] = []
  /// Whether there may be something to prepare: frames are needed until there is not.
  var hasWork = false
  /// The frame in whose slack steps are taken.
  var frame: SlackBudget?
  /// The step that runs once the frame is presented.
  var deferredStep: PreparationCandidate?
  /// The kind of cell that the last such step was for.
  var deferredCellType: CollectionViewCell.Type?
  /// The registrations that gave the last cells: what the next may be of.
  var recentRegistrations = RecentRegistrations()
  /// How long preparing what comes with a screen takes, and three frames: what will be seen sooner is wanted by now.
  private(set) var leadTime = FrameDuration.zero
  /// Memory for runs of items.
  var runs: [Range<Int>] = []
  /// Memory for the items that need nothing.
  var readyItems = ReadyItemSet()
  /// Of which textures all cells that wait were drawn, as far as they are ready; nothing where one may have to draw again.
  var drawnGeneration: Int?
  /// How many parts the last cell's preparation had.
  var lastParts = 0.0
  /// What cells took that were prepared in this frame's commit for want of a waiting one.
  private(set) var forcedDuration = FrameDuration.zero
  /// The kind of cell that took longest of these.
  private(set) var forcedType: CollectionViewCell.Type?
  /// How many cells these were, those that were prepared in part among them.
  private(set) var forcedCount: Int32 = 0
  /// What making a cell took within the provider's call that runs.
  var creating = FrameDuration.zero
  private var longestForced = FrameDuration.zero
  /// The items whose cells the client's code is preparing, the innermost call last.
  private var itemsInProgress: [ItemInProgress] = []

  /// How all that is decided.
  var policy = PreparationPolicy.stepwise {
    didSet {
      decider.policy = policy.rule
      window.extent = policy.extent
    }
  }

  /// In which order items are prepared.
  var order: PreparationOrder { policy.order }

  /// What preparing a cell from the beginning is expected to take.
  var expectedCost: FrameDuration {
    recentRegistrations.meanCost { registration in
      var sum = costs.pessimisticCost(.configure, of: registration)
      for step in [PreparationStep.part, .size, .draw, .upload] where costs.isKnown(step, of: registration) {
        sum += costs.typicalCost(step, of: registration) * (step == .part ? lastParts : 1)
      }
      return sum
    }
  }

  /// What the next piece of a cell may cost.
  ///
  /// - Parameters:
  ///   - step: the cell's next step.
  ///   - registration: the cell's; nothing for an item that has no cell yet, which may come from any of those that gave
  ///     the last ones.
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

  /// The content is shown elsewhere: where cells may wait goes along.
  ///
  /// - Returns: whether it goes on as before; not where it turned, or is to come to rest elsewhere.
  func recordMove(_ scroll: ScrollState, shown: FrameInstant) -> Bool {
    let landing = window.limits.landing
    let hasTurned = window.handle(scroll, shown: shown, lead: leadTime)
    return !hasTurned && window.limits.landing == landing
  }

  /// A frame's commit begins: its record says what became of work ahead until now.
  func updateRecord(_ record: inout FrameRecord) {
    record.isDeferredStepForced = decider.isLastStepForced
    record.lastRefusal = decider.lastRefusal
    if record.isDeferredStepForced { record.slowestForcedType = deferredCellType }
  }

  /// So many items are on screen, whose cells take so long to prepare each, and frames come at an interval.
  func updateLeadTime(items: Int, of cost: FrameDuration, interval: FrameDuration) {
    leadTime = interval * 3 + cost * Double(items)
  }

  /// A frame's commit begins.
  func beginCommit() {
    forcedDuration = .zero
    longestForced = .zero
    forcedType = nil
    forcedCount = 0
  }

  /// A cell had to be prepared in the commit.
  func recordForced(_ type: CollectionViewCell.Type, took: FrameDuration) {
    forcedDuration += took
    forcedCount += 1
    guard forcedType == nil || took > longestForced else { return }
    longestForced = took
    forcedType = type
  }

  /// The client's code is called to prepare an item's cell.
  func beginItem(_ index: Int) { itemsInProgress.append(ItemInProgress(index: index)) }

  /// That code returned.
  ///
  /// - Returns: whether it asked for the very item to be configured again.
  func endItem() -> Bool { itemsInProgress.popLast()?.needsReconfigure ?? false }

  /// Whether an item's cell is being prepared by the client's code.
  func isInProgress(_ index: Int) -> Bool { itemsInProgress.contains { $0.index == index } }

  /// An item is to be configured again: if its cell is being prepared, once that has ended.
  ///
  /// - Returns: whether it is.
  func requestReconfigure(_ index: Int) -> Bool {
    guard let place = itemsInProgress.lastIndex(where: { $0.index == index }) else { return false }
    itemsInProgress[place].needsReconfigure = true
    return true
  }

  /// The step that was left for after presenting, which is then left no more.
  func takeDeferredStep() -> PreparationCandidate? {
    defer { deferredStep = nil }
    return deferredStep
  }
}
