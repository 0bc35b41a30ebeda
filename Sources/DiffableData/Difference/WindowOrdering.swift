/// Decides which items of each window stay: those of its longest increasing run, but in a shuffle.
struct WindowOrdering: Sendable {
  /// How many items a run must have on average for runs to be few.
  private static let averageRun = 8
  /// The most runs that are few: these are ordered in one go, of two milliseconds.
  private static let mostRuns = 1 << 16

  private enum Work: Sendable {
    /// Reading runs, up to an index, to order them if they are few.
    case few(StayingRuns, next: Int)
    /// Ordering runs that are many.
    case many(LongestIncreasingRun)
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
        let place = windows.windows[window]
        let runs = matching.runs(of: place.newSlots)
        switch work.take() ?? .few(begin(place.new.count), next: runs.lowerBound) {
        case .few(var staying, let next):
          let end = next + min(runs.upperBound - next, steps)
          steps -= end - next
          staying.read(next..<end, of: matching.runs, matching.found)
          guard end == runs.upperBound else {
            work = .few(staying, next: end)
            return false
          }
          if !staying.areMany {
            staying.forEachLeaving(within: place.oldSlots) { matching.move($1, fromRun: $0) }
          } else if staying.leastMoves > Changeset.moveBound {
            matching.moveAllThatFellBehind(in: runs)
          } else {
            work = .many(LongestIncreasingRun(capacity: runs.count))
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

  private func begin(_ count: Int) -> StayingRuns {
    StayingRuns(limit: min(count / WindowOrdering.averageRun, WindowOrdering.mostRuns))
  }
}
