import FramePacing

/// How long work, such as the comparison of snapshots, is cut into steps, and what a step is expected to take.
nonisolated struct StepPacing: Sendable {
  /// Items of one step.
  static let itemsPerStep = 4_096
  /// What a step takes on the virtual line, where nothing takes time by itself.
  static let modelledCost = FrameDuration.microseconds(400)

  /// The cost that a step is held against: quickly up, slowly down, and not nothing before the first.
  private(set) var expectedCost = StepPacing.modelledCost
  /// Whether a step was made since the last frame asked.
  private var hasStepped = false

  /// A step was made: on the virtual line that takes time, which is no cost of the run's.
  static func spendModelledCost(on clock: any FrameClock) {
    if clock.kind == .virtual { clock.advance(by: modelledCost) }
  }

  /// A step took so long.
  mutating func recordStep(_ cost: FrameDuration) {
    hasStepped = true
    expectedCost = cost > expectedCost ? cost : expectedCost + (cost - expectedCost) * 0.05
  }

  /// Whether the frame that begins is to make a step, as the last one had no slack for any.
  mutating func isOverdue() -> Bool {
    defer { hasStepped = false }
    return !hasStepped
  }
}
