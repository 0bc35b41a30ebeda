extension IndexRuns {
  /// Makes a set from runs in any order, which may overlap, by a bit for each index between the first and the last.
  ///
  /// - Complexity: O(n) for n indexes between these; sorting many short runs takes longer.
  public init(marking ranges: [Range<Int>]) {
    self.init()
    guard let low = ranges.lazy.map(\.lowerBound).min(), let high = ranges.lazy.map(\.upperBound).max() else { return }
    var words = [UInt64](repeating: 0, count: (high - low + 63) / 64)
    for range in ranges {
      for index in range { words[(index - low) / 64] |= 1 << UInt64((index - low) % 64) }
    }
    for (place, word) in words.enumerated() where word != 0 { append(bits: word, from: low + place * 64) }
  }

  /// From the smallest of them to the largest.
  ///
  /// - Complexity: O(1).
  public var hull: Range<Int> {
    guard let first = ranges.first, let last = ranges.last else { return 0..<0 }
    return first.lowerBound..<last.upperBound
  }

  /// Those that lie in a range.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which are there.
  public func part(in range: Range<Int>) -> IndexRuns {
    var part = IndexRuns()
    var place = firstRun { $0.upperBound > range.lowerBound }
    while place < ranges.count, ranges[place].lowerBound < range.upperBound {
      part.append(contentsOf: ranges[place].clamped(to: range))
      place += 1
    }
    return part
  }

  /// Adds indexes, in place: few that lie together cost little, however many there are.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which lie between the first and the last of those that are added, and the
  ///   moving of those behind.
  public mutating func formUnion(_ other: IndexRuns) {
    guard !other.isEmpty else { return }
    let hull = other.hull
    // Those that touch become one with them.
    let low = firstRun { $0.upperBound >= hull.lowerBound }
    let high = firstRun { $0.lowerBound > hull.upperBound }
    var joined = IndexRuns()
    var place = low
    for range in other.ranges {
      while place < high, ranges[place].lowerBound <= range.lowerBound {
        joined.append(contentsOf: ranges[place])
        place += 1
      }
      joined.append(contentsOf: range)
    }
    while place < high {
      joined.append(contentsOf: ranges[place])
      place += 1
    }
    replace(low..<high, with: joined.ranges)
  }

  /// Takes indexes away, in place: few that lie together cost little, however many there are.
  ///
  /// - Complexity: O(log r + k) for r runs, k of which lie between the first and the last of those that are taken away, and
  ///   the moving of those behind.
  public mutating func subtract(_ other: IndexRuns) {
    guard !other.isEmpty, !isEmpty else { return }
    let hull = other.hull
    let low = firstRun { $0.upperBound > hull.lowerBound }
    let high = firstRun { $0.lowerBound >= hull.upperBound }
    guard low < high else { return }
    var rest: [Range<Int>] = []
    var gone = other.firstRun { $0.upperBound > ranges[low].lowerBound }
    for place in low..<high {
      var start = ranges[place].lowerBound
      let end = ranges[place].upperBound
      while gone < other.ranges.count, other.ranges[gone].lowerBound < end {
        if start < other.ranges[gone].lowerBound { rest.append(start..<other.ranges[gone].lowerBound) }
        start = max(start, other.ranges[gone].upperBound)
        // What goes on behind this run may take of the next one too.
        guard other.ranges[gone].upperBound <= end else { break }
        gone += 1
      }
      if start < end { rest.append(start..<end) }
    }
    replace(low..<high, with: rest)
  }

  /// Puts runs in the place of neighbours.
  private mutating func replace(_ places: Range<Int>, with runs: [Range<Int>]) {
    ranges.replaceSubrange(places, with: runs)
    counts.replaceSubrange(places, with: repeatElement(0, count: runs.count))
    var before = places.lowerBound == 0 ? 0 : counts[places.lowerBound - 1] + ranges[places.lowerBound - 1].count
    for place in places.lowerBound..<ranges.count {
      counts[place] = before
      before += ranges[place].count
    }
    count = before
  }
}
