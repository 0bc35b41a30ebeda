internal import VitrineDataStructures

/// A sorted set of indexes, stored as runs of consecutive indexes.
public struct IndexRuns: Hashable, Sendable {
  /// The runs: ascending, none empty, no two adjacent.
  public internal(set) var ranges: [Range<Int>] = []

  /// The number of indexes before each run.
  var counts: [Int] = []

  /// The number of indexes.
  public internal(set) var count = 0

  /// Creates an empty set.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Creates a set from indexes in any order.
  ///
  /// Duplicates are ignored.
  ///
  /// - Complexity: O(k log k) for k indexes.
  public init(_ indexes: some Sequence<Int>) {
    for index in indexes.sorted() { append(index) }
  }

  /// Whether the set is empty.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// Appends an index that is greater than all others.
  ///
  /// Other indexes are ignored.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func append(_ index: Int) { append(contentsOf: index..<(index + 1)) }

  /// Appends the part of a range that is greater than all other indexes.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func append(contentsOf range: Range<Int>) {
    guard let last = ranges.last else {
      if !range.isEmpty { add(range) }
      return
    }
    let lower = max(range.lowerBound, last.upperBound)
    guard lower < range.upperBound else { return }
    if lower == last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      count += range.upperBound - lower
    } else {
      add(lower..<range.upperBound)
    }
  }

  /// Appends the indexes of the set bits, counted from an index, as ``append(contentsOf:)`` does.
  mutating func append(bits: UInt64, from first: Int) {
    var (rest, index) = (bits, first)
    while rest != 0 {
      let gap = rest.trailingZeroBitCount
      let count = (~(rest &>> UInt64(gap))).trailingZeroBitCount
      append(contentsOf: (index + gap)..<(index + gap + count))
      rest >>= UInt64(gap + count)
      index += gap + count
    }
  }

  private mutating func add(_ range: Range<Int>) {
    ranges.append(range)
    counts.append(count)
    count += range.count
  }

  // MARK: - Queries

  /// Returns whether the set contains an index.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ index: Int) -> Bool {
    let run = firstRun { $0.lowerBound > index } - 1
    return run >= 0 && ranges[run].contains(index)
  }

  /// Returns the number of indexes in the set that are less than an index.
  ///
  /// - Complexity: O(log r) for r runs.
  public func count(below index: Int) -> Int {
    let run = firstRun { $0.lowerBound >= index } - 1
    return run < 0 ? 0 : counts[run] + min(ranges[run].upperBound, index) - ranges[run].lowerBound
  }

  /// The smallest index, or nil if the set is empty.
  ///
  /// - Complexity: O(1).
  public var first: Int? { ranges.first?.lowerBound }

  /// The largest index, or nil if the set is empty.
  ///
  /// - Complexity: O(1).
  public var last: Int? { ranges.last.map { $0.upperBound - 1 } }

  /// Returns the index at a position of the sorted set.
  ///
  /// - Precondition: The position is in `0..<count`.
  /// - Complexity: O(log r) for r runs.
  public func index(at ordinal: Int) -> Int {
    checkPrecondition((0..<count).contains(ordinal), "There is no index \(ordinal) among \(count).")
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if counts[middle] > ordinal { high = middle } else { low = middle + 1 }
    }
    return ranges[low - 1].lowerBound + ordinal - counts[low - 1]
  }

  /// Returns the index at a position of the sorted sequence of all nonnegative indexes that are not in the set.
  ///
  /// - Complexity: O(log r) for r runs.
  public func absentIndex(_ ordinal: Int) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound - counts[middle] > ordinal { high = middle } else { low = middle + 1 }
    }
    return low == 0 ? ordinal : ordinal + counts[low - 1] + ranges[low - 1].count
  }

  /// Returns the position of the first run that satisfies a predicate.
  ///
  /// All later runs must satisfy it too.
  func firstRun(where isBehind: (Range<Int>) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: - Ranges and in-place algebra

extension IndexRuns {
  /// Creates a set from runs in any order, which may overlap, with one bit for each index between the first and the
  /// last.
  ///
  /// For many short runs this is faster than sorting.
  ///
  /// - Complexity: O(n) for n indexes between the first and the last.
  public init(marking ranges: [Range<Int>]) {
    self.init()
    guard let low = ranges.lazy.map(\.lowerBound).min(), let high = ranges.lazy.map(\.upperBound).max() else { return }
    var words = [UInt64](repeating: 0, count: (high - low + 63) / 64)
    for range in ranges {
      for index in range { words[(index - low) / 64] |= 1 << UInt64((index - low) % 64) }
    }
    for (position, word) in words.enumerated() where word != 0 { append(bits: word, from: low + position * 64) }
  }

  /// The range from the smallest to the largest index.
  ///
  /// - Complexity: O(1).
  public var hull: Range<Int> {
    guard let first = ranges.first, let last = ranges.last else { return 0..<0 }
    return first.lowerBound..<last.upperBound
  }

  /// Returns the indexes in a range.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which are in the range.
  public func part(in range: Range<Int>) -> IndexRuns {
    var part = IndexRuns()
    var position = firstRun { $0.upperBound > range.lowerBound }
    while position < ranges.count, ranges[position].lowerBound < range.upperBound {
      part.append(contentsOf: ranges[position].clamped(to: range))
      position += 1
    }
    return part
  }

  /// Adds indexes in place.
  ///
  /// A few indexes that are close together cost little, whatever the size of the set.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which are between the first and the last added index, and moving the
  ///   runs after them.
  public mutating func formUnion(_ other: IndexRuns) {
    guard !other.isEmpty else { return }
    let hull = other.hull
    // Adjacent runs are joined too.
    let low = firstRun { $0.upperBound >= hull.lowerBound }
    let high = firstRun { $0.lowerBound > hull.upperBound }
    var joined = IndexRuns()
    var position = low
    for range in other.ranges {
      while position < high, ranges[position].lowerBound <= range.lowerBound {
        joined.append(contentsOf: ranges[position])
        position += 1
      }
      joined.append(contentsOf: range)
    }
    while position < high {
      joined.append(contentsOf: ranges[position])
      position += 1
    }
    replace(low..<high, with: joined.ranges)
  }

  /// Removes indexes in place.
  ///
  /// A few indexes that are close together cost little, whatever the size of the set.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which are between the first and the last removed index, and moving the
  ///   runs after them.
  public mutating func subtract(_ other: IndexRuns) {
    guard !other.isEmpty, !isEmpty else { return }
    let hull = other.hull
    let low = firstRun { $0.upperBound > hull.lowerBound }
    let high = firstRun { $0.lowerBound >= hull.upperBound }
    guard low < high else { return }
    var rest: [Range<Int>] = []
    var removal = other.firstRun { $0.upperBound > ranges[low].lowerBound }
    for position in low..<high {
      var start = ranges[position].lowerBound
      let end = ranges[position].upperBound
      while removal < other.ranges.count, other.ranges[removal].lowerBound < end {
        if start < other.ranges[removal].lowerBound { rest.append(start..<other.ranges[removal].lowerBound) }
        start = max(start, other.ranges[removal].upperBound)
        // A removed run that extends beyond this run may also affect the next one.
        guard other.ranges[removal].upperBound <= end else { break }
        removal += 1
      }
      if start < end { rest.append(start..<end) }
    }
    replace(low..<high, with: rest)
  }

  /// Replaces consecutive runs.
  private mutating func replace(_ positions: Range<Int>, with runs: [Range<Int>]) {
    ranges.replaceSubrange(positions, with: runs)
    counts.replaceSubrange(positions, with: repeatElement(0, count: runs.count))
    var before =
      positions.lowerBound == 0 ? 0 : counts[positions.lowerBound - 1] + ranges[positions.lowerBound - 1].count
    for position in positions.lowerBound..<ranges.count {
      counts[position] = before
      before += ranges[position].count
    }
    count = before
  }
}
