internal import DataStructures

/// A set of indexes as runs of neighbours, in order.
public struct IndexRuns: Hashable, Sendable {
  /// The runs: in order, none empty, no two touching.
  public internal(set) var ranges: [Range<Int>] = []

  /// How many indexes the runs before each one hold.
  var counts: [Int] = []

  /// The number of indexes.
  public internal(set) var count = 0

  /// Makes an empty set.
  ///
  /// - Complexity: O(1).
  public init() {}

  /// Makes a set from indexes in any order; duplicates count once.
  ///
  /// - Complexity: O(k log k).
  public init(_ indexes: some Sequence<Int>) {
    for index in indexes.sorted() { append(index) }
  }

  /// Whether there is none.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// Adds an index behind all others.
  ///
  /// An index that is the last one already is not added again, and one before it is not added at all.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func append(_ index: Int) { append(contentsOf: index..<(index + 1)) }

  /// Adds a range behind all other indexes; what of it is not behind them is not added.
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

  /// Adds indexes from one on, a bit for each, as ``append(contentsOf:)`` does.
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

  /// Whether an index is among them.
  ///
  /// - Complexity: O(log r) for r runs.
  public func contains(_ index: Int) -> Bool {
    let run = firstRun { $0.lowerBound > index } - 1
    return run >= 0 && ranges[run].contains(index)
  }

  /// How many of them are below an index.
  ///
  /// - Complexity: O(log r) for r runs.
  public func count(below index: Int) -> Int {
    let run = firstRun { $0.lowerBound >= index } - 1
    return run < 0 ? 0 : counts[run] + min(ranges[run].upperBound, index) - ranges[run].lowerBound
  }

  /// The smallest of them.
  ///
  /// - Complexity: O(1).
  public var first: Int? { ranges.first?.lowerBound }

  /// The largest of them.
  ///
  /// - Complexity: O(1).
  public var last: Int? { ranges.last.map { $0.upperBound - 1 } }

  /// The index that is the given one, counted from 0, of them in order.
  ///
  /// - Precondition: There are more of them than that.
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

  /// The index, from 0 on, that is the given one, counted from 0, of all that are not among them.
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

  /// The position of the first run with a property that all runs after it have too.
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
