/// Decides which items of each window stay: those of its longest increasing run, but in a shuffle.
struct WindowOrdering: Sendable {
  /// How many items a run of neighbours must have on average for whole runs to be ordered.
  private static let averageRun = 16
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
      let slots = windows.windows[window].newSlots
      if !matching.isSorted[window] {
        guard steps > 0 else { return false }
        let mostRuns = min(slots.count / WindowOrdering.averageRun, WindowOrdering.mostRuns)
        switch work.take() ?? .runs(StayingRuns(limit: mostRuns), next: slots.lowerBound) {
        case .runs(var runs, let next):
          let end = next + min(slots.upperBound - next, steps)
          steps -= end - next
          runs.read(next..<end, of: matching.origins)
          guard end == slots.upperBound else {
            work = .runs(runs, next: end)
            return false
          }
          if !runs.areMany {
            runs.forEachLeaving { matching.move($1, from: $0) }
          } else if runs.leastMoves > Changeset.moveBound {
            matching.moveAllThatFellBehind(in: slots)
          } else {
            work = .items(LongestIncreasingRun(capacity: slots.count))
            continue
          }
        case .items(var run):
          let first = slots.lowerBound + run.count
          let end = first + min(slots.upperBound - first, steps)
          steps -= end - first
          run.append(matching.origins[first..<end])
          guard end == slots.upperBound else {
            work = .items(run)
            return false
          }
          matching.move(allBut: run, from: slots)
        }
      }
      window += 1
    }
    return true
  }
}
