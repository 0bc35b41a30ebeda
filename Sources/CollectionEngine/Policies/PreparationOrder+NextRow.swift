import FramePacing

extension PreparationOrder {
  /// Lists what lacks a cell of the row that comes next on the way of the content.
  ///
  /// - Complexity: O(c log n) for c items in the row.
  func listNextRow(
    into list: inout [PreparationCandidate], _ situation: VisibilityForecast, scratch: inout [Range<Int>],
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    isWanted: (Int) -> Bool
  ) {
    let (view, near, isForward) = (situation.viewport, situation.limits.aroundViewport, situation.isForward)
    let low = isForward ? view.upperBound : near.lowerBound
    let high = isForward ? near.upperBound : view.lowerBound
    guard low < high else { return }
    scratch.removeAll(keepingCapacity: true)
    runs(low...high, &scratch)
    let room = list.count + capacity
    var visits = visitLimit
    var row: Double?
    PreparationOrder.visitItems(scratch, ascending: isForward) { index in
      guard visits > 0, list.count < room else { return false }
      visits -= 1
      let (start, end) = frame(index)
      let isBeyond = isForward ? start >= view.upperBound : end <= view.lowerBound
      guard isBeyond else { return true }
      let edge = isForward ? start : end
      if let row, edge != row { return false }
      row = edge
      if isWanted(index), let candidate = situation.candidate(index, start: start, end: end) {
        insert(candidate, into: &list)
      }
      return true
    }
  }
}
