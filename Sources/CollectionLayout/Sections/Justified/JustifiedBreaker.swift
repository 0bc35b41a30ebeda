/// Where rows end so that their heights are as near to the target as they can be together.
///
/// As in the paragraphs of Donald Knuth and Michael Plass (1981): for each place, the best way to come there is the best
/// way to an earlier place and one row more. A row costs the square of (height / target - target / height): nothing at
/// the target, as much at the double as at the half, and more and more beyond.
struct JustifiedBreaker {
  private let rules: JustifiedRules
  /// What the items before each place take across the flow at the target.
  private var widths: ContiguousArray<Double> = []
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
    findBestRows(isLast: isLast)
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
    let target = Double(rules.target)
    var width = 0.0
    for share in shares {
      width += share.value * target
      widths.append(width)
    }
  }

  /// Finds for each place the best last row of all that end there.
  private mutating func findBestRows(isLast: Bool) {
    let count = widths.count - 1
    while costs.count <= count {
      costs.append(0)
      starts.append(0)
    }
    let gap = Double(rules.gap)
    let roomOfOne = Double(rules.room(of: 1))
    widths.withUnsafeBufferPointer { widths in
      costs.withUnsafeMutableBufferPointer { costs in
        starts.withUnsafeMutableBufferPointer { starts in
          for end in 1..<(count + 1) {
            let mayBeShort = isLast && end == count
            var start = end - 1
            var room = roomOfOne
            var width = widths[end] - widths[start]
            var best = Double.infinity
            var bestStart = start
            repeat {
              let off =
                mayBeShort && width < room ? 0 : (room * room - width * width) / (room * width)
              let cost = costs[start] + off * off
              let isBetter = cost < best
              best = isBetter ? cost : best
              bestStart = isBetter ? start : bestStart
              start -= 1
              guard start >= 0 else { break }
              room -= gap
              width = widths[end] - widths[start]
            } while width <= JustifiedRules.tolerance * room
            costs[end] = best
            starts[end] = UInt16(truncatingIfNeeded: bestStart)
          }
        }
      }
    }
  }
}
