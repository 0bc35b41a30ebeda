package import VitrineCollectionEngine
package import VitrineCollectionLayout
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineScrollPhysics
package import VitrineViews

/// What ``PrefetchController`` needs from the collection view.
package protocol PrefetchHost: ControllerHost {
  /// Whether prefetching is enabled.
  var isPrefetchingEnabled: Bool { get }
  /// Whether client code is being called.
  var isCallingClient: Bool { get }
  /// The data source of the displayed items, or nil while the items of a replaced data source are displayed.
  var preparationSource: (any CellSource & PrefetchingSource)? { get }
  /// Requires the items of a data source that was deallocated to be removed in the coming frame.
  func checkForLostSource()
  /// Returns whether an item's cell is leaving in an animated update.
  func isLeaving(_ index: Int) -> Bool
  /// Returns the scroll state of an orthogonal section and the window in which its cells may wait, or nil if it never
  /// scrolled.
  func motion(ofSection section: Int) -> (scroll: ScrollState, window: KeepWindow)?
  /// Updates the windows of orthogonal sections.
  ///
  /// - Parameter lead: The time before items are visible by which they should be prepared.
  func updateSectionWindows(lead: FrameDuration)
}

/// The owner of preparing cells ahead: which items need a cell next, and whether a step fits into the slack of a frame.
///
/// In the slack time of each frame the controller lists the items around the viewport, and around the end of scrolling,
/// that lack a prepared cell, the first to become visible first (``PreparationOrder``). It runs their steps one by one
/// as long as the expected cost of the next fits before the deadline (``SlackScheduler``). What a step does is the
/// business of ``CellController`` and ``SupplementaryController``; where cells may wait is decided here
/// (``KeepWindow``).
///
/// Invariants:
/// - A step that is not forced begins only if its pessimistic cost fits.
/// - No step runs while an update is waiting that may delete its item, and none for an item that is displayed.
/// - A list of candidates is valid for one frame and one update: an update forgets it.
/// - Frames in which everything is ready list no candidates, and cost a comparison of numbers.
package final class PrefetchController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any PrefetchHost)!
  private let cells: CellController
  private let supplementaryViews: SupplementaryController
  private let meter: StepMeter

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  /// The window around the viewport in which cells may wait.
  @exclusivity(unchecked) private var window = KeepWindow()
  /// The scheduler, which decides whether a step runs.
  private var scheduler = SlackScheduler()
  /// The items that lack a prepared cell, the most urgent first, as of the frame that was begun.
  private var candidates: [PreparationCandidate] = []
  @exclusivity(unchecked) private var mayHaveWork = false
  /// The slack budget of the current frame.
  private var frame: SlackBudget?
  /// The step that was deferred until after presenting, and the class of the last cell that one was for.
  private var deferredStep: PreparationCandidate?
  private var deferredCellType: CollectionViewCell.Type?
  /// The time to prepare a screen of items, plus three frames.
  ///
  /// Items that are visible sooner should be prepared by now.
  private var leadTime = FrameDuration.zero
  /// Reusable memory.
  private var runs: [Range<Int>] = []
  private var readyItems = ReadyItemSet()
  /// The cells that had to be prepared in this frame's commit: the time, the class that took the longest, and how many.
  private var forced = (duration: FrameDuration.zero, longest: FrameDuration.zero, count: Int32(0))
  private var forcedType: CollectionViewCell.Type?

  /// Whether cells are prepared before their items are visible, while prefetching is enabled.
  package var isCellPrefetchingEnabled = true

  /// The policy of preparing cells ahead.
  package var policy = PreparationPolicy.stepwise {
    didSet {
      scheduler.policy = policy.slackPolicy
      window.extent = policy.extent
      updateKeepExtent(at: host.lastInstant)
    }
  }

  /// The maximum number of steps of a cell that is prepared as a whole.
  private static let maximumSteps = 1_000
  /// The time for which fewer cells wait after memory was short.
  private static let lowMemoryDuration = FrameDuration.seconds(10)

  /// Creates a controller that prepares nothing.
  package init(cells: CellController, supplementaryViews: SupplementaryController, meter: StepMeter) {
    self.cells = cells
    self.supplementaryViews = supplementaryViews
    self.meter = meter
  }

  // MARK: - State

  /// The counts of how the slack time of frames was used.
  package var statistics: SlackStatistics { scheduler.statistics }

  /// Whether cells are prepared before their items are visible.
  package var preparesAhead: Bool { host.isPrefetchingEnabled && isCellPrefetchingEnabled }

  /// Whether there may be something to prepare, so that frames are needed.
  package var hasWork: Bool { mayHaveWork }

  /// Requests slack time, because a view can be prepared.
  package func setNeedsPreparation() { mayHaveWork = preparesAhead }

  /// The scroll direction, and the viewport at the end of scrolling if it has a target.
  package var trajectory: (isForward: Bool, landing: ClosedRange<Double>?) { (window.isForward, window.limits.landing) }

  // MARK: - Waiting area

  /// The part of the content in which cells may wait.
  package var keepLimits: KeepLimits { window.limits }

  /// Moves the window in which cells may wait along with the content.
  ///
  /// - Returns: Whether scrolling continues as before: it is not if it reversed or its target changed.
  package func recordMove(_ scroll: ScrollState, shown: FrameInstant) -> Bool {
    let landing = window.limits.landing
    let hasTurned = window.handle(scroll, shown: shown, lead: leadTime)
    return !hasTurned && window.limits.landing == landing
  }

  /// Shifts the window after the content moved without scrolling.
  package func shiftContent(by delta: Double) { window.shiftContent(by: delta) }

  /// Passes the extent in which cells may wait to their owner, which limits their number.
  private func updateKeepExtent(at instant: FrameInstant) {
    let extent = window.extent(at: instant)
    if extent != cells.keepExtent { cells.keepExtent = extent }
  }

  /// Evicts waiting cells and views that are too far away, after the content scrolled or its items changed.
  package func evictDistantViews() {
    let host: any PrefetchHost = host
    updateKeepExtent(at: host.lastInstant)
    host.updateSectionWindows(lead: leadTime)
    setNeedsPreparation()
    supplementaryViews.evictDistantViews()
    let retainsCells = preparesAhead
    // Read once, because they are used for every cell.
    let area = waitingArea
    cells.evictWaitingCells { retainsCells && canWait($0, in: area) }
  }

  /// Returns whether an item's cell may wait at the item's current position.
  ///
  /// - Complexity: O(log sections).
  package func canWait(_ index: Int) -> Bool { canWait(index, in: waitingArea) }

  private var waitingArea: WaitingArea {
    let host: any PrefetchHost = host
    let axis = host.scrollAxis
    return WaitingArea(
      limits: window.limits, solution: host.solution, axis: axis, crossLength: host.bounds.size[axis.cross])
  }

  private func canWait(_ index: Int, in area: WaitingArea) -> Bool {
    if let isAllowed = area.allows(index) { return isAllowed }
    guard let position = area.solution.itemCounts.position(of: index),
      let section = area.solution.orthogonalSection(position.section)
    else { return true }
    let own = extent(ofItem: index, in: section, of: area.solution)
    return motion(of: section).window.limits.contains(start: own.start, end: own.end)
  }

  /// How far items are from where they are needed, as of now.
  package var remoteness: Remoteness {
    let host: any PrefetchHost = host
    return Remoteness(
      solution: host.solution, axis: host.scrollAxis, size: host.bounds.size, offset: host.contentOffset,
      projectedOffset: window.limits.landing == nil ? nil : host.scroll.projectedOffset, isForward: window.isForward)
  }

  /// Returns the rectangle of the content in an interval of the scroll axis.
  package func region(of interval: ClosedRange<Double>) -> Rect {
    let axis = host.scrollAxis
    var rect = Rect(origin: .zero, size: host.bounds.size)
    rect.origin[axis] = interval.lowerBound
    rect.size[axis] = interval.upperBound - interval.lowerBound
    return rect
  }

  // MARK: - Capacity

  /// Returns the maximum number of views that may wait, for a number of views displayed at the same time.
  package func maximumWaitingViews(displayed count: Int) -> Int {
    window.extent(at: host.lastInstant).maximumCells(visible: count)
  }

  /// The maximum number of bytes that waiting cells retain while memory is not short.
  package var maximumBytes: Int {
    get { window.extent.maximumBytes }
    set {
      window.extent.maximumBytes = max(0, newValue)
      updateKeepExtent(at: host.lastInstant)
      cells.evictSurplusCells()
      host.setNeedsVisibleUpdate()
    }
  }

  /// Releases pooled cells, and prepared cells that are not needed within a second.
  package func releaseMemory() {
    let shown = host.lastInstant
    let now = max(shown, meter.clock?.now() ?? shown)
    window.reduceForLowMemory(until: now + PrefetchController.lowMemoryDuration, host.scroll, shown: shown)
    updateKeepExtent(at: now)
    let (forecast, layout, axis) = (self.forecast, host.solution, host.scrollAxis)
    let limit = shown + .seconds(1)
    cells.evictWaitingCells { index in
      guard canWait(index) else { return false }
      guard !forecast.isAtRest else { return true }
      let frame = layout.frame(ofItem: index)
      let start = frame.origin[axis]
      return forecast.candidate(index, start: start, end: start + frame.size[axis])?.isNeeded(at: limit) ?? false
    }
    cells.evictSurplusCells()
    cells.releasePooledCells()
    supplementaryViews.releaseMemory()
  }

  /// Creates a cell for its pool at rest, if scrolling will need more cells than exist.
  ///
  /// No cells are created while memory is short.
  ///
  /// - Returns: Whether a cell was created or discarded.
  package func makeSpareCellAtRest() -> Bool {
    let now = meter.clock?.now() ?? host.lastInstant
    guard preparesAhead, !host.isCallingClient, host.preparationSource != nil, window.extent(at: now) == window.extent
    else { return false }
    updateKeepExtent(at: now)
    return cells.makeSpareCellAtRest(maximumWaiting: window.extent.maximumCells(visible: cells.visibleCount))
  }

  // MARK: - Candidates

  /// When items around the viewport will be visible.
  private var forecast: VisibilityForecast {
    VisibilityForecast(scroll: host.scroll, window: window, shown: host.lastInstant, interval: meter.interval)
  }

  /// When items within the reach of data prefetching will be visible.
  package var dataForecast: VisibilityForecast {
    let (scroll, shown) = (host.scroll, host.lastInstant)
    return VisibilityForecast(
      scroll: scroll, window: window.withExtent(.data, scroll, shown: shown), shown: shown, interval: meter.interval)
  }

  /// Lists the items and elements to prepare as of the last frame, the most urgent first.
  ///
  /// - Parameter cost: The expected cost of preparing a cell from the beginning.
  private func listCandidates(expecting cost: FrameDuration) {
    let (limit, remoteness) = (cells.maximumRemoteness, remoteness)
    // Read once, because they are used for every item.
    let (layout, axis, order, forecast) = (host.solution, host.scrollAxis, policy.order, forecast)
    // Moved out of the storage, because the closures below read it.
    var candidates: [PreparationCandidate] = []
    var runs: [Range<Int>] = []
    var ready = ReadyItemSet()
    swap(&candidates, &self.candidates)
    swap(&runs, &self.runs)
    swap(&ready, &readyItems)
    cells.listReadyItems(into: &ready)
    order.listCandidates(
      into: &candidates, forecast, cost: cost, scratch: &runs,
      runs: { interval, runs in layout.visitItems(in: region(of: interval)) { runs.append($0) } },
      frame: { index in
        let frame = layout.frame(ofItem: index)
        return (frame.origin[axis], frame.origin[axis] + frame.size[axis])
      },
      needsCell: { !ready.contains($0) && lacksCell($0, limit, remoteness) })
    supplementaryViews.listCandidates(into: &candidates, forecast, order: order, runs: &runs)
    visitOrthogonalSections(of: layout) { section in
      let (scroll, window) = motion(of: section)
      let forecast = VisibilityForecast(
        scroll: scroll, window: window, shown: host.lastInstant, interval: meter.interval)
      let items = layout.itemCounts.items(inSection: section.section)
      order.listCandidates(
        into: &candidates, forecast, cost: cost, scratch: &runs, isAppending: true,
        runs: { interval, runs in runs.append(self.items(items, in: interval, of: section, layout)) },
        frame: { extent(ofItem: $0, in: section, of: layout) },
        needsCell: { !ready.contains($0) && lacksCell($0, limit, remoteness) })
    }
    swap(&candidates, &self.candidates)
    swap(&runs, &self.runs)
    swap(&ready, &readyItems)
  }

  /// Returns whether an item without a prepared cell should have one ahead of need.
  private func lacksCell(_ index: Int, _ limit: Double, _ remoteness: Remoteness) -> Bool {
    cells.displayedCell(at: index) == nil && !host.isLeaving(index)
      && (limit == .infinity || cells.waitingCell(at: index) != nil || remoteness(index) < limit)
  }

  /// Calls a closure for each visible orthogonal section.
  private func visitOrthogonalSections(of layout: any SolvedLayout, _ visit: (OrthogonalSection) -> Void) {
    let counts = layout.itemCounts
    for run in cells.visibleRuns {
      var index = run.lowerBound
      while index < run.upperBound, let (section, _) = counts.position(of: index) {
        if let found = layout.orthogonalSection(section) { visit(found) }
        index = counts.items(inSection: section).upperBound
      }
    }
  }

  /// Returns the scroll state of an orthogonal section, and the window in which its cells may wait.
  private func motion(of section: OrthogonalSection) -> (scroll: ScrollState, window: KeepWindow) {
    if let motion = host.motion(ofSection: section.section) { return motion }
    let range = ScrollRange(
      minimum: 0, maximum: section.maximumOffset, viewportLength: section.frame.size[section.axis])
    let scroll = ScrollState(range: range, offset: section.offset)
    var own = KeepWindow(extent: window.extent(at: host.lastInstant))
    own.handle(scroll, shown: host.lastInstant)
    return (scroll, own)
  }

  /// Returns the start and end of an item in the content of its orthogonal section, in points from the leading edge.
  private func extent(
    ofItem index: Int, in section: OrthogonalSection, of layout: any SolvedLayout
  ) -> (start: Double, end: Double) {
    let frame = layout.frame(ofItem: index)
    let axis = section.axis
    let isMirrored = axis == .horizontal && layout.environment.layoutDirection == .rightToLeft
    let begin =
      isMirrored
      ? section.frame.origin[axis] + section.frame.size[axis] - frame.origin[axis] - frame.size[axis]
      : frame.origin[axis] - section.frame.origin[axis]
    return (begin + section.offset, begin + section.offset + frame.size[axis])
  }

  /// Returns the items of a section in an interval of its content, and some around them, because the items of a group
  /// need not follow each other.
  private func items(
    _ all: Range<Int>, in interval: ClosedRange<Double>, of section: OrthogonalSection, _ layout: any SolvedLayout
  ) -> Range<Int> {
    let found = PreparationOrder.items(in: interval, of: all.count) { position in
      extent(ofItem: all.lowerBound + position, in: section, of: layout)
    }
    let margin = 8
    let low = max(0, found.lowerBound - margin)
    return (all.lowerBound + low)..<(all.lowerBound + max(low, min(all.count, found.upperBound + margin)))
  }

  /// Returns whether there are certainly no candidates: every item and element that may wait is displayed, or waits
  /// fully prepared.
  ///
  /// Most frames have nothing to prepare, because the items around the viewport remain the same for several frames.
  ///
  /// - Complexity: O(cells) comparisons of numbers. No cell is accessed.
  private func hasEverythingReady() -> Bool {
    guard cells.areAllCellsReady, window.limits.landing == nil, policy.order.listsAllItems else { return false }
    let layout = host.solution
    var runs: [Range<Int>] = []
    swap(&runs, &self.runs)
    defer { swap(&runs, &self.runs) }
    runs.removeAll(keepingCapacity: true)
    layout.visitItems(in: region(of: window.limits.aroundViewport)) { runs.append($0) }
    guard cells.covers(runs) else { return false }
    var hasOrthogonalSections = false
    visitOrthogonalSections(of: layout) { _ in hasOrthogonalSections = true }
    return !hasOrthogonalSections && !supplementaryViews.hasUpcomingElements()
  }

  /// Forgets the items to prepare after an update, because their indices changed.
  ///
  /// They are listed again in the next slack time.
  package func apply(_ map: IndexMap) { removeCandidates() }

  /// Forgets the items to prepare, because all items were replaced.
  package func removeCandidates() {
    candidates.removeAll(keepingCapacity: true)
    deferredStep = nil
    frame = nil
  }

  // MARK: - Slack

  /// Begins the slack time of a frame.
  private func beginSlack(_ next: SlackBudget, _ budget: FrameBudget) {
    deferredStep = nil
    updateKeepExtent(at: host.lastInstant)
    meter.interval = max(.milliseconds(1), next.nextDeadline - next.deadline)
    let cost = meter.expectedCost
    leadTime = meter.interval * 3 + cost * Double(cells.visibleCount)
    if hasEverythingReady() {
      candidates.removeAll(keepingCapacity: true)
    } else {
      listCandidates(expecting: cost)
    }
    mayHaveWork = !candidates.isEmpty
    var next = next
    if candidates.contains(where: { $0.isNeeded(at: next.nextTarget) }) { next.isNextCommitShort = false }
    // At rest it is not known which items will be visible next.
    next.isAtRest = next.isAtRest && !host.isTracked
    frame = next
    scheduler.beginFrame(next, at: budget.clock.now())
  }

  /// Performs a step of the most urgent candidate, if it fits.
  ///
  /// - Returns: Whether a step was performed.
  package func prepareInSlack(_ budget: FrameBudget) -> Bool {
    // Items may be deleted or replaced once the pending snapshot is displayed.
    guard let source = host.preparationSource else {
      mayHaveWork = false
      host.checkForLostSource()
      return false
    }
    guard preparesAhead, mayHaveWork, let slack = budget.slack, !source.hasPendingUpdate else { return false }
    if frame?.index != slack.index { beginSlack(slack, budget) }
    guard deferredStep == nil, let next = nextCandidate() else { return false }
    switch scheduler.decide(slackStep(of: next, in: slack), at: budget.clock.now()) {
    case .run:
      let start = budget.clock.workTimestamp()
      prepareWorkUnit(of: next, source)
      finishStep(since: start, budget.clock)
      return true
    case .runAfterPresent, .forced:
      deferredStep = next
      return false
    case .refused:
      return false
    }
  }

  /// Whether a step was deferred until after presenting, or nothing moves and any step may run.
  package var hasDeferredSteps: Bool { deferredStep != nil || frame?.isAtRest == true }

  /// Performs the step that did not fit before presenting.
  ///
  /// At rest, performs further urgent steps.
  ///
  /// - Returns: Whether a step was performed.
  package func prepareAfterPresent(_ budget: FrameBudget) -> Bool {
    guard let source = host.preparationSource, !source.hasPendingUpdate, let frame else {
      if takeDeferredStep() != nil { scheduler.cancelStep() }
      return false
    }
    if deferredStep == nil, frame.isAtRest, scheduler.hasDeferredStep, let next = nextCandidate(), next.rank == .soon,
      scheduler.decide(slackStep(of: next, in: frame), at: budget.clock.now()) == .runAfterPresent
    {
      deferredStep = next
    }
    guard let next = takeDeferredStep() else { return false }
    guard nextStep(of: next) != nil else {
      scheduler.cancelStep()
      return false
    }
    let start = budget.clock.workTimestamp()
    guard scheduler.startStep(at: start.instant) else { return false }
    prepareWorkUnit(of: next, source)
    finishStep(since: start, budget.clock)
    deferredCellType = cells.waitingCell(at: next.index).map { type(of: $0) }
    return true
  }

  private func takeDeferredStep() -> PreparationCandidate? {
    defer { deferredStep = nil }
    return deferredStep
  }

  private func finishStep(since start: WorkTimestamp, _ clock: any FrameClock) {
    let end = clock.workTimestamp()
    scheduler.finishStep(at: end.instant, lost: start.preemptedTime(until: end))
  }

  private func slackStep(of candidate: PreparationCandidate, in frame: SlackBudget) -> SlackStep {
    let cost = nextStep(of: candidate).map {
      meter.workUnitCost(from: $0, of: registration(of: candidate), isWhole: policy.workUnit == .cell)
    }
    return SlackStep(
      cost: cost ?? .zero, isNeededNext: candidate.isNeeded(at: frame.nextTarget), isUrgent: candidate.rank == .soon)
  }

  /// Returns the registration of a candidate's waiting view, or of the next view of its kind.
  ///
  /// Nil for an item without a cell.
  private func registration(of candidate: PreparationCandidate) -> Int? {
    if SupplementaryController.isElement(candidate.index) {
      return supplementaryViews.registration(ofCandidate: candidate.index)
    }
    return cells.waitingCell(at: candidate.index)?.registration
  }

  private func nextCandidate() -> PreparationCandidate? {
    while let next = candidates.first {
      if nextStep(of: next) != nil { return next }
      candidates.removeFirst()
    }
    return nil
  }

  /// Returns the next step of preparing a candidate, which is an item or an element, or nil if there is none.
  private func nextStep(of candidate: PreparationCandidate) -> PreparationStep? {
    let index = candidate.index
    if SupplementaryController.isElement(index) { return supplementaryViews.nextStep(ofCandidate: index) }
    guard index < host.itemCount, cells.displayedCell(at: index) == nil, cells.hasCapacity(for: index) else {
      return nil
    }
    return cells.nextStep(at: index)
  }

  /// Performs a candidate's next work unit: one step or all steps.
  private func prepareWorkUnit(of candidate: PreparationCandidate, _ source: any CellSource & PrefetchingSource) {
    prepareStep(of: candidate, source)
    guard policy.workUnit == .cell else { return }
    // Client code may invalidate a step endlessly, or delete the items.
    var steps = 1
    while steps < PrefetchController.maximumSteps, host.preparationSource === source, nextStep(of: candidate) != nil {
      prepareStep(of: candidate, source)
      steps += 1
    }
  }

  private func prepareStep(of candidate: PreparationCandidate, _ source: any CellSource) {
    if SupplementaryController.isElement(candidate.index) {
      supplementaryViews.prepareStep(ofCandidate: candidate.index)
    } else {
      cells.prepareStep(at: candidate.index, from: source)
    }
  }

  // MARK: - Frame records

  /// Records how the work ahead went since the last commit, when a frame's commit begins.
  package func recordPreparation(_ record: inout FrameRecord) {
    record.preparesAhead = preparesAhead
    record.isDeferredStepForced = scheduler.isLastStepForced
    record.lastRefusal = scheduler.lastRefusal
    if record.isDeferredStepForced { record.slowestForcedType = deferredCellType }
  }

  /// Resets the measurements of forced cells, when a frame provides cells.
  package func beginCommit() {
    forced = (.zero, .zero, 0)
    forcedType = nil
  }

  /// Records a cell that had to be prepared in the commit.
  package func recordForced(_ type: CollectionViewCell.Type, took duration: FrameDuration) {
    forced.duration += duration
    forced.count += 1
    guard forcedType == nil || duration > forced.longest else { return }
    forced.longest = duration
    forcedType = type
  }

  /// Records the cells that had to be prepared in a frame's commit.
  ///
  /// - Parameters:
  ///   - record: The record of the frame.
  ///   - count: The number of cells that were prepared as a whole.
  package func recordForcedCells(_ record: inout FrameRecord, _ count: Int32) {
    let count = max(count, forced.count)
    guard count > 0 else { return }
    record.cellsForced += count
    record.forcedDuration = record.forcedDuration + forced.duration
    record.slowestForcedType = forcedType
  }
}

/// The area in which items' cells may wait at one moment.
///
/// Properties common to all items are read once.
private struct WaitingArea {
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

/// How far items are from where they are needed, at one moment: from the viewport, or from the viewport at the end of
/// scrolling.
///
/// Properties common to all items are read once.
package struct Remoteness {
  private let solution: any SolvedLayout
  private let axis: Axis
  private let size: Size
  private let offset: Double
  private let projectedOffset: Double?
  private let isForward: Bool

  /// Creates a measure.
  ///
  /// - Parameters:
  ///   - solution: The layout.
  ///   - axis: The scroll axis.
  ///   - size: The size of the viewport.
  ///   - offset: The offset of the content.
  ///   - projectedOffset: The offset at the end of scrolling, or nil if it has no target.
  ///   - isForward: Whether the content scrolls toward its end.
  package init(
    solution: any SolvedLayout, axis: Axis, size: Size, offset: Double, projectedOffset: Double?, isForward: Bool
  ) {
    self.solution = solution
    self.axis = axis
    self.size = size
    self.offset = offset
    self.projectedOffset = projectedOffset
    self.isForward = isForward
  }

  /// Returns the distance of an item, in points.
  ///
  /// The distance to the viewport counts twice if the content scrolls away from the item.
  ///
  /// - Complexity: O(1).
  package func callAsFunction(_ index: Int) -> Double {
    let frame = solution.frame(ofItem: index)
    let (start, end) = (frame.origin[axis], frame.origin[axis] + frame.size[axis])
    func distance(_ offset: Double) -> Double { max(0, start - offset - size[axis], offset - end) }
    let isBehind = (start > offset) != isForward
    var remoteness = distance(offset) * (isBehind ? 2 : 1)
    if let projectedOffset { remoteness = min(remoteness, distance(projectedOffset)) }
    let cross = axis.cross
    let edges = (frame.origin[cross], frame.origin[cross] + frame.size[cross])
    return remoteness + max(0, edges.0 - size[cross], -edges.1)
  }
}
