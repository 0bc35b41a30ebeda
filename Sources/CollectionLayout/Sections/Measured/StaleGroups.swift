/// Groups that stand as they did before items moved into them and out of them.
struct StaleGroups: Hashable, Sendable {
  /// Ascending, apart from each other.
  private(set) var ranges: [Range<Int>] = []

  var isEmpty: Bool { ranges.isEmpty }

  /// Whether a group is one of them.
  ///
  /// - Complexity: O(log r) for r ranges.
  func contains(_ group: Int) -> Bool {
    let index = firstRange(endingBehind: group)
    return index < ranges.count && ranges[index].lowerBound <= group
  }

  /// The first of them within a range, with those that follow it at once.
  ///
  /// - Complexity: O(log r) for r ranges.
  func first(in groups: Range<Int>) -> Range<Int>? {
    let index = firstRange(endingBehind: groups.lowerBound)
    guard !groups.isEmpty, index < ranges.count, ranges[index].lowerBound < groups.upperBound else { return nil }
    return ranges[index].clamped(to: groups)
  }

  /// Takes groups in that do not begin before those that came last.
  mutating func append(_ groups: Range<Int>) {
    guard !groups.isEmpty else { return }
    if let last = ranges.last, groups.lowerBound <= last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, groups.upperBound)
    } else {
      ranges.append(groups)
    }
  }

  /// Takes in what others hold within a range, moved.
  ///
  /// - Complexity: O(log r + m) for m of its r ranges.
  mutating func append(_ others: StaleGroups, in groups: Range<Int>, movedBy distance: Int) {
    guard !groups.isEmpty else { return }
    var index = others.firstRange(endingBehind: groups.lowerBound)
    while index < others.ranges.count, others.ranges[index].lowerBound < groups.upperBound {
      let range = others.ranges[index].clamped(to: groups)
      append((range.lowerBound + distance)..<(range.upperBound + distance))
      index += 1
    }
  }

  /// Takes groups out.
  ///
  /// - Complexity: O(r) for r ranges.
  mutating func remove(_ groups: Range<Int>) {
    guard !groups.isEmpty else { return }
    let first = firstRange(endingBehind: groups.lowerBound)
    var end = first
    var rest: [Range<Int>] = []
    while end < ranges.count, ranges[end].lowerBound < groups.upperBound {
      let range = ranges[end]
      if range.lowerBound < groups.lowerBound { rest.append(range.lowerBound..<groups.lowerBound) }
      if range.upperBound > groups.upperBound { rest.append(groups.upperBound..<range.upperBound) }
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: rest)
  }

  private func firstRange(endingBehind group: Int) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= group { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
