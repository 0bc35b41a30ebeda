import VitrineDataStructures

/// The cells that belong to no item, in one stack per registration.
///
/// The last cell enqueued is dequeued first: its caches are warm, and the order is deterministic.
public struct ReusePool<Cell> {
  private var stacks: [Int: [Cell]] = [:]
  /// The number of cells in all stacks.
  public private(set) var count = 0

  /// Creates an empty pool.
  public init() {}

  /// Returns whether the pool has no cell of a registration.
  ///
  /// - Complexity: O(1).
  public func isEmpty(of registration: Int) -> Bool { stacks[registration]?.isEmpty ?? true }

  /// Returns the number of cells of a registration.
  ///
  /// - Complexity: O(1).
  public func count(of registration: Int) -> Int { stacks[registration]?.count ?? 0 }

  /// Returns the registration with the fewest cells relative to its share, or nil if there are no shares.
  ///
  /// - Parameter shares: The share of each registration, any positive numbers.
  /// - Complexity: O(n) for n registrations.
  public func scarcestRegistration(_ shares: [Int: Int]) -> Int? {
    shares.min { one, other in
      let (first, second) = (count(of: one.key) * other.value, count(of: other.key) * one.value)
      return first != second ? first < second : one.key < other.key
    }?.key
  }

  /// Removes and returns a cell of a registration that has no share, or nil if there is none.
  ///
  /// - Complexity: O(n) for n registrations.
  public mutating func dequeueCell(notIn shares: [Int: Int]) -> Cell? {
    stacks.keys.filter { shares[$0] == nil && count(of: $0) > 0 }.min().flatMap { dequeueCell(of: $0) }
  }

  /// Removes and returns a cell of a registration, or nil if no cell is available.
  ///
  /// - Parameters:
  ///   - registration: The registration.
  ///   - minimumCount: The number of cells that must remain in the pool. If it is not 0, the oldest cell is dequeued.
  /// - Complexity: O(1), or O(n) if `minimumCount` is not 0.
  public mutating func dequeueCell(of registration: Int, leaving minimumCount: Int = 0) -> Cell? {
    guard let waiting = stacks[registration]?.count, waiting > minimumCount else { return nil }
    count -= 1
    return minimumCount > 0 ? stacks[registration]?.removeFirst() : stacks[registration]?.popLast()
  }

  /// Returns a cell to the pool unless the pool already has the maximum number of cells of its registration.
  ///
  /// - Returns: Whether the cell was added.
  @discardableResult
  public mutating func enqueue(_ cell: Cell, of registration: Int, keepingAtMost limit: Int) -> Bool {
    checkPrecondition(limit >= 0, "The limit of a reuse pool must not be negative; it is \(limit).")
    guard stacks[registration, default: []].count < limit else { return false }
    stacks[registration, default: []].append(cell)
    count += 1
    return true
  }

  /// Removes all cells.
  ///
  /// - Returns: The cells, sorted by registration and then from oldest to newest.
  @discardableResult
  public mutating func removeAll() -> [Cell] {
    let all = stacks.sorted { $0.key < $1.key }.flatMap(\.value)
    stacks.removeAll()
    count = 0
    return all
  }
}
