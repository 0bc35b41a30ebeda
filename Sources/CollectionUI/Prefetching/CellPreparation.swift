import CollectionEngine
import FramePacing
import ScrollPhysics

/// The state of preparing a view's cells ahead.
///
/// It is a class because a value would be copied as a whole by every access, several times per step.
final class CellPreparation {
  /// The window around the viewport in which cells may wait.
  var window = KeepWindow()
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
  /// The time to prepare a screen of items, plus three frames.
  ///
  /// Items that are visible sooner should be prepared by now.
  private(set) var leadTime = FrameDuration.zero
  /// Reusable memory for ranges of items.
  var runs: [Range<Int>] = []
  /// Reusable memory for the set of items that need no step.
  var readyItems = ReadyItemSet()
  /// The time spent in this frame's commit on cells that were not prepared.
  private(set) var forcedDuration = FrameDuration.zero
  /// The class of the cell that took the longest of these.
  private(set) var forcedType: CollectionViewCell.Type?
  /// The number of these cells, including those that were partly prepared.
  private(set) var forcedCount: Int32 = 0
  private var longestForced = FrameDuration.zero
  /// The policy of preparing cells.
  var policy = PreparationPolicy.stepwise {
    didSet {
      decider.policy = policy.slackPolicy
      window.extent = policy.extent
    }
  }

  /// The order in which items are prepared.
  var order: PreparationOrder { policy.order }

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

  /// Forgets the items to prepare, because their indices changed.
  func removeCandidates() {
    candidates.removeAll(keepingCapacity: true)
    deferredStep = nil
    frame = nil
  }

  /// Returns the deferred step and clears it.
  func takeDeferredStep() -> PreparationCandidate? {
    defer { deferredStep = nil }
    return deferredStep
  }
}
