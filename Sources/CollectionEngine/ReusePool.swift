import DataStructures

/// Cells that belong to no item, one stack a registration; last in, first out, so that caches stay warm and runs repeat.
public struct ReusePool<Cell> {
  private var stacks: [Int: [Cell]] = [:]
  /// How many cells wait in all stacks.
  public private(set) var count = 0

  /// An empty pool.
  public init() {}

  /// Whether no cell of a registration waits.
  ///
  /// - Complexity: O(1).
  public func isEmpty(of registration: Int) -> Bool { stacks[registration]?.isEmpty ?? true }

  /// How many cells of a registration wait.
  ///
  /// - Complexity: O(1).
  public func count(of registration: Int) -> Int { stacks[registration]?.count ?? 0 }

  /// The registration of which fewest cells wait, measured by the share that it is to have; nil where none is to have one.
  ///
  /// - Parameter shares: by registration, any positive numbers.
  /// - Complexity: O(registrations).
  public func scarcestRegistration(_ shares: [Int: Int]) -> Int? {
    shares.min { one, other in
      let (first, second) = (count(of: one.key) * other.value, count(of: other.key) * one.value)
      return first != second ? first < second : one.key < other.key
    }?.key
  }

  /// Removes a cell of a registration without a share and returns it; nil where none waits.
  ///
  /// - Complexity: O(registrations).
  public mutating func dequeueCell(notIn shares: [Int: Int]) -> Cell? {
    stacks.keys.filter { shares[$0] == nil && count(of: $0) > 0 }.min().flatMap { dequeueCell(of: $0) }
  }

  /// Removes a cell of a registration and returns it; nil where none waits.
  ///
  /// - Parameters:
  ///   - registration: which one.
  ///   - rest: how many are to stay behind; where any are, what came first is taken first.
  /// - Complexity: O(1); O(n) where some are to stay.
  public mutating func dequeueCell(of registration: Int, leaving rest: Int = 0) -> Cell? {
    guard let waiting = stacks[registration]?.count, waiting > rest else { return nil }
    count -= 1
    return rest > 0 ? stacks[registration]?.removeFirst() : stacks[registration]?.popLast()
  }

  /// Puts a cell back, unless so many of its registration wait already.
  ///
  /// - Returns: whether it was kept.
  @discardableResult
  public mutating func enqueue(_ cell: Cell, of registration: Int, keepingAtMost limit: Int) -> Bool {
    checkPrecondition(limit >= 0, "A reuse pool keeps no negative number of cells; it was asked to keep \(limit).")
    guard stacks[registration, default: []].count < limit else { return false }
    stacks[registration, default: []].append(cell)
    count += 1
    return true
  }

  /// Lets go of every cell.
  ///
  /// - Returns: the cells, by registration, and in each by when they came.
  @discardableResult
  public mutating func removeAll() -> [Cell] {
    let all = stacks.sorted { $0.key < $1.key }.flatMap(\.value)
    stacks.removeAll()
    count = 0
    return all
  }
}
