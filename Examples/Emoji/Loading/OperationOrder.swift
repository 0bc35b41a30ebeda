/// Which operation is next: those that a cell on screen waits for, then the others, each in the order in which they came.
///
/// A value: whoever runs operations asks it.
nonisolated struct OperationOrder: Sendable {
  private var awaited: [Int] = []
  private var others: [Int] = []

  /// How many wait for their turn.
  var count: Int { awaited.count + others.count }

  /// An operation came.
  mutating func add(_ number: Int) { others.append(number) }

  /// A cell on screen waits for an operation, if that waits for its turn.
  /// - Complexity: O(those that wait).
  mutating func hurry(_ number: Int) {
    guard let place = others.firstIndex(of: number) else { return }
    awaited.append(others.remove(at: place))
  }

  /// Takes an operation out.
  /// - Returns: whether it waited for its turn.
  /// - Complexity: O(those that wait).
  mutating func remove(_ number: Int) -> Bool {
    if let place = awaited.firstIndex(of: number) {
      awaited.remove(at: place)
      return true
    }
    guard let place = others.firstIndex(of: number) else { return false }
    others.remove(at: place)
    return true
  }

  /// Takes the next one out.
  /// - Complexity: O(those that wait).
  mutating func next() -> Int? {
    if !awaited.isEmpty { return awaited.removeFirst() }
    return others.isEmpty ? nil : others.removeFirst()
  }

  /// Takes all out.
  mutating func removeAll() { self = OperationOrder() }
}
