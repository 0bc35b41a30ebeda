public import FramePacing

/// What each step of preparing the cells of a registration took so far.
public struct PreparationMetrics: Sendable {
  /// One step's figures.
  public struct Step: Sendable {
    /// How often it was done, in slack or in a commit.
    public fileprivate(set) var count = 0
    /// The time that it took in all.
    public fileprivate(set) var total = FrameDuration.zero
    /// The longest time that it took.
    public fileprivate(set) var longest = FrameDuration.zero
    /// The last 32 times that it took.
    public fileprivate(set) var recent = CostEstimate()

    /// What half of the last times did not exceed; nothing where it was never done.
    public var typical: FrameDuration? { recent.typical }
    /// What nine in ten of the last times did not exceed; nothing where it was never done.
    public var pessimistic: FrameDuration? { recent.pessimistic }
  }

  private var steps = InlineArray<6, Step>(repeating: Step())

  /// Nothing was done.
  public init() {}

  /// The figures of a step.
  public subscript(step: PreparationStep) -> Step { steps[Int(step.rawValue)] }

  /// A step took a time; a negative one counts as none.
  ///
  /// - Complexity: O(32), no allocation.
  public mutating func record(_ cost: FrameDuration, for step: PreparationStep) {
    let place = Int(step.rawValue)
    let cost = max(.zero, cost)
    steps[place].count += 1
    steps[place].total += cost
    steps[place].longest = max(steps[place].longest, cost)
    steps[place].recent.record(cost)
  }
}
