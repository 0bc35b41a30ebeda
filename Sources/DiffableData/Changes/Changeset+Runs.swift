extension Changeset {
  /// Returns the run of items around an old position that an update keeps together: all are deleted, or all remain and
  /// are adjacent in the same order after the update.
  ///
  /// The run is as long as the listed changes allow, but never longer than the section. It is for mapping many items at
  /// a time.
  ///
  /// - Parameters:
  ///   - old: The position of an item in the old snapshot.
  ///   - count: The number of items of its section in the old snapshot.
  /// - Returns: The old indexes in the section, and the new position of the first of these items, or nil if they are
  ///   deleted.
  /// - Precondition: The old snapshot has the position.
  /// - Complexity: O(log c) for c changes, and O(m) for m moved sections.
  public func run(around old: ItemPosition, sectionCount count: Int) -> (items: Range<Int>, new: ItemPosition?) {
    var (low, high) = (0, count)
    // Items that move are runs of their own, and separate the others.
    let next = movesByOrigin.partitioningPosition { itemMoves[Int($0)].from > old }
    if next > 0 {
      let move = itemMoves[Int(movesByOrigin[next - 1])]
      if let destination = move.destination(of: move.from), move.destination(of: old) != nil {
        return (move.from.item..<(move.from.item + move.count), destination)
      }
      if move.from.section == old.section { low = move.from.item + move.count }
    }
    if next < movesByOrigin.count {
      let move = itemMoves[Int(movesByOrigin[next])]
      if move.from.section == old.section { high = move.from.item }
    }
    guard let section = section(afterUpdateOf: old.section) else { return (low..<high, nil) }
    guard let change = change(ofOldSection: old.section) else {
      return (low..<high, ItemPosition(section: section, item: low))
    }
    let departure = change.departures.firstRun { $0.upperBound > old.item }
    if departure < change.departures.ranges.count {
      let range = change.departures.ranges[departure]
      guard range.lowerBound > old.item else { return (range.clamped(to: low..<high), nil) }
      high = min(high, range.lowerBound)
    }
    if departure > 0 { low = max(low, change.departures.ranges[departure - 1].upperBound) }
    // An insertion between two items separates them.
    let item = change.arrivals.absentIndex(old.item - change.departures.count(below: old.item))
    let arrival = change.arrivals.firstRun { $0.upperBound > item }
    if arrival < change.arrivals.ranges.count {
      high = min(high, old.item + change.arrivals.ranges[arrival].lowerBound - item)
    }
    if arrival > 0 { low = max(low, old.item - (item - change.arrivals.ranges[arrival - 1].upperBound)) }
    return (low..<high, ItemPosition(section: section, item: item - (old.item - low)))
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the position of the first element that satisfies a predicate, by binary search.
  ///
  /// All later elements must satisfy it too.
  fileprivate func partitioningPosition(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
