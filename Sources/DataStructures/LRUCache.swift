/// A cache bounded by total cost that evicts the least recently used values first.
///
/// The order is exact. Every operation is O(1) on average, plus the evicted values.
public struct LRUCache<Key: Hashable, Value> {
  fileprivate struct Node {
    var key: Key
    var value: Value
    var cost: Int
  }

  // A doubly linked list of indices into `nodes`, -1 at the ends; kept apart from the nodes so that moving one does not
  // touch reference counts.
  fileprivate struct Links {
    var newer = -1
    var older = -1
  }

  // Free indices hold nil and are listed in `freeIndices`.
  private var nodes: ContiguousArray<Node?> = []
  private var links: ContiguousArray<Links> = []
  private var freeIndices: ContiguousArray<Int> = []
  private var indices: [Key: Int] = [:]
  private var newest = -1
  private var oldest = -1

  /// The total cost of the stored values; never more than ``costLimit``.
  public private(set) var totalCost = 0
  /// The maximum total cost.
  public private(set) var costLimit: Int

  /// Creates an empty cache.
  ///
  /// - Precondition: The limit is not negative.
  public init(costLimit: Int) {
    checkPrecondition(costLimit >= 0, "a cost limit cannot be negative: \(costLimit)")
    self.costLimit = costLimit
  }

  /// The number of stored values.
  public var count: Int { indices.count }

  /// The keys, most recently used first.
  ///
  /// - Complexity: O(count).
  public var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    var position = newest
    while position >= 0, let node = nodes[position] {
      keys.append(node.key)
      position = links[position].older
    }
    return keys
  }

  /// Returns the value of a key and marks it as the most recently used, or returns nil if there is none.
  public mutating func value(for key: Key) -> Value? {
    guard let position = indices[key] else { return nil }
    if position != newest {
      unlinkNode(at: position)
      linkNodeAsNewest(at: position)
    }
    return nodes[position]?.value
  }

  /// Returns the value of a key without changing the order, or nil if there is none.
  public func peekValue(for key: Key) -> Value? {
    guard let position = indices[key] else { return nil }
    return nodes[position]?.value
  }

  /// Inserts a value as the most recently used one, replaces the key's earlier value and evicts others if necessary.
  ///
  /// A value whose cost exceeds the limit is not stored, and the key's earlier value is removed.
  ///
  /// - Returns: The evicted values, least recently used first, without the key's earlier value.
  /// - Precondition: The cost is not negative.
  @discardableResult
  public mutating func insert(_ value: Value, for key: Key, cost: Int) -> [(key: Key, value: Value)] {
    checkPrecondition(cost >= 0, "a cost cannot be negative: \(cost)")
    guard cost <= costLimit else {
      remove(key)
      return []
    }
    let node = Node(key: key, value: value, cost: cost)
    let position: Int
    if let reused = freeIndices.popLast() {
      position = reused
      nodes[position] = node
    } else {
      position = nodes.count
      nodes.append(node)
      links.append(Links())
    }
    // A single lookup of the key.
    if let former = indices.updateValue(position, forKey: key) { removeNode(at: former) }
    totalCost += cost
    linkNodeAsNewest(at: position)
    return totalCost > costLimit ? evict(toCost: costLimit) : []
  }

  /// Removes and returns the value of a key.
  @discardableResult
  public mutating func remove(_ key: Key) -> Value? {
    guard let position = indices.removeValue(forKey: key) else { return nil }
    return removeNode(at: position)?.value
  }

  /// Removes all values.
  public mutating func removeAll() {
    nodes = []
    links = []
    freeIndices = []
    indices = [:]
    newest = -1
    oldest = -1
    totalCost = 0
  }

  /// Sets the maximum total cost and evicts the least recently used values that exceed it.
  ///
  /// - Returns: The evicted values, least recently used first.
  /// - Precondition: The limit is not negative.
  @discardableResult
  public mutating func setCostLimit(_ limit: Int) -> [(key: Key, value: Value)] {
    checkPrecondition(limit >= 0, "a cost limit cannot be negative: \(limit)")
    costLimit = limit
    return evict(toCost: limit)
  }

  private mutating func evict(toCost cost: Int) -> [(key: Key, value: Value)] {
    var evicted: [(key: Key, value: Value)] = []
    while totalCost > cost, oldest >= 0, let node = removeNode(at: oldest) {
      indices.removeValue(forKey: node.key)
      evicted.append((node.key, node.value))
    }
    return evicted
  }

  @discardableResult
  private mutating func removeNode(at position: Int) -> Node? {
    unlinkNode(at: position)
    guard let node = nodes[position].take() else { return nil }
    freeIndices.append(position)
    totalCost -= node.cost
    return node
  }

  private mutating func unlinkNode(at position: Int) {
    let (newer, older) = (links[position].newer, links[position].older)
    if newer >= 0 { links[newer].older = older } else { newest = older }
    if older >= 0 { links[older].newer = newer } else { oldest = newer }
  }

  private mutating func linkNodeAsNewest(at position: Int) {
    links[position] = Links(newer: -1, older: newest)
    if newest >= 0 { links[newest].newer = position }
    newest = position
    if oldest < 0 { oldest = position }
  }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Node: Sendable where Key: Sendable, Value: Sendable {}

extension LRUCache {
  /// A description of the first violated invariant, for tests; nil if there is none.
  ///
  /// - Complexity: O(count).
  var invariantViolation: String? {
    var cost = 0
    var seen = 0
    var newer = -1
    var position = newest
    while position >= 0 {
      guard let node = nodes[position] else { return "the list leads to the free position \(position)" }
      guard links[position].newer == newer else { return "position \(position) does not lead back to \(newer)" }
      guard indices[node.key] == position else { return "the key at \(position) is not found there" }
      cost += node.cost
      seen += 1
      guard seen <= nodes.count else { return "the list is a ring" }
      newer = position
      position = links[position].older
    }
    if newer != oldest { return "the list ends at \(newer), the oldest is \(oldest)" }
    if seen != indices.count { return "\(seen) values in the list, \(indices.count) keys" }
    if seen + freeIndices.count != nodes.count {
      return "\(nodes.count - seen) positions unused, \(freeIndices.count) of them known"
    }
    if cost != totalCost { return "the values cost \(cost), the total says \(totalCost)" }
    return totalCost > costLimit ? "the values cost more than the limit" : nil
  }
}
