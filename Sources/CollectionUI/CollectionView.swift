public import CollectionEngine
public import CollectionLayout
import DataStructures
public import FramePacing
public import Geometry
public import Rendering
import ScrollPhysics
public import Views

/// Shows the items of a data source in cells, placed by a layout, as many as are seen.
///
/// Cells are asked for when their items come on screen, and reused when they left it. Positions and ranges are computed,
/// never stored for each item, so that a million items cost what a thousand do.
open class CollectionView: ScrollView {
  /// Is told when cells come and go; asked and told what a person does with items, if it is one that wants to be.
  public weak var delegate: (any CollectionViewDelegate)? {
    didSet {
      contentEnvironment.scrollDelegate = delegate as? any CollectionViewScrollDelegate
      interaction.delegate = delegate as? any CollectionViewInteractionDelegate
      contentEnvironment.orthogonalDelegate = delegate as? any OrthogonalScrollDelegate
    }
  }
  /// Counts over the view's life.
  public final var statistics: CellStatistics { lifecycle.statistics }
  /// Counts of what the data source was given, over the view's life.
  public internal(set) var updateStatistics = UpdateStatistics()
  /// Whether cells are prepared and data is prefetched before items are seen.
  public var isPrefetchingEnabled = true {
    didSet {
      guard isPrefetchingEnabled != oldValue else { return }
      prefetch.needsUpdate = true
      needsVisibleUpdate = true
    }
  }
  /// Whether cells are prepared ahead where ``isPrefetchingEnabled`` is on: for comparing runs with and without.
  public var isCellPrefetchingEnabled = true {
    didSet { if isCellPrefetchingEnabled != oldValue { needsVisibleUpdate = true } }
  }
  /// How many cells of a registration the pool holds back before it reuses one, the oldest first.
  ///
  /// A debugging aid; 0 by default. A client that keeps a cell and writes to it later stops a debug build if the cell lies in the pool by
  /// then. The more cells are held back, the likelier that is.
  public var cellQuarantine = 0 {
    didSet { cellQuarantine = max(0, cellQuarantine) }
  }
  /// Spent each time a created or dequeued cell was configured for an item, as one step: for demonstrations and tests.
  public var addedCellCost = FrameDuration.zero

  /// Where items stand.
  ///
  /// Another layout keeps the first item seen where it is; ``setCollectionViewLayout(_:animated:anchoredAt:)`` keeps any other.
  /// A layout's closures that give sizes, sections and places may not ask the view for items and places, nor change them;
  /// handlers of what is seen may ask.
  public var collectionViewLayout: any CollectionLayout {
    didSet { invalidateLayout() }
  }

  /// Which way one reads: lines of items begin at that side, and so does content that scrolls to the side.
  public final var layoutDirection = LayoutDirection.leftToRight {
    didSet { if layoutDirection != oldValue { setNeedsLayout() } }
  }

  weak var source: (any CollectionViewSource)? {
    didSet {
      guard source !== oldValue else { return }
      hasSource = source != nil
      hasUpdates = source?.needsFrames ?? false
      switchSource(from: oldValue)
    }
  }
  /// Whether the items on screen are those of a data source that was replaced while the client's code ran.
  var showsFormerItems = false
  /// Whether there was a data source when it was set: it may have gone away since.
  var hasSource = false
  /// Whether the data source has something to do in a frame; it says so whenever that changes.
  var hasUpdates = false
  /// The cells on screen; each knows its item's index.
  var displayed = DisplayedCells<CollectionViewCell>() {
    didSet { cellDisplayList.removeAll() }
  }
  /// What these cells drew, made of them when a frame needs it: they hold it as long as it is here.
  let cellDisplayList = CachedDisplayList()
  /// The supplementary and decoration views on screen.
  var elements = DisplayedElements<CollectionReusableView>() {
    didSet { invalidateElementDisplayLists() }
  }
  /// What these drew, behind the cells and over them, and those that stay where they are seen.
  let (displayListBehind, displayListInFront) = (CachedDisplayList(), CachedDisplayList())
  let pinnedViews = TrivialBuffer<PinnedView>(capacity: 4)
  /// Memory for what the layout is asked.
  var scratch = FrameScratch()
  /// What prepares these ahead, and keeps those that left.
  var elementPreparation = ElementPreparation()
  var pool = ReusePool<CollectionViewCell>()
  /// Where every cell is, and what happened to each.
  var lifecycle = CellLifecycle()
  /// What prepares cells ahead.
  let preparation = CellPreparation()
  /// What stands between the view and a data source that is asked by index path.
  var dataSourceAdapter: DataSourceAdapter?
  /// What is shown elsewhere than where the model has it.
  var updateAnimation = UpdateAnimationState()
  /// The clock of the frames, of one loop at a time: comparing clocks would count a reference in each.
  var frameClock: (any FrameClock)?
  /// What a person does with items.
  var interaction = InteractionState()
  /// What is wanted ahead of its being seen.
  var prefetch = PrefetchState()
  var registrations = RegistrationTable()
  /// The cells on screen that are to be configured again.
  var reconfiguring = ReconfigureState()
  var reconfiguredCell: CollectionViewCell?
  /// The cell that was dequeued last, until its provider returns it.
  var dequeuedCell: CollectionViewCell?
  var solution: any SolvedLayout {
    didSet { isSettled = solution.isSettled }
  }
  /// Whether every place is final.
  private(set) final var isSettled = true
  /// What keeps its place while the layout changes; nil after scrolling, when another anchor is chosen.
  var preservedAnchor: PreservedAnchor?
  /// What goes on between the view and its layout.
  package internal(set) final var layoutState = LayoutState()
  var maximumVisibleCount = 0
  var enteredCount = 0
  var needsVisibleUpdate = false
  // No call that changes it calls anybody else's code: nothing could find it being changed.
  @exclusivity(unchecked) var steadyScroll = SteadyScrollState()
  /// Where sections that scroll across stand.
  @exclusivity(unchecked) var orthogonal = OrthogonalScrolling()
  var orthogonalInput = OrthogonalInputState()
  /// What is around the content.
  var contentEnvironment = ContentEnvironment()
  /// Whether a section moved across since the cells were placed.
  var hasOrthogonalOffsetChanges = false
  /// The views on screen as section handlers and animations change them, back to front; empty without either.
  var arrangement: [PresentedView] = []
  /// Sizes that were asked for in this frame.
  var sizeRequests = PreferredSizeRequests()
  var needsCells = false
  /// How many calls of the client's code are on their way.
  var clientCallDepth = 0
  /// What waits until they have ended.
  var pendingUpdates = PendingUpdateQueue()

  /// Makes a view over a layout.
  public init(layout: any CollectionLayout) {
    collectionViewLayout = layout
    solution = layout.solved(in: LayoutEnvironment(containerSize: .zero), for: ItemCounts([]))
    super.init()
    isSettled = solution.isSettled
    backgroundColor = .clear
  }

  // MARK: Position

  open override func layoutSubviews() {
    super.layoutSubviews()
    visibleBackground?.frame = bounds
    updateEnvironment()
  }

  open override func contentOffsetDidChange() {
    if preservedAnchor != nil { preservedAnchor = nil }
    steadyScroll.hasScrolled = true
    interaction.movement?.contentDidShift()
  }

  open override func contentInsetDidChange() { contentOffsetDidChange() }
  open override func motionWasDelayed(by duration: FrameDuration) { delayOrthogonalSections(by: duration) }
  open override var contentBeginsAtEnd: Bool { solution.beginsAtEnd }

  open override func didRejectInvalidNumber() { lifecycle.recordRefusedNumber() }
  open override func pageDistance(_ pages: Double, from offset: Double) -> Double {
    rowAlignedPageDistance(pages, from: offset)
  }

  open override func origin(of view: View) -> Point {
    view is CollectionReusableView ? view.frame.origin - contentOrigin : super.origin(of: view)
  }

  open override func handle(_ event: InputEvent) -> Bool {
    if let isUsed = handleDuringAutoscroll(event) { return isUsed }
    let isRunning = scroll.phase(at: event.time) == .decelerating
    return handleDragEvent(event) || handleFocusKey(event) || super.handle(event)
      || handleInteraction(event, isCatch: isRunning)
      || handleOrthogonalKey(event)
  }

  // MARK: Frames

  /// Phase 2: positions are evaluated at the target, the content's and those of sections that scroll across.
  open override func update(at target: FrameInstant) {
    super.update(at: target)
    updateOrthogonalSections(at: lastInstant)
    if interaction.movement != nil { advanceMovement() }
    advanceRubberBand()
    updateScrollActivity()
  }

  /// Whether the content, a section of it or an item moves.
  open override var isTracked: Bool {
    super.isTracked || orthogonal.isTracked(at: lastInstant) || updateAnimation.isRunning || interaction.isDragging
  }

  /// Whether the content will move, items came on screen that have no cell yet, an update is on its way, or places are
  /// not final yet.
  open override var needsFrames: Bool {
    needsVisibleUpdate || steadyScroll.hasScrolled || needsCells || hasUpdates || !isSettled || preparation.hasWork
      || !reconfiguring.queue.isEmpty || !sizeRequests.isEmpty || orthogonal.isMoving(at: lastInstant)
      || updateAnimation.isRunning
      || interaction.needsFrames(at: lastInstant) || super.needsFrames
  }

  /// Phase 3: updates that are ready are carried out, and told to those who wait for them.
  open override func collect(_ budget: FrameBudget) {
    if frameClock == nil { frameClock = budget.clock }
    collectSourceUpdates(budget)
    updateMovementTarget()
    if !isSettled, layoutState.refinementPacing.isOverdue() { refineLayout(budget.clock) }
  }

  /// Phase 4: the visible rectangle becomes runs of items and views beside them, and what left it goes to the pool.
  open override func layout() {
    guard needsVisibleUpdate || steadyScroll.hasScrolled else { return }
    let isNoted = !needsVisibleUpdate && steadyScroll.isSteady(at: contentOffset)
    if isNoted, preparation.recordMove(scroll, shown: lastInstant) { return performSteadyMove() }
    reloadIfSourceLost()
    settleVisibleFrames()
    layoutState.plans += 1
    (needsVisibleUpdate, steadyScroll.hasScrolled, needsCells) = (false, false, true)
    scratch.runs.removeAll(keepingCapacity: true)
    if hasOrthogonalOffsetChanges { positionCellsAfterOrthogonalScroll() }
    solution.visitItems(in: visibleRect) { scratch.runs.append($0) }
    if interaction.isDragging { addDraggedItem() }
    if !isNoted { _ = preparation.recordMove(scroll, shown: lastInstant) }
    evictDistantCells()
    if scratch.runs != displayed.runs {
      let left = displayed.setRuns(scratch.runs)
      maximumVisibleCount = max(maximumVisibleCount, displayed.itemCount)
      endDisplayingCells(left)
      prefetch.needsUpdate = true
    }
    scratch.elements.removeAll(keepingCapacity: true)
    solution.appendElements(in: visibleRect, to: &scratch.elements)
    if elements.count > 0 || !scratch.elements.isEmpty {
      let left = elements.replaceElements(with: &scratch.elements)
      elementPreparation.maximumVisibleCount = max(elementPreparation.maximumVisibleCount, elements.count)
      endDisplayingElements(left)
      positionElements()
    }
    if interaction.pointer != nil { updateHoveredItem() }
  }

  /// Phase 5: cells are prepared for what came in, and what will be seen is announced.
  open override func commit(_ record: inout FrameRecord) {
    if hasUpdates { source?.frameWillBegin() }
    recordPreparation(&record)
    if !reconfiguring.queue.isEmpty {
      reconfiguring.beginFrame(record.deadline)
      deferringUpdates { reconfigureVisibleCells() }
    }
    // An update may have come after this frame's layout.
    if needsVisibleUpdate { layout() }
    guard needsCells || !sizeRequests.isEmpty else {
      notifyScroll()
      return showAnimations()
    }
    needsCells = false
    enteredCount = 0
    let forcedBefore = statistics.preparedForced
    preparation.beginCommit()
    deferringUpdates {
      fillVisibleViews()
      advanceAnimations()
      adjustVisibleItems()
      steadyScroll.invalidateRange()
      announceUpcomingItems()
      if layoutState.hasNewFrames {
        layoutState.hasNewFrames = false
        delegate?.collectionViewDidLayout(self)
      }
      contentEnvironment.scrollDelegate?.collectionViewDidScroll(self)
      reconfigureVisibleCells()
    }
    record.cellsEntered += Int32(enteredCount)
    recordForcedCells(&record, Int32(statistics.preparedForced - forcedBefore))
  }

  /// Phase 8: does one step of a long update, of preparing a cell, or of computing the final places of items off screen.
  open override func performSlackStep(_ budget: FrameBudget) -> Bool {
    if hasUpdates, source?.slackStep(budget) == true { return true }
    if super.performSlackStep(budget) || prepareInSlack(budget) { return true }
    guard !isSettled, budget.allows(layoutState.refinementPacing.expectedCost) else { return false }
    refineLayout(budget.clock)
    return true
  }

  open override func allowsInputResampling() -> Bool { super.allowsInputResampling() && canResampleOffset() }
  open override func resampleInput(at target: FrameInstant) -> Bool {
    super.resampleInput(at: target) && resampleOffset()
  }

  /// After presenting: what the next frames need to know of this one.
  open override func frameDidEnd(_ record: FrameRecord) { if steadyScroll.isStale { updateSteadyScrollRange() } }
  open override func framesDidEnd() { endUpdates() }

  /// Whether a step of a cell was left for after presenting, or any may be taken as nothing moves.
  open override var hasDeferredSteps: Bool { preparation.deferredStep != nil || preparation.frame?.isAtRest == true }

  /// After presenting: a step of a cell that did not fit before.
  open override func performDeferredStep(_ budget: FrameBudget) -> Bool { performDeferredWork(budget) }

  /// At rest: makes a cell that a motion will need beyond those that there are, if there is one.
  open override func prepareForMotion() -> Bool { makeSpareCellAtRest() }

  /// Releases pooled cells, and prepared cells that will not be seen within a second, when memory is short.
  ///
  /// For ten seconds at most a quarter of a screen is prepared in each direction. Cells on screen stay. The window calls
  /// this method on each of its frame participants.
  open override func handleMemoryPressure() { performWhenReady { self.releaseMemory() } }

  // MARK: Drawing, input and words

  open override var accessibility: AccessibilityElement? { makeAccessibilityElement() }
  open override var accessibilityLabel: String { "" }
  open override func render(in context: DrawContext) { renderLayers(in: context) }
  open override func hitTest(_ point: Point) -> View? { hitTestLayers(point) }
}
