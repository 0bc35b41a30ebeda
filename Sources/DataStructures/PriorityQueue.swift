/// A priority queue of unique keys, smallest priority first, with changeable priorities and removal of any key.
///
/// A binary heap with a dictionary of indices. The order of keys with equal priorities is unspecified; include a
/// sequence number in the priority for a stable order.
public struct PriorityQueue<Key: Hashable, Priority: Comparable> {
  fileprivate struct Entry {
    var key: Key
    var priority: Priority
  }

  private var heap: ContiguousArray<Entry> = []
  private var indices: [Key: Int] = [:]

  /// Creates an empty queue.
  public init() {}

  /// The number of keys.
  public var count: Int { heap.count }
  /// A Boolean value that indicates whether the queue is empty.
  public var isEmpty: Bool { heap.isEmpty }
  /// The key with the smallest priority, and its priority.
  public var first: (key: Key, priority: Priority)? { heap.first.map { ($0.key, $0.priority) } }

  /// Returns the priority of a key, or nil if the queue does not contain the key.
  public func priority(of key: Key) -> Priority? { indices[key].map { heap[$0].priority } }

  /// Inserts a key or changes its priority.
  ///
  /// - Complexity: O(log count).
  public mutating func setPriority(_ priority: Priority, for key: Key) {
    if let index = indices[key] {
      let earlier = heap[index].priority
      heap[index].priority = priority
      if priority < earlier { siftUp(index) } else { siftDown(index) }
    } else {
      heap.append(Entry(key: key, priority: priority))
      indices[key] = heap.count - 1
      siftUp(heap.count - 1)
    }
  }

  /// Removes and returns the key with the smallest priority, or returns nil if the queue is empty.
  ///
  /// - Complexity: O(log count).
  public mutating func popFirst() -> (key: Key, priority: Priority)? {
    guard let first = heap.first else { return nil }
    removeEntry(at: 0)
    return (first.key, first.priority)
  }

  /// Removes a key.
  ///
  /// - Returns: The key's priority, or nil if the queue does not contain the key.
  /// - Complexity: O(log count).
  @discardableResult
  public mutating func remove(_ key: Key) -> Priority? {
    guard let index = indices[key] else { return nil }
    let priority = heap[index].priority
    removeEntry(at: index)
    return priority
  }

  /// Removes all keys.
  public mutating func removeAll() {
    heap = []
    indices = [:]
  }

  private mutating func removeEntry(at index: Int) {
    indices.removeValue(forKey: heap[index].key)
    guard let last = heap.popLast(), index < heap.count else { return }
    heap[index] = last
    indices[last.key] = index
    siftUp(index)
    siftDown(index)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].priority < heap[parent].priority else { return }
      swapEntries(index, parent)
      index = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var smallest = 2 * index + 1
      guard smallest < heap.count else { return }
      if smallest + 1 < heap.count, heap[smallest + 1].priority < heap[smallest].priority { smallest += 1 }
      guard heap[smallest].priority < heap[index].priority else { return }
      swapEntries(index, smallest)
      index = smallest
    }
  }

  private mutating func swapEntries(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    indices[heap[first].key] = first
    indices[heap[second].key] = second
  }
}

extension PriorityQueue: Sendable where Key: Sendable, Priority: Sendable {}
extension PriorityQueue.Entry: Sendable where Key: Sendable, Priority: Sendable {}

extension PriorityQueue {
  /// A description of the first violated invariant, for tests; nil if there is none.
  ///
  /// - Complexity: O(count).
  var invariantViolation: String? {
    for index in heap.indices {
      if indices[heap[index].key] != index { return "the key at \(index) is not found there" }
      if index > 0, heap[index].priority < heap[(index - 1) / 2].priority {
        return "the entry at \(index) is smaller than the one above it"
      }
    }
    return indices.count == heap.count ? nil : "\(indices.count) places for \(heap.count) keys"
  }
}
