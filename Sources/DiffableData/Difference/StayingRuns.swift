/// Chooses which items stay where few runs of neighbours changed their order: the runs of the heaviest increasing sequence.
///
/// A run of items between which no other is left in either snapshot stays or moves as a whole, so it is enough to order
/// the runs. The sequence is found by a Fenwick tree of maxima (Fenwick, A new data structure for cumulative frequency
/// tables, 1994).
struct StayingRuns: Sendable {
  private struct Run: Sendable {
    /// The index of the first run of new items of which it is made.
    var index: Int32
    /// The number of the first old item.
    var origin: Int32
    /// How many items have an origin.
    var count: Int32
  }

  private var runs: ContiguousArray<Run> = []
  private let limit: Int
  private var last: Int32 = -1
  private var isPaired = false

  /// How many pairs of neighbours, none sharing an item, stand in the wrong order: at least one of each must move.
  private(set) var leastMoves = 0
  /// Whether the runs are too many to be of use.
  private(set) var areMany = false

  /// Makes a choice from no run yet.
  ///
  /// - Parameter limit: the most runs for which it is of use.
  init(limit: Int) { self.limit = limit }

  /// Reads runs of new items; those that may not stay are passed over.
  ///
  /// - Parameters:
  ///   - origins: has one more behind the range.
  ///   - found: the old items that were found.
  /// - Complexity: O(r) for r runs, and O(o / 64) in all for o old items.
  mutating func read(_ range: Range<Int>, of origins: ContiguousArray<OriginRun>, _ found: SlotSet) {
    var (last, isPaired, leastMoves) = (self.last, self.isPaired, self.leastMoves)
    var current = Run(index: 0, origin: 0, count: 0)
    origins.withUnsafeBufferPointer { origins in
      for index in range {
        let origin = origins[index].origin
        guard origin >= 0 else { continue }
        let count = origins[index &+ 1].slot &- origins[index].slot
        let isWrong = origin < last && !isPaired
        leastMoves &+= isWrong ? 1 : 0
        // In a run of several only the first can be out of order.
        isPaired = isWrong && count == 1
        if !areMany {
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
    (self.last, self.isPaired, self.leastMoves) = (last, isPaired, leastMoves)
  }

  private mutating func add(_ run: Run) {
    guard run.count > 0, !areMany else { return }
    if runs.count < limit {
      runs.append(run)
    } else {
      areMany = true
      runs = []
    }
  }

  /// Calls a body for each run that does not stay: from which run of new items on, and how many items with an origin.
  ///
  /// - Parameter slots: numbers of old items, those of all runs among them.
  /// - Complexity: O(r log r + o / 64) for r runs and o numbers.
  func forEachLeaving(within slots: Range<Int>, _ body: (_ index: Int, _ count: Int) -> Void) {
    // The order of the runs' origins, without sorting: how many there are before each.
    var origins = SlotSet(below: slots.count)
    for run in runs { origins.insert(Int(run.origin) - slots.lowerBound) }
    let counts = origins.countsBeforeWords
    // For each node of the tree the heaviest sequence of those below it: the weight, and behind it the run that ends it.
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
        // Runs are numbered from 1 on here, so that 0 is none.
        before[index] = Int32(truncatingIfNeeded: heaviest & 0xFFFF_FFFF) &- 1
        let weight = heaviest &>> 32 &+ UInt64(UInt32(bitPattern: runs[index].count))
        let own = weight &<< 32 | UInt64(index &+ 1)
        best = max(best, own)
        node = rank &+ 1
        while node < tree.count {
          tree[node] = max(tree[node], own)
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
