/// Values that were used lately and cost no more together than twice a capacity.
///
/// Two tables, and when the young one is full it becomes the old one: no clock, no list, and forgetting costs nothing.
package nonisolated struct GenerationalCache<Key: Hashable, Value> {
  private struct Entry {
    let value: Value
    let cost: Int
  }

  private let capacity: Int
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]
  private var youngCost = 0
  private var oldCost = 0

  /// Makes an empty table; of what fits into half of what it may hold, the latest is always there.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The number of values kept.
  package var count: Int { young.count + old.count }

  /// What the values kept cost together, at most twice the capacity.
  package var cost: Int { youngCost + oldCost }

  /// The value that was noted, which makes it young again.
  /// - Complexity: O(1).
  package mutating func value(for key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    oldCost -= entry.cost
    insert(entry.value, for: key, cost: entry.cost)
    return entry.value
  }

  /// Notes a value, unless it alone costs more than the capacity.
  /// - Complexity: O(1), amortised.
  package mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    if let former = young.removeValue(forKey: key) { youngCost -= former.cost }
    if let former = old.removeValue(forKey: key) { oldCost -= former.cost }
    guard cost <= capacity else { return }
    if youngCost + cost > capacity {
      old = young
      oldCost = youngCost
      young = [:]
      youngCost = 0
    }
    young[key] = Entry(value: value, cost: cost)
    youngCost += cost
  }
}
