/// A double-ended queue in a ring buffer.
///
/// Insertion and removal at either end are O(1), amortized over the growth of the ring; access by position is O(1).
public struct Deque<Element> {
  // `storage.count` is 0 or a power of two; the element at position p is at index (head + p), masked.
  private var storage: ContiguousArray<Element?>
  private var head: Int

  /// The number of elements.
  public private(set) var count: Int

  /// Creates an empty queue.
  public init() {
    storage = []
    head = 0
    count = 0
  }

  /// Appends an element at the end.
  public mutating func append(_ element: Element) {
    reserveSlot()
    storage[storageIndex(of: count)] = element
    count += 1
  }

  /// Inserts an element at the beginning.
  public mutating func prepend(_ element: Element) {
    reserveSlot()
    head = (head - 1) & (storage.count - 1)
    storage[head] = element
    count += 1
  }

  /// Removes and returns the first element, or returns nil if the queue is empty.
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head].take()
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return element
  }

  /// Removes and returns the last element, or returns nil if the queue is empty.
  public mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage[storageIndex(of: count)].take()
  }

  /// Removes all elements.
  ///
  /// - Parameter keepingCapacity: Whether to keep the allocated memory. Default: false.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    if keepingCapacity {
      while popFirst() != nil {}
    } else {
      storage = []
    }
    head = 0
    count = 0
  }

  /// Reserves enough memory for the given number of elements.
  public mutating func reserveCapacity(_ capacity: Int) {
    if capacity > storage.count { grow(to: capacity) }
  }

  private func storageIndex(of position: Int) -> Int { (head + position) & (storage.count - 1) }

  private mutating func reserveSlot() {
    if count == storage.count { grow(to: count + 1) }
  }

  private mutating func grow(to capacity: Int) {
    var size = Swift.max(storage.count, 8)
    while size < capacity { size *= 2 }
    var larger = ContiguousArray<Element?>()
    larger.reserveCapacity(size)
    for position in 0..<count { larger.append(storage[storageIndex(of: position)].take()) }
    while larger.count < size { larger.append(nil) }
    storage = larger
    head = 0
  }
}

extension Deque: RandomAccessCollection, MutableCollection {
  /// The position of the first element; always 0.
  public var startIndex: Int { 0 }
  /// The position after the last element.
  public var endIndex: Int { count }

  /// The element at a position, counted from the first element.
  ///
  /// - Precondition: The position is within `indices`.
  public subscript(position: Int) -> Element {
    get {
      checkPrecondition(position >= 0 && position < count, "a Deque of \(count) elements has no position \(position)")
      guard let element = storage[storageIndex(of: position)] else {
        failPrecondition("a Deque lost the element at \(position)")
      }
      return element
    }
    set {
      checkPrecondition(position >= 0 && position < count, "a Deque of \(count) elements has no position \(position)")
      storage[storageIndex(of: position)] = newValue
    }
  }
}

extension Deque: ExpressibleByArrayLiteral {
  /// Creates a queue of the given elements, in order.
  public init(arrayLiteral elements: Element...) {
    self.init()
    reserveCapacity(elements.count)
    for element in elements { append(element) }
  }
}

extension Deque: Sendable where Element: Sendable {}

extension Deque: Equatable where Element: Equatable {
  /// Returns whether both queues contain equal elements in the same order.
  public static func == (left: Deque, right: Deque) -> Bool { left.elementsEqual(right) }
}
