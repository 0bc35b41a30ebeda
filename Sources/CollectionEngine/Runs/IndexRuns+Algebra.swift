public import DiffableData

extension IndexRuns {
  /// Makes a set from one run, which may be empty.
  ///
  /// - Complexity: O(1).
  public init(_ range: Range<Int>) {
    self.init()
    append(contentsOf: range)
  }

  /// Makes a set from runs in any order, which may overlap.
  ///
  /// - Complexity: O(r log r) for r runs.
  public init(joining ranges: some Sequence<Range<Int>>) {
    self.init()
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(contentsOf: range) }
  }

  /// The indexes that are in either set.
  ///
  /// - Complexity: O(r) for the runs of both.
  public func union(_ other: IndexRuns) -> IndexRuns {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var joined = IndexRuns()
    var place = 0
    for range in ranges {
      while place < other.ranges.count, other.ranges[place].lowerBound <= range.lowerBound {
        joined.append(contentsOf: other.ranges[place])
        place += 1
      }
      joined.append(contentsOf: range)
    }
    for range in other.ranges[place...] { joined.append(contentsOf: range) }
    return joined
  }

  /// The indexes that are in both sets.
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

  /// The indexes that are in this set and not in another.
  ///
  /// - Complexity: O(r) for the runs of both.
  public func subtracting(_ other: IndexRuns) -> IndexRuns {
    if isEmpty || other.isEmpty { return self }
    var rest = IndexRuns()
    var place = 0
    for range in ranges {
      var low = range.lowerBound
      while place < other.ranges.count, other.ranges[place].upperBound <= low { place += 1 }
      var next = place
      while next < other.ranges.count, other.ranges[next].lowerBound < range.upperBound {
        if low < other.ranges[next].lowerBound { rest.append(contentsOf: low..<other.ranges[next].lowerBound) }
        low = max(low, other.ranges[next].upperBound)
        next += 1
      }
      if low < range.upperBound { rest.append(contentsOf: low..<range.upperBound) }
    }
    return rest
  }

  /// Calls back with each index, in order.
  ///
  /// - Complexity: O(count), no allocation.
  public func forEach(_ body: (Int) -> Void) {
    for range in ranges { for index in range { body(index) } }
  }
}
