public import FramePacing

/// The registrations of the last 32 cells: what the next cell may be of, which nobody knows before its provider is called.
///
/// Where cheap and heavy cells are mixed, the next one has to be taken for the heaviest that came lately: a guess by the
/// last one makes frames late whenever a heavy cell follows a cheap one.
public struct RecentRegistrations: Sendable {
  /// How many cells are remembered.
  public static let capacity = 32

  private var ring = InlineArray<32, Int>(repeating: 0)
  private var next = 0
  /// How many cells of those remembered are not of the same registration as the one before them.
  private var changes = 0
  /// How many cells are remembered.
  public private(set) var count = 0
  /// The registration of the last cell; 0 before the first.
  public private(set) var last = 0

  /// No cell.
  public init() {}

  /// A cell of a registration was given.
  ///
  /// - Complexity: O(1), no allocation.
  public mutating func recordRegistration(_ registration: Int) {
    let mask = RecentRegistrations.capacity - 1
    if count == RecentRegistrations.capacity {
      // The oldest goes, and with it the change from it to the one after it.
      if ring[next] != ring[(next + 1) & mask] { changes -= 1 }
      count -= 1
    }
    if count > 0, ring[(next - 1) & mask] != registration { changes += 1 }
    ring[next] = registration
    next = (next + 1) & mask
    count += 1
    last = registration
  }

  /// What a cell costs of the registration that costs most among them; of the last where all are the same.
  ///
  /// - Parameter cost: what a cell of a registration costs.
  /// - Complexity: O(32) calls at most, one where all cells are of one registration.
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

  /// What a cell costs on the average of them all; of the last where all are the same.
  ///
  /// - Parameter cost: what a cell of a registration costs.
  /// - Complexity: O(32) calls at most, one where all cells are of one registration.
  public func meanCost(_ cost: (Int) -> FrameDuration) -> FrameDuration {
    guard changes > 0 else { return cost(last) }
    var sum = FrameDuration.zero
    for age in 0..<count { sum += cost(ring[(next - 1 - age) & (RecentRegistrations.capacity - 1)]) }
    return FrameDuration(nanoseconds: sum.nanoseconds / Int64(count))
  }
}
