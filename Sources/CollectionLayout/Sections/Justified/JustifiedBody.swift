internal import VitrineDataStructures
internal import VitrineGeometry

/// The items of a section in justified rows.
///
/// Items are stored in segments of about 256. A segment that was not finalized consists of the number of its items and
/// an estimate of its rows. A finalized segment takes two bytes for each item and six bytes for each row.
struct JustifiedBody: SectionBody {
  let rules: JustifiedRules
  private(set) var content: JustifiedContent
  private(set) var segments: SummedList<JustifiedSegment>
  /// The number of segments with estimated rows.
  private var unbrokenCount: Int
  /// An index such that all segments before it are broken into rows.
  private var firstUnbroken = 0
  /// The sum and number of all known ratios, from which new segments are estimated.
  private var ratioSum = 0.0
  private var ratioCount = 0

  /// Creates a body with estimated rows.
  ///
  /// - Complexity: O(n / 256) for n items; no aspect ratio is requested.
  init(_ content: JustifiedContent, of itemCount: Int, rules: JustifiedRules) {
    self.rules = rules
    self.content = content
    segments = SummedList(
      JustifiedBody.segments(of: max(0, itemCount), meanRatio: JustifiedRules.defaultRatio, rules))
    unbrokenCount = segments.leafCount
  }

  var itemCount: Int { segments.count }

  var length: Int { segments.count == 0 ? 0 : segments.length - rules.lineGap }

  var breadth: Int { rules.breadth }

  var hasSupplementaries: Bool { false }

  /// Returns segments of estimated rows.
  private static func segments(of items: Int, meanRatio: Double, _ rules: JustifiedRules) -> [JustifiedSegment] {
    let number = (items + rules.segmentSize - 1) / rules.segmentSize
    return (0..<number).map { segment in
      let count = items * (segment + 1) / number - items * segment / number
      return JustifiedSegment(
        count: count, expectedRows: rules.expectedRows(of: count, meanRatio: meanRatio), rules: rules)
    }
  }

  /// Returns segments of new items, estimated from the known ratios.
  func newSegments(of items: Int) -> [JustifiedSegment] {
    let mean = ratioCount == 0 ? JustifiedRules.defaultRatio : ratioSum / Double(ratioCount)
    return JustifiedBody.segments(of: items, meanRatio: mean, rules)
  }

  // MARK: - Finalizing

  var areFramesFinal: Bool { unbrokenCount == 0 }

  mutating func finalizeFrames(in span: Range<Int>) -> Bool {
    guard !areFramesFinal, !span.isEmpty, span.upperBound > 0, span.lowerBound < segments.length else {
      return false
    }
    let first = segments.position(atOffset: span.lowerBound).leaf
    let last = segments.position(atOffset: span.upperBound - 1).leaf
    var breaker = JustifiedBreaker(rules)
    var hasMoved = false
    for segment in first...last where !segments[leaf: segment].isBroken {
      breakSegment(segment, with: &breaker)
      hasMoved = true
    }
    return hasMoved
  }

  mutating func finalizeFrames(itemBudget items: Int) -> Bool {
    var left = items
    var breaker = JustifiedBreaker(rules)
    var hasMoved = false
    while left > 0, !areFramesFinal, firstUnbroken < segments.leafCount {
      let segment = segments[leaf: firstUnbroken]
      if segment.isBroken {
        left -= 1
      } else {
        left -= segment.count
        breakSegment(firstUnbroken, with: &breaker)
        hasMoved = true
      }
      firstUnbroken += 1
    }
    return hasMoved
  }

  /// Breaks the items of a segment into rows, and requests their aspect ratios if they are not known.
  private mutating func breakSegment(_ index: Int, with breaker: inout JustifiedBreaker) {
    let position = segments.position(ofLeaf: index)
    let isLast = index == segments.leafCount - 1
    var ratios: ContiguousArray<JustifiedRatio> = []
    if !segments[position].hasRatios {
      let count = segments[position].count
      ratios.reserveCapacity(count)
      for item in position.firstElement..<(position.firstElement + count) {
        let ratio = rules.ratio(forAspectRatio: content.aspectRatio(item))
        ratioSum += ratio.value
        ratios.append(ratio)
      }
      ratioCount += count
    }
    segments.update(leaf: index) { segment in
      if !segment.hasRatios { segment.setRatios(ratios) }
      segment.breakRows(rules, isLast: isLast, with: &breaker)
    }
    unbrokenCount -= 1
  }

  // MARK: - Changing segments

  /// Replaces the rules by rules of the same form, which may have other aspect ratios.
  mutating func setContent(_ content: JustifiedContent) { self.content = content }

  /// Mutates a segment.
  mutating func updateSegment(_ index: Int, _ body: (inout JustifiedSegment) -> Void) {
    unbrokenCount += segments.update(leaf: index) { segment in
      let wasBroken = segment.isBroken
      body(&segment)
      return wasBroken == segment.isBroken ? 0 : wasBroken ? 1 : -1
    }
    firstUnbroken = min(firstUnbroken, index)
  }

  /// Replaces a range of segments.
  mutating func replaceSegments(_ range: Range<Int>, with replacement: [JustifiedSegment]) {
    for index in range where !segments[leaf: index].isBroken { unbrokenCount -= 1 }
    for segment in replacement where !segment.isBroken { unbrokenCount += 1 }
    segments.replaceLeaves(range, with: replacement)
    firstUnbroken = min(firstUnbroken, range.lowerBound)
  }

  /// Breaks a segment and its neighbors into rows if their aspect ratios are known.
  mutating func breakRows(around index: Int) {
    var breaker = JustifiedBreaker(rules)
    for neighbor in max(0, index - 1)..<min(segments.leafCount, index + 3) {
      let segment = segments[leaf: neighbor]
      if segment.hasRatios && !segment.isBroken { breakSegment(neighbor, with: &breaker) }
    }
  }
}

// MARK: - Queries

extension JustifiedBody {
  /// Returns the frame of an item.
  ///
  /// - Complexity: O(log n + i) for n items, of which i are in the item's row.
  func frame(ofItem item: Int) -> PixelFrame {
    let position = segments.position(ofElement: item)
    let segment = segments[position]
    let index = item - position.firstElement
    let row = segment.row(ofItem: index)
    let along = segment.edges(ofRow: row, rules)
    let across = segment.edges(ofItem: index, inRow: row, rules)
    return rules.frame(
      start: position.start + along.start, end: position.start + along.end, from: across.low, to: across.high)
  }

  /// Returns the smallest index of an item that shares a pixel with a rectangle, or nil if there is none.
  ///
  /// - Complexity: O(log n + i) for n items, of which i are in the rows that intersect the rectangle up to the first
  ///   item.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard let visibleSpan = span(of: rect) else { return nil }
    var position = segments.position(atOffset: visibleSpan.lowerBound)
    var segment = segments[position]
    var row = segment.row(atOffset: visibleSpan.lowerBound - position.start, rules)
    while true {
      let edges = segment.edges(ofRow: row, rules)
      guard position.start + edges.start < visibleSpan.upperBound else { return nil }
      if position.start + edges.end > visibleSpan.lowerBound, let items = items(in: rect, ofRow: row, of: segment) {
        return position.firstElement + items.lowerBound
      }
      row += 1
      if row == segment.rowCount {
        guard position.leaf + 1 < segments.leafCount else { return nil }
        position = segments.position(ofLeaf: position.leaf + 1)
        segment = segments[position]
        row = 0
      }
    }
  }

  /// Returns the largest index of an item that shares a pixel with a rectangle, or nil if there is none.
  ///
  /// - Complexity: That of ``firstItem(in:)``, from the other end.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard let visibleSpan = span(of: rect) else { return nil }
    var position = segments.position(atOffset: visibleSpan.upperBound - 1)
    var segment = segments[position]
    var row = segment.row(atOffset: visibleSpan.upperBound - 1 - position.start, rules)
    while true {
      guard position.start + segment.edges(ofRow: row, rules).end > visibleSpan.lowerBound else { return nil }
      if let items = items(in: rect, ofRow: row, of: segment) { return position.firstElement + items.upperBound }
      if row == 0 {
        guard position.leaf > 0 else { return nil }
        position = segments.position(ofLeaf: position.leaf - 1)
        segment = segments[position]
        row = segment.rowCount
      }
      row -= 1
    }
  }

  /// Returns the part of a rectangle along the flow axis that is within the rows, or nil if there is none.
  @inline(__always)
  private func span(of rect: PixelFrame) -> Range<Int>? {
    let start = max(0, rect.start(rules.flow))
    let end = min(rect.end(rules.flow), length)
    // A rectangle beyond the cross edges of the rows does not intersect any of them.
    let isOutside = rect.start(rules.flow.cross) >= breadth || rect.end(rules.flow.cross) <= 0
    return !rect.isEmpty && !isOutside && start < end ? start..<end : nil
  }

  @inline(__always)
  private func items(in rect: PixelFrame, ofRow row: Int, of segment: JustifiedSegment) -> ClosedRange<Int>? {
    segment.items(ofRow: row, from: rect.start(rules.flow.cross), to: rect.end(rules.flow.cross), rules)
  }

  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    guard itemCount > 0 else { return nil }
    let line = max(0, line)
    let position = segments.position(atOffset: line)
    let segment = segments[position]
    let row = segment.row(atOffset: line - position.start, rules)
    let start = position.start + segment.edges(ofRow: row, rules).start
    if row + 1 < segment.rowCount { return (start, position.start + segment.edges(ofRow: row + 1, rules).start) }
    return (start, position.leaf + 1 < segments.leafCount ? position.start + segment.length : nil)
  }
}
