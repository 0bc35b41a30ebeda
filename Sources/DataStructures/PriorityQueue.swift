/// Keys in the order of their priorities, smallest first; any key's priority can be changed, and any key taken out.
///
/// A binary heap beside a dictionary of places. Keys of equal priority come in no fixed order: a caller who wants one
/// puts a sequence number into the priority.
public struct PriorityQueue<Key: Hashable, Priority: Comparable> {
  fileprivate struct Entry {
    var key: Key
    var priority: Priority
  }

  private var heap: ContiguousArray<Entry> = []
  private var indices: [Key: Int] = [:]

  /// Makes an empty queue.
  public init() {}

  /// The number of keys.
  public var count: Int { heap.count }
  /// Whether there are no keys.
  public var isEmpty: Bool { heap.isEmpty }
  /// The key of the smallest priority, with it.
  public var first: (key: Key, priority: Priority)? { heap.first.map { ($0.key, $0.priority) } }

  /// The priority of a key; nothing when the key is not in the queue.
  public func priority(of key: Key) -> Priority? { indices[key].map { heap[$0].priority } }

  /// Puts a key in, or gives it another priority.
  /// - Complexity: O(log count).
  public mutating func setPriority(_ priority: Priority, for key: Key) {
    if let place = indices[key] {
      let earlier = heap[place].priority
      heap[place].priority = priority
      if priority < earlier { siftUp(place) } else { siftDown(place) }
    } else {
      heap.append(Entry(key: key, priority: priority))
      indices[key] = heap.count - 1
      siftUp(heap.count - 1)
    }
  }

  /// Takes the key of the smallest priority.
  /// - Complexity: O(log count).
  public mutating func popFirst() -> (key: Key, priority: Priority)? {
    guard let first = heap.first else { return nil }
    removeEntry(at: 0)
    return (first.key, first.priority)
  }

  /// Takes a key out, wherever it stands; nothing when it is not in the queue.
  /// - Returns: the priority it had.
  /// - Complexity: O(log count).
  @discardableResult
  public mutating func remove(_ key: Key) -> Priority? {
    guard let place = indices[key] else { return nil }
    let priority = heap[place].priority
    removeEntry(at: place)
    return priority
  }

  /// Takes all keys out.
  public mutating func removeAll() {
    heap = []
    indices = [:]
  }

  private mutating func removeEntry(at place: Int) {
    indices.removeValue(forKey: heap[place].key)
    guard let last = heap.popLast(), place < heap.count else { return }
    heap[place] = last
    indices[last.key] = place
    siftUp(place)
    siftDown(place)
  }

  private mutating func siftUp(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard heap[place].priority < heap[parent].priority else { return }
      swapEntries(place, parent)
      place = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var place = start
    while true {
      var smallest = 2 * place + 1
      guard smallest < heap.count else { return }
      if smallest + 1 < heap.count, heap[smallest + 1].priority < heap[smallest].priority { smallest += 1 }
      guard heap[smallest].priority < heap[place].priority else { return }
      swapEntries(place, smallest)
      place = smallest
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
  /// What is wrong inside, in a sentence; nothing when all is well.
  ///
  /// For tests.
  /// - Complexity: O(count).
  var invariantViolation: String? {
    for place in heap.indices {
      if indices[heap[place].key] != place { return "the key at \(place) is not found there" }
      if place > 0, heap[place].priority < heap[(place - 1) / 2].priority {
        return "the entry at \(place) is smaller than the one above it"
      }
    }
    return indices.count == heap.count ? nil : "\(indices.count) places for \(heap.count) keys"
  }
}
