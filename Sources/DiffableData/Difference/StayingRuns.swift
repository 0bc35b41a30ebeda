/// Chooses which items stay where few runs of neighbours changed their order: the runs of the heaviest increasing sequence.
///
/// A run of items that are neighbours in both snapshots stays or moves as a whole, so it is enough to order the runs. The
/// sequence is found by a Fenwick tree of maxima (Fenwick, A new data structure for cumulative frequency tables, 1994).
struct StayingRuns: Sendable {
  private struct Run: Sendable {
    /// The number of the first new item.
    var slot: Int
    /// The number of the first old item.
    var origin: Int32
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

  /// Reads the origins of new items from a number on; those below 0 are passed over.
  ///
  /// - Complexity: O(k) for k items.
  mutating func read(_ range: Range<Int>, of origins: ContiguousArray<Int32>) {
    // The last run is written back where it ends: written to for each item, the array would be looked up each time.
    var length: Int32 = 0
    origins.withUnsafeBufferPointer { origins in
      for slot in range {
        let origin = origins[slot]
        guard origin >= 0 else { continue }
        let isWrong = origin < last && !isPaired
        leastMoves &+= isWrong ? 1 : 0
        isPaired = isWrong
        if !areMany {
          if origin == last &+ 1, last >= 0 {
            length &+= 1
          } else if runs.count < limit {
            extendLast(by: &length)
            runs.append(Run(slot: slot, origin: origin, count: 1))
          } else {
            areMany = true
            runs = []
          }
        }
        last = origin
      }
    }
    extendLast(by: &length)
  }

  private mutating func extendLast(by length: inout Int32) {
    if length > 0, !runs.isEmpty { runs[runs.count - 1].count += length }
    length = 0
  }

  /// Calls a body for each run that does not stay: from which new item on, and how many that have an origin.
  ///
  /// - Complexity: O(r log r) for r runs.
  func forEachLeaving(_ body: (_ slot: Int, _ count: Int) -> Void) {
    var order = Array(runs.indices)
    order.sort { runs[$0].origin < runs[$1].origin }
    var ranks = [Int](repeating: 0, count: runs.count)
    for (rank, run) in order.enumerated() { ranks[run] = rank }
    // For each node of the tree the run that ends the heaviest sequence of those below it, or -1.
    var tree = [Int](repeating: -1, count: runs.count + 1)
    var weights = [Int](repeating: 0, count: runs.count)
    var before = [Int](repeating: -1, count: runs.count)
    var best = -1
    for run in runs.indices {
      var node = ranks[run]
      while node > 0 {
        if tree[node] >= 0, before[run] < 0 || weights[tree[node]] > weights[before[run]] { before[run] = tree[node] }
        node &= node - 1
      }
      weights[run] = Int(runs[run].count) + (before[run] < 0 ? 0 : weights[before[run]])
      if best < 0 || weights[run] > weights[best] { best = run }
      node = ranks[run] + 1
      while node <= runs.count {
        if tree[node] < 0 || weights[run] > weights[tree[node]] { tree[node] = run }
        node += node & -node
      }
    }
    for run in runs.indices.reversed() {
      if run == best { best = before[run] } else { body(runs[run].slot, Int(runs[run].count)) }
    }
  }
}
