/// A list of lengths with prefix sums and lookup by distance, both in O(log n).
///
/// Peter Fenwick's binary indexed tree (1994): one number per length, so a lookup among ten million lengths reads 24 of
/// them. Changing a length takes as many steps; a different number of lengths requires a new tree.
///
/// Lengths are nonnegative integers whose sum does not overflow.
public struct FenwickTree: Hashable, Sendable {
  /// At index i: the sum of the lengths that end with i, as many as the lowest set bit of (i + 1).
  @usableFromInline var sums: ContiguousArray<Int>
  /// The largest power of two that is at most ``count``; 0 if there are no lengths.
  @usableFromInline let highestStep: Int
  /// The sum of all lengths.
  public private(set) var total: Int

  /// Creates a tree of lengths.
  ///
  /// - Precondition: No length is negative.
  /// - Complexity: O(n).
  public init(_ lengths: some Sequence<Int>) {
    var sums = ContiguousArray(lengths)
    var total = 0
    for index in sums.indices {
      checkPrecondition(sums[index] >= 0, "A length is negative: \(sums[index]).")
      total += sums[index]
    }
    for index in sums.indices {
      let parent = index | (index + 1)
      if parent < sums.count { sums[parent] += sums[index] }
    }
    self.sums = sums
    self.total = total
    highestStep = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
  }

  /// The number of lengths.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { sums.count }

  /// Returns the sum of the lengths before an index.
  ///
  /// - Precondition: The index is within 0...``count``.
  /// - Complexity: O(log n).
  @inlinable public func sum(before index: Int) -> Int {
    checkIndex(index, upperBound: sums.count)
    var sum = 0
    var end = index
    while end > 0 {
      sum &+= sums[end &- 1]
      end &= end &- 1
    }
    return sum
  }

  /// The length at an index.
  ///
  /// - Precondition: The index is within 0..<``count``.
  /// - Complexity: O(log n), on average two steps.
  @inlinable public subscript(index: Int) -> Int {
    checkIndex(index, upperBound: sums.count - 1)
    var length = sums[index]
    var end = index
    let first = (index + 1) & index
    while end > first {
      length &-= sums[end &- 1]
      end &= end &- 1
    }
    return length
  }

  /// Returns the last index whose length starts at or before a distance, and the distance at which it starts.
  ///
  /// If several lengths start there, all but the last are empty, so the index is the one that covers the distance. A
  /// distance beyond the end returns the last index, a negative one the first.
  ///
  /// - Precondition: The tree is not empty.
  /// - Complexity: O(log n).
  @inlinable public func index(at distance: Int) -> (index: Int, start: Int) {
    checkIndex(0, upperBound: sums.count - 1)
    guard distance >= 0 else { return (0, 0) }
    var index = 0
    var start = 0
    var step = highestStep
    while step > 0 {
      let next = index &+ step
      // Never moves past the last length, which is also the result for distances beyond the end.
      if next < sums.count, start &+ sums[next &- 1] <= distance {
        index = next
        start &+= sums[next &- 1]
      }
      step >>= 1
    }
    return (index, start)
  }

  /// Adds a difference to the length at an index.
  ///
  /// - Precondition: The index is within 0..<``count``, and the length does not become negative.
  /// - Complexity: O(log n).
  public mutating func addDelta(_ difference: Int, at index: Int) {
    guard difference != 0 else { return }
    checkPrecondition(self[index] + difference >= 0, "A length is negative: \(self[index] + difference).")
    total += difference
    var node = index
    while node < sums.count {
      sums[node] += difference
      node |= node + 1
    }
  }

  /// Stops the program if an index is outside 0...upperBound.
  @inlinable func checkIndex(_ index: Int, upperBound: Int) {
    checkPrecondition(index >= 0 && index <= upperBound, "The index \(index) is out of the range 0...\(upperBound).")
  }
}
