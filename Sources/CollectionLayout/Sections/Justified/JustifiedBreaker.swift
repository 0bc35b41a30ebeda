/// Where rows end so that their heights are as near to the target as they can be together.
///
/// As in the paragraphs of Donald Knuth and Michael Plass (1981): for each place, the best way to come there is the best
/// way to an earlier place and one row more. A row costs the square of (height / target - target / height): nothing at
/// the target, as much at the double as at the half, and more and more beyond.
///
/// First only rows are tried that are near the target, then rows that are not far from it. Where such ones cannot be had,
/// next to panoramas, all are.
struct JustifiedBreaker {
  private let rules: JustifiedRules
  /// What the items before each place take across the flow at the target.
  private var widths: ContiguousArray<Double> = []
  /// What the widest item takes.
  private var widest = 0.0
  /// What the best rows up to each place cost.
  private var costs: ContiguousArray<Double> = []
  /// Where the last of those rows begins.
  private var starts: ContiguousArray<UInt16> = []

  init(_ rules: JustifiedRules) { self.rules = rules }

  /// The first item of each row, and behind them the number of all.
  ///
  /// - Parameters:
  ///   - shares: the items' shares; at least one.
  ///   - isLast: whether nothing follows, so that the last row need not be filled.
  mutating func firstItems(of shares: ContiguousArray<JustifiedShare>, isLast: Bool) -> ContiguousArray<UInt16> {
    measure(shares)
    costs[shares.count] = .infinity
    for tolerance in JustifiedRules.nearTolerances where costs[shares.count] == .infinity {
      findBestRows(1 / tolerance...tolerance, takesSingles: false)
      if isLast { allowShortLastRow() }
    }
    if costs[shares.count] == .infinity {
      findBestRows(0...JustifiedRules.tolerance, takesSingles: true)
      if isLast { allowShortLastRow() }
    }
    var rows = 0
    var place = shares.count
    while place > 0 {
      place = Int(starts[place])
      rows += 1
    }
    var firstItems = ContiguousArray<UInt16>(repeating: UInt16(shares.count), count: rows + 1)
    place = shares.count
    while place > 0 {
      rows -= 1
      firstItems[rows] = starts[place]
      place = Int(starts[place])
    }
    return firstItems
  }

  private mutating func measure(_ shares: ContiguousArray<JustifiedShare>) {
    widths.removeAll(keepingCapacity: true)
    widths.reserveCapacity(shares.count + 1)
    widths.append(0)
    while costs.count <= shares.count {
      costs.append(0)
      starts.append(0)
    }
    let target = Double(rules.target)
    var end = 0.0
    widest = 0
    for share in shares {
      let width = share.value * target
      end += width
      widths.append(end)
      widest = max(widest, width)
    }
  }

  /// Finds for each place the best last row of all that end there.
  ///
  /// - Parameters:
  ///   - range: how wide rows may be at the target, as multiples of the room.
  ///   - takesSingles: whether a row of one item may be wider.
  private mutating func findBestRows(_ range: ClosedRange<Double>, takesSingles: Bool) {
    let count = widths.count - 1
    let (least, most) = (range.lowerBound, range.upperBound)
    let gap = Double(rules.gap)
    let fewest = fewestItems(atLeast: least)
    let roomOfFewest = Double(rules.room(of: fewest))
    widths.withUnsafeBufferPointer { widths in
      costs.withUnsafeMutableBufferPointer { costs in
        starts.withUnsafeMutableBufferPointer { starts in
          for end in 1..<(count + 1) {
            let far = widths[end]
            let single = takesSingles ? end &- 1 : -1
            var start = end &- fewest
            var room = roomOfFewest
            var best = Double.infinity
            var bestStart = 0
            while start >= 0 {
              let width = far - widths[start]
              guard width <= most * room || start == single else { break }
              let off = (room * room - width * width) / (room * width)
              // No branches: they would often be foreseen wrongly.
              let cost = width >= least * room ? costs[start] + off * off : .infinity
              let isBetter = cost < best
              best = isBetter ? cost : best
              bestStart = isBetter ? start : bestStart
              start &-= 1
              room -= gap
            }
            costs[end] = best
            starts[end] = UInt16(truncatingIfNeeded: bestStart)
          }
        }
      }
    }
  }

  /// The least number of items that can be as wide as a multiple of their room.
  private func fewestItems(atLeast least: Double) -> Int {
    var items = 1
    while items < widths.count, Double(items) * widest < least * Double(rules.room(of: items)) { items += 1 }
    return items
  }

  /// Lets the last row be short where that costs less: it costs nothing.
  private mutating func allowShortLastRow() {
    let count = widths.count - 1
    var start = count - 1
    while start >= 0, widths[count] - widths[start] < Double(rules.room(of: count - start)) {
      if costs[start] < costs[count] {
        costs[count] = costs[start]
        starts[count] = UInt16(start)
      }
      start -= 1
    }
  }
}
