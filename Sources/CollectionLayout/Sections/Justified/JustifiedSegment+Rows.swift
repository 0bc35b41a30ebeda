/// Where items are, in pixels from the segment's beginning; while rows are estimated, all are as long as the target and
/// the items of a row are equal.
extension JustifiedSegment {
  // MARK: Along the flow

  /// The row of an item.
  ///
  /// - Complexity: O(log r) for r rows.
  @inline(__always)
  func row(ofItem item: Int) -> Int {
    guard isBroken else { return ((item + 1) * rowCount - 1) / count }
    return firstItems.withUnsafeBufferPointer { items in last(rowCount) { Int(items[$0]) <= item } }
  }

  /// The row that begins at or before an offset that is not negative.
  ///
  /// - Complexity: O(log r) for r rows.
  @inline(__always)
  func row(atOffset offset: Int, _ rules: JustifiedRules) -> Int {
    guard isBroken else { return min(offset / (rules.target + rules.captionAlong + rules.lineGap), rowCount - 1) }
    let between = rules.captionAlong + rules.lineGap
    return ends.withUnsafeBufferPointer { ends in last(rowCount) { Int(ends[$0]) + $0 * between <= offset } }
  }

  /// The last of some numbers that has a property; the property holds for 0, and for none behind one for which it does
  /// not hold.
  @inline(__always)
  private func last(_ count: Int, where holds: (Int) -> Bool) -> Int {
    var low = 0
    var left = count
    while left > 1 {
      let half = left / 2
      if holds(low + half) { low += half }
      left -= half
    }
    return low
  }

  /// The items of a row.
  @inline(__always)
  func items(ofRow row: Int) -> Range<Int> {
    guard isBroken else { return (row * count / rowCount)..<((row + 1) * count / rowCount) }
    return Int(firstItems[row])..<Int(firstItems[row + 1])
  }

  /// Where a row begins and ends.
  @inline(__always)
  func edges(ofRow row: Int, _ rules: JustifiedRules) -> (start: Int, end: Int) {
    let between = rules.captionAlong + rules.lineGap
    guard isBroken else {
      let start = row * (rules.target + between)
      return (start, start + rules.target + rules.captionAlong)
    }
    let start = Int(ends[row]) + row * between
    return (start, start + Int(ends[row + 1] - ends[row]) + rules.captionAlong)
  }

  // MARK: Across the flow

  /// How many pixels across each pixel along the flow is worth in a row whose end is known, when it fills the room.
  ///
  /// - Complexity: O(i) for the row's i items.
  @inline(__always)
  func scale(ofRow row: Int, _ rules: JustifiedRules) -> Double {
    let items = items(ofRow: row)
    var sum = 0.0
    for item in items { sum += shares[item].value }
    let scale = Double(rules.room(of: items.count)) / sum
    return isLast && row == rowCount - 1 ? min(scale, Double(rules.target)) : scale
  }

  /// Where an item of a row begins and ends across the flow.
  ///
  /// - Complexity: O(i) for the row's i items.
  @inline(__always)
  func edges(ofItem item: Int, inRow row: Int, _ rules: JustifiedRules) -> (low: Int, high: Int) {
    var edges = (low: 0, high: 0)
    visitItems(ofRow: row, rules) { visited, low, high in
      edges = (low, high)
      return visited < item
    }
    return edges
  }

  /// The first and the last item of a row that share a pixel with a stretch across the flow.
  ///
  /// - Complexity: O(i) for the row's i items.
  @inline(__always)
  func items(ofRow row: Int, from start: Int, to end: Int, _ rules: JustifiedRules) -> ClosedRange<Int>? {
    var found: ClosedRange<Int>?
    visitItems(ofRow: row, rules) { item, low, high in
      if high > start, low < end { found = (found?.lowerBound ?? item)...item }
      return low < end
    }
    return found
  }

  /// Calls back with each item of a row and its edges across the flow, as long as that wants more.
  @inline(__always)
  private func visitItems(
    ofRow row: Int, _ rules: JustifiedRules, _ wantsMore: (_ item: Int, _ low: Int, _ high: Int) -> Bool
  ) {
    let items = items(ofRow: row)
    var offset = 0
    var edge = 0
    guard isBroken else {
      let room = rules.room(of: items.count)
      for place in 0..<items.count {
        let next = (place + 1) * room / items.count
        guard wantsMore(items.lowerBound + place, edge + offset, next + offset + rules.captionAcross) else { return }
        edge = next
        offset += rules.gap
      }
      return
    }
    let scale = scale(ofRow: row, rules)
    var sum = 0.0
    for item in items {
      sum += shares[item].value
      // Edges are rounded, not widths: the last one is where the room ends.
      let next = Int(sum * scale + 0.5)
      guard wantsMore(item, edge + offset, next + offset + rules.captionAcross) else { return }
      edge = next
      offset += rules.gap
    }
  }
}
