/// Lengths in a row, with the sum of all before a place and the place at a distance, each in a few steps.
///
/// Peter Fenwick's binary indexed tree (1994): one number for each length, so finding a place among ten million looks at
/// twenty-four of them. A length that changes is taken in with as many steps; more or fewer lengths are a new tree.
///
/// Lengths are whole numbers that are not negative, and their sum does not overflow.
public struct FenwickTree: Hashable, Sendable {
  /// At place p: the sum of the (p + 1)'s lowest bit's number of lengths that end with p.
  @usableFromInline var sums: ContiguousArray<Int>
  /// The largest power of two that is not above the count; 0 for no lengths.
  @usableFromInline let highestStep: Int
  /// The sum of all lengths.
  public private(set) var total: Int

  /// Makes a tree of lengths.
  ///
  /// - Precondition: No length is negative.
  /// - Complexity: O(n).
  public init(_ lengths: some Sequence<Int>) {
    var sums = ContiguousArray(lengths)
    var total = 0
    for place in sums.indices {
      checkPrecondition(sums[place] >= 0, "A length is negative: \(sums[place]).")
      total += sums[place]
    }
    for place in sums.indices {
      let parent = place | (place + 1)
      if parent < sums.count { sums[parent] += sums[place] }
    }
    self.sums = sums
    self.total = total
    highestStep = sums.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
  }

  /// How many lengths there are.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { sums.count }

  /// The sum of all lengths before a place.
  ///
  /// - Precondition: The place is within 0...``count``.
  /// - Complexity: O(log n).
  @inlinable public func sum(before place: Int) -> Int {
    checkIndex(place, most: sums.count)
    var sum = 0
    var end = place
    while end > 0 {
      sum &+= sums[end &- 1]
      end &= end &- 1
    }
    return sum
  }

  /// The length at a place.
  ///
  /// - Precondition: The place is within 0..<``count``.
  /// - Complexity: O(log n), on average two steps.
  @inlinable public subscript(place: Int) -> Int {
    checkIndex(place, most: sums.count - 1)
    var length = sums[place]
    var end = place
    let first = (place + 1) & place
    while end > first {
      length &-= sums[end &- 1]
      end &= end &- 1
    }
    return length
  }

  /// The last place whose length begins at or before a distance from the beginning, and where it begins.
  ///
  /// Of several that begin there all but the last are empty: the place is the one that covers the distance. A distance
  /// beyond the end finds the last place, one before the beginning the first.
  ///
  /// - Precondition: There is a length.
  /// - Complexity: O(log n).
  @inlinable public func index(at distance: Int) -> (place: Int, start: Int) {
    checkIndex(0, most: sums.count - 1)
    guard distance >= 0 else { return (0, 0) }
    var place = 0
    var start = 0
    var step = highestStep
    while step > 0 {
      let next = place &+ step
      // Never past the last length: the place before the end is the answer there.
      if next < sums.count, start &+ sums[next &- 1] <= distance {
        place = next
        start &+= sums[next &- 1]
      }
      step >>= 1
    }
    return (place, start)
  }

  /// Changes the length at a place by a difference.
  ///
  /// - Precondition: The place is within 0..<``count``, and the length does not become negative.
  /// - Complexity: O(log n).
  public mutating func addDelta(_ difference: Int, at place: Int) {
    guard difference != 0 else { return }
    checkPrecondition(self[place] + difference >= 0, "A length is negative: \(self[place] + difference).")
    total += difference
    var node = place
    while node < sums.count {
      sums[node] += difference
      node |= node + 1
    }
  }

  /// Stops the program unless a place is within 0...most.
  @inlinable func checkIndex(_ place: Int, most: Int) {
    checkPrecondition(place >= 0 && place <= most, "There is no place \(place) among \(sums.count).")
  }
}
