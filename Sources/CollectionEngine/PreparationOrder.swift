public import FramePacing

/// Decides what is prepared next: a bounded list, the most urgent first.
///
/// What will be seen within a few frames comes first, by when. Then, after a flick, where it will land, and the path from
/// there backwards. Then what lies ahead, then what lies behind, the nearest first. Items that fly past between two
/// refreshes are left out.
public struct PreparationOrder: Hashable, Sendable {
  /// How many items are listed at most.
  public let capacity: Int
  /// How many items are looked at for one list at most.
  public let visitLimit: Int
  /// Which items are listed.
  package var scope = PreparationScope.everything

  /// Whether every item is listed that lacks a cell where cells may wait, as far as there is room.
  package var listsAllItems: Bool { scope == .everything }

  /// Makes an order.
  ///
  /// - Parameters:
  ///   - capacity: how many items are listed at most.
  ///   - visitLimit: how many items are looked at for one list at most.
  public init(capacity: Int = 64, visitLimit: Int = 1_024) {
    self.capacity = max(0, capacity)
    self.visitLimit = max(0, visitLimit)
  }

  /// Lists what is to be prepared, in place of what the list held or together with it.
  ///
  /// - Parameters:
  ///   - list: the list, whose memory is used again.
  ///   - situation: what is on screen and what will be.
  ///   - cost: what preparing one item is expected to take: where what is due before others needs a longer run-up, it
  ///     comes first.
  ///   - scratch: memory for runs, used again.
  ///   - isAppending: whether what the list holds stays, each candidate in its place; up to the capacity come to it.
  ///   - runs: appends the flat indices of all items with a part between two points along the axis, ascending and apart;
  ///     they may hold others too.
  ///   - frame: where an item begins and ends along the axis, in points.
  ///   - isWanted: whether an item lacks a cell that is ready; asked before the others.
  /// - Complexity: O(v log n + c²) for v items looked at and c listed, where the closures take O(log n); a list whose
  ///   order is that of the items takes O(v log n + c). Nothing is allocated once the list has its room.
  public func listCandidates(
    into list: inout [PreparationCandidate], _ situation: VisibilityForecast, cost: FrameDuration = .zero,
    scratch: inout [Range<Int>], isAppending: Bool = false,
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    isWanted: (Int) -> Bool
  ) {
    if !isAppending { list.removeAll(keepingCapacity: true) }
    let room = list.count + capacity
    list.reserveCapacity(room)
    if scope == .nextRow {
      return listNextRow(
        into: &list, situation, scratch: &scratch, runs: runs, frame: frame, isWanted: isWanted)
    }
    var visits = visitLimit
    var situation = situation
    if cost > .zero {
      promoteUrgentItems(&situation, cost: cost, scratch: &scratch, runs: runs, frame: frame, isWanted: isWanted)
    }

    /// Looks at the items between two points, away from a point or towards it.
    ///
    /// An item of another rank is another walk's; where two walks are for one rank, the second looks for what is listed.
    func walk(_ low: Double, _ high: Double, ascending: Bool, for rank: PreparationRank, again: Bool = false) {
      guard low < high, list.count < room, visits > 0 else { return }
      scratch.removeAll(keepingCapacity: true)
      runs(low...high, &scratch)
      PreparationOrder.visitItems(scratch, ascending: ascending) { index in
        guard visits > 0, list.count < room else { return false }
        visits -= 1
        guard isWanted(index) else { return true }
        let (start, end) = frame(index)
        guard let candidate = situation.candidate(index, start: start, end: end) else { return true }
        guard candidate.rank == rank, !again || !list.contains(where: { $0.index == index }) else { return true }
        insert(candidate, into: &list)
        return true
      }
    }

    let forward = situation.isForward
    let view = situation.viewport
    let near = situation.limits.aroundViewport
    // The side that the content moves to, and the other.
    let sides = (
      way: forward ? (view.upperBound, near.upperBound) : (near.lowerBound, view.lowerBound),
      back: forward ? (near.lowerBound, view.lowerBound) : (view.upperBound, near.upperBound)
    )
    // On both sides: a spring may swing on before it turns.
    let soon = situation.soonVisible
    let after = min(near.upperBound, soon.upperBound)
    let before = max(near.lowerBound, soon.lowerBound)
    if forward { walk(view.upperBound, after, ascending: true, for: .soon) }
    walk(before, view.lowerBound, ascending: false, for: .soon)
    if !forward { walk(view.upperBound, after, ascending: true, for: .soon) }
    if let landing = situation.landingViewport, let keep = situation.limits.landing {
      walk(landing.lowerBound, landing.upperBound, ascending: forward, for: .landing)
      if forward {
        let isApart = near.upperBound < keep.lowerBound
        walk(isApart ? keep.lowerBound : view.upperBound, landing.lowerBound, ascending: false, for: .path)
        if isApart { walk(view.upperBound, near.upperBound, ascending: false, for: .path, again: true) }
        walk(landing.upperBound, max(keep.upperBound, near.upperBound), ascending: true, for: .ahead)
      } else {
        let isApart = near.lowerBound > keep.upperBound
        walk(landing.upperBound, isApart ? keep.upperBound : view.lowerBound, ascending: true, for: .path)
        if isApart { walk(near.lowerBound, view.lowerBound, ascending: true, for: .path, again: true) }
        walk(min(keep.lowerBound, near.lowerBound), landing.lowerBound, ascending: false, for: .ahead)
      }
    } else {
      walk(sides.way.0, sides.way.1, ascending: forward, for: .ahead)
    }
    walk(sides.back.0, sides.back.1, ascending: !forward, for: .behind)
  }

  /// Makes urgent what would be late if anything else were prepared first.
  ///
  /// Items on the way are added up in the order in which they will be seen: where the work until an item is longer than
  /// the time until it is due, less two frames and an item for safety, everything up to that item is urgent.
  private func promoteUrgentItems(
    _ situation: inout VisibilityForecast, cost: FrameDuration, scratch: inout [Range<Int>],
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    isWanted: (Int) -> Bool
  ) {
    let (view, near, isForward) = (situation.viewport, situation.limits.aroundViewport, situation.isForward)
    let low = isForward ? view.upperBound : near.lowerBound
    let high = isForward ? near.upperBound : view.lowerBound
    guard low < high else { return }
    scratch.removeAll(keepingCapacity: true)
    runs(low...high, &scratch)
    let comfort = situation.isAtRest ? FrameDuration.zero : situation.interval * 2 + cost
    var work = FrameDuration.zero
    var last: (candidate: PreparationCandidate, due: FrameInstant)?
    var visits = visitLimit
    PreparationOrder.visitItems(scratch, ascending: isForward) { index in
      guard visits > 0, work < VisibilityForecast.maximumUrgentTime else { return false }
      visits -= 1
      guard isWanted(index) else { return true }
      let (start, end) = frame(index)
      guard let candidate = situation.candidate(index, start: start, end: end),
        let due = situation.expectedDue(of: candidate)
      else { return true }
      work += cost
      if due - situation.shown < work + comfort { last = (candidate, due) }
      return true
    }
    if let last { situation.markUrgent(last.candidate, due: last.due) }
  }

  /// Goes through runs of items one way or the other, until it is told to end.
  static func visitItems(_ runs: [Range<Int>], ascending: Bool, _ goesOn: (Int) -> Bool) {
    for place in runs.indices {
      let run = runs[ascending ? place : runs.count - 1 - place]
      for step in 0..<run.count {
        guard goesOn(ascending ? run.lowerBound + step : run.upperBound - 1 - step) else { return }
      }
    }
  }

  /// The flat indices between two points where items begin one after the other, as in rows: by halving.
  ///
  /// - Parameters:
  ///   - interval: the points.
  ///   - count: all items; an item begins no earlier and ends no earlier than the one before it.
  ///   - frame: where an item begins and ends along the axis.
  /// - Complexity: O(log n) calls.
  public static func items(
    in interval: ClosedRange<Double>, of count: Int, frame: (Int) -> (start: Double, end: Double)
  ) -> Range<Int> {
    func first(_ isBehind: (Int) -> Bool) -> Int {
      var low = 0
      var high = max(0, count)
      while low < high {
        let middle = (low + high) / 2
        if isBehind(middle) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let low = first { frame($0).end >= interval.lowerBound }
    return low..<max(low, first { frame($0).start > interval.upperBound })
  }

  /// Puts a candidate in its place: most come in order, and stay at the end.
  func insert(_ candidate: PreparationCandidate, into list: inout [PreparationCandidate]) {
    list.append(candidate)
    var place = list.count - 1
    while place > 0, candidate.precedes(list[place - 1]) {
      list[place] = list[place - 1]
      place -= 1
    }
    list[place] = candidate
  }
}
