public import VitrineDiffableData

extension IndexRuns {
  /// Creates a set from one run, which may be empty.
  ///
  /// - Complexity: O(1).
  public init(_ range: Range<Int>) {
    self.init()
    append(contentsOf: range)
  }

  /// Creates a set from runs in any order, which may overlap.
  ///
  /// - Complexity: O(r log r) for r runs.
  public init(joining ranges: some Sequence<Range<Int>>) {
    self.init()
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(contentsOf: range) }
  }

  /// Returns the indexes that are in either set.
  ///
  /// - Complexity: O(r) for the runs of both.
  public func union(_ other: IndexRuns) -> IndexRuns {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var joined = IndexRuns()
    var position = 0
    for range in ranges {
      while position < other.ranges.count, other.ranges[position].lowerBound <= range.lowerBound {
        joined.append(contentsOf: other.ranges[position])
        position += 1
      }
      joined.append(contentsOf: range)
    }
    for range in other.ranges[position...] { joined.append(contentsOf: range) }
    return joined
  }

  /// Returns the indexes that are in both sets.
  ///
  /// - Complexity: O(r) for the runs of both.
  public func intersection(_ other: IndexRuns) -> IndexRuns {
    var common = IndexRuns()
    var (left, right) = (0, 0)
    while left < ranges.count, right < other.ranges.count {
      let (a, b) = (ranges[left], other.ranges[right])
      common.append(contentsOf: a.clamped(to: b))
      if a.upperBound < b.upperBound { left += 1 } else { right += 1 }
    }
    return common
  }

  /// Returns the indexes that are in this set and not in another.
  ///
  /// - Complexity: O(r) for the runs of both.
  public func subtracting(_ other: IndexRuns) -> IndexRuns {
    if isEmpty || other.isEmpty { return self }
    var rest = IndexRuns()
    var position = 0
    for range in ranges {
      var low = range.lowerBound
      while position < other.ranges.count, other.ranges[position].upperBound <= low { position += 1 }
      var next = position
      while next < other.ranges.count, other.ranges[next].lowerBound < range.upperBound {
        if low < other.ranges[next].lowerBound { rest.append(contentsOf: low..<other.ranges[next].lowerBound) }
        low = max(low, other.ranges[next].upperBound)
        next += 1
      }
      if low < range.upperBound { rest.append(contentsOf: low..<range.upperBound) }
    }
    return rest
  }

  /// Calls a closure with each index, in ascending order.
  ///
  /// - Complexity: O(n), no allocation.
  public func forEach(_ body: (Int) -> Void) {
    for range in ranges { for index in range { body(index) } }
  }
}
