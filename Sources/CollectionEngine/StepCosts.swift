import DataStructures
public import FramePacing

/// What each step of preparing a cell costs, by registration: learned from every cell, displayed or ahead.
///
/// What is not known is never taken for free: it costs as much as the worst known registration's step, or half a frame.
public struct StepCostEstimator: Sendable {
  /// The time from one refresh to the next: half of it is the cost of a step of which nothing is known.
  public var interval: FrameDuration

  private var estimates: [CostEstimate] = []
  private var declared: [FrameDuration?] = []

  /// Knows nothing.
  public init(interval: FrameDuration) { self.interval = interval }

  /// A registration says what a step of its cells costs, as it does for the virtual clock.
  ///
  /// It holds until cells have shown what the step takes.
  public mutating func declare(_ cost: FrameDuration, for step: PreparationStep, of registration: Int) {
    let place = makeSlotIndex(step, registration)
    declared[place] = max(.zero, cost)
  }

  /// What a registration said that a step costs.
  public func declaredCost(of step: PreparationStep, of registration: Int) -> FrameDuration? {
    slotIndex(step, registration).flatMap { declared[$0] }
  }

  /// A step took a time, in slack or in a commit.
  ///
  /// - Complexity: O(1) in the registrations; allocates when a registration is first seen.
  public mutating func record(_ cost: FrameDuration, for step: PreparationStep, of registration: Int) {
    estimates[makeSlotIndex(step, registration)].record(cost)
  }

  /// Whether a step of a registration was ever done.
  public func isKnown(_ step: PreparationStep, of registration: Int) -> Bool {
    slotIndex(step, registration).map { !estimates[$0].isEmpty } ?? false
  }

  /// What a step costs in half of the cases: for predictions.
  public func typicalCost(_ step: PreparationStep, of registration: Int) -> FrameDuration {
    cost(step, registration) { $0.typical }
  }

  /// What a step costs at most in nine of ten cases: for what has to fit.
  public func pessimisticCost(_ step: PreparationStep, of registration: Int) -> FrameDuration {
    cost(step, registration) { $0.pessimistic }
  }

  /// The running mean of what a step costs; nothing where it was never done.
  package func meanCost(_ step: PreparationStep, of registration: Int) -> FrameDuration? {
    slotIndex(step, registration).flatMap { estimates[$0].mean }
  }

  /// What is left of preparing a cell costs in half of the cases: what a commit is longer by for lack of it.
  public func typicalRemainingCost(_ progress: PreparationProgress, of registration: Int) -> FrameDuration {
    var sum = FrameDuration.zero
    var step = progress.next
    while let next = step {
      sum += typicalCost(next, of: registration)
      step = next.next
    }
    return sum
  }

  private func cost(
    _ step: PreparationStep, _ registration: Int, _ quantile: (CostEstimate) -> FrameDuration?
  ) -> FrameDuration {
    if let place = slotIndex(step, registration) {
      if let learned = quantile(estimates[place]) { return learned }
      if let declared = declared[place] { return declared }
    }
    var worst: FrameDuration?
    var place = Int(step.rawValue)
    while place < estimates.count {
      if let known = quantile(estimates[place]) ?? declared[place] { worst = max(worst ?? .zero, known) }
      place += PreparationStep.allCases.count
    }
    // A worst of nothing at all says that the others are cheap, not that this one is: it is tried in half a frame first.
    return worst.flatMap { $0 > .zero ? $0 : nil } ?? interval * 0.5
  }

  private func slotIndex(_ step: PreparationStep, _ registration: Int) -> Int? {
    let count = PreparationStep.allCases.count
    guard registration >= 0, registration < estimates.count / count else { return nil }
    return registration * count + Int(step.rawValue)
  }

  private mutating func makeSlotIndex(_ step: PreparationStep, _ registration: Int) -> Int {
    checkPrecondition(registration >= 0, "There is no registration \(registration).")
    let count = PreparationStep.allCases.count
    while estimates.count <= registration * count {
      for _ in 0..<count {
        estimates.append(CostEstimate())
        declared.append(nil)
      }
    }
    return registration * count + Int(step.rawValue)
  }
}
