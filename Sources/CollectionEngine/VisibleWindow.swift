/// Which items are on screen, as a range of flat indices, and what a change of that range means.
///
/// Flat indices count the items of all sections in display order.
public struct VisibleWindow: Hashable, Sendable {
  /// What a new range changes.
  ///
  /// The parts before and after the shared middle; any may be empty.
  public struct Change: Hashable, Sendable {
    /// Items that left, below the shared part.
    public var leavingBefore: Range<Int>
    /// Items that left, above the shared part.
    public var leavingAfter: Range<Int>
    /// Items that came in, below the shared part.
    public var enteringBefore: Range<Int>
    /// Items that came in, above the shared part.
    public var enteringAfter: Range<Int>

    /// Whether nothing came and nothing left.
    public var isEmpty: Bool {
      leavingBefore.isEmpty && leavingAfter.isEmpty && enteringBefore.isEmpty && enteringAfter.isEmpty
    }
  }

  /// The items on screen.
  public private(set) var range: Range<Int> = 0..<0

  /// Nothing on screen.
  public init() {}

  /// Takes a new range and says what it changes.
  ///
  /// - Complexity: O(1).
  public mutating func move(to next: Range<Int>) -> Change {
    let last = range
    range = next
    guard last.overlaps(next), !next.isEmpty else {
      return Change(leavingBefore: last, leavingAfter: 0..<0, enteringBefore: next, enteringAfter: 0..<0)
    }
    let shared = last.clamped(to: next)
    return Change(
      leavingBefore: last.lowerBound..<shared.lowerBound, leavingAfter: shared.upperBound..<last.upperBound,
      enteringBefore: next.lowerBound..<shared.lowerBound, enteringAfter: shared.upperBound..<next.upperBound)
  }

  /// Forgets the range: the items were numbered anew.
  public mutating func reset(to range: Range<Int>) { self.range = range }
}
