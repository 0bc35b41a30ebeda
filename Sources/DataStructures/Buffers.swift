/// A contiguous buffer of trivial values, owned by one object and readable without reference counting.
///
/// Meant for values that are written and read in every frame. The object's own state lives in memory that never moves,
/// so accesses have no exclusivity checks at run time, unlike those to the stored properties of a class. Confined to
/// one thread.
public final class TrivialBuffer<Element: BitwiseCopyable> {
  fileprivate struct State: BitwiseCopyable {
    var start: UnsafeMutablePointer<Element>
    var capacity: Int
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  /// Creates an empty buffer.
  ///
  /// - Parameter capacity: The number of elements to allocate memory for. Default: 16.
  public init(capacity: Int = 16) {
    let newCapacity = max(1, capacity)
    state = .allocate(capacity: 1)
    state.initialize(to: State(start: .allocate(capacity: newCapacity), capacity: newCapacity))
  }

  deinit {
    state.pointee.start.deallocate()
    state.deallocate()
  }

  /// The number of elements.
  public var count: Int { state.pointee.count }

  /// The elements; valid until the next mutation of the buffer.
  public var elements: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: state.pointee.start, count: state.pointee.count)
  }

  /// An unretained reference to the buffer, for callers that know another owner keeps it alive.
  public var unretained: Unretained { Unretained(state: state) }

  /// The element at an index.
  ///
  /// - Precondition: The index is within 0..<``count``.
  public subscript(index: Int) -> Element {
    get {
      checkPrecondition(index >= 0 && index < count, "There is no element \(index) among \(count).")
      return state.pointee.start[index]
    }
    set {
      checkPrecondition(index >= 0 && index < count, "There is no element \(index) among \(count).")
      state.pointee.start[index] = newValue
    }
  }

  /// Appends an element.
  ///
  /// - Complexity: O(1), amortized.
  public func append(_ element: Element) {
    if state.pointee.count == state.pointee.capacity { grow(to: state.pointee.count + 1) }
    (state.pointee.start + state.pointee.count).initialize(to: element)
    state.pointee.count += 1
  }

  /// Appends the elements of another buffer.
  ///
  /// - Returns: The appended elements; valid until the next mutation of the buffer.
  /// - Complexity: O(n), amortized, for n elements of the other buffer.
  @discardableResult
  public func append(_ other: Unretained) -> UnsafeMutableBufferPointer<Element> {
    let added = other.state.pointee.count
    let total = state.pointee.count + added
    if total > state.pointee.capacity { grow(to: total) }
    let target = state.pointee.start + state.pointee.count
    // Reads `start` after growing, because growing moves the elements of a buffer that is appended to itself.
    target.initialize(from: other.state.pointee.start, count: added)
    state.pointee.count = total
    return UnsafeMutableBufferPointer(start: target, count: added)
  }

  /// Removes the elements from an index onward; keeps the capacity.
  public func truncate(to length: Int) { state.pointee.count = min(state.pointee.count, max(0, length)) }

  /// Removes all elements; keeps the capacity.
  public func removeAll() { state.pointee.count = 0 }

  private func grow(to needed: Int) {
    let newCapacity = max(needed, state.pointee.capacity * 2)
    let replacement = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    replacement.initialize(from: state.pointee.start, count: state.pointee.count)
    state.pointee.start.deallocate()
    state.pointee.start = replacement
    state.pointee.capacity = newCapacity
  }

  /// An unretained reference to a buffer, as a trivial value: reading a list of them counts no references.
  ///
  /// Valid only while another owner retains the buffer.
  public struct Unretained: BitwiseCopyable {
    fileprivate let state: UnsafeMutablePointer<State>

    /// The elements; valid until the next mutation of the buffer.
    public var elements: UnsafeBufferPointer<Element> {
      UnsafeBufferPointer(start: state.pointee.start, count: state.pointee.count)
    }
  }
}

/// The most recent values of a series, in a ring of fixed capacity that is allocated once.
public struct RecentValues<Element> {
  /// The maximum number of stored values.
  public let capacity: Int
  /// The number of values appended in total, including those no longer stored.
  public private(set) var count = 0

  private var values: [Element] = []

  /// Creates an empty buffer and reserves its memory, whose pages are first touched when values are stored.
  ///
  /// - Parameter capacity: The maximum number of stored values, at least 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    values.reserveCapacity(self.capacity)
  }

  /// The number of stored values.
  public var storedCount: Int { values.count }

  /// Appends a value; replaces the oldest one if the buffer is full.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ value: Element) {
    if values.count < capacity {
      values.append(value)
    } else {
      values[count % capacity] = value
    }
    count += 1
  }

  /// Returns a stored value by its age; 0 is the newest.
  ///
  /// - Precondition: The age is within 0..<``storedCount``.
  public func value(atAge age: Int) -> Element {
    checkPrecondition(age >= 0 && age < values.count, "There is no value of age \(age) among \(values.count).")
    return values[(count - 1 - age) % capacity]
  }

  /// Returns the longest run of newest values that satisfy a predicate, oldest first.
  ///
  /// - Complexity: O(n) for n returned values.
  public func newestValues(while predicate: (Element) -> Bool = { _ in true }) -> [Element] {
    var matches = 0
    while matches < values.count, predicate(value(atAge: matches)) { matches += 1 }
    return (0..<matches).reversed().map { value(atAge: $0) }
  }
}

extension RecentValues: Sendable where Element: Sendable {}

/// A buffer that restores the order of elements that arrive out of order.
///
/// It returns each element as soon as all elements before it have arrived, and stores only elements that wait for an
/// earlier one.
public struct ReorderBuffer<Element> {
  /// The elements that arrived early, by position; nil for positions without an element.
  private var pendingElements: [Int: Element?] = [:]
  private var nextPosition = 0

  /// Creates a buffer that waits for position 0.
  public init() {}

  /// Inserts the element of a position and returns the elements that are ready.
  ///
  /// - Parameters:
  ///   - element: The element, or nil to mark the position as empty so that it no longer blocks later ones.
  ///   - position: The position, counted from 0.
  /// - Precondition: The position is not negative and was not inserted before.
  /// - Returns: The elements that are ready, in the order of their positions.
  /// - Complexity: O(n), amortized, for n returned elements.
  public mutating func insert(_ element: Element?, at position: Int) -> [Element] {
    checkPrecondition(
      position >= nextPosition && pendingElements[position] == nil,
      "The element at \(position) of the ReorderBuffer is already set.")
    pendingElements.updateValue(element, forKey: position)
    var ready: [Element] = []
    while let entry = pendingElements.removeValue(forKey: nextPosition) {
      nextPosition += 1
      if let entry { ready.append(entry) }
    }
    return ready
  }
}
