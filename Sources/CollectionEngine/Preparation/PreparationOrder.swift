public import VitrineFramePacing

/// Determines the order in which items are prepared: a bounded list, most urgent first.
///
/// Items that will be visible within a few frames come first, sorted by time. After a flick, the items at its end point
/// follow, then the path to it in reverse order. The items ahead and then those behind come last, nearest first. Items
/// that pass between two refreshes are omitted.
public struct PreparationOrder: Hashable, Sendable {
  /// The maximum number of items in a list.
  public let capacity: Int
  /// The maximum number of items that are visited for a list.
  public let visitLimit: Int
  /// The items to list.
  package var scope = PreparationScope.everything

  /// Whether every item within the limits that lacks a cell is listed, up to the capacity.
  package var listsAllItems: Bool { scope == .everything }

  /// Creates an order.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of items in a list. Default: 64.
  ///   - visitLimit: The maximum number of items that are visited for a list. Default: 1,024.
  public init(capacity: Int = 64, visitLimit: Int = 1_024) {
    self.capacity = max(0, capacity)
    self.visitLimit = max(0, visitLimit)
  }

  /// Fills a list with the items to prepare.
  ///
  /// - Parameters:
  ///   - list: The list, whose storage is reused.
  ///   - forecast: What is on screen now and in the next frames.
  ///   - cost: The expected cost of preparing one item. Items that need an earlier start come first.
  ///   - scratch: Storage for runs, which is reused.
  ///   - isAppending: Whether the list keeps its candidates, in order, and receives up to ``capacity`` more. Default:
  ///     false.
  ///   - runs: Appends the flat indices of all items that overlap an interval along the axis: ascending and disjoint.
  ///     They may include other items.
  ///   - frame: Returns the start and end of an item along the axis, in points.
  ///   - needsCell: Returns whether an item lacks a prepared cell. Called before the other closures.
  /// - Complexity: O(v log n + c²) for v visited and c listed items, if the closures take O(log n), or O(v log n + c)
  ///   if the list is in the order of the items. No allocation once the list has its capacity.
  public func listCandidates(
    into list: inout [PreparationCandidate], _ forecast: VisibilityForecast, cost: FrameDuration = .zero,
    scratch: inout [Range<Int>], isAppending: Bool = false,
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    needsCell: (Int) -> Bool
  ) {
    if !isAppending { list.removeAll(keepingCapacity: true) }
    let limit = list.count + capacity
    list.reserveCapacity(limit)
    if scope == .nextRow {
      return listNextRow(
        into: &list, forecast, scratch: &scratch, runs: runs, frame: frame, needsCell: needsCell)
    }
    var visits = visitLimit
    var forecast = forecast
    if cost > .zero {
      promoteUrgentItems(&forecast, cost: cost, scratch: &scratch, runs: runs, frame: frame, needsCell: needsCell)
    }

    /// Visits the items between two points in either direction and lists those of one rank.
    ///
    /// Items of other ranks are listed by other visits. The second visit for a rank skips the items that are already
    /// listed.
    func visit(_ low: Double, _ high: Double, ascending: Bool, for rank: PreparationRank, skippingListed: Bool = false)
    {
      guard low < high, list.count < limit, visits > 0 else { return }
      scratch.removeAll(keepingCapacity: true)
      runs(low...high, &scratch)
      PreparationOrder.visitItems(scratch, ascending: ascending) { index in
        guard visits > 0, list.count < limit else { return false }
        visits -= 1
        guard needsCell(index) else { return true }
        let (start, end) = frame(index)
        guard let candidate = forecast.candidate(index, start: start, end: end) else { return true }
        guard candidate.rank == rank, !skippingListed || !list.contains(where: { $0.index == index }) else {
          return true
        }
        insert(candidate, into: &list)
        return true
      }
    }

    let forward = forecast.isForward
    let view = forecast.viewport
    let near = forecast.limits.aroundViewport
    // The sides ahead of and behind the movement.
    let sides = (
      ahead: forward ? (view.upperBound, near.upperBound) : (near.lowerBound, view.lowerBound),
      behind: forward ? (near.lowerBound, view.lowerBound) : (view.upperBound, near.upperBound)
    )
    // On both sides, because a spring may overshoot before it returns.
    let soon = forecast.soonVisible
    let after = min(near.upperBound, soon.upperBound)
    let before = max(near.lowerBound, soon.lowerBound)
    if forward { visit(view.upperBound, after, ascending: true, for: .soon) }
    visit(before, view.lowerBound, ascending: false, for: .soon)
    if !forward { visit(view.upperBound, after, ascending: true, for: .soon) }
    if let landing = forecast.landingViewport, let keep = forecast.limits.landing {
      visit(landing.lowerBound, landing.upperBound, ascending: forward, for: .landing)
      if forward {
        let isApart = near.upperBound < keep.lowerBound
        visit(isApart ? keep.lowerBound : view.upperBound, landing.lowerBound, ascending: false, for: .path)
        if isApart { visit(view.upperBound, near.upperBound, ascending: false, for: .path, skippingListed: true) }
        visit(landing.upperBound, max(keep.upperBound, near.upperBound), ascending: true, for: .ahead)
      } else {
        let isApart = near.lowerBound > keep.upperBound
        visit(landing.upperBound, isApart ? keep.upperBound : view.lowerBound, ascending: true, for: .path)
        if isApart { visit(near.lowerBound, view.lowerBound, ascending: true, for: .path, skippingListed: true) }
        visit(min(keep.lowerBound, near.lowerBound), landing.lowerBound, ascending: false, for: .ahead)
      }
    } else {
      visit(sides.ahead.0, sides.ahead.1, ascending: forward, for: .ahead)
    }
    visit(sides.behind.0, sides.behind.1, ascending: !forward, for: .behind)
  }

  /// Marks items as urgent that would be late if other items were prepared first.
  ///
  /// The costs of the items ahead are summed in the order of their visibility. If the work up to an item takes longer
  /// than the time until the item is due, less two frames and the cost of one item as a margin, all items up to it are
  /// urgent.
  private func promoteUrgentItems(
    _ forecast: inout VisibilityForecast, cost: FrameDuration, scratch: inout [Range<Int>],
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    needsCell: (Int) -> Bool
  ) {
    let (view, near, isForward) = (forecast.viewport, forecast.limits.aroundViewport, forecast.isForward)
    let low = isForward ? view.upperBound : near.lowerBound
    let high = isForward ? near.upperBound : view.lowerBound
    guard low < high else { return }
    scratch.removeAll(keepingCapacity: true)
    runs(low...high, &scratch)
    let margin = forecast.isAtRest ? FrameDuration.zero : forecast.interval * 2 + cost
    var work = FrameDuration.zero
    var last: (candidate: PreparationCandidate, due: FrameInstant)?
    var visits = visitLimit
    PreparationOrder.visitItems(scratch, ascending: isForward) { index in
      guard visits > 0, work < VisibilityForecast.maximumUrgentTime else { return false }
      visits -= 1
      guard needsCell(index) else { return true }
      let (start, end) = frame(index)
      guard let candidate = forecast.candidate(index, start: start, end: end),
        let due = forecast.expectedDue(of: candidate)
      else { return true }
      work += cost
      if due - forecast.shown < work + margin { last = (candidate, due) }
      return true
    }
    if let last { forecast.markUrgent(last.candidate, due: last.due) }
  }

  /// Visits the items of runs in either direction until the closure returns false.
  static func visitItems(_ runs: [Range<Int>], ascending: Bool, _ shouldContinue: (Int) -> Bool) {
    for position in runs.indices {
      let run = runs[ascending ? position : runs.count - 1 - position]
      for step in 0..<run.count {
        guard shouldContinue(ascending ? run.lowerBound + step : run.upperBound - 1 - step) else { return }
      }
    }
  }

  /// Returns the flat indices of the items in an interval by binary search, for layouts whose items are sorted by start
  /// and end.
  ///
  /// - Parameters:
  ///   - interval: The interval along the axis, in points.
  ///   - count: The number of all items. Neither the starts nor the ends of consecutive items decrease.
  ///   - frame: Returns the start and end of an item along the axis.
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

  /// Inserts a candidate by order.
  ///
  /// Most candidates arrive in order and are appended.
  func insert(_ candidate: PreparationCandidate, into list: inout [PreparationCandidate]) {
    list.append(candidate)
    var position = list.count - 1
    while position > 0, candidate.precedes(list[position - 1]) {
      list[position] = list[position - 1]
      position -= 1
    }
    list[position] = candidate
  }
}

// MARK: - Next row

extension PreparationOrder {
  /// Lists the items without a cell in the next row in the scrolling direction.
  ///
  /// - Complexity: O(c log n) for c items in the row.
  func listNextRow(
    into list: inout [PreparationCandidate], _ forecast: VisibilityForecast, scratch: inout [Range<Int>],
    runs: (ClosedRange<Double>, inout [Range<Int>]) -> Void, frame: (Int) -> (start: Double, end: Double),
    needsCell: (Int) -> Bool
  ) {
    let (view, near, isForward) = (forecast.viewport, forecast.limits.aroundViewport, forecast.isForward)
    let low = isForward ? view.upperBound : near.lowerBound
    let high = isForward ? near.upperBound : view.lowerBound
    guard low < high else { return }
    scratch.removeAll(keepingCapacity: true)
    runs(low...high, &scratch)
    let limit = list.count + capacity
    var visits = visitLimit
    var row: Double?
    PreparationOrder.visitItems(scratch, ascending: isForward) { index in
      guard visits > 0, list.count < limit else { return false }
      visits -= 1
      let (start, end) = frame(index)
      let isBeyond = isForward ? start >= view.upperBound : end <= view.lowerBound
      guard isBeyond else { return true }
      let edge = isForward ? start : end
      if let row, edge != row { return false }
      row = edge
      if needsCell(index), let candidate = forecast.candidate(index, start: start, end: end) {
        insert(candidate, into: &list)
      }
      return true
    }
  }
}

// MARK: - Candidates

/// An item to prepare.
public struct PreparationCandidate: Hashable, Sendable {
  /// The item's flat index.
  public var index: Int
  /// The reason for the preparation.
  public var rank: PreparationRank
  /// The first refresh at which the item will be on screen, or the distant future if that requires further input.
  public var due: FrameInstant
  /// The distance between the item and the viewport, in points.
  public var distance: Double

  /// Creates a candidate.
  public init(index: Int, rank: PreparationRank, due: FrameInstant, distance: Double) {
    self.index = index
    self.rank = rank
    self.due = due
    self.distance = distance
  }

  /// Returns the time until the item will be on screen, or nil if that requires further input.
  public func timeToVisible(at now: FrameInstant) -> FrameDuration? {
    due == .distantFuture ? nil : max(.zero, due - now)
  }

  /// Returns whether the item will be on screen at a frame's target time, so that the frame's commit must prepare it.
  public func isNeeded(at target: FrameInstant) -> Bool { due <= target }

  /// Returns whether the item is prepared before another one.
  ///
  /// The order is by rank, then by due time, then by distance, then by index. Within the rank `path`, due time and
  /// distance are reversed.
  func precedes(_ other: PreparationCandidate) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if due != other.due { return (due < other.due) != (rank == .path) }
    if distance != other.distance { return (distance < other.distance) != (rank == .path) }
    return index < other.index
  }
}

/// The reason for preparing an item, most urgent first.
public enum PreparationRank: UInt8, CaseIterable, Comparable, Sendable {
  /// The item will be visible within a few frames.
  case soon
  /// The item will be visible where the content comes to rest.
  case landing
  /// The content passes the item before it comes to rest.
  case path
  /// The item is ahead and will be visible if scrolling continues.
  case ahead
  /// The item is behind and will be visible if the scrolling direction changes.
  case behind

  /// Returns whether the first rank is more urgent.
  public static func < (left: PreparationRank, right: PreparationRank) -> Bool { left.rawValue < right.rawValue }
}

/// The items that a list of preparation candidates includes.
package enum PreparationScope: Hashable, Sendable {
  /// All items within the limits, in the order of their visibility.
  case everything
  /// Only the next row in the scrolling direction.
  case nextRow
}

// MARK: - Policy

/// The policy that determines which cells are prepared ahead of need, in what units of work and when.
///
/// The default is ``stepwise``. The other policy serves as a baseline for measurements.
package struct PreparationPolicy: Sendable {
  /// A unit of preparation work.
  package enum WorkUnit: Hashable, Sendable {
    /// One step of a cell. Its cost is estimated by quantiles.
    case step
    /// All missing steps of a cell. Their cost is estimated by running means.
    case cell
  }

  /// The order in which items are prepared.
  package var order: PreparationOrder
  /// The unit of work.
  package var workUnit: WorkUnit
  /// When preparation may run.
  package var slackPolicy: SlackPolicy
  /// How far around the viewport cells may wait.
  ///
  /// Cells beyond are discarded.
  package var extent: KeepExtent

  /// The policy of this library: single steps, for all items within the limits, also into the next frame if that has
  /// enough time.
  ///
  /// A change of direction discards the cells that were ahead.
  package static let stepwise = PreparationPolicy(
    order: PreparationOrder(), workUnit: .step, slackPolicy: .untilNextCommit, extent: .standard)

  /// The policy of Android's RecyclerView: whole cells, only of the next row, within the frame unless the next frame
  /// needs the cell.
  ///
  /// A change of direction discards no cells.
  package static let wholeCells: PreparationPolicy = {
    var order = PreparationOrder()
    order.scope = .nextRow
    return PreparationPolicy(
      order: order, workUnit: .cell, slackPolicy: .withinFrame, extent: KeepExtent(ahead: 1, behind: 1, maximumAhead: 1)
    )
  }()
}
