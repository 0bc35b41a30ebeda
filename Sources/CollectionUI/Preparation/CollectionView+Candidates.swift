import CollectionEngine
import CollectionLayout
import FramePacing
import Geometry
import ScrollPhysics
import Views

/// Which items lack a cell that is ready, and the order in which they are seen: along the layout's axis, and across it
/// in sections that scroll by themselves.
extension CollectionView {
  /// Lists what is to be prepared as of the last frame, the most urgent first.
  ///
  /// - Parameter cost: what preparing a cell from the beginning is expected to take.
  final func listCandidates(expecting cost: FrameDuration) {
    let bar = maximumRemoteness
    let situation = VisibilityForecast(
      scroll: scroll, window: preparation.window, shown: lastInstant, interval: preparation.costs.interval)
    // Taken out, as the questions below look at what is prepared.
    var candidates: [PreparationCandidate] = []
    var runs: [Range<Int>] = []
    var ready = ReadyItemSet()
    swap(&candidates, &preparation.candidates)
    swap(&runs, &preparation.runs)
    swap(&ready, &preparation.readyItems)
    listReadyItems(into: &ready)
    preparation.order.listCandidates(
      into: &candidates, situation, cost: cost, scratch: &runs,
      runs: { interval, runs in self.solution.visitItems(in: self.region(of: interval)) { runs.append($0) } },
      frame: { self.extent(ofItem: $0) }, isWanted: { !ready.contains($0) && self.lacksCell($0, bar) })
    listElementCandidates(into: &candidates, situation, runs: &runs)
    visitOrthogonalSections { section in
      let (scroll, window) = self.motion(of: section)
      let situation = VisibilityForecast(
        scroll: scroll, window: window, shown: self.lastInstant, interval: self.preparation.costs.interval)
      let items = self.solution.itemCounts.items(inSection: section.section)
      preparation.order.listCandidates(
        into: &candidates, situation, cost: cost, scratch: &runs, isAppending: true,
        runs: { interval, runs in runs.append(self.items(items, in: interval, of: section)) },
        frame: { self.extent(ofItem: $0, in: section) }, isWanted: { !ready.contains($0) && self.lacksCell($0, bar) })
    }
    swap(&candidates, &preparation.candidates)
    swap(&runs, &preparation.runs)
    swap(&ready, &preparation.readyItems)
  }

  /// Lists the items whose cells wait and need no further step, as ``nextStep(at:)`` tells one by one: looked through once,
  /// as the lists below ask of most items several times.
  private func listReadyItems(into ready: inout ReadyItemSet) {
    ready.removeAll()
    let generation = window?.resources.generation
    // Held for the loop: each access to what others may change is checked.
    let waiting = preparation.waiting
    if let generation, preparation.drawnGeneration == generation {
      // No cell is looked at: they lie all over the memory.
      for (place, index) in waiting.indices.enumerated() where waiting.isReady(at: place) { ready.append(index) }
      return
    }
    preparation.drawnGeneration = generation
    for (place, index) in waiting.indices.enumerated() {
      guard let cell = waiting.readyCell(at: place) else { continue }
      if let generation, !cell.drawing.isValid(for: generation), cell.isWorthDrawingAhead {
        preparation.drawnGeneration = nil
        continue
      }
      ready.append(index)
    }
  }

  /// Whether an item whose cell is not ready is to have one ahead of its need.
  private func lacksCell(_ index: Int, _ bar: Double) -> Bool {
    displayed[index] == nil && disappearingCell(at: index) == nil
      && (bar == .infinity || preparation.waiting[index] != nil || remoteness(of: index) < bar)
  }

  // MARK: Along the axis

  /// Where an item begins and ends along the layout's axis, in points.
  final func extent(ofItem index: Int) -> (start: Double, end: Double) {
    let frame = solution.frame(ofItem: index)
    let start = frame.origin[scrollAxis]
    return (start, start + frame.size[scrollAxis])
  }

  /// The part of the content between two points along the axis.
  final func region(of interval: ClosedRange<Double>) -> Rect {
    var rect = Rect(origin: .zero, size: bounds.size)
    rect.origin[scrollAxis] = interval.lowerBound
    rect.size[scrollAxis] = interval.upperBound - interval.lowerBound
    return rect
  }

  // MARK: Across

  /// Goes through the sections on screen that scroll across.
  final func visitOrthogonalSections(_ visit: (OrthogonalSection) -> Void) {
    let counts = solution.itemCounts
    for run in displayed.runs {
      var index = run.lowerBound
      while index < run.upperBound, let (section, _) = counts.position(of: index) {
        if let found = solution.orthogonalSection(section) { visit(found) }
        index = counts.items(inSection: section).upperBound
      }
    }
  }

  /// How a section moves across, and where its cells may wait.
  private func motion(of section: OrthogonalSection) -> (scroll: ScrollState, window: KeepWindow) {
    if let motion = orthogonal.motion(of: section.section) { return motion }
    let range = ScrollRange(
      minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
    let scroll = ScrollState(range: range, offset: section.offset)
    var window = KeepWindow(reach: preparation.window.extent(at: lastInstant))
    window.handle(scroll, shown: lastInstant)
    return (scroll, window)
  }

  /// Where an item begins and ends in a section's own content, in points from where reading begins.
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

  /// The items of a section with a part between two points of its content, and some around them: within a group they need
  /// not stand one after the other.
  private func items(_ all: Range<Int>, in interval: ClosedRange<Double>, of section: OrthogonalSection) -> Range<Int> {
    let found = PreparationOrder.items(in: interval, of: all.count) { place in
      self.extent(ofItem: all.lowerBound + place, in: section)
    }
    let margin = 8
    let low = max(0, found.lowerBound - margin)
    return (all.lowerBound + low)..<(all.lowerBound + max(low, min(all.count, found.upperBound + margin)))
  }

  // MARK: Waiting

  /// Whether an item's cell may wait where the item stands now.
  ///
  /// - Complexity: O(log sections).
  final func canWait(_ index: Int) -> Bool { canWait(index, in: waitingArea) }

  /// Where cells may wait now, for asking of many items.
  final var waitingArea: WaitingArea {
    WaitingArea(
      limits: preparation.window.limits, solution: solution, axis: scrollAxis,
      crossLength: bounds.size[scrollAxis.cross])
  }

  /// Whether an item's cell may wait where the item stands now.
  final func canWait(_ index: Int, in ground: WaitingArea) -> Bool {
    if let answer = ground.allows(index) { return answer }
    guard let position = solution.itemCounts.position(of: index),
      let section = solution.orthogonalSection(position.section)
    else { return true }
    let own = self.extent(ofItem: index, in: section)
    return motion(of: section).window.limits.contains(start: own.start, end: own.end)
  }

  /// How little an item is needed: the points between it and what is seen or will be when the content rests, twice as
  /// many where scrolling leads away from it.
  ///
  /// - Complexity: O(1).
  final func remoteness(of index: Int) -> Double {
    let frame = solution.frame(ofItem: index)
    let length = viewportLength
    let (start, end) = (frame.origin[scrollAxis], frame.origin[scrollAxis] + frame.size[scrollAxis])
    func distance(_ offset: Double) -> Double { max(0, start - offset - length, offset - end) }
    let isBehind = (start > contentOffset) != preparation.window.isForward
    var remoteness = distance(contentOffset) * (isBehind ? 2 : 1)
    if preparation.window.limits.landing != nil { remoteness = min(remoteness, distance(scroll.projectedOffset)) }
    let cross = scrollAxis.cross
    let across = (frame.origin[cross], frame.origin[cross] + frame.size[cross])
    return remoteness + max(0, across.0 - bounds.size[cross], -across.1)
  }
}
