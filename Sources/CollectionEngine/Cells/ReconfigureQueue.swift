/// A queue of the items on screen whose cells are to be configured again.
///
/// Items are ordered by the frame in which they were added, so that a stream of requests starves none of them. Items
/// added in the same frame are ordered by their distance from the focus of attention.
public struct ReconfigureQueue: Sendable {
  private struct Entry: Sendable {
    var index: Int
    var frame: Int
    var distance = 0.0
  }

  /// The entries in reverse order: the next one is last.
  private var entries: [Entry] = []
  private var frame = 0
  private var isSorted = true
  /// The frame in which the last dequeued item was added.
  private var lastPoppedFrame = 0

  /// Creates an empty queue.
  public init() {}

  /// Whether the queue is empty.
  public var isEmpty: Bool { entries.isEmpty }

  /// The number of items in the queue.
  public var count: Int { entries.count }

  /// Adds an item.
  ///
  /// An item that is already in the queue keeps its position.
  ///
  /// - Complexity: O(n).
  public mutating func add(_ index: Int) {
    guard !contains(index) else { return }
    entries.append(Entry(index: index, frame: frame))
    isSorted = false
  }

  /// Returns whether an item is in the queue.
  ///
  /// - Complexity: O(n).
  public func contains(_ index: Int) -> Bool { entries.contains { $0.index == index } }

  /// Starts a new frame: items added from now on come after all others.
  public mutating func beginFrame() { frame += 1 }

  /// Removes and returns the next item, or nil if the queue is empty.
  ///
  /// - Parameter distance: Returns the distance of an item from the focus of attention. Called for every item if items
  ///   were added since the last call.
  /// - Complexity: O(1), or O(n log n) if items were added since the last call.
  public mutating func popNext(distance: (Int) -> Double) -> Int? {
    if !isSorted {
      for position in entries.indices { entries[position].distance = distance(entries[position].index) }
      entries.sort { first, second in
        if first.frame != second.frame { return first.frame > second.frame }
        if first.distance != second.distance { return first.distance > second.distance }
        return first.index > second.index
      }
      isSorted = true
    }
    guard let next = entries.popLast() else { return nil }
    lastPoppedFrame = next.frame
    return next.index
  }

  /// Adds the last dequeued item again at the front of the queue, if it did not fit into the frame.
  public mutating func reinsert(_ index: Int) {
    entries.append(Entry(index: index, frame: lastPoppedFrame))
  }

  /// Removes an item from the queue.
  ///
  /// - Returns: Whether the item was in the queue.
  /// - Complexity: O(n).
  public mutating func remove(_ index: Int) -> Bool {
    guard let position = entries.firstIndex(where: { $0.index == index }) else { return false }
    entries.remove(at: position)
    return true
  }

  /// Updates the indices after an update of the items.
  ///
  /// Deleted items are removed.
  public mutating func apply(_ map: IndexMap) {
    entries = entries.compactMap { entry in
      map.newIndex(ofItem: entry.index).map { Entry(index: $0, frame: entry.frame, distance: entry.distance) }
    }
    isSorted = entries.isEmpty
  }

  /// Removes all items.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    isSorted = true
  }
}
