internal import DataStructures
internal import Geometry

/// The items of a section in justified rows.
///
/// Items are held in segments of about 256. Of a segment that was not looked at only the number of items and an estimate
/// of its rows are kept; one that is settled keeps two bytes for each item and six for each row.
struct JustifiedBody: SectionBody {
  let rules: JustifiedRules
  private(set) var content: JustifiedContent
  private(set) var segments: SummedList<JustifiedSegment>
  /// How many segments have rows that are estimated.
  private var unbrokenCount: Int
  /// All segments before this one are broken.
  private var firstUnbroken = 0
  /// What was seen of shares: the estimate for what comes new.
  private var seenShares = 0.0
  private var seenItems = 0

  /// Makes a body of which every row is estimated.
  ///
  /// - Complexity: O(n / 256) for n items; no ratio is asked.
  init(_ content: JustifiedContent, of itemCount: Int, rules: JustifiedRules) {
    self.rules = rules
    self.content = content
    segments = SummedList(
      JustifiedBody.segments(of: max(0, itemCount), meanShare: JustifiedRules.usualShare, rules))
    unbrokenCount = segments.leafCount
  }

  var itemCount: Int { segments.count }

  var length: Int { segments.count == 0 ? 0 : segments.length - rules.lineGap }

  var breadth: Int { rules.breadth }

  var hasSupplementaries: Bool { false }

  /// Segments of which nothing is known.
  private static func segments(of items: Int, meanShare: Double, _ rules: JustifiedRules) -> [JustifiedSegment] {
    let number = (items + rules.segmentSize - 1) / rules.segmentSize
    return (0..<number).map { segment in
      let count = items * (segment + 1) / number - items * segment / number
      return JustifiedSegment(
        count: count, expectedRows: rules.expectedRows(of: count, meanShare: meanShare), rules: rules)
    }
  }

  /// Segments of new items, estimated from what was seen.
  func newSegments(of items: Int) -> [JustifiedSegment] {
    let mean = seenItems == 0 ? JustifiedRules.usualShare : seenShares / Double(seenItems)
    return JustifiedBody.segments(of: items, meanShare: mean, rules)
  }

  // MARK: Settling

  var isSettled: Bool { unbrokenCount == 0 }

  mutating func settle(_ stretch: Range<Int>) -> Bool {
    guard !isSettled, !stretch.isEmpty, stretch.upperBound > 0, stretch.lowerBound < segments.length else {
      return false
    }
    let first = segments.position(atOffset: stretch.lowerBound).leaf
    let last = segments.position(atOffset: stretch.upperBound - 1).leaf
    var breaker = JustifiedBreaker(rules)
    var moved = false
    for segment in first...last where !segments[leaf: segment].isBroken {
      breakSegment(segment, with: &breaker)
      moved = true
    }
    return moved
  }

  mutating func refine(atMost items: Int) -> Bool {
    var left = items
    var breaker = JustifiedBreaker(rules)
    var moved = false
    while left > 0, !isSettled, firstUnbroken < segments.leafCount {
      let segment = segments[leaf: firstUnbroken]
      if segment.isBroken {
        left -= 1
      } else {
        left -= segment.count
        breakSegment(firstUnbroken, with: &breaker)
        moved = true
      }
      firstUnbroken += 1
    }
    return moved
  }

  /// Breaks the rows of a segment; asks for its ratios if they are not known.
  private mutating func breakSegment(_ index: Int, with breaker: inout JustifiedBreaker) {
    let position = segments.position(ofLeaf: index)
    let isLast = index == segments.leafCount - 1
    var shares: ContiguousArray<JustifiedShare> = []
    if !segments[position].isRead {
      let count = segments[position].count
      shares.reserveCapacity(count)
      for item in position.firstElement..<(position.firstElement + count) {
        let share = rules.share(ofRatio: content.aspectRatio(item))
        seenShares += share.value
        shares.append(share)
      }
      seenItems += count
    }
    segments.update(leaf: index) { segment in
      if !segment.isRead { segment.read(shares) }
      segment.breakRows(rules, isLast: isLast, with: &breaker)
    }
    unbrokenCount -= 1
  }

  // MARK: Changing segments

  /// Takes other rules of the same form in: they may know other ratios.
  mutating func take(_ content: JustifiedContent) { self.content = content }

  /// Changes a segment.
  mutating func edit(_ index: Int, _ body: (inout JustifiedSegment) -> Void) {
    unbrokenCount += segments.update(leaf: index) { segment in
      let wasBroken = segment.isBroken
      body(&segment)
      return wasBroken == segment.isBroken ? 0 : wasBroken ? 1 : -1
    }
    firstUnbroken = min(firstUnbroken, index)
  }

  /// Puts segments in the place of others.
  mutating func replace(_ range: Range<Int>, with replacement: [JustifiedSegment]) {
    for index in range where !segments[leaf: index].isBroken { unbrokenCount -= 1 }
    for segment in replacement where !segment.isBroken { unbrokenCount += 1 }
    segments.replaceLeaves(range, with: replacement)
    firstUnbroken = min(firstUnbroken, range.lowerBound)
  }

  /// Breaks a segment and those beside it if their ratios are known.
  mutating func mend(around index: Int) {
    var breaker = JustifiedBreaker(rules)
    for near in max(0, index - 1)..<min(segments.leafCount, index + 3) {
      let segment = segments[leaf: near]
      if segment.isRead && !segment.isBroken { breakSegment(near, with: &breaker) }
    }
  }
}
