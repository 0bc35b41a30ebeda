internal import VitrineDataStructures

/// A few hundred consecutive items of a justified section and their rows, which are estimated at first.
///
/// Rows do not cross the end of a segment, so that a change in one segment does not affect the rows of others. A
/// segment has three states: only the number of items is known; the ratios are known; the rows are known, too.
struct JustifiedSegment: SummedLeaf {
  private(set) var count: Int
  private(set) var length: Int
  /// The number of rows, which is estimated until the rows are broken.
  private(set) var rowCount: Int
  /// The ratios of the items; empty until their aspect ratios were requested.
  private(set) var ratios: ContiguousArray<JustifiedRatio> = []
  /// The first item of each row, followed by the number of items; empty until the rows are broken.
  private(set) var firstItems: ContiguousArray<UInt16> = []
  /// The total length of the images of all rows before each row, followed by that of all rows; empty until the rows are
  /// broken.
  private(set) var ends: ContiguousArray<UInt32> = []
  /// Whether the rows were broken as the last ones of the section.
  private(set) var isLast = false

  /// Creates a segment with estimated rows.
  init(count: Int, expectedRows: Int, rules: JustifiedRules) {
    self.count = count
    rowCount = rules.possibleRows(expectedRows, of: count)
    length = rowCount * (rules.target + rules.captionAlong + rules.lineGap)
  }

  /// Whether the ratios are known.
  var hasRatios: Bool { !ratios.isEmpty }

  /// Whether the rows are final.
  var isBroken: Bool { !firstItems.isEmpty }

  // MARK: - Breaking rows

  /// Sets the ratios of the items.
  mutating func setRatios(_ ratios: ContiguousArray<JustifiedRatio>) { self.ratios = ratios }

  /// Breaks the items, whose ratios are known, into rows.
  mutating func breakRows(_ rules: JustifiedRules, isLast: Bool, with breaker: inout JustifiedBreaker) {
    firstItems = breaker.firstItems(of: ratios, isLast: isLast)
    rowCount = firstItems.count - 1
    self.isLast = isLast
    var ends = ContiguousArray<UInt32>()
    ends.reserveCapacity(rowCount + 1)
    var end = 0
    for row in 0..<rowCount {
      ends.append(UInt32(end))
      end += rules.pictureLength(atScale: scale(ofRow: row, rules))
    }
    ends.append(UInt32(end))
    self.ends = ends
    length = end + rowCount * (rules.captionAlong + rules.lineGap)
  }

  /// Discards the row breaks and keeps the number of rows as the estimate.
  mutating func discardRows(_ rules: JustifiedRules) {
    guard isBroken else { return }
    var segment = JustifiedSegment(count: count, expectedRows: rowCount, rules: rules)
    segment.ratios = ratios
    self = segment
  }

  /// Discards everything except the number of items and the estimate.
  mutating func discardAll(_ rules: JustifiedRules) {
    self = JustifiedSegment(count: count, expectedRows: rowCount, rules: rules)
  }

  // MARK: - Editing

  /// Inserts items, with their ratios if those of the segment are known, and discards the rows.
  mutating func insert(_ items: Int, _ ratios: (Int) -> JustifiedRatio, at index: Int, _ rules: JustifiedRules) {
    var newRatios = self.ratios
    if hasRatios { newRatios.insert(contentsOf: (0..<items).lazy.map(ratios), at: index) }
    resize(to: count + items, newRatios, rules)
  }

  /// Removes some but not all of the items, and discards the rows.
  mutating func remove(_ items: Range<Int>, _ rules: JustifiedRules) {
    var newRatios = ratios
    if hasRatios { newRatios.removeSubrange(items) }
    resize(to: count - items.count, newRatios, rules)
  }

  /// Changes the ratios of items, and discards the rows if any ratio differs.
  mutating func change(_ items: Range<Int>, _ ratio: (Int) -> JustifiedRatio, _ rules: JustifiedRules) {
    guard hasRatios else { return }
    for item in items {
      let changed = ratio(item)
      guard changed != ratios[item] else { continue }
      discardRows(rules)
      ratios[item] = changed
    }
  }

  private mutating func resize(to count: Int, _ ratios: ContiguousArray<JustifiedRatio>, _ rules: JustifiedRules) {
    let rows = (rowCount * count + self.count / 2) / self.count
    self = JustifiedSegment(count: count, expectedRows: rows, rules: rules)
    self.ratios = ratios
  }

  /// Returns a segment with a range of the items, or the segment itself for all items.
  func part(_ items: Range<Int>, _ rules: JustifiedRules) -> JustifiedSegment {
    guard items.count < count else { return self }
    var part = self
    part.resize(to: items.count, hasRatios ? ContiguousArray(ratios[items]) : [], rules)
    return part
  }

  /// Returns equal parts of a segment that is too large.
  func parts(_ rules: JustifiedRules) -> [JustifiedSegment] {
    let size = rules.segmentSize + rules.segmentSize / 2
    let number = (count + size - 1) / size
    return (0..<number).map { part((count * $0 / number)..<(count * ($0 + 1) / number), rules) }
  }

  /// Returns a segment with the items of two adjacent segments; their ratios are known if both were.
  func joined(_ next: JustifiedSegment, _ rules: JustifiedRules) -> JustifiedSegment {
    var joined = JustifiedSegment(count: count + next.count, expectedRows: rowCount + next.rowCount, rules: rules)
    if hasRatios && next.hasRatios { joined.ratios = ratios + next.ratios }
    return joined
  }
}

// MARK: - Positions

/// Queries for positions in pixels relative to the start of the segment.
///
/// While rows are estimated, all rows have the target length and the items of a row have equal breadths.
extension JustifiedSegment {
  // MARK: - Along the flow axis

  /// Returns the row of an item.
  ///
  /// - Complexity: O(log r) for r rows.
  @inline(__always)
  func row(ofItem item: Int) -> Int {
    guard isBroken else { return ((item + 1) * rowCount - 1) / count }
    return firstItems.withUnsafeBufferPointer { items in last(rowCount) { Int(items[$0]) <= item } }
  }

  /// Returns the row that starts at or before an offset, which is not negative.
  ///
  /// - Complexity: O(log r) for r rows.
  @inline(__always)
  func row(atOffset offset: Int, _ rules: JustifiedRules) -> Int {
    guard isBroken else { return min(offset / (rules.target + rules.captionAlong + rules.lineGap), rowCount - 1) }
    let spacing = rules.captionAlong + rules.lineGap
    return ends.withUnsafeBufferPointer { ends in last(rowCount) { Int(ends[$0]) + $0 * spacing <= offset } }
  }

  /// Returns the last number in 0..<count that satisfies a predicate.
  ///
  /// - Precondition: 0 satisfies the predicate, and no number after one that does not satisfy it does.
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

  /// Returns the items of a row.
  @inline(__always)
  func items(ofRow row: Int) -> Range<Int> {
    guard isBroken else { return (row * count / rowCount)..<((row + 1) * count / rowCount) }
    return Int(firstItems[row])..<Int(firstItems[row + 1])
  }

  /// Returns the start and end of a row.
  @inline(__always)
  func edges(ofRow row: Int, _ rules: JustifiedRules) -> (start: Int, end: Int) {
    let spacing = rules.captionAlong + rules.lineGap
    guard isBroken else {
      let start = row * (rules.target + spacing)
      return (start, start + rules.target + rules.captionAlong)
    }
    let start = Int(ends[row]) + row * spacing
    return (start, start + Int(ends[row + 1] - ends[row]) + rules.captionAlong)
  }

  // MARK: - Along the cross axis

  /// Returns the scale of a row with known ratios: the breadth in pixels of a ratio of 1 if the items fill the row.
  ///
  /// The scale is also the length of the row's images before it is limited by the tolerance.
  ///
  /// - Complexity: O(i) for the row's i items.
  @inline(__always)
  func scale(ofRow row: Int, _ rules: JustifiedRules) -> Double {
    let items = items(ofRow: row)
    var sum = 0.0
    for item in items { sum += ratios[item].value }
    let scale = Double(rules.availableBreadth(forItems: items.count)) / sum
    return isLast && row == rowCount - 1 ? min(scale, Double(rules.target)) : scale
  }

  /// Returns the start and end of an item along the cross axis.
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

  /// Returns the first and last item of a row that share a pixel with a range of the cross axis, or nil if there is
  /// none.
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

  /// Calls a closure with each item of a row and its edges along the cross axis, until the closure returns false.
  @inline(__always)
  private func visitItems(
    ofRow row: Int, _ rules: JustifiedRules, _ shouldContinue: (_ item: Int, _ low: Int, _ high: Int) -> Bool
  ) {
    let items = items(ofRow: row)
    var offset = 0
    var edge = 0
    guard isBroken else {
      let available = rules.availableBreadth(forItems: items.count)
      for index in 0..<items.count {
        let next = (index + 1) * available / items.count
        guard shouldContinue(items.lowerBound + index, edge + offset, next + offset + rules.captionAcross) else {
          return
        }
        edge = next
        offset += rules.gap
      }
      return
    }
    let scale = scale(ofRow: row, rules)
    var sum = 0.0
    for item in items {
      sum += ratios[item].value
      // Edges are rounded instead of widths, so that the last one is at the end of the row.
      let next = Int(sum * scale + 0.5)
      guard shouldContinue(item, edge + offset, next + offset + rules.captionAcross) else { return }
      edge = next
      offset += rules.gap
    }
  }
}
