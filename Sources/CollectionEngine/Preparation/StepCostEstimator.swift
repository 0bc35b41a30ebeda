import VitrineDataStructures
public import VitrineFramePacing

/// The estimated cost of each preparation step, by registration, learned from every prepared cell.
///
/// An unknown cost is never assumed to be zero: the estimate is the highest known cost of the step for any
/// registration, or half a frame.
public struct StepCostEstimator: Sendable {
  /// The time between two refreshes.
  ///
  /// Half of it is the estimate if no cost of a step is known.
  public var interval: FrameDuration

  private var estimates: [CostEstimate] = []
  private var declared: [FrameDuration?] = []

  /// Creates an estimator without measurements.
  public init(interval: FrameDuration) { self.interval = interval }

  /// Declares the cost of a step for a registration, as on the virtual clock.
  ///
  /// The declaration is used until the step has been measured.
  public mutating func declare(_ cost: FrameDuration, for step: PreparationStep, of registration: Int) {
    let slot = makeSlotIndex(step, registration)
    declared[slot] = max(.zero, cost)
  }

  /// Returns the declared cost of a step, or nil if none was declared.
  public func declaredCost(of step: PreparationStep, of registration: Int) -> FrameDuration? {
    slotIndex(step, registration).flatMap { declared[$0] }
  }

  /// Records the measured time of a step.
  ///
  /// - Complexity: O(1). Allocates when a registration is recorded for the first time.
  public mutating func record(_ cost: FrameDuration, for step: PreparationStep, of registration: Int) {
    estimates[makeSlotIndex(step, registration)].record(cost)
  }

  /// Returns whether a step of a registration has been measured.
  public func isKnown(_ step: PreparationStep, of registration: Int) -> Bool {
    slotIndex(step, registration).map { !estimates[$0].isEmpty } ?? false
  }

  /// Returns the median cost of a step, for predictions.
  public func typicalCost(_ step: PreparationStep, of registration: Int) -> FrameDuration {
    cost(step, registration) { $0.typical }
  }

  /// Returns the 90th percentile of a step's cost, for work that must fit into the available time.
  public func pessimisticCost(_ step: PreparationStep, of registration: Int) -> FrameDuration {
    cost(step, registration) { $0.pessimistic }
  }

  /// Returns the running mean of a step's cost, or nil if the step has not been measured.
  package func meanCost(_ step: PreparationStep, of registration: Int) -> FrameDuration? {
    slotIndex(step, registration).flatMap { estimates[$0].mean }
  }

  /// Returns the median cost of the remaining steps of a cell: the time by which a commit is longer if it has to do
  /// them.
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
    if let slot = slotIndex(step, registration) {
      if let learned = quantile(estimates[slot]) { return learned }
      if let declared = declared[slot] { return declared }
    }
    var worst: FrameDuration?
    var slot = Int(step.rawValue)
    while slot < estimates.count {
      if let known = quantile(estimates[slot]) ?? declared[slot] { worst = max(worst ?? .zero, known) }
      slot += PreparationStep.allCases.count
    }
    // A known cost of zero says only that the others are cheap: an unknown step is assumed to take half a frame first.
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

// MARK: - Recent registrations

/// The registrations of the last 32 cells, from which the cost of the next cell is predicted before its registration is
/// known.
///
/// Where cheap and expensive cells are mixed, the next cell is assumed to be as expensive as the most expensive recent
/// one. A prediction from the last cell alone would make a frame late whenever an expensive cell follows a cheap one.
public struct RecentRegistrations: Sendable {
  /// The number of cells that are remembered.
  public static let capacity = 32

  private var ring = InlineArray<32, Int>(repeating: 0)
  private var next = 0
  /// The number of remembered cells whose registration differs from that of the cell before.
  private var changes = 0
  /// The number of cells recorded, at most ``capacity``.
  public private(set) var count = 0
  /// The registration of the last cell, or 0 if there is none.
  public private(set) var last = 0

  /// Creates an empty history.
  public init() {}

  /// Records the registration of a dequeued cell.
  ///
  /// - Complexity: O(1), no allocation.
  public mutating func recordRegistration(_ registration: Int) {
    let mask = RecentRegistrations.capacity - 1
    if count == RecentRegistrations.capacity {
      // The oldest entry is removed, with the change between it and its successor.
      if ring[next] != ring[(next + 1) & mask] { changes -= 1 }
      count -= 1
    }
    if count > 0, ring[(next - 1) & mask] != registration { changes += 1 }
    ring[next] = registration
    next = (next + 1) & mask
    count += 1
    last = registration
  }

  /// Returns the highest cost of the recent registrations.
  ///
  /// - Parameter cost: Returns the cost of a cell of a registration.
  /// - Complexity: At most 32 calls; one call if all cells have the same registration.
  public func worstCost(_ cost: (Int) -> FrameDuration) -> FrameDuration {
    var worst = cost(last)
    guard changes > 0 else { return worst }
    var known = last
    for age in 1..<count {
      let registration = ring[(next - 1 - age) & (RecentRegistrations.capacity - 1)]
      guard registration != known else { continue }
      known = registration
      worst = max(worst, cost(registration))
    }
    return worst
  }

  /// Returns the mean cost of the recent cells.
  ///
  /// - Parameter cost: Returns the cost of a cell of a registration.
  /// - Complexity: At most 32 calls; one call if all cells have the same registration.
  public func meanCost(_ cost: (Int) -> FrameDuration) -> FrameDuration {
    guard changes > 0 else { return cost(last) }
    var sum = FrameDuration.zero
    for age in 0..<count { sum += cost(ring[(next - 1 - age) & (RecentRegistrations.capacity - 1)]) }
    return FrameDuration(nanoseconds: sum.nanoseconds / Int64(count))
  }
}

// MARK: - Declared costs

/// The declared costs of the steps of preparing a cell.
///
/// The virtual clock, on which work takes no time, advances by them. They serve as estimates until the steps have been
/// measured.
public struct DeclaredCosts: Hashable, Sendable {
  /// The cost of creating a cell.
  public var create: FrameDuration
  /// The cost of calling the registration's handler.
  public var configure: FrameDuration
  /// The cost of each part of a cell that is prepared in parts.
  public var part: FrameDuration
  /// The cost of laying out and measuring a cell.
  public var size: FrameDuration
  /// The cost of building a cell's display list.
  public var draw: FrameDuration

  /// Creates declared costs.
  ///
  /// Negative values count as 0. Default: 0 for every step.
  ///
  /// The cost of uploads is declared for all views together.
  public init(
    create: FrameDuration = .zero, configure: FrameDuration = .zero, part: FrameDuration = .zero,
    size: FrameDuration = .zero, draw: FrameDuration = .zero
  ) {
    self.create = max(.zero, create)
    self.configure = max(.zero, configure)
    self.part = max(.zero, part)
    self.size = max(.zero, size)
    self.draw = max(.zero, draw)
  }

  /// No declared costs.
  public static let none = DeclaredCosts()

  /// The cost of a step.
  public subscript(step: PreparationStep) -> FrameDuration {
    switch step {
    case .create: create
    case .configure: configure
    case .part: part
    case .size: size
    case .draw: draw
    case .upload: .zero
    }
  }
}

// MARK: - Metrics

/// The measured times of the preparation steps of one registration.
public struct PreparationMetrics: Sendable {
  /// The measurements of one step.
  public struct Step: Sendable {
    /// The number of times the step was done, in slack time or in a commit.
    public fileprivate(set) var count = 0
    /// The total time.
    public fileprivate(set) var total = FrameDuration.zero
    /// The longest time.
    public fileprivate(set) var longest = FrameDuration.zero
    /// The last 32 times.
    public fileprivate(set) var recent = CostEstimate()

    /// The median of the recent times, or nil if the step has not been done.
    public var typical: FrameDuration? { recent.typical }
    /// The 90th percentile of the recent times, or nil if the step has not been done.
    public var pessimistic: FrameDuration? { recent.pessimistic }
  }

  private var steps = InlineArray<6, Step>(repeating: Step())

  /// Creates empty metrics.
  public init() {}

  /// The measurements of a step.
  public subscript(step: PreparationStep) -> Step { steps[Int(step.rawValue)] }

  /// Records the time that a step took.
  ///
  /// A negative time counts as 0.
  ///
  /// - Complexity: O(32), no allocation.
  public mutating func record(_ cost: FrameDuration, for step: PreparationStep) {
    let slot = Int(step.rawValue)
    let cost = max(.zero, cost)
    steps[slot].count += 1
    steps[slot].total += cost
    steps[slot].longest = max(steps[slot].longest, cost)
    steps[slot].recent.record(cost)
  }
}
