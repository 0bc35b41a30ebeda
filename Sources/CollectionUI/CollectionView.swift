public import VitrineCollectionEngine
public import VitrineCollectionLayout
import VitrineDataStructures
public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
public import VitrineScrollPhysics
public import VitrineViews

/// A view that presents the items of a data source in reusable cells, arranged by a layout.
///
/// The view dequeues cells as their items come on screen and reuses them after they leave it. Frames and ranges are
/// computed on demand, never stored per item, so a million items cost as much as a thousand.
@MainActor
open class CollectionView: ScrollView {
  /// The object that is notified when cells appear and disappear, of interaction and of scrolling.
  public weak var delegate: (any CollectionViewDelegate)? {
    didSet { steadyScrollController.setObserved(delegate != nil) }
  }
  /// The counts of cells created, reused and prepared over the view's lifetime.
  public final var statistics: CellStatistics { cellController.statistics }
  /// The counts of updates applied over the view's lifetime.
  public final var updateStatistics: UpdateStatistics { sourceController.statistics }
  /// A Boolean value that indicates whether the view prepares cells and prefetches data before items are visible.
  ///
  /// The default is true.
  public var isPrefetchingEnabled = true {
    didSet {
      guard isPrefetchingEnabled != oldValue else { return }
      dataPrefetchController.setNeedsUpdate()
      setNeedsVisibleUpdate()
    }
  }
  /// The layout that arranges the items.
  ///
  /// A new layout preserves the position of the first visible item. To preserve another item's position, call
  /// ``setCollectionViewLayout(_:animated:anchoredAt:)``. The layout's closures that provide sizes, sections and frames
  /// must not query the view for items or frames, nor change them. Handlers of visible items may.
  public var collectionViewLayout: any CollectionLayout {
    didSet { invalidateLayout() }
  }

  /// The reading direction, which determines the leading edge of lines and of content that scrolls horizontally.
  ///
  /// The default is left to right.
  public final var layoutDirection = LayoutDirection.leftToRight {
    didSet { if layoutDirection != oldValue { setNeedsLayout() } }
  }

  /// The colors of cells with configurations, of separators and of the backgrounds of lists; the dark ones by default.
  public final var palette = InterfacePalette.dark {
    didSet { if palette != oldValue { paletteDidChange() } }
  }

  /// The distance of pinned views from the start of the view, in points, or nil for that of the `contentInset`.
  ///
  /// Set it while a bar that covers the content moves away: pinned views follow the bar, and the content stays where it
  /// is. Negative and non-finite distances count as nil and are reported as invalid. The default is nil.
  public final var pinningInset: Double? {
    didSet {
      guard pinningInset != oldValue else { return }
      if let inset = pinningInset, !inset.isFinite || inset < 0 {
        didRejectInvalidNumber()
        pinningInset = nil
      }
      pinningInsetDidChange()
    }
  }

  private func paletteDidChange() {
    for cell in visibleCells + preparedCells { cell.paletteDidChange() }
    supplementaryController.paletteDidChange()
  }

  private func pinningInsetDidChange() {
    updatePinningInsets()
    itemScrollController.insetsDidChange()
    setNeedsVisibleUpdate()
    setNeedsDisplay()
  }

  /// The owner of updates that wait for client code.
  let deferredUpdates = DeferredUpdateController()
  /// What is wrong in the use of the view.
  @exclusivity(unchecked) final var misuseChecks = MisuseChecks()
  /// The owner of the connection to the data source.
  let sourceController: SourceController
  /// The owner of registrations and costs.
  let stepMeter = StepMeter()
  /// The owner of cells.
  package let cellController: CellController
  /// The owner of supplementary and decoration views.
  let supplementaryController: SupplementaryController
  /// The owner of preparing cells ahead.
  let prefetchController: PrefetchController
  /// The owner of animated updates.
  let updateAnimator = UpdateAnimator()
  /// The owner of the selection and the focused item.
  let selectionController: SelectionController
  /// The owner of the pointer and its press.
  let pressController: PressController
  /// The owner of moving the focus with keys.
  let focusController: FocusController
  /// The owner of the rubber band.
  let rubberBandController: RubberBandController
  /// The owner of interactive movement.
  let dragController: DragController
  /// The owner of data prefetching.
  let dataPrefetchController = DataPrefetchController()
  /// The owner of the solved layout.
  package let layoutController: LayoutController
  /// The owner of layout queries for visible items.
  let layoutQueries = LayoutQueryController()
  /// The owner of frames in which displayed views only move.
  let steadyScrollController: SteadyScrollController
  /// The owner of how displayed views are shown.
  let visibleItemController: VisibleItemController
  /// The owner of scrolls to items.
  package let itemScrollController = ItemScrollController()
  /// The owner of sections that scroll across.
  let orthogonalController = OrthogonalScrollController()
  /// The owner of swiped items, once a swipe began.
  @exclusivity(unchecked) final var swipeController: SwipeController?
  /// The background view, and the delegates that observe scrolling.
  var contentEnvironment = ContentEnvironment()

  /// Creates a view with the given layout.
  public init(layout: any CollectionLayout) {
    collectionViewLayout = layout
    cellController = CellController(meter: stepMeter)
    layoutController = LayoutController(layout: layout, cells: cellController)
    supplementaryController = SupplementaryController(meter: stepMeter)
    prefetchController = PrefetchController(
      cells: cellController, supplementaryViews: supplementaryController, meter: stepMeter)
    sourceController = SourceController(updates: deferredUpdates)
    steadyScrollController = SteadyScrollController(
      queries: layoutQueries, cells: cellController, supplementaryViews: supplementaryController)
    visibleItemController = VisibleItemController(
      cells: cellController, supplementaryViews: supplementaryController, animator: updateAnimator, meter: stepMeter)
    let edgeScrolling = EdgeScrollController()
    selectionController = SelectionController()
    pressController = PressController(selection: selectionController)
    focusController = FocusController(selection: selectionController)
    rubberBandController = RubberBandController(selection: selectionController, edgeScrolling: edgeScrolling)
    dragController = DragController(selection: selectionController, edgeScrolling: edgeScrolling)
    super.init()
    cellController.host = self
    layoutController.host = self
    prefetchController.host = self
    edgeScrolling.host = self
    selectionController.host = self
    pressController.host = self
    focusController.host = self
    rubberBandController.host = self
    dragController.host = self
    orthogonalController.host = self
    itemScrollController.host = self
    updateAnimator.host = self
    supplementaryController.host = self
    dataPrefetchController.host = self
    sourceController.host = self
    steadyScrollController.host = self
    visibleItemController.host = self
    backgroundColor = .clear
  }

  // MARK: - Position

  open override func layoutSubviews() {
    super.layoutSubviews()
    visibleBackground?.frame = bounds
    updateEnvironment()
  }

  open override func contentOffsetDidChange() {
    layoutController.contentDidScroll()
    steadyScrollController.contentDidScroll()
    dragController.contentDidShift()
  }

  /// Returns the offset at which the content comes to rest after a drag or a fling: that of the layout.
  open override func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double {
    layoutController.targetContentOffset(forProposed: proposed, velocity: velocity)
  }

  open override func willScroll(by event: ScrollEvent) { itemScrollController.contentWillScroll(by: event) }

  open override func contentInsetDidChange() {
    pinningInsetDidChange()
    contentOffsetDidChange()
  }
  open override func motionWasDelayed(by duration: FrameDuration) { orthogonalController.delay(by: duration) }
  open override var contentBeginsAtEnd: Bool { solution.beginsAtEnd }
  open override var contentSize: Size { solution.contentSize }

  open override func didRejectInvalidNumber() { cellController.recordRefusedNumber() }
  open override func pageDistance(_ pages: Double, from offset: Double) -> Double {
    rowAlignedPageDistance(pages, from: offset)
  }

  open override func origin(of view: View) -> Point {
    view is CollectionReusableView ? view.frame.origin - contentOrigin : super.origin(of: view)
  }

  open override func handle(_ event: InputEvent) -> Bool {
    if let isUsed = handleDuringAutoscroll(event) { return isUsed }
    if swipeController != nil || event.kind.maySwipe, handleSwipe(event) { return true }
    let isRunning = scroll.phase(at: event.time) == .decelerating
    return handleDragEvent(event) || handleFocusKey(event) || super.handle(event)
      || handleInteraction(event, isCatch: isRunning)
      || orthogonalController.handleKey(event) || handleDrop(event)
  }

  // MARK: - Frames

  /// Phase 2: evaluates the offsets of the content and of orthogonal sections at the target time.
  open override func update(at target: FrameInstant) {
    layoutController.frameWillBegin()
    super.update(at: target)
    orthogonalController.update(at: lastInstant)
    itemScrollController.update()
    dragController.advance()
    if !rubberBandController.isIdle { rubberBandController.advance() }
    pressController.updateScrollActivity()
  }

  /// Whether the content, an orthogonal section or an item moves.
  open override var isTracked: Bool {
    super.isTracked || orthogonalController.isTracked(at: lastInstant) || updateAnimator.isRunning
      || dragController.isDragging
  }

  /// Whether content will move, displayed items lack cells, an update is pending, or frames are not final yet.
  open override var needsFrames: Bool {
    layoutQueries.needsQuery || steadyScrollController.hasScrolled || layoutQueries.needsCells
      || sourceController.hasWork || !layoutController.areFramesFinal
      || prefetchController.hasWork
      || cellController.needsReconfigure || layoutController.hasSizeRequests
      || orthogonalController.needsFrames(at: lastInstant)
      || updateAnimator.isRunning
      || rubberBandController.needsFrames || dragController.needsFrames(at: lastInstant) || super.needsFrames
  }

  /// The time at which the drawing changes without motion: a scroll bar fades, or a pressed key starts to scroll.
  open override var nextFrame: FrameInstant? {
    guard let next = orthogonalController.nextFrame else { return super.nextFrame }
    return super.nextFrame.map { min($0, next) } ?? next
  }

  /// Phase 3: applies pending updates and calls their completion handlers.
  open override func collect(_ budget: FrameBudget) {
    stepMeter.setClock(budget.clock) { window?.activity }
    collectSourceUpdates(budget)
    dragController.updateTarget()
    if layoutController.isRefinementOverdue() { layoutController.refine(budget.clock) }
  }

  /// Phase 4: determines the visible items and elements, and ends the display of those that left the viewport.
  open override func layout() {
    guard layoutQueries.needsQuery || steadyScrollController.hasScrolled else { return }
    let isSteady = steadyScrollController.isSteady(at: contentOffset)
    if isSteady, prefetchController.recordMove(scroll, shown: lastInstant) {
      return steadyScrollController.moveViews(to: contentOffset, along: scrollAxis)
    }
    sourceController.removeItemsIfLost()
    layoutController.recordDisplayedItems()
    layoutController.finalizeVisibleFrames()
    steadyScrollController.queryDidBegin()
    if layoutQueries.beginQuery() { cellController.positionDisplayedCells() }
    let runs = layoutQueries.visibleRuns(of: solution, in: visibleRect, including: dragController.draggedItem)
    if !isSteady { _ = prefetchController.recordMove(scroll, shown: lastInstant) }
    prefetchController.evictDistantViews()
    if cellController.setVisibleRuns(runs) { dataPrefetchController.setNeedsUpdate() }
    supplementaryController.updateVisibleElements(in: visibleRect)
    layoutController.recordViolations()
    if pressController.pointerLocation != nil { pressController.updateHoveredItem() }
  }

  /// Phase 5: provides cells for items that came on screen, and announces the items that will be visible next.
  open override func commit(_ record: inout FrameRecord) {
    defer { itemScrollController.recordOffsets() }
    if sourceController.hasWork { source?.frameWillBegin() }
    prefetchController.recordPreparation(&record)
    if cellController.needsReconfigure {
      cellController.beginReconfiguring(until: record.deadline)
      deferringUpdates { cellController.reconfigureVisibleCells() }
    }
    // An update may have come after this frame's layout.
    if layoutQueries.needsQuery { layout() }
    guard layoutQueries.takeNeedsCells() || layoutController.hasSizeRequests else {
      steadyScrollController.notifyIfMoved()
      return showAnimations()
    }
    cellController.beginCommit()
    let forcedBefore = statistics.preparedForced
    prefetchController.beginCommit()
    deferringUpdates {
      fillVisibleViews()
      updateAnimator.advance()
      visibleItemController.adjust()
      steadyScrollController.invalidateRange()
      dataPrefetchController.announceUpcomingItems()
      if layoutController.takeHasNewFrames() { delegate?.collectionViewDidLayout(self) }
      delegate?.collectionViewDidScroll(self)
      cellController.reconfigureVisibleCells()
    }
    reportMisuse(inFrame: record.index)
    record.cellsEntered += Int32(cellController.enteredCount)
    prefetchController.recordForcedCells(&record, Int32(statistics.preparedForced - forcedBefore))
  }

  /// Phase 8: performs one step of a long update, of preparing a cell, or of computing final frames of items off
  /// screen.
  open override func performSlackStep(_ budget: FrameBudget) -> Bool {
    if sourceController.hasWork, performUpdateStep(budget) { return true }
    if super.performSlackStep(budget) || prefetchController.prepareInSlack(budget) { return true }
    guard layoutController.canRefine(within: budget) else { return false }
    layoutController.refine(budget.clock)
    return true
  }

  open override func allowsInputResampling() -> Bool {
    super.allowsInputResampling() && steadyScrollController.canResampleOffset()
  }
  open override func resampleInput(at target: FrameInstant) -> Bool {
    super.resampleInput(at: target) && steadyScrollController.resampleOffset()
  }

  /// After presenting: precomputes what the next frames need.
  open override func frameDidEnd(_ record: FrameRecord) { steadyScrollController.updateRangeIfStale() }
  open override func framesDidEnd() { endUpdates() }

  /// Whether a cell's step was deferred until after presenting, or nothing moves and any step may run.
  open override var hasDeferredSteps: Bool { prefetchController.hasDeferredSteps }

  /// After presenting: performs a cell's step that did not fit before.
  open override func performDeferredStep(_ budget: FrameBudget) -> Bool {
    prefetchController.prepareAfterPresent(budget) || prepareIndicator(budget)
  }

  /// At rest: creates a cell that scrolling will need in addition to those that exist, if one is needed.
  open override func prepareForMotion() -> Bool { prefetchController.makeSpareCellAtRest() }

  /// Releases pooled cells, and prepared cells that will not be visible within a second.
  ///
  /// For ten seconds at most a quarter of a screen is prepared in each direction. Displayed cells are not affected. The
  /// window calls this method on each of its frame participants.
  open override func handleMemoryPressure() { performWhenReady { self.prefetchController.releaseMemory() } }

  // MARK: - Drawing, hit testing and accessibility

  open override var accessibility: AccessibilityElement? { makeAccessibilityElement() }
  open override var accessibilityLabel: String { "" }
  open override func render(in context: DrawContext) { renderLayers(in: context) }
  open override func hitTest(_ point: Point) -> View? { hitTestLayers(point) }
}

/// The background view of a collection view, and the client that prefetches.
struct ContentEnvironment {
  /// The background view, which does not scroll.
  var background: View?
  /// The client that prefetches data by index path.
  weak var pathPrefetching: (any CollectionViewDataSourcePrefetching)?
}
