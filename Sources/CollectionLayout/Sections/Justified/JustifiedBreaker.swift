/// An algorithm that breaks items into rows whose heights are as close to the target as possible in total.
///
/// It is the line breaking algorithm of Donald Knuth and Michael Plass (1981): the best way to reach an item is the
/// best way to an earlier item plus one row. A row costs the square of (height / target - target / height): 0 at the
/// target, the same at twice and at half of it, and increasingly more beyond.
///
/// At first only rows close to the target are tried, then rows with a larger tolerance. If there is no solution, as
/// next to very wide items, all rows are tried.
struct JustifiedBreaker {
  private let rules: JustifiedRules
  /// The total breadth of the items before each item, at the target height.
  private var widths: ContiguousArray<Double> = []
  /// The breadth of the widest item.
  private var widest = 0.0
  /// The cost of the best rows up to each item.
  private var costs: ContiguousArray<Double> = []
  /// The first item of the last of those rows.
  private var starts: ContiguousArray<UInt16> = []

  init(_ rules: JustifiedRules) { self.rules = rules }

  /// Returns the first item of each row, followed by the number of items.
  ///
  /// - Parameters:
  ///   - ratios: The ratios of the items, at least one.
  ///   - isLast: Whether these are the last items of the section, so that the last row need not be filled.
  mutating func firstItems(of ratios: ContiguousArray<JustifiedRatio>, isLast: Bool) -> ContiguousArray<UInt16> {
    measure(ratios)
    costs[ratios.count] = .infinity
    for tolerance in JustifiedRules.nearTolerances where costs[ratios.count] == .infinity {
      findBestRows(1 / tolerance...tolerance, allowsSingleItems: false)
      if isLast { allowShortLastRow() }
    }
    if costs[ratios.count] == .infinity {
      findBestRows(0...JustifiedRules.tolerance, allowsSingleItems: true)
      if isLast { allowShortLastRow() }
    }
    var rows = 0
    var end = ratios.count
    while end > 0 {
      end = Int(starts[end])
      rows += 1
    }
    var firstItems = ContiguousArray<UInt16>(repeating: UInt16(ratios.count), count: rows + 1)
    end = ratios.count
    while end > 0 {
      rows -= 1
      firstItems[rows] = starts[end]
      end = Int(starts[end])
    }
    return firstItems
  }

  private mutating func measure(_ ratios: ContiguousArray<JustifiedRatio>) {
    widths.removeAll(keepingCapacity: true)
    widths.reserveCapacity(ratios.count + 1)
    widths.append(0)
    while costs.count <= ratios.count {
      costs.append(0)
      starts.append(0)
    }
    let target = Double(rules.target)
    var end = 0.0
    widest = 0
    for ratio in ratios {
      let width = ratio.value * target
      end += width
      widths.append(end)
      widest = max(widest, width)
    }
  }

  /// Finds the best last row up to each item.
  ///
  /// - Parameters:
  ///   - range: The breadth of a row at the target height, as multiples of the available breadth.
  ///   - allowsSingleItems: Whether a row of one item may be broader.
  private mutating func findBestRows(_ range: ClosedRange<Double>, allowsSingleItems: Bool) {
    let count = widths.count - 1
    let (least, most) = (range.lowerBound, range.upperBound)
    let gap = Double(rules.gap)
    let fewest = fewestItems(atLeast: least)
    let breadthOfFewest = Double(rules.availableBreadth(forItems: fewest))
    widths.withUnsafeBufferPointer { widths in
      costs.withUnsafeMutableBufferPointer { costs in
        starts.withUnsafeMutableBufferPointer { starts in
          for end in 1..<(count + 1) {
            let endWidth = widths[end]
            let single = allowsSingleItems ? end &- 1 : -1
            var start = end &- fewest
            var available = breadthOfFewest
            var best = Double.infinity
            var bestStart = 0
            while start >= 0 {
              let width = endWidth - widths[start]
              guard width <= most * available || start == single else { break }
              let deviation = (available * available - width * width) / (available * width)
              // Branchless, because branches would often be mispredicted.
              let cost = width >= least * available ? costs[start] + deviation * deviation : .infinity
              let isBetter = cost < best
              best = isBetter ? cost : best
              bestStart = isBetter ? start : bestStart
              start &-= 1
              available -= gap
            }
            costs[end] = best
            starts[end] = UInt16(truncatingIfNeeded: bestStart)
          }
        }
      }
    }
  }

  /// Returns the minimum number of items whose breadth can be a given multiple of the available breadth.
  private func fewestItems(atLeast least: Double) -> Int {
    var items = 1
    while items < widths.count, Double(items) * widest < least * Double(rules.availableBreadth(forItems: items)) {
      items += 1
    }
    return items
  }

  /// Allows a short last row, which costs nothing, if the total cost is lower.
  private mutating func allowShortLastRow() {
    let count = widths.count - 1
    var start = count - 1
    while start >= 0, widths[count] - widths[start] < Double(rules.availableBreadth(forItems: count - start)) {
      if costs[start] < costs[count] {
        costs[count] = costs[start]
        starts[count] = UInt16(start)
      }
      start -= 1
    }
  }
}
