/// Plain values one after the other, in memory that one object owns and many may read.
///
/// For what is written and read in every frame: nothing in it is counted, and since the object never has other memory for
/// its own state, no access is checked at run time, as those to a class's variables are. Only ever used by one thread.
public final class TrivialBuffer<Element: BitwiseCopyable> {
  fileprivate struct State: BitwiseCopyable {
    var start: UnsafeMutablePointer<Element>
    var capacity: Int
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  /// Makes an empty buffer with room for some elements.
  public init(capacity: Int = 16) {
    let room = max(1, capacity)
    state = .allocate(capacity: 1)
    state.initialize(to: State(start: .allocate(capacity: room), capacity: room))
  }

  deinit {
    state.pointee.start.deallocate()
    state.deallocate()
  }

  /// The number of elements.
  public var count: Int { state.pointee.count }

  /// The elements, until the buffer is next changed.
  public var elements: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: state.pointee.start, count: state.pointee.count)
  }

  /// The buffer without a hold on it, for whoever knows that somebody else holds it.
  public var unretained: Unretained { Unretained(state: state) }

  /// An element.
  ///
  /// - Precondition: less than ``count``.
  public subscript(place: Int) -> Element {
    get {
      checkPrecondition(place >= 0 && place < count, "There is no element \(place) among \(count).")
      return state.pointee.start[place]
    }
    set {
      checkPrecondition(place >= 0 && place < count, "There is no element \(place) among \(count).")
      state.pointee.start[place] = newValue
    }
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1), amortised.
  public func append(_ element: Element) {
    if state.pointee.count == state.pointee.capacity { grow(to: state.pointee.count + 1) }
    (state.pointee.start + state.pointee.count).initialize(to: element)
    state.pointee.count += 1
  }

  /// Adds the elements of another buffer at the end.
  ///
  /// - Returns: the new elements, until the buffer is next changed.
  /// - Complexity: O(elements of the other buffer), amortised.
  @discardableResult
  public func append(_ other: Unretained) -> UnsafeMutableBufferPointer<Element> {
    let added = other.state.pointee.count
    let total = state.pointee.count + added
    if total > state.pointee.capacity { grow(to: total) }
    let target = state.pointee.start + state.pointee.count
    // Read only now: growing moves the elements of a buffer that is added to itself.
    target.initialize(from: other.state.pointee.start, count: added)
    state.pointee.count = total
    return UnsafeMutableBufferPointer(start: target, count: added)
  }

  /// Forgets the elements from a place on and keeps the memory.
  public func truncate(to length: Int) { state.pointee.count = min(state.pointee.count, max(0, length)) }

  /// Forgets all elements and keeps the memory.
  public func removeAll() { state.pointee.count = 0 }

  private func grow(to needed: Int) {
    let room = max(needed, state.pointee.capacity * 2)
    let replacement = UnsafeMutablePointer<Element>.allocate(capacity: room)
    replacement.initialize(from: state.pointee.start, count: state.pointee.count)
    state.pointee.start.deallocate()
    state.pointee.start = replacement
    state.pointee.capacity = room
  }

  /// A buffer that somebody else holds, as a plain value: a list of them is read without counting references.
  ///
  /// Of use only while the buffer is held.
  public struct Unretained: BitwiseCopyable {
    fileprivate let state: UnsafeMutablePointer<State>

    /// The elements, until the buffer is next changed.
    public var elements: UnsafeBufferPointer<Element> {
      UnsafeBufferPointer(start: state.pointee.start, count: state.pointee.count)
    }
  }
}
