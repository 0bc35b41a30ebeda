/// Plain values one after the other, in memory that one object owns and many may read.
///
/// For what is written and read in every frame: nothing in it is counted, and since the object never has other memory for
/// its own state, no access is checked at run time, as those to a class's variables are. Only ever used by one thread.
public final class TrivialBuffer<Element: BitwiseCopyable> {
  @usableFromInline
  struct State: BitwiseCopyable {
    @usableFromInline var start: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
  }

  @usableFromInline let state: UnsafeMutablePointer<State>

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
  @inlinable public var count: Int { state.pointee.count }

  /// The elements, until the buffer is next changed.
  public var elements: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: state.pointee.start, count: state.pointee.count)
  }

  /// The buffer without a hold on it, for whoever knows that somebody else holds it.
  public var unheld: Unheld { Unheld(state) }

  /// An element.
  ///
  /// - Precondition: less than ``count``.
  public subscript(place: Int) -> Element {
    get {
      demand(place >= 0 && place < count, "There is no element \(place) among \(count).")
      return state.pointee.start[place]
    }
    set {
      demand(place >= 0 && place < count, "There is no element \(place) among \(count).")
      state.pointee.start[place] = newValue
    }
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public func append(_ element: Element) {
    if state.pointee.count == state.pointee.capacity { grow(to: state.pointee.count + 1) }
    (state.pointee.start + state.pointee.count).initialize(to: element)
    state.pointee.count += 1
  }

  /// Adds the elements of another buffer at the end, each changed on the way.
  ///
  /// - Complexity: O(elements of the other buffer), amortised.
  @inlinable
  @inline(__always)
  public func append(_ other: Unheld, changing change: (inout Element) -> Void) {
    let added = other.state.pointee.count
    let total = state.pointee.count + added
    if total > state.pointee.capacity { grow(to: total) }
    // Read only now: growing moves the elements of a buffer that is added to itself.
    let source = other.state.pointee.start
    let target = state.pointee.start + state.pointee.count
    for place in 0..<added {
      var element = source[place]
      change(&element)
      (target + place).initialize(to: element)
    }
    state.pointee.count = total
  }

  /// Forgets the elements from a place on and keeps the memory.
  public func truncate(to length: Int) { state.pointee.count = min(state.pointee.count, max(0, length)) }

  /// Forgets all elements and keeps the memory.
  public func removeAll() { state.pointee.count = 0 }

  @usableFromInline
  func grow(to needed: Int) {
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
  public struct Unheld: BitwiseCopyable {
    @usableFromInline let state: UnsafeMutablePointer<State>

    init(_ state: UnsafeMutablePointer<State>) { self.state = state }

    /// The elements, until the buffer is next changed.
    public var elements: UnsafeBufferPointer<Element> {
      UnsafeBufferPointer(start: state.pointee.start, count: state.pointee.count)
    }
  }
}
