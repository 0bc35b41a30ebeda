internal import DataStructures

/// Some hundred neighbouring items of a justified section, and the rows they stand in: estimated ones at first.
///
/// Rows do not cross a segment's end, so that what happens in one does not move the items of another against each other.
/// Three states: nothing is known but the number of items; their shares are known; their rows are known, too.
struct JustifiedSegment: SummedLeaf {
  private(set) var count: Int
  private(set) var length: Int
  /// How many rows there are; estimated until they are broken.
  private(set) var rowCount: Int
  /// Empty until the ratios were asked.
  private(set) var shares: ContiguousArray<JustifiedShare> = []
  /// The first item of each row, and behind them the number of items; empty until rows are broken.
  private(set) var firstItems: ContiguousArray<UInt16> = []
  /// How long the pictures of the rows before each one are together, and behind them of all; empty until rows are broken.
  private(set) var ends: ContiguousArray<UInt32> = []
  /// Whether the rows were broken as the section's last.
  private(set) var isLast = false

  /// Makes a segment of which nothing is known.
  init(count: Int, expectedRows: Int, rules: JustifiedRules) {
    self.count = count
    rowCount = rules.possibleRows(expectedRows, of: count)
    length = rowCount * (rules.target + rules.captionAlong + rules.lineGap)
  }

  /// Whether the ratios were asked.
  var isRead: Bool { !shares.isEmpty }

  /// Whether the rows are those that stay.
  var isBroken: Bool { !firstItems.isEmpty }

  // MARK: Breaking

  /// Takes the items' shares in.
  mutating func read(_ shares: ContiguousArray<JustifiedShare>) { self.shares = shares }

  /// Breaks the rows of the items, whose shares are known.
  mutating func breakRows(_ rules: JustifiedRules, isLast: Bool, with breaker: inout JustifiedBreaker) {
    firstItems = breaker.firstItems(of: shares, isLast: isLast)
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

  /// Forgets where rows end; their number stays the estimate.
  mutating func forgetRows(_ rules: JustifiedRules) {
    guard isBroken else { return }
    var segment = JustifiedSegment(count: count, expectedRows: rowCount, rules: rules)
    segment.shares = shares
    self = segment
  }

  /// Forgets all but the number of items and the estimate.
  mutating func forget(_ rules: JustifiedRules) {
    self = JustifiedSegment(count: count, expectedRows: rowCount, rules: rules)
  }

  // MARK: Editing

  /// Puts new items before a place, with their shares where those of the segment are known; its rows are forgotten.
  mutating func insert(_ items: Int, _ shares: (Int) -> JustifiedShare, at place: Int, _ rules: JustifiedRules) {
    var known = self.shares
    if isRead { known.insert(contentsOf: (0..<items).lazy.map(shares), at: place) }
    resize(to: count + items, known, rules)
  }

  /// Takes items out, but not all of them; the segment's rows are forgotten.
  mutating func remove(_ items: Range<Int>, _ rules: JustifiedRules) {
    var known = shares
    if isRead { known.removeSubrange(items) }
    resize(to: count - items.count, known, rules)
  }

  /// Takes other shares in for some items, and forgets the rows if any is another one.
  mutating func change(_ items: Range<Int>, _ share: (Int) -> JustifiedShare, _ rules: JustifiedRules) {
    guard isRead else { return }
    for item in items {
      let changed = share(item)
      guard changed != shares[item] else { continue }
      forgetRows(rules)
      shares[item] = changed
    }
  }

  private mutating func resize(to count: Int, _ shares: ContiguousArray<JustifiedShare>, _ rules: JustifiedRules) {
    let rows = (rowCount * count + self.count / 2) / self.count
    self = JustifiedSegment(count: count, expectedRows: rows, rules: rules)
    self.shares = shares
  }

  /// Some of the items as a segment; itself when they are all.
  func part(_ items: Range<Int>, _ rules: JustifiedRules) -> JustifiedSegment {
    guard items.count < count else { return self }
    var part = self
    part.resize(to: items.count, isRead ? ContiguousArray(shares[items]) : [], rules)
    return part
  }

  /// Equal parts of a segment that is too large, neither large nor small.
  func parts(_ rules: JustifiedRules) -> [JustifiedSegment] {
    let size = rules.segmentSize + rules.segmentSize / 2
    let number = (count + size - 1) / size
    return (0..<number).map { part((count * $0 / number)..<(count * ($0 + 1) / number), rules) }
  }

  /// The items of two neighbours; their shares are known if both are.
  func joined(_ next: JustifiedSegment, _ rules: JustifiedRules) -> JustifiedSegment {
    var joined = JustifiedSegment(count: count + next.count, expectedRows: rowCount + next.rowCount, rules: rules)
    if isRead && next.isRead { joined.shares = shares + next.shares }
    return joined
  }
}
