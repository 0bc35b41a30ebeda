import CollectionEngine
import CollectionLayout
import FramePacing
package import Geometry
import ScrollPhysics
import Views

/// Listing the items that lack a prepared cell, in the order in which they become visible: along the scroll axis, and
/// on the cross axis in orthogonal sections.
extension CollectionView {
  /// Lists the items and elements to prepare as of the last frame, the most urgent first.
  ///
  /// - Parameter cost: The expected cost of preparing a cell from the beginning.
  final func listCandidates(expecting cost: FrameDuration) {
    let limit = cellController.maximumRemoteness
    let situation = VisibilityForecast(
      scroll: scroll, window: preparation.window, shown: lastInstant, interval: stepMeter.interval)
    // Moved out of the state, because the closures below read it.
    var candidates: [PreparationCandidate] = []
    var runs: [Range<Int>] = []
    var ready = ReadyItemSet()
    swap(&candidates, &preparation.candidates)
    swap(&runs, &preparation.runs)
    swap(&ready, &preparation.readyItems)
    cellController.listReadyItems(into: &ready)
    preparation.order.listCandidates(
      into: &candidates, situation, cost: cost, scratch: &runs,
      runs: { interval, runs in self.solution.visitItems(in: self.region(of: interval)) { runs.append($0) } },
      frame: { self.extent(ofItem: $0) }, needsCell: { !ready.contains($0) && self.lacksCell($0, limit) })
    supplementaryController.listCandidates(into: &candidates, situation, order: preparation.order, runs: &runs)
    visitOrthogonalSections { section in
      let (scroll, window) = self.motion(of: section)
      let situation = VisibilityForecast(
        scroll: scroll, window: window, shown: self.lastInstant, interval: self.stepMeter.interval)
      let items = self.solution.itemCounts.items(inSection: section.section)
      preparation.order.listCandidates(
        into: &candidates, situation, cost: cost, scratch: &runs, isAppending: true,
        runs: { interval, runs in runs.append(self.items(items, in: interval, of: section)) },
        frame: { self.extent(ofItem: $0, in: section) }, needsCell: { !ready.contains($0) && self.lacksCell($0, limit) }
      )
    }
    swap(&candidates, &preparation.candidates)
    swap(&runs, &preparation.runs)
    swap(&ready, &preparation.readyItems)
  }

  /// Returns whether an item without a prepared cell should have one ahead of need.
  private func lacksCell(_ index: Int, _ limit: Double) -> Bool {
    cellController.displayedCell(at: index) == nil && updateAnimator.retainedCell(at: index) == nil
      && (limit == .infinity || cellController.waitingCell(at: index) != nil || remoteness(of: index) < limit)
  }

  // MARK: - Scroll axis

  /// Returns the start and end of an item on the scroll axis, in points.
  final func extent(ofItem index: Int) -> (start: Double, end: Double) {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[scrollAxis]
    return (start, start + frame.size[scrollAxis])
  }

  /// Returns the rectangle of the content in an interval of the scroll axis.
  package final func region(of interval: ClosedRange<Double>) -> Rect {
    var rect = Rect(origin: .zero, size: bounds.size)
    rect.origin[scrollAxis] = interval.lowerBound
    rect.size[scrollAxis] = interval.upperBound - interval.lowerBound
    return rect
  }

  // MARK: - Cross axis

  /// Calls a closure for each visible orthogonal section.
  final func visitOrthogonalSections(_ visit: (OrthogonalSection) -> Void) {
    let counts = solution.itemCounts
    for run in cellController.visibleRuns {
      var index = run.lowerBound
      while index < run.upperBound, let (section, _) = counts.position(of: index) {
        if let found = solution.orthogonalSection(section) { visit(found) }
        index = counts.items(inSection: section).upperBound
      }
    }
  }

  /// Returns the scroll state of an orthogonal section, and the window in which its cells may wait.
  private func motion(of section: OrthogonalSection) -> (scroll: ScrollState, window: KeepWindow) {
    if let motion = orthogonal.motion(of: section.section) { return motion }
    let range = ScrollRange(
      minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
    let scroll = ScrollState(range: range, offset: section.offset)
    var window = KeepWindow(extent: preparation.window.extent(at: lastInstant))
    window.handle(scroll, shown: lastInstant)
    return (scroll, window)
  }

  /// Returns the start and end of an item in the content of its orthogonal section, in points from the leading edge.
  private func extent(ofItem index: Int, in section: OrthogonalSection) -> (start: Double, end: Double) {
    let frame = solution.frame(ofItem: index)
    let axis = section.axis
    let isMirrored = axis == .horizontal && solution.environment.layoutDirection == .rightToLeft
    let begin =
      isMirrored
      ? section.frame.origin[axis] + section.frame.size[axis] - frame.origin[axis] - frame.size[axis]
      : frame.origin[axis] - section.frame.origin[axis]
    return (begin + section.offset, begin + section.offset + frame.size[axis])
  }

  /// Returns the items of a section in an interval of its content, and some around them, because the items of a group
  /// need not follow each other.
  private func items(_ all: Range<Int>, in interval: ClosedRange<Double>, of section: OrthogonalSection) -> Range<Int> {
    let found = PreparationOrder.items(in: interval, of: all.count) { position in
      self.extent(ofItem: all.lowerBound + position, in: section)
    }
    let margin = 8
    let low = max(0, found.lowerBound - margin)
    return (all.lowerBound + low)..<(all.lowerBound + max(low, min(all.count, found.upperBound + margin)))
  }

  // MARK: - Waiting area

  /// Returns whether an item's cell may wait at the item's current position.
  ///
  /// - Complexity: O(log sections).
  package final func canWait(_ index: Int) -> Bool { canWait(index, in: waitingArea) }

  /// The area in which cells may wait, for queries about many items.
  final var waitingArea: WaitingArea {
    WaitingArea(
      limits: preparation.window.limits, solution: solution, axis: scrollAxis,
      crossLength: bounds.size[scrollAxis.cross])
  }

  /// Returns whether an item's cell may wait in the area.
  final func canWait(_ index: Int, in area: WaitingArea) -> Bool {
    if let isAllowed = area.allows(index) { return isAllowed }
    guard let position = solution.itemCounts.position(of: index),
      let section = solution.orthogonalSection(position.section)
    else { return true }
    let own = self.extent(ofItem: index, in: section)
    return motion(of: section).window.limits.contains(start: own.start, end: own.end)
  }

  /// Returns the distance of an item from where it is needed, in points: the viewport, or the viewport at the end of
  /// scrolling.
  ///
  /// The distance to the viewport counts twice if the content scrolls away from the item.
  ///
  /// - Complexity: O(1).
  package final func remoteness(of index: Int) -> Double {
    let frame = solution.frame(ofItem: index)
    let length = viewportLength
    let (start, end) = (frame.origin[scrollAxis], frame.origin[scrollAxis] + frame.size[scrollAxis])
    func distance(_ offset: Double) -> Double { max(0, start - offset - length, offset - end) }
    let isBehind = (start > contentOffset) != preparation.window.isForward
    var remoteness = distance(contentOffset) * (isBehind ? 2 : 1)
    if preparation.window.limits.landing != nil { remoteness = min(remoteness, distance(scroll.projectedOffset)) }
    let cross = scrollAxis.cross
    let edges = (frame.origin[cross], frame.origin[cross] + frame.size[cross])
    return remoteness + max(0, edges.0 - bounds.size[cross], -edges.1)
  }

  // MARK: - Readiness

  /// Returns whether there are certainly no candidates: every item and element that may wait is displayed, or waits
  /// fully prepared.
  ///
  /// Most frames have nothing to prepare, because the items around the viewport remain the same for several frames.
  ///
  /// - Complexity: O(cells) comparisons of numbers. No cell is accessed.
  final func hasEverythingReady() -> Bool {
    let preparation = preparation
    guard cellController.areAllCellsReady, preparation.window.limits.landing == nil, preparation.order.listsAllItems
    else { return false }
    var runs: [Range<Int>] = []
    swap(&runs, &preparation.runs)
    defer { swap(&runs, &preparation.runs) }
    runs.removeAll(keepingCapacity: true)
    let near = region(of: preparation.window.limits.aroundViewport)
    solution.visitItems(in: near) { runs.append($0) }
    guard cellController.covers(runs) else { return false }
    var hasOrthogonalSections = false
    visitOrthogonalSections { _ in hasOrthogonalSections = true }
    return !hasOrthogonalSections && !supplementaryController.hasUpcomingElements()
  }
}

/// The area in which items' cells may wait at one moment.
///
/// Properties common to all items are read once.
struct WaitingArea {
  /// The limits on the scroll axis.
  let limits: KeepLimits
  /// The solved layout.
  let solution: any SolvedLayout
  /// The scroll axis.
  let axis: Axis
  /// The length of the view on the cross axis, in points.
  let crossLength: Double

  /// Returns whether an item's cell may wait, or nil if the item is outside the view on the cross axis, where its
  /// orthogonal section decides.
  func allows(_ index: Int) -> Bool? {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[axis]
    guard limits.contains(start: start, end: start + frame.size[axis]) else { return false }
    let edge = frame.origin[axis.cross]
    return edge >= crossLength || edge + frame.size[axis.cross] <= 0 ? nil : true
  }
}
