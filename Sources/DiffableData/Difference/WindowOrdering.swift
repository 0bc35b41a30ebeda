/// Decides which items of each window stay: those of its longest increasing run, but in a shuffle.
struct WindowOrdering: Sendable {
  /// How many items a run of neighbours must have on average for whole runs to be ordered.
  private static let averageRun = 8
  /// The most runs that are ordered: that is done in one go, of a few milliseconds.
  private static let mostRuns = 1 << 14

  private enum Work: Sendable {
    /// Reading runs, up to a number.
    case runs(StayingRuns, next: Int)
    /// Ordering single items.
    case items(LongestIncreasingRun)
  }

  private var window = 0
  private var work: Work?

  /// Goes on until every window is in order or steps are used up.
  ///
  /// - Returns: whether every window is.
  mutating func advance(_ matching: inout ItemMatching, _ windows: WindowList, steps: inout Int) -> Bool {
    while window < windows.windows.count {
      if !matching.isSorted[window] {
        guard steps > 0 else { return false }
        let slots = windows.windows[window].newSlots
        let runs = matching.runs(of: slots)
        switch work.take() ?? .runs(begin(slots.count), next: runs.lowerBound) {
        case .runs(var staying, let next):
          let end = next + min(runs.upperBound - next, steps)
          steps -= end - next
          staying.read(next..<end, of: matching.runs, matching.found)
          guard end == runs.upperBound else {
            work = .runs(staying, next: end)
            return false
          }
          if !staying.areMany {
            staying.forEachLeaving(oldCount: windows.oldCount) { matching.move($1, fromRun: $0) }
          } else if staying.leastMoves > Changeset.moveBound {
            matching.moveAllThatFellBehind(in: runs)
          } else {
            work = .items(LongestIncreasingRun(capacity: runs.count))
            continue
          }
        case .items(var increasing):
          let first = runs.lowerBound + increasing.count
          let end = first + min(runs.upperBound - first, steps)
          steps -= end - first
          increasing.append(first..<end, of: matching.runs)
          guard end == runs.upperBound else {
            work = .items(increasing)
            return false
          }
          matching.move(allBut: increasing, from: runs)
        }
      }
      window += 1
    }
    return true
  }

  private func begin(_ count: Int) -> StayingRuns {
    StayingRuns(limit: min(count / WindowOrdering.averageRun, WindowOrdering.mostRuns))
  }
}
