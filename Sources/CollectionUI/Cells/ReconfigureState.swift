import VitrineCollectionEngine
import VitrineFramePacing

/// The displayed cells to configure again, and the time that it takes.
struct ReconfigureState {
  /// The items.
  var queue = ReconfigureQueue()
  /// The estimated costs, by registration.
  private var costs: [CostEstimate] = []
  /// The deadline of the frame's commit, and the time until which cells may be configured again once the first was.
  private var deadline = FrameInstant.distantFuture
  private var limit: FrameInstant?

  /// The share of the remaining frame time that may be used.
  static let budgetShare = 0.25
  /// The maximum time used in a frame.
  static let maximumBudget = FrameDuration.milliseconds(2)

  /// Begins a frame's commit.
  mutating func beginFrame(_ deadline: FrameInstant) {
    queue.beginFrame()
    self.deadline = deadline
    limit = nil
  }

  /// Returns whether a cell may be configured again in this frame.
  mutating func allows(_ registration: Int, at now: FrameInstant) -> Bool {
    guard let limit else {
      // The first is always allowed, so that the queue makes progress.
      limit = now + min(max(.zero, deadline - now) * ReconfigureState.budgetShare, ReconfigureState.maximumBudget)
      return true
    }
    return now + expectedCost(of: registration) <= limit
  }

  /// Returns the 90th percentile of the cost, or zero while none is known.
  private func expectedCost(of registration: Int) -> FrameDuration {
    guard costs.indices.contains(registration) else { return .zero }
    return costs[registration].pessimistic ?? .zero
  }

  /// Records a measured cost.
  mutating func recordCost(_ cost: FrameDuration, of registration: Int) {
    guard registration >= 0 else { return }
    while costs.count <= registration { costs.append(CostEstimate()) }
    costs[registration].record(cost)
  }
}
