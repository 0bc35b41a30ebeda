/// Determines the items of each window that stay: the longest increasing subsequence, except in a large shuffle.
struct WindowOrdering: Sendable {
  /// The minimum average number of items per run for runs to count as few.
  private static let minimumAverageLength = 8
  /// The maximum number of runs that count as few.
  ///
  /// They are ordered in one call, in up to two milliseconds.
  private static let maximumRunCount = 1 << 16

  private enum Work: Sendable {
    /// Reads runs up to an index, to order them if they are few.
    case few(StayingRuns, next: Int)
    /// Orders many runs.
    case many(LongestIncreasingSubsequence)
  }

  private var window = 0
  private var work: Work?

  /// Continues until all windows are ordered or the steps are used up.
  ///
  /// - Returns: Whether all windows are ordered.
  mutating func advance(_ matching: inout ItemMatching, _ windows: WindowList, steps: inout Int) -> Bool {
    while window < windows.windows.count {
      if !matching.isSorted[window] {
        guard steps > 0 else { return false }
        let target = windows.windows[window]
        let runs = matching.runs(of: target.newSlots)
        switch work.take() ?? .few(makeStayingRuns(target.new.count), next: runs.lowerBound) {
        case .few(var staying, let next):
          let end = next + min(runs.upperBound - next, steps)
          steps -= end - next
          staying.read(next..<end, of: matching.runs, matching.found)
          guard end == runs.upperBound else {
            work = .few(staying, next: end)
            return false
          }
          if !staying.exceedsLimit {
            staying.forEachLeaving(within: target.oldSlots) { matching.move($1, fromRun: $0) }
          } else if staying.minimumMoveCount > Changeset.moveBound {
            matching.moveOvertakenRuns(in: runs)
          } else {
            work = .many(LongestIncreasingSubsequence(capacity: runs.count))
            continue
          }
        case .many(var increasing):
          let first = runs.lowerBound + increasing.count
          let end = first + min(runs.upperBound - first, steps)
          steps -= end - first
          increasing.append(first..<end, of: matching.runs)
          guard end == runs.upperBound else {
            work = .many(increasing)
            return false
          }
          matching.move(allBut: increasing, from: runs)
        }
      }
      window += 1
    }
    return true
  }

  private func makeStayingRuns(_ count: Int) -> StayingRuns {
    StayingRuns(limit: min(count / WindowOrdering.minimumAverageLength, WindowOrdering.maximumRunCount))
  }
}

/// Selects the items that stay if few runs changed their order: the runs of the heaviest increasing subsequence.
///
/// Consecutive runs without any other remaining item between them in either snapshot stay or move as a whole, so it is
/// sufficient to order the combined runs. The subsequence is found with a Fenwick tree of maxima (Fenwick, A new data
/// structure for cumulative frequency tables, 1994).
private struct StayingRuns: Sendable {
  private struct Run: Sendable {
    /// The index of the first run of new items in this run.
    var index: Int32
    /// The slot of the first old item.
    var origin: Int32
    /// The number of items that have an origin.
    var count: Int32
  }

  private var runs: ContiguousArray<Run> = []
  private let limit: Int
  private var last: Int32 = -1
  private var isPaired = false

  /// The number of disjoint pairs of adjacent items in the wrong order.
  ///
  /// At least one item of each pair must move.
  private(set) var minimumMoveCount = 0
  /// Whether there are more runs than the limit.
  private(set) var exceedsLimit = false

  /// Creates an empty selection.
  ///
  /// - Parameter limit: The maximum number of runs.
  init(limit: Int) { self.limit = limit }

  /// Reads runs of new items.
  ///
  /// Runs that cannot stay are skipped.
  ///
  /// - Parameters:
  ///   - range: The runs to read.
  ///   - origins: The runs, with at least one more after the range.
  ///   - found: The old items that were found.
  /// - Complexity: O(r) for r runs, and O(o / 64) in total for o old items.
  mutating func read(_ range: Range<Int>, of origins: ContiguousArray<OriginRun>, _ found: SlotSet) {
    var (last, isPaired, minimumMoveCount) = (self.last, self.isPaired, self.minimumMoveCount)
    var current = Run(index: 0, origin: 0, count: 0)
    origins.withUnsafeBufferPointer { origins in
      for index in range {
        let origin = origins[index].origin
        guard origin >= 0 else { continue }
        let count = origins[index &+ 1].slot &- origins[index].slot
        let isWrong = origin < last && !isPaired
        minimumMoveCount &+= isWrong ? 1 : 0
        // Within a run of several items only the first can be out of order.
        isPaired = isWrong && count == 1
        if !exceedsLimit {
          if current.count > 0, origin > last, found.isDisjoint(with: Int(last &+ 1)..<Int(origin)) {
            current.count &+= count
          } else {
            add(current)
            current = Run(index: Int32(truncatingIfNeeded: index), origin: origin, count: count)
          }
        }
        last = origin &+ count &- 1
      }
    }
    add(current)
    (self.last, self.isPaired, self.minimumMoveCount) = (last, isPaired, minimumMoveCount)
  }

  private mutating func add(_ run: Run) {
    guard run.count > 0, !exceedsLimit else { return }
    if runs.count < limit {
      runs.append(run)
    } else {
      exceedsLimit = true
      runs = []
    }
  }

  /// Calls a closure for each run that does not stay, with the index of its first run of new items and its number of
  /// items that have an origin.
  ///
  /// - Parameter slots: A range of slots that contains the old items of all runs.
  /// - Complexity: O(r log r + o / 64) for r runs and o slots.
  func forEachLeaving(within slots: Range<Int>, _ body: (_ index: Int, _ count: Int) -> Void) {
    // The rank of each origin, determined without sorting by counting those before it.
    var origins = SlotSet(below: slots.count)
    for run in runs { origins.insert(Int(run.origin) - slots.lowerBound) }
    let counts = origins.countsBeforeWords
    // For each node of the tree, the heaviest subsequence below it: the weight in the upper half, and the last run in
    // the lower half.
    var tree = ContiguousArray<UInt64>(repeating: 0, count: runs.count + 1)
    var before = ContiguousArray<Int32>(repeating: -1, count: runs.count)
    var best: UInt64 = 0
    tree.withUnsafeMutableBufferPointer { tree in
      for index in runs.indices {
        let origin = Int(runs[index].origin) &- slots.lowerBound
        let rank = Int(counts[origin &>> 6] &+ origins.countInWord(below: origin))
        var heaviest: UInt64 = 0
        var node = rank
        while node > 0 {
          heaviest = max(heaviest, tree[node])
          node &= node &- 1
        }
        // Runs are numbered from 1 here, so that 0 means none.
        before[index] = Int32(truncatingIfNeeded: heaviest & 0xFFFF_FFFF) &- 1
        let weight = heaviest &>> 32 &+ UInt64(UInt32(bitPattern: runs[index].count))
        let candidate = weight &<< 32 | UInt64(index &+ 1)
        best = max(best, candidate)
        node = rank &+ 1
        while node < tree.count {
          tree[node] = max(tree[node], candidate)
          node &+= node & -node
        }
      }
    }
    var staying = Int(best & 0xFFFF_FFFF) - 1
    for index in runs.indices.reversed() {
      if index == staying {
        staying = Int(before[index])
      } else {
        body(Int(runs[index].index), Int(runs[index].count))
      }
    }
  }
}
