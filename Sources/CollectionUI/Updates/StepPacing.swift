import VitrineFramePacing

/// The pacing of long work, such as comparing snapshots, in steps.
nonisolated struct StepPacing: Sendable {
  /// The number of items of one step.
  static let itemsPerStep = 4_096
  /// The cost of a step on a virtual clock, on which code takes no time.
  static let modelledCost = FrameDuration.microseconds(400)

  /// The expected cost of a step.
  ///
  /// It rises immediately and falls slowly, and is never zero.
  private(set) var expectedCost = StepPacing.modelledCost
  /// Whether a step was performed since the last call of ``isOverdue()``.
  private var hasStepped = false

  /// Advances a virtual clock by the modelled cost of a step.
  static func spendModelledCost(on clock: any FrameClock) {
    clock.advanceByModelledTime(modelledCost)
  }

  /// Records the measured cost of a step.
  mutating func recordStep(_ cost: FrameDuration) {
    hasStepped = true
    expectedCost = cost > expectedCost ? cost : expectedCost + (cost - expectedCost) * 0.05
  }

  /// Returns whether the frame that begins must perform a step, because the last one had no slack time for any.
  mutating func isOverdue() -> Bool {
    defer { hasStepped = false }
    return !hasStepped
  }
}
