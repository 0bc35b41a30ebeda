/// A queue with two ends in one ring of memory.
///
/// Adding and taking at either end is O(1), amortised over the growth of the ring; reading by position is O(1).
public struct Deque<Element> {
  // `storage.count` is 0 or a power of two; the element at position p stands at (head + p) masked.
  private var storage: ContiguousArray<Element?>
  private var head: Int

  /// The number of elements.
  public private(set) var count: Int

  /// Makes an empty queue.
  public init() {
    storage = []
    head = 0
    count = 0
  }

  /// Adds an element after the last one.
  public mutating func append(_ element: Element) {
    reserveSlot()
    storage[storageIndex(of: count)] = element
    count += 1
  }

  /// Adds an element before the first one.
  public mutating func prepend(_ element: Element) {
    reserveSlot()
    head = (head - 1) & (storage.count - 1)
    storage[head] = element
    count += 1
  }

  /// Takes the first element; nothing when there is none.
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head].take()
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return element
  }

  /// Takes the last element; nothing when there is none.
  public mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage[storageIndex(of: count)].take()
  }

  /// Takes all elements out.
  /// - Parameter keepingCapacity: whether the ring stays as large as it has become.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    if keepingCapacity {
      while popFirst() != nil {}
    } else {
      storage = []
    }
    head = 0
    count = 0
  }

  /// Grows the ring so that this many elements fit without another growth.
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
  /// The position of the first element: always 0.
  public var startIndex: Int { 0 }
  /// The position after the last element.
  public var endIndex: Int { count }

  /// The element at a position from the first one.
  /// - Precondition: the position is within `indices`.
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
  /// Makes a queue of these elements, the first one first.
  public init(arrayLiteral elements: Element...) {
    self.init()
    reserveCapacity(elements.count)
    for element in elements { append(element) }
  }
}

extension Deque: Sendable where Element: Sendable {}

extension Deque: Equatable where Element: Equatable {
  /// Whether both hold equal elements in the same order.
  public static func == (left: Deque, right: Deque) -> Bool { left.elementsEqual(right) }
}
