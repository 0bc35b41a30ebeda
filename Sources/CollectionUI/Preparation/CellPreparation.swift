import CollectionEngine
import FramePacing

/// The machines that prepare cells ahead, and what they keep from frame to frame.
struct CellPreparation {
  /// Cells that are bound to an item and not on screen.
  var waiting = WaitingCells<CollectionViewCell>()
  /// Where cells may wait.
  var window = KeepWindow()
  /// What each step costs, by registration.
  var costs = StepCosts(interval: .seconds(1.0 / 60))
  /// Whether a step runs.
  var decider = SlackDecider()
  /// The items that lack a cell which is ready, the most urgent first, as of the frame that was begun.
  var candidates: [PreparationCandidate] = []
  /// Whether there may be something to prepare: frames are needed until there is not.
  var hasWork = false
  /// The frame in whose slack steps are taken.
  var frame: SlackFrame?
  /// The step that runs once the frame is presented.
  var carried: PreparationCandidate?
  /// The registration that gave the last cell: the best guess for the next.
  var lastRegistration = 0
  /// What cells took that were prepared in this frame's commit for want of a waiting one.
  private(set) var forced = FrameDuration.zero
  /// The kind of cell that took longest of these.
  private(set) var forcedType: CollectionViewCell.Type?
  private var longestForced = FrameDuration.zero

  /// In which order items are prepared.
  static let order = PreparationOrder()

  /// What preparing a cell from the beginning is expected to take.
  var expectedCost: FrameDuration {
    costs.pessimistic(.configure, of: lastRegistration) + costs.typical(.draw, of: lastRegistration)
  }

  /// A frame's commit begins.
  mutating func beginCommit() {
    forced = .zero
    longestForced = .zero
    forcedType = nil
  }

  /// A cell had to be prepared in the commit.
  mutating func noteForced(_ type: CollectionViewCell.Type, took: FrameDuration) {
    forced += took
    guard forcedType == nil || took > longestForced else { return }
    longestForced = took
    forcedType = type
  }

  /// The step that was left for after presenting, which is then left no more.
  mutating func takeCarried() -> PreparationCandidate? {
    defer { carried = nil }
    return carried
  }

  /// The step that an item's cell needs next.
  func step(at index: Int) -> PreparationStep { waiting.progress(at: index)?.next ?? .configure }
}
