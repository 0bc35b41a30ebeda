package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDataStructures
package import VitrineFramePacing
package import VitrineGeometry
import VitrineScrollPhysics
package import VitrineViews

/// What ``LayoutController`` needs from the collection view.
package protocol LayoutHost: ControllerHost {
  /// The layout that arranges the items.
  var collectionViewLayout: any CollectionLayout { get }
  /// The environment to solve the layout in, as of now.
  var layoutEnvironment: LayoutEnvironment { get }
  /// The number of items of each section: those of the data source, or the displayed ones while its items are not
  /// displayed yet.
  var itemCountsToSolve: ItemCounts { get }
  /// The insets of the content at the start and the end of the scroll axis, in points.
  var axisInsets: (start: Double, end: Double) { get }
  /// The end of the views pinned to the start of the viewport, which cover the content beneath them.
  var uncoveredStart: Double { get }

  /// Notifies the delegate that the layout is about to be solved or updated.
  func willPrepareLayout()
  /// Applies the distances of pinned views and the offsets of orthogonal sections to a new solution.
  func layoutWasSolved()
  /// Adopts the solution's axis and length, and moves the content with all that is positioned relative to it.
  ///
  /// - Parameter delta: The distance in points by which the preserved anchor moved.
  func moveContent(by delta: Double)
  /// Moves the content of a section that scrolls across with all positions in it.
  func shiftSection(_ section: Int, by points: Double)
  /// Returns the distance by which content that scrolled to an item moves so that the item stays where it was asked
  /// for, or nil if the content did not scroll to an item.
  func takeArrivedDistance() -> Double?
  /// Positions cells again, moves the targets of scrolls to items, and requests a frame.
  func framesDidChange()
  /// Requests a frame in which cells are measured.
  func setNeedsMeasuring()
}

/// The owner of the solved layout: when it is solved, which item stays in its position while frames change, and which
/// sizes cells prefer.
///
/// A change of the layout, of the view's size or of the items is one call of ``relayout(_:)``, which updates the
/// solution and then moves the content, so that the first visible item, or the one given, stays where it is on screen.
/// Frames may be estimates at first. Those in and near the viewport are made final before they are displayed, those of
/// other items in slack time. The sizes that cells request in a frame are passed to the layout together.
///
/// Invariants:
/// - While the layout is being solved, or a closure of the layout is called, it must not be queried: a query stops the
///   program with a sentence (``requireSolvedLayout()``).
/// - Whenever frames change, the content moves by the difference of the anchor's offsets, never to an absolute offset,
///   so that scrolling continues. The difference is a whole number of pixels, so that repeated changes do not drift.
/// - Scrolling discards the preserved anchor. While the content is not scrolled, successive layouts preserve the same
///   one.
/// - A preferred size is requested and passed to the layout in the same frame, or discarded with the item's index.
package final class LayoutController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any LayoutHost)!
  private let cells: CellController

  /// The layout of the displayed items.
  package private(set) var solution: any SolvedLayout {
    didSet { areFramesFinal = solution.areFramesFinal }
  }
  /// Whether every frame is final, rather than estimated.
  package private(set) var areFramesFinal: Bool
  /// The anchor whose position is preserved while the layout changes, or nil after scrolling.
  private var preservedAnchor: PreservedAnchor?
  /// The pacing of the steps that make estimated frames final.
  private var refinementPacing = StepPacing()
  /// Whether frames may have changed since the delegate was notified.
  private var hasNewFrames = false
  /// Whether the layout is being solved, so that it must not be queried.
  private var isSolving = false
  private var sizeRequests = PreferredSizeRequests()
  /// The items that were displayed in the last frame, if they are recorded.
  @exclusivity(unchecked) private var displayedItems: [Int] = []
  /// Whether ``displayedItems`` are recorded for the current frame.
  @exclusivity(unchecked) private var hasDisplayedItems = false
  /// The item that stayed in place when frames changed in the current frame, or nil.
  @exclusivity(unchecked) private var frameAnchor: Int?
  /// Whether the size of an item was fixed because it alternated.
  @exclusivity(unchecked) private var hasFixedSizes = false
  /// When sizes were last passed to the layout.
  private var lastSizeChange: FrameInstant?
  /// The rules that layouts of sections violated.
  private var violatedRules: Set<SectionLayoutRule> = []

  /// A sentence for each rule that a layout of a section violated.
  package private(set) var warnings: [String] = []

  /// The number of solutions and invalidations, for measurements.
  package private(set) var solutionCount = 0

  /// Creates a controller with the layout of no items.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - cells: The owner of cells, which are measured.
  package init(layout: any CollectionLayout, cells: CellController) {
    solution = layout.solved(in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([]))
    areFramesFinal = solution.areFramesFinal
    self.cells = cells
  }

  // MARK: - Access while solving

  /// Calls a closure that solves or changes the layout, which may call closures of the client.
  package func solving<Result>(_ body: () -> Result) -> Result {
    isSolving = true
    defer { isSolving = false }
    return body()
  }

  /// Stops the program if a closure of the layout queries the view or invalidates its layout.
  ///
  /// While the layout is being solved, the frames of items are not known.
  package func requireSolvedLayout() {
    if isSolving { failAccessWhileSolving() }
  }

  /// Returns whether frames may have changed since the last call.
  package func takeHasNewFrames() -> Bool {
    defer { if hasNewFrames { hasNewFrames = false } }
    return hasNewFrames
  }

  // MARK: - Updates

  /// Discards the requested sizes after an update, because the indices of their items changed, and schedules measuring
  /// those cells again.
  ///
  /// Called before the cells get their new indices. The layout that follows updates the sizes that it has, and its
  /// caller states the anchor in new indices.
  package func apply(_ map: IndexMap) {
    remeasurePendingItems()
    frameWillBegin()
  }

  /// Forgets which items were displayed, before the update phase of a frame.
  package func frameWillBegin() {
    hasDisplayedItems = false
    frameAnchor = nil
  }

  /// Records the items that were displayed in the last frame, before others are.
  package func recordDisplayedItems() {
    guard !hasDisplayedItems else { return }
    hasDisplayedItems = true
    // A copy of the numbers: keeping the array would make the next change of it copy it.
    displayedItems.removeAll(keepingCapacity: true)
    displayedItems.append(contentsOf: cells.displayedIndices)
  }

  // MARK: - Solving

  /// Invalidates the layout while preserving the position of the anchor, by default that of the first visible item.
  package func relayout(_ invalidation: LayoutInvalidation) {
    requireSolvedLayout()
    // Preferred sizes requested for the last layout are not valid for another one.
    remeasurePendingItems()
    if case .items = invalidation {} else { cells.resetLargestBytes() }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: firstVisibleAnchor())
    relayout(invalidation, keeping: anchor, from: offset(of: anchor.anchor))
  }

  /// Invalidates the layout while preserving the position of an anchor.
  ///
  /// - Parameters:
  ///   - invalidation: The change.
  ///   - anchor: The anchor to preserve, in the new item indices, or nil to keep the offset.
  ///   - before: The offset that the anchor had in the last solution.
  package func relayout(_ invalidation: LayoutInvalidation, keeping anchor: ContentAnchor?, from before: Double) {
    relayout(invalidation, keeping: anchor.map { PreservedAnchor(anchor: $0) }, from: before)
  }

  private func relayout(_ invalidation: LayoutInvalidation, keeping anchor: PreservedAnchor?, from before: Double) {
    let discardsSizes = solve(invalidation)
    restore(anchor, from: before)
    if discardsSizes { remeasureItems { _ in true } }
  }

  /// Solves the layout or updates its solution.
  ///
  /// - Returns: Whether preferred sizes that were measured before were discarded.
  private func solve(_ invalidation: LayoutInvalidation) -> Bool {
    var discardsSizes = true
    solutionCount += 1
    requireSolvedLayout()
    host.willPrepareLayout()
    let environment = host.layoutEnvironment
    let counts = host.itemCountsToSolve
    switch invalidation {
    case .items(let update) where environment == solution.environment && update.counts == counts:
      solving { solution.invalidate(invalidation) }
      discardsSizes = false
    case .environment where counts == solution.itemCounts:
      solving { solution.invalidate(.environment(environment)) }
    default:
      recordViolations()
      let layout = host.collectionViewLayout
      solution = solving { layout.solved(in: environment, for: counts) }
    }
    host.layoutWasSolved()
    return discardsSizes
  }

  /// Returns the offset at which the content comes to rest after a drag or a fling.
  package func targetContentOffset(forProposed offset: Double, velocity: Double) -> Double {
    let (shift, solution) = (anchorShift, solution)
    let target = solving {
      solution.targetContentOffset(forProposedContentOffset: offset + shift, withScrollingVelocity: velocity)
    }
    recordViolations()
    return target - shift
  }

  /// Sets the offset of an orthogonal section, in points from its start.
  package func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    solution.setOrthogonalOffset(offset, ofSection: section)
  }

  /// Counts the answers of section layouts that violated a rule, and records the first violation of each rule.
  package func recordViolations() {
    let violations = solution.drainViolations()
    guard violations.count > 0 else { return }
    for _ in 0..<violations.count { cells.recordRefusedNumber() }
    for violation in violations.first where violatedRules.insert(violation.rule).inserted {
      warnings.append(violation.description)
    }
  }

  /// Sets the distances of pinned views from the edges of the viewport.
  package func setPinningInsets(start: Double, end: Double) { solution.setPinningInsets(start: start, end: end) }

  // MARK: - Finalizing estimated frames

  /// The maximum number of layout passes in a frame.
  ///
  /// Each pass brings fewer estimated frames into the viewport, so few are needed.
  package static let maximumPasses = 8

  /// The time without a change after which sizes are settled.
  private static let settlingTime = FrameDuration.milliseconds(100)

  /// Makes the frames in and near the viewport final, preserving the position of the anchor that was displayed last.
  package func finalizeVisibleFrames() {
    guard !areFramesFinal else { return }
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    for _ in 0..<LayoutController.maximumPasses {
      let before = offset(of: anchor.anchor)
      let rect = rectToFinalize
      guard solving({ solution.finalizeFrames(in: rect) }) else { return }
      restore(anchor, from: before)
    }
  }

  /// The rectangle to finalize: the viewport, one screen before it and two after it, so that the sizes of prefetched
  /// items are known.
  private var rectToFinalize: Rect {
    let (axis, offset) = (host.scrollAxis, host.contentOffset)
    let screen = host.bounds.size[axis]
    var rect = Rect(origin: .zero, size: host.bounds.size)
    rect.origin[axis] = max(0, offset - screen)
    rect.size[axis] = offset + 3 * screen - rect.origin[axis]
    return rect
  }

  /// Whether a step of making estimated frames final is overdue, so that it is performed outside of slack time.
  package func isRefinementOverdue() -> Bool { !areFramesFinal && refinementPacing.isOverdue() }

  /// Returns whether a step of making estimated frames final is needed and fits into a budget.
  package func canRefine(within budget: FrameBudget) -> Bool {
    !areFramesFinal && budget.allows(refinementPacing.expectedCost)
  }

  /// Makes some more estimated frames final, preserving the position of the anchor that was displayed last.
  package func refine(_ clock: any FrameClock) {
    let start = clock.now()
    preservingAnchor { solving { solution.finalizeFrames(itemBudget: StepPacing.itemsPerStep) } }
    StepPacing.spendModelledCost(on: clock)
    refinementPacing.recordStep(clock.now() - start)
  }

  // MARK: - Preferred sizes

  /// Whether sizes were requested that the layout does not have yet.
  package var hasSizeRequests: Bool { !sizeRequests.isEmpty }

  /// Schedules measuring the cells whose content size changed.
  package func cellSizeDidBecomeInvalid() {
    sizeRequests.hasStaleCells = true
    host.setNeedsMeasuring()
  }

  /// Requests the preferred size of a cell that was configured or whose content size changed.
  ///
  /// The layout receives the sizes once all cells of this frame were measured.
  package func requestPreferredSize(_ cell: CollectionViewCell, at index: Int) {
    cell.needsSizing = false
    guard solution.usesPreferredSize(ofItem: index) else { return }
    let attributes = solution.attributes(ofItem: index)
    let size = sanitizedSize(cell.preferredLayoutAttributesFitting(attributes).frame.size, or: attributes.frame.size)
    // Even if it equals the layout's size, which may be an estimate that will change.
    sizeRequests.items.append((index, size))
  }

  /// Requests the preferred size of a supplementary view that was configured.
  package func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {
    guard solution.usesPreferredSize(ofElement: element.identity) else { return }
    let size = sanitizedSize(view.preferredLayoutAttributesFitting(element).frame.size, or: element.frame.size)
    if size != element.frame.size { sizeRequests.elements.append((element.identity, size)) }
  }

  /// Passes the preferred sizes to the layout, preserving the position of the anchor that was displayed last.
  ///
  /// - Returns: Whether any frame changed.
  package func applyPreferredSizes() -> Bool {
    guard !sizeRequests.isEmpty else { return false }
    endSettledBurst()
    var isMoved = false
    let anchors = OrthogonalAnchors(
      in: solution, measured: sizeRequests.items, displayed: cells.displayedCells.compactMap(\.itemIndex))
    preservingMeasuredAnchor {
      let count = solution.itemCounts.total
      for (index, size) in sizeRequests.items where index < count {
        isMoved = recordVerdict(solving { solution.setPreferredSize(size, ofItem: index) }) || isMoved
      }
      for (element, size) in sizeRequests.elements {
        isMoved = recordVerdict(solving { solution.setPreferredSize(size, ofElement: element) }) || isMoved
      }
      for (section, points) in anchors.shifts(in: solution) { host.shiftSection(section, by: points) }
      return isMoved
    }
    if isMoved { lastSizeChange = host.lastInstant }
    sizeRequests.removeAll()
    return isMoved
  }

  /// Permits the size of an item that alternated between sizes to change again, because its content changed.
  package func unfreezeSize(ofItem index: Int) {
    if hasFixedSizes, index < solution.itemCounts.total { solution.unfreezeSize(ofItem: index) }
  }

  /// Begins another burst of size changes if no size changed for a while, as in a view at rest.
  private func endSettledBurst() {
    guard let last = lastSizeChange, host.lastInstant - last > LayoutController.settlingTime else { return }
    solution.sizesDidSettle()
    lastSizeChange = nil
  }

  /// Records the layout's verdict on a preferred size, and returns whether a frame changed.
  private func recordVerdict(_ verdict: PreferredSizeResult) -> Bool {
    if case .frozen = verdict {
      cells.recordFrozenSize()
      hasFixedSizes = true
    }
    return verdict != .unchanged
  }

  /// Discards the sizes requested in this frame, because the cells that requested them are gone.
  package func discardSizeRequests() { sizeRequests.removeAll() }

  /// Schedules measuring again the cells whose requests are pending.
  private func remeasurePendingItems() {
    for (index, _) in sizeRequests.items where !cells.remeasureWaitingCell(at: index) {
      cells.displayedCell(at: index)?.invalidateIntrinsicContentSize()
    }
    // Supplementary views are configured and measured again after each update.
    sizeRequests.removeAll()
  }

  /// Schedules measuring cells again after the layout discarded their preferred sizes: displayed cells in the coming
  /// frame, prepared cells in slack time.
  ///
  /// - Parameter predicate: A closure that returns whether an item is affected.
  package func remeasureItems(where predicate: (Int) -> Bool) {
    for cell in cells.displayedCells {
      guard let index = cell.itemIndex, predicate(index), solution.usesPreferredSize(ofItem: index) else { continue }
      cell.invalidateIntrinsicContentSize()
    }
    cells.remeasureWaitingCells { predicate($0) && solution.usesPreferredSize(ofItem: $0) }
  }

  /// Measures the cells whose content size changed.
  package func measureInvalidatedCells() {
    guard sizeRequests.hasStaleCells else { return }
    sizeRequests.hasStaleCells = false
    for cell in cells.displayedCells where cell.needsSizing {
      if let index = cell.itemIndex { requestPreferredSize(cell, at: index) }
    }
  }

  /// Returns a usable size, with the fallback's lengths in place of those that are not a number, negative or infinite.
  private func sanitizedSize(_ size: Size, or fallback: Size) -> Size {
    func bounded(_ length: Double, or fallback: Double) -> Double {
      length.isFinite && length >= 0 ? min(length, LayoutEnvironment.maximumLength) : fallback
    }
    let usable = Size(
      width: bounded(size.width, or: fallback.width), height: bounded(size.height, or: fallback.height))
    if usable != size { cells.recordRefusedSize() }
    return usable
  }

  // MARK: - Anchors

  /// The distance from the edge of the viewport to the edge that anchors refer to, which is that of the area inside the
  /// content's inset.
  private var anchorShift: Double { solution.beginsAtEnd ? -host.axisInsets.end : host.axisInsets.start }

  /// The offset that anchors refer to.
  ///
  /// For content that is scrolled beyond an end, it is the offset of that end.
  package var anchoringOffset: Double {
    let offset = host.contentOffset
    let rest = host.scroll.range.clamp(offset)
    // Within a point it is the whole pixel next to the end.
    return ((offset - rest).magnitude < 1 ? offset : rest) + anchorShift
  }

  /// Returns the anchor of the first visible item.
  package func firstVisibleAnchor() -> ContentAnchor { solution.anchor(at: anchoringOffset) }

  /// Returns the offset at which the anchor is at its position in the viewport, within the scrollable range.
  package func offset(of anchor: ContentAnchor) -> Double {
    let insets = host.axisInsets
    let range = ScrollRange(
      contentLength: solution.contentSize[host.scrollAxis], viewportLength: solution.viewportLength,
      leadingInset: insets.start, trailingInset: insets.end)
    guard let unbounded = solution.unboundedOffset(of: anchor) else {
      return solution.beginsAtEnd ? range.maximum : range.minimum
    }
    return range.clamp(unbounded - anchorShift)
  }

  /// Discards the preserved anchor, because the content was scrolled.
  package func contentDidScroll() { if preservedAnchor != nil { preservedAnchor = nil } }

  /// Preserves the position of the item at or nearest to a point while layouts are exchanged.
  ///
  /// - Parameter point: The point in the view's coordinates, or nil for the first item that starts inside the viewport.
  package func preserveAnchorForZoom(at point: Point?) {
    guard preservedAnchor?.reason != .zoom(point) else { return }
    preservedAnchor = PreservedAnchor(anchor: zoomAnchor(at: point), reason: .zoom(point))
  }

  /// Restores the position of the anchor after a layout change, or that of the item to which the content scrolled.
  ///
  /// - Parameters:
  ///   - anchor: The anchor, or nil to keep the offset.
  ///   - before: The offset that the anchor had before the change.
  private func restore(_ anchor: PreservedAnchor?, from before: Double) {
    let scale = solution.environment.scale
    let distance = anchor.map { scale.snapped(offset(of: $0.anchor)) - scale.snapped(before) }
    host.moveContent(by: host.takeArrivedDistance() ?? distance ?? 0)
    // Moving the content discarded it.
    preservedAnchor = anchor
    hasNewFrames = true
    host.framesDidChange()
  }

  /// Changes frames while preserving the position of the anchor that was displayed last.
  ///
  /// - Parameter change: A closure that returns whether any frame changed.
  private func preservingAnchor(_ change: () -> Bool) {
    let anchor = preservedAnchor ?? PreservedAnchor(anchor: displayedAnchor())
    let before = offset(of: anchor.anchor)
    if change() { restore(anchor, from: before) }
  }

  /// Returns the anchor of the first item that was visible in the last frame and still is.
  ///
  /// Unlike that of an entering item, its frame is final. An item whose cell just requested another size is not
  /// eligible, because it may grow to either side.
  private func displayedAnchor() -> ContentAnchor {
    let visible = firstVisibleAnchor()
    return visible == .start ? visible : firstUnchangedAnchor() ?? visible
  }

  /// Returns the anchor of the first displayed item whose cell requests no other size, or nil if there is none.
  ///
  /// It is one that was displayed in the last frame, if there is any. All passes of a frame keep the same one, even if
  /// one of them brings back an item that scrolling moved out of the view.
  private func firstUnchangedAnchor() -> ContentAnchor? {
    let rect = host.visibleRect
    let scale = solution.environment.scale
    let unchanged = cells.displayedCells.lazy.compactMap(\.itemIndex).filter { item in
      let frame = self.solution.frame(ofItem: item)
      return frame.intersects(rect) && !self.sizeRequests.change(item, from: frame.size, scale)
    }
    let kept = frameAnchor.flatMap { item in unchanged.first { $0 == item } }
    let known = kept == nil && hasDisplayedItems ? unchanged.first { displayedItems.contains($0) } : nil
    guard let item = kept ?? known ?? unchanged.first else { return nil }
    if hasDisplayedItems { frameAnchor = item }
    return leadingAnchor(of: item)
  }

  /// Passes sizes of cells to the layout while preserving the position of the first displayed item that keeps its size.
  ///
  /// The preserved anchor may be the item that is measured, or one after it, and stays what it is for later layouts. It
  /// is used if there is no such item, as after a change of the layout, when all cells are measured.
  private func preservingMeasuredAnchor(_ change: () -> Bool) {
    guard let former = preservedAnchor, former.reason == .visible, former.anchor != .start,
      let anchor = firstUnchangedAnchor()
    else { return preservingAnchor(change) }
    let before = offset(of: anchor)
    guard change() else { return }
    restore(PreservedAnchor(anchor: anchor), from: before)
    if preservedAnchor != nil { preservedAnchor = former }
  }

  /// Returns an anchor at the start of the item, at its current position.
  package func leadingAnchor(of item: Int) -> ContentAnchor {
    let points = solution.frame(ofItem: item).origin[host.scrollAxis] - anchoringOffset
    return .item(ItemAnchor(item: item, itemUnit: 0, viewportUnit: 0, points: points))
  }

  /// Returns the anchor of the item at or nearest to the point, or of the first item that starts inside the viewport if
  /// the point is nil.
  private func zoomAnchor(at point: Point?) -> ContentAnchor {
    let axis = host.scrollAxis
    guard let point else {
      let visible = firstVisibleAnchor()
      guard visible != .start else { return visible }
      let uncovered = host.uncoveredStart
      var first: Int?
      solution.visitItems(in: host.visibleRect) { run in
        if first == nil { first = run.first { solution.frame(ofItem: $0).origin[axis] >= uncovered } }
      }
      return first.map(leadingAnchor) ?? visible
    }
    let location = point + host.visibleRect.origin
    guard let item = nearestItem(to: location) else { return firstVisibleAnchor() }
    let frame = solution.frame(ofItem: item)
    let start = frame.origin[axis]
    let length = frame.size[axis]
    let unit = min(1, max(0, (location[axis] - start) / length))
    return .item(
      ItemAnchor(item: item, itemUnit: unit, viewportUnit: 0, points: start + unit * length - anchoringOffset))
  }

  /// Returns the item at a point of the content, or the nearest of those around it.
  private func nearestItem(to location: Point) -> Int? {
    let bounds = host.bounds
    for reach in [1, 32, 128, max(bounds.width, bounds.height)] {
      let around = Rect(x: location.x - reach / 2, y: location.y - reach / 2, width: reach, height: reach)
      var nearest: (item: Int, distance: Double)?
      solution.visitItems(in: around) { run in
        for item in run {
          let distance = solution.frame(ofItem: item).distance(to: location)
          if distance < nearest?.distance ?? .infinity { nearest = (item, distance) }
        }
      }
      if let nearest { return nearest.item }
    }
    return nil
  }
}

/// An anchor whose position is preserved over layout changes, and the reason why it was chosen.
private struct PreservedAnchor {
  /// The reason why an anchor was chosen.
  enum Reason: Equatable {
    /// It was the first visible item.
    case visible
    /// The layout was zoomed around a point of the view, or around none.
    case zoom(Point?)
  }

  /// The anchor.
  var anchor: ContentAnchor
  /// The reason why it was chosen.
  var reason = Reason.visible
}

/// The preferred sizes that cells and supplementary views requested, until the layout receives them in the same frame.
private struct PreferredSizeRequests {
  /// The requests of items.
  var items: [(item: Int, size: Size)] = []
  /// The requests of supplementary views.
  var elements: [(element: ElementIdentity, size: Size)] = []
  /// Whether cells whose content size changed have not been measured yet.
  var hasStaleCells = false

  /// Whether there are no requests.
  var isEmpty: Bool { items.isEmpty && elements.isEmpty }

  /// Returns whether the cell of an item requested another size, in whole pixels, than it has.
  func change(_ item: Int, from size: Size, _ scale: DisplayScale) -> Bool {
    items.contains { request in
      request.item == item
        && (scale.snapped(request.size.width) != size.width || scale.snapped(request.size.height) != size.height)
    }
  }

  /// Removes all requests, after the layout received them or because they are no longer valid.
  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}

extension Rect {
  /// Returns how far the point is outside, as the sum of the horizontal and vertical distances, in points.
  fileprivate func distance(to point: Point) -> Double {
    max(0, minX - point.x, point.x - maxX) + max(0, minY - point.y, point.y - maxY)
  }
}
