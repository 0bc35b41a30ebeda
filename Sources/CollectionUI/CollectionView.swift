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
      surroundings.movement = delegate as? any CollectionViewScrollDelegate
      interaction.delegate = delegate as? any CollectionViewInteractionDelegate
      surroundings.sections = delegate as? any OrthogonalScrollDelegate
    }
  }
  /// Counts over the view's life.
  public final var statistics: CellStatistics { ledger.statistics }
  /// Counts of what the data source was given, over the view's life.
  public internal(set) var updateStatistics = UpdateStatistics()
  /// Whether cells are prepared and data is prefetched before items are seen.
  public var isPrefetchingEnabled = true {
    didSet {
      guard isPrefetchingEnabled != oldValue else { return }
      prefetch.isDue = true
      needsPlan = true
    }
  }
  /// Whether cells are prepared ahead where ``isPrefetchingEnabled`` is on: for comparing runs with and without.
  public var isCellPrefetchingEnabled = true {
    didSet { if isCellPrefetchingEnabled != oldValue { needsPlan = true } }
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
      takeSource(after: oldValue)
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
    didSet { scenery.removeAll() }
  }
  /// What these cells drew, made of them when a frame needs it: they hold it as long as it is here.
  let scenery = CellScenery()
  /// The supplementary and decoration views on screen.
  var elements = DisplayedElements<CollectionReusableView>() {
    didSet { loseElementScenery() }
  }
  /// What these drew, behind the cells and over them, and those that stay where they are seen.
  let (sceneryBehind, sceneryInFront) = (CellScenery(), CellScenery())
  let pinnedViews = TrivialBuffer<PinnedView>(capacity: 4)
  /// Memory for what the layout is asked.
  var memory = FrameMemory()
  /// What prepares these ahead, and keeps those that left.
  var elementPreparation = ElementPreparation()
  var pool = ReusePool<CollectionViewCell>()
  /// Where every cell is, and what happened to each.
  var ledger = CellLedger()
  /// What prepares cells ahead.
  let preparation = CellPreparation()
  /// What stands between the view and a data source that is asked by index path.
  var classic: ClassicSource?
  /// What is shown elsewhere than where the model has it.
  var motion = CollectionMotion()
  /// The clock of the frames, of one loop at a time: comparing clocks would count a reference in each.
  var frameClock: (any FrameClock)?
  /// What a person does with items.
  var interaction = ItemInteraction()
  /// What is wanted ahead of its being seen.
  var prefetch = DataPrefetch()
  var registrations = RegistrationTable()
  /// The cells on screen that are to be configured again.
  var reconfiguring = CellReconfiguring()
  var reconfiguredCell: CollectionViewCell?
  /// The cell that was dequeued last, until its provider returns it.
  var dequeuedCell: CollectionViewCell?
  var solution: any SolvedLayout {
    didSet { isSettled = solution.isSettled }
  }
  /// Whether every place is final.
  private(set) final var isSettled = true
  /// What keeps its place while the layout changes; nil after scrolling, when another anchor is chosen.
  var keptAnchor: KeptAnchor?
  /// What goes on between the view and its layout.
  package internal(set) final var progress = LayoutProgress()
  var mostVisible = 0
  var entered = 0
  var needsPlan = false
  // No call that changes it calls anybody else's code: nothing could find it being changed.
  @exclusivity(unchecked) var course = QuietCourse()
  /// Where sections that scroll across stand.
  @exclusivity(unchecked) var orthogonal = OrthogonalScrolling()
  var across = AcrossInput()
  /// What is around the content.
  var surroundings = ContentSurroundings()
  /// Whether a section moved across since the cells were placed.
  var hasMovedAcross = false
  /// The views on screen as section handlers and animations change them, back to front; empty without either.
  var arrangement: [ArrangedView] = []
  /// Sizes that were asked for in this frame.
  var wishes = SizeWishes()
  var needsCells = false
  /// How many calls of the client's code are on their way.
  var depth = 0
  /// What waits until they have ended.
  var waitingUpdates = WaitingUpdates()

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
    shownBackground?.frame = bounds
    takeEnvironment()
  }

  open override func contentOffsetDidChange() {
    if keptAnchor != nil { keptAnchor = nil }
    course.hasScrolled = true
    interaction.movement?.contentMoved()
  }

  open override func contentInsetDidChange() { contentOffsetDidChange() }
  open override func motionWasDelayed(by duration: FrameDuration) { delayOrthogonal(by: duration) }
  open override var contentBeginsAtEnd: Bool { solution.beginsAtEnd }

  open override func numberWasRefused() { ledger.noteRefusedNumber() }
  open override func pageDistance(_ pages: Double, from offset: Double) -> Double { wayToRow(pages, from: offset) }

  open override func origin(of view: View) -> Point {
    view is CollectionReusableView ? view.frame.origin - contentOrigin : super.origin(of: view)
  }

  open override func handle(_ event: InputEvent) -> Bool {
    if let isUsed = takeWhileScrolling(event) { return isUsed }
    let isRunning = scroll.phase(at: event.time) == .decelerating
    return takeHeld(event) || takeFocusKey(event) || super.handle(event) || interact(event, isCatch: isRunning)
      || turnAcross(event)
  }

  // MARK: Frames

  /// Phase 2: positions are evaluated at the target, the content's and those of sections that scroll across.
  open override func update(at target: FrameInstant) {
    super.update(at: target)
    updateOrthogonal(at: lastInstant)
    if interaction.movement != nil { advanceMovement() }
    advanceBand()
    noteMotion()
  }

  /// Whether the content, a section of it or an item moves.
  open override var isTracked: Bool {
    super.isTracked || orthogonal.isTracked(at: lastInstant) || motion.isRunning || interaction.isCarrying
  }

  /// Whether the content will move, items came on screen that have no cell yet, an update is on its way, or places are
  /// not final yet.
  open override var needsFrames: Bool {
    needsPlan || course.hasScrolled || needsCells || hasUpdates || !isSettled || preparation.hasWork
      || !reconfiguring.queue.isEmpty || !wishes.isEmpty || orthogonal.isMoving(at: lastInstant) || motion.isRunning
      || interaction.needsFrames(at: lastInstant) || super.needsFrames
  }

  /// Phase 3: updates that are ready are carried out, and told to those who wait for them.
  open override func collect(_ budget: FrameBudget) {
    if frameClock == nil { frameClock = budget.clock }
    collectUpdates(budget)
    followMovement()
    if !isSettled, progress.refining.isOverdue() { refine(budget.clock) }
  }

  /// Phase 4: the visible rectangle becomes runs of items and views beside them, and what left it goes to the pool.
  open override func layout() {
    guard needsPlan || course.hasScrolled else { return }
    let isNoted = !needsPlan && course.isQuiet(at: contentOffset)
    if isNoted, preparation.noteMove(scroll, shown: lastInstant) { return moveQuietly() }
    noticeLoss()
    settleVisible()
    progress.plans += 1
    (needsPlan, course.hasScrolled, needsCells) = (false, false, true)
    memory.runs.removeAll(keepingCapacity: true)
    if hasMovedAcross { placeMovedAcross() }
    solution.visitItems(in: visibleRect) { memory.runs.append($0) }
    if interaction.isCarrying { addCarriedItem() }
    if !isNoted { _ = preparation.noteMove(scroll, shown: lastInstant) }
    dropFarCells()
    if memory.runs != displayed.runs {
      let left = displayed.move(to: memory.runs)
      mostVisible = max(mostVisible, displayed.itemCount)
      retire(left)
      prefetch.isDue = true
    }
    memory.elements.removeAll(keepingCapacity: true)
    solution.appendElements(in: visibleRect, to: &memory.elements)
    if elements.count > 0 || !memory.elements.isEmpty {
      let left = elements.exchange(with: &memory.elements)
      elementPreparation.mostSeen = max(elementPreparation.mostSeen, elements.count)
      retire(left)
      placeElements()
    }
    if interaction.pointer != nil { findHovered() }
  }

  /// Phase 5: cells are prepared for what came in, and what will be seen is announced.
  open override func commit(_ record: inout FrameRecord) {
    if hasUpdates { source?.frameBegins() }
    tellOfPreparation(&record)
    if !reconfiguring.queue.isEmpty {
      reconfiguring.beginFrame(record.deadline)
      exclusively { reconfigureVisible() }
    }
    // An update may have come after this frame's layout.
    if needsPlan { layout() }
    guard needsCells || !wishes.isEmpty else {
      tellOfMove()
      return showMotion()
    }
    needsCells = false
    entered = 0
    let forcedBefore = statistics.preparedForced
    preparation.beginCommit()
    exclusively {
      fillInRounds()
      advanceMotion()
      adjustVisibleItems()
      course.loseStretch()
      announce()
      if progress.hasNewPlaces {
        progress.hasNewPlaces = false
        delegate?.collectionViewDidLayout(self)
      }
      surroundings.movement?.collectionViewDidScroll(self)
      reconfigureVisible()
    }
    record.cellsEntered += Int32(entered)
    tellOfForced(&record, Int32(statistics.preparedForced - forcedBefore))
  }

  /// Phase 8: does one step of a long update, of preparing a cell, or of computing the final places of items off screen.
  open override func slackStep(_ budget: FrameBudget) -> Bool {
    if hasUpdates, source?.slackStep(budget) == true { return true }
    if super.slackStep(budget) || prepareInSlack(budget) { return true }
    guard !isSettled, budget.allows(progress.refining.expectedCost) else { return false }
    refine(budget.clock)
    return true
  }

  open override func willAnswerLate() -> Bool { super.willAnswerLate() && mayMoveLate() }
  open override func answerLate(at target: FrameInstant) -> Bool { super.answerLate(at: target) && moveLate() }

  /// After presenting: what the next frames need to know of this one.
  open override func frameDidEnd(_ record: FrameRecord) { if course.isStale { findQuietStretch() } }
  open override func framesDidEnd() { endUpdates() }

  /// Whether a step of a cell was left for after presenting, or any may be taken as nothing moves.
  open override var mayCarryOver: Bool { preparation.carried != nil || preparation.frame?.isAtRest == true }

  /// After presenting: a step of a cell that did not fit before.
  open override func carryOverStep(_ budget: FrameBudget) -> Bool { carryOver(budget) }

  /// At rest: makes a cell that a motion will need beyond those that there are, if there is one.
  open override func prepareForMotion() -> Bool { makeSpareAtRest() }

  /// Releases pooled cells, and prepared cells that will not be seen within a second, when memory is short.
  ///
  /// For ten seconds at most a quarter of a screen is prepared in each direction. Cells on screen stay. The window calls
  /// this method on each of its frame participants.
  open override func handleMemoryPressure() { whenReady { self.letGo() } }

  // MARK: Drawing, input and words

  open override var accessibility: AccessibilityElement? { describedItems() }
  open override var accessibilityLabel: String { "" }
  open override func render(in context: DrawContext) { renderLayers(in: context) }
  open override func hitTest(_ point: Point) -> View? { hitTestLayers(point) }
}
