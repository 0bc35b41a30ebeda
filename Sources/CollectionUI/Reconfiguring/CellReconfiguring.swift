import CollectionEngine
import FramePacing

/// The cells on screen that are to be configured again, and what that takes.
struct ReconfigureState {
  /// The items.
  var queue = ReconfigureQueue()
  /// What it took, by registration.
  private var costs: [CostEstimate] = []
  /// When the frame's commit is to have ended, and by when this is to end in it, once it began.
  private var deadline = FrameInstant.distantFuture
  private var limit: FrameInstant?

  /// The part of what is left of a frame that may be spent on it.
  static let budgetShare = 0.25
  /// The most that may be spent on it in a frame.
  static let maximumBudget = FrameDuration.milliseconds(2)

  /// A frame's commit begins.
  mutating func beginFrame(_ deadline: FrameInstant) {
    queue.beginFrame()
    self.deadline = deadline
    limit = nil
  }

  /// Whether a cell's turn is in this frame.
  mutating func allows(_ registration: Int, at now: FrameInstant) -> Bool {
    guard let limit else {
      // The first is always done, or there would be no end.
      limit = now + min(max(.zero, deadline - now) * ReconfigureState.budgetShare, ReconfigureState.maximumBudget)
      return true
    }
    return now + expectedCost(of: registration) <= limit
  }

  /// What it costs at most in nine of ten cases; nothing is known at first.
  private func expectedCost(of registration: Int) -> FrameDuration {
    guard costs.indices.contains(registration) else { return .zero }
    return costs[registration].pessimistic ?? .zero
  }

  /// Takes in what it took.
  mutating func recordCost(_ cost: FrameDuration, of registration: Int) {
    guard registration >= 0 else { return }
    while costs.count <= registration { costs.append(CostEstimate()) }
    costs[registration].record(cost)
  }
}
