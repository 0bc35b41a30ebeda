public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
public import VitrineScrollPhysics

/// A view that displays a part of longer content and scrolls it by wheel, trackpad, fingers, keys, scroll bar and
/// autoscroll.
///
/// The position is a function of time: every frame evaluates the offset at the time at which it will be shown. Scrolls
/// along one axis.
@MainActor
open class ScrollView: View, FrameParticipant {
  /// The state of the scroll position.
  ///
  /// Code that mutates it, or the other properties without exclusivity checks, calls no client code.
  @exclusivity(unchecked) public private(set) final var scroll = ScrollState()
  /// The offset of the last frame.
  private final var shownOffset = 0.0
  /// The delegate that is notified of scrolling, which the view does not retain.
  public final var scrollDelegate: (any ScrollViewDelegate)? {
    get { notifier.delegate }
    set { notifier.delegate = newValue }
  }
  /// The distance of a wheel notch, in points.
  public var notchDistance = 80.0
  /// The distance of an arrow key, in points.
  public var lineDistance = 80.0
  /// The axis along which the content scrolls; vertical by default.
  @exclusivity(unchecked) public final var scrollAxis = Axis.vertical {
    didSet {
      guard scrollAxis != oldValue else { return }
      scrollIndicator.axis = scrollAxis
      setNeedsLayout()
    }
  }
  /// Whether the content comes to rest at multiples of the viewport after a drag; false by default.
  public final var isPagingEnabled: Bool {
    get { notifier.isPagingEnabled }
    set { notifier.isPagingEnabled = newValue }
  }
  /// A Boolean value that indicates whether the user can scroll.
  ///
  /// If false, wheels, trackpads, fingers, keys and the scroll bar do not move the content. The program can scroll it.
  /// The default is true.
  public final var isScrollEnabled = true {
    didSet {
      guard isScrollEnabled != oldValue else { return }
      scrollIndicator.isUserInteractionEnabled = isScrollEnabled
      if !isScrollEnabled { _ = input.handle(InputEvent(time: lastInstant, kind: .cancelled)) }
    }
  }
  /// The parameters of the scroll motion.
  public final var scrollTuning: ScrollTuning {
    get { scroll.tuning }
    set {
      var tuning = newValue
      // Otherwise content that fits into the view could not be pulled.
      if refreshControl != nil { tuning.alwaysBounces = true }
      scroll.tuning = tuning
      pendingMotion?.initialState.tuning = tuning
    }
  }
  /// The scroll bar at the right edge, or at the bottom for horizontal scrolling.
  public let scrollIndicator = ScrollIndicator()

  /// The display scale of the window.
  @exclusivity(unchecked) public private(set) final var displayScale = DisplayScale.one

  private var pendingMotion: PendingMotion?
  /// Whether the content stays where it is while the inset changes, also if it is at its start.
  @exclusivity(unchecked) final private(set) var refreshInset = 0.0
  /// The last animated scroll of the program: the time of the frame before it, and its target.
  private var lastAnimatedScroll: (instant: FrameInstant, target: String)?
  /// The owner of the delegate.
  private final let notifier = ScrollNotifier()
  /// The owner of the user's input.
  private final let input = ScrollInputController(isNested: false)
  /// The owner of autoscroll.
  private final let autoscroll = AutoscrollController()
  /// The target time of the last frame.
  @exclusivity(unchecked) public private(set) final var lastInstant = FrameInstant.zero

  /// Creates a scroll view.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    notifier.view = self
    input.host = self
    autoscroll.host = self
    addSubview(scrollIndicator)
    scrollIndicator.onDrag = { [weak self] offset in
      self?.applyScrollEvent(.thumbDrag(to: offset))
      self?.notifier.recordDrag(until: nil)
    }
    scrollIndicator.onRelease = { [weak self] in self?.applyScrollEvent(.thumbRelease) }
    scrollIndicator.onPage = { [weak self] pages in self?.scrollByPages(pages) }
  }

  // MARK: - Position

  /// The offset of the last frame, rounded to whole pixels: the length of content before the leading edge, in points.
  ///
  /// Setting it is ``setContentOffset(_:animated:)`` without animation.
  public final var contentOffset: Double {
    get { shownOffset }
    set { setContentOffset(newValue, animated: false) }
  }

  /// The length of the content in points.
  public private(set) final var contentLength = 0.0

  /// The size of the content in points: its length along the scroll axis, and the view's own breadth.
  open var contentSize: Size {
    var size = bounds.size
    size[scrollAxis] = contentLength
    return size
  }

  /// The insets of the content from the view's edges, in points, for example for bars that cover the view.
  ///
  /// They extend the scrollable range, so that the beginning and end of the content come to rest inside the insets.
  /// Content at its beginning stays there when the insets change. Pages, items scrolled into view and the indicator
  /// respect the insets, and so do pinned views; scrolling content is visible in them. Insets across the scroll axis do not
  /// move the content; a collection view passes them to its layout, which insets its sections by them. Negative and
  /// non-finite distances count as 0 and are reported as invalid.
  public final var contentInset = Insets.zero {
    didSet { applyContentInset(from: oldValue) }
  }

  /// Whether the content begins at the end of the axis, as in horizontal scrolling with a right-to-left layout.
  open var contentBeginsAtEnd: Bool { false }

  /// Changes the length at the top, in addition to the content inset, that a refresh control covers, without moving the
  /// content.
  final func setRefreshInset(_ points: Double) {
    guard points != refreshInset else { return }
    let before = scroll.range
    refreshInset = points
    insetDidChange(from: before, keepsOffset: true)
  }

  private func applyContentInset(from last: Insets) {
    let sides = [contentInset.top, contentInset.left, contentInset.bottom, contentInset.right]
    let usable = sides.map { $0.isFinite ? max(0, $0) : 0 }
    guard usable == sides else {
      didRejectInvalidNumber()
      contentInset = Insets(top: usable[0], left: usable[1], bottom: usable[2], right: usable[3])
      return
    }
    guard contentInset != last else { return }
    insetDidChange(from: scroll.range, keepsOffset: false)
  }

  private func insetDidChange(from before: ScrollRange, keepsOffset: Bool) {
    let isAtStart = scroll.projectedOffset == (contentBeginsAtEnd ? before.maximum : before.minimum)
    let next = scrollRange
    let points = contentBeginsAtEnd ? next.maximum - before.maximum : next.minimum - before.minimum
    updateScrollRange(adjustingOffsetBy: isAtStart && !keepsOffset ? points : 0)
    setNeedsLayout()
    contentInsetDidChange()
  }

  /// Called after the content inset changed.
  open func contentInsetDidChange() {}

  /// Called when a client passed an invalid number.
  open func didRejectInvalidNumber() {}

  /// Scrolls to an offset, clamped to the allowed range.
  ///
  /// Infinite values scroll to an end, and NaN has no effect; both are reported as invalid.
  public final func setContentOffset(_ offset: Double, animated: Bool) {
    if !offset.isFinite { didRejectInvalidNumber() }
    if animated { programWillScroll(to: "\(offset) points") }
    if !offset.isNaN { scroll(to: offset, animated: animated) }
  }

  /// Reports two animated scrolls to different targets in one frame.
  ///
  /// - Parameter target: A description of the target.
  package final func programWillScroll(to target: String) {
    defer { lastAnimatedScroll = (lastInstant, target) }
    guard let (instant, former) = lastAnimatedScroll, instant == lastInstant, former != target,
      scroll.isMoving(at: lastInstant), let window
    else { return }
    window.misuse.report(
      """
      Two animated scrolls began in one frame, to \(former) and to \(target). Only the second one is performed: decide \
      on one of them.
      """)
  }

  /// Returns the distance of a number of pages from an offset, in points; by default nine tenths of the unobscured
  /// length each.
  open func pageDistance(_ pages: Double, from offset: Double) -> Double {
    pages * scrollTuning.pageFraction * unobscuredLength
  }

  private var scrollRange: ScrollRange {
    ScrollRange(
      contentLength: contentLength, viewportLength: viewportLength, leadingInset: axisInsets.start,
      trailingInset: axisInsets.end)
  }

  /// Sets the length of the content and moves all positions by an adjustment.
  public final func setContentLength(_ length: Double, adjustingOffsetBy points: Double = 0) {
    contentLength = length
    updateScrollRange(adjustingOffsetBy: points)
  }

  private func updateScrollRange(adjustingOffsetBy points: Double) {
    let range = scrollRange
    guard range != scroll.range || points != 0 else { return }
    applyScrollEvent(.rangeChanged(range, offsetAdjustment: points))
    if updateOffset(at: lastInstant) { setNeedsDisplay() }
  }

  /// Applies an event to the scroll state, by default at the time of the last frame.
  ///
  /// While the content is at rest the last frame may be long ago; a motion then starts when the next frame is shown.
  public final func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant? = nil) {
    willScroll(by: event)
    if pendingMotion != nil {
      if pendingMotion?.append(event, at: instant) == false { pendingMotion = nil }
      scroll.handle(event, at: instant ?? lastInstant)
    } else if instant == nil, !scroll.isMoving(at: lastInstant) {
      var pending = PendingMotion(from: scroll)
      scroll.handle(event, at: lastInstant)
      if scroll.isMoving(at: lastInstant), pending.append(event, at: nil) { pendingMotion = pending }
    } else {
      scroll.handle(event, at: instant ?? lastInstant)
    }
    setNeedsDisplay()
  }

  /// Scrolls to an offset; if animated, only the end of a long distance is shown.
  public final func scroll(to offset: Double, animated: Bool) {
    applyScrollEvent(.scrollTo(offset, animated: animated))
    if !animated, updateOffset(at: lastInstant) { setNeedsDisplay() }
  }

  /// Moves the target of an animated scroll in progress, or starts one to it.
  ///
  /// - Parameters:
  ///   - offset: The new target, clamped to the allowed range.
  ///   - shown: The offset of the last frame, in the coordinates of the content as it is now. If the target lies between
  ///     it and the current offset, the content is at the target at once.
  package final func retargetScroll(to offset: Double, shown: Double) {
    applyScrollEvent(.retarget(to: offset, shown: shown))
    if pendingMotion == nil, updateOffset(at: lastInstant) { setNeedsDisplay() }
  }

  /// Returns the offset at which the content comes to rest after a drag or a fling; by default the proposed one.
  ///
  /// It is called once when a drag ends, if ``adjustsTargetContentOffset`` is true. The delegate's
  /// ``ScrollViewDelegate/scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)`` may change the result. An offset
  /// beyond an end counts as that end, and one that is not finite is reported as invalid.
  ///
  /// - Parameters:
  ///   - proposed: The offset at which the content would come to rest, in points.
  ///   - velocity: The velocity at the end of the drag, in points per second.
  open func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { proposed }

  /// Whether ``targetContentOffset(forProposedContentOffset:withScrollingVelocity:)`` is called when a drag ends; false by
  /// default.
  public final var adjustsTargetContentOffset: Bool {
    get { notifier.adjustsTargetContentOffset }
    set { notifier.adjustsTargetContentOffset = newValue }
  }

  /// Called before an event is applied to the scroll state; does nothing by default.
  open func willScroll(by event: ScrollEvent) {}

  /// Called after the offset or the size changed, in the update phase.
  open func contentOffsetDidChange() {}

  // MARK: - Frames

  /// Whether the content will move, or is being dragged and moved recently.
  open var needsFrames: Bool { scroll.isMoving(at: lastInstant) || scrollIndicator.needsFrames || isActivelyTracked }

  /// The time at which the drawing changes without motion: the indicator fades, or a pressed key starts to scroll.
  open var nextFrame: FrameInstant? {
    guard let fading = scrollIndicator.nextFrame else { return input.heldKeyStart }
    return input.heldKeyStart.map { min($0, fading) } ?? fading
  }

  /// Whether the content moves, by a drag, a deceleration or an animation.
  open var isTracked: Bool { isScrolling }

  /// Whether the offset moves, by a drag, a deceleration or an animation.
  public final var isScrolling: Bool { scroll.range.length > 0 && scroll.isTracked(at: lastInstant) }

  /// Continues the motion from the position that was last shown.
  public final func didStall(for duration: FrameDuration) {
    scroll.delay(by: duration, after: lastInstant)
    motionWasDelayed(by: duration)
    // The position shown then is the position now.
    lastInstant = lastInstant + duration
  }

  /// Called when the content's motion was delayed, so that other motion in the view can be delayed too.
  open func motionWasDelayed(by duration: FrameDuration) {}

  /// Evaluates the position at the frame's target time.
  open func update(at target: FrameInstant) { updateMotion(at: target) }

  /// Returns whether the frame can be redrawn at another offset before it is shown; false while the thumb is dragged,
  /// which moves far.
  ///
  /// A subclass whose ``layout()`` depends on the offset must return false, or perform that layout in
  /// ``contentOffsetDidChange()``.
  open func allowsInputResampling() -> Bool { !scroll.isThumbHeld(at: lastInstant) }

  /// Evaluates the position at the frame's target time again, after late input.
  open func resampleInput(at target: FrameInstant) -> Bool {
    updateMotion(at: target)
    return true
  }

  private func updateMotion(at target: FrameInstant) {
    lastInstant = max(lastInstant, target)
    if let pending = pendingMotion {
      pendingMotion = nil
      scroll = pending.resolvedState(startingAt: lastInstant)
    }
    input.advanceHeldKey(to: lastInstant)
    notifier.settleAfterDrag()
    // The frame is already in progress; only a cached drawing would not show the change.
    if updateOffset(at: lastInstant), isDrawingCached { setNeedsDisplay() }
    scrollIndicator.update(at: target)
    notifier.notifyOfScrolling()
  }

  /// Updates the view for another display scale.
  open func displayScaleDidChange(_ scale: DisplayScale) {
    guard scale != displayScale else { return }
    displayScale = scale
    scrollIndicator.scaleDidChange()
    setNeedsLayout()
  }

  /// Phase 3; does nothing by default.
  open func collect(_ budget: FrameBudget) {}

  /// Phase 4; does nothing by default.
  open func layout() {}

  /// Phase 5; does nothing by default.
  open func commit(_ record: inout FrameRecord) {}

  /// Phase 8; builds a part of the indicator's timeline, if it has one.
  open func performSlackStep(_ budget: FrameBudget) -> Bool { prepareIndicator(budget) }

  /// False by default.
  open var hasDeferredSteps: Bool { false }

  /// Builds a part of the indicator's timeline after presenting, if it has one.
  open func performDeferredStep(_ budget: FrameBudget) -> Bool { prepareIndicator(budget) }

  /// Does nothing by default.
  open func prepareForMotion() -> Bool { false }

  /// Builds a part of the indicator's timeline, if it has one.
  package final func prepareIndicator(_ budget: FrameBudget) -> Bool { scrollIndicator.performSlackStep(budget) }

  /// Called after presenting; does nothing by default.
  open func frameDidEnd(_ record: FrameRecord) {}

  /// Called under memory pressure; does nothing by default.
  open func handleMemoryPressure() {}

  /// Called when the view takes part in no more frames; does nothing by default.
  open func framesDidEnd() {}

  /// Updates the offset for an instant.
  ///
  /// - Returns: Whether the offset changed.
  private func updateOffset(at instant: FrameInstant) -> Bool {
    // Copied once, because each access through the view copies it.
    let scroll = scroll
    let offset = displayScale.snapped(scroll.offset(at: instant))
    scrollIndicator.show(
      offset: offset, of: scroll.range, contentLength: contentLength, isThumbHeld: scroll.isThumbHeld(at: instant))
    guard offset != shownOffset else { return false }
    shownOffset = offset
    notifier.recordScroll()
    scrollIndicator.flash(at: instant)
    contentOffsetDidChange()
    return true
  }

  /// Draws the subviews, usually only the indicator.
  open override func renderSubviews(in context: DrawContext) {
    if subviews.count == 1, subviews[0] === scrollIndicator {
      render(scrollIndicator, in: context)
    } else {
      super.renderSubviews(in: context)
    }
  }

  open override func layoutSubviews() {
    if let window {
      displayScale = window.resources.scale
      if !window.includes(self) {
        window.misuse.report(
          """
          A \(type(of: self)) is displayed and takes part in no frames, so that it neither scrolls nor shows its content. \
          Call addParticipant(_:) of its window.
          """)
      }
    }
    let breadth = ScrollIndicator.hitWidth
    let start = axisInsets.start
    scrollIndicator.frame =
      scrollAxis == .vertical
      ? Rect(x: bounds.width - breadth, y: start, width: breadth, height: unobscuredLength)
      : Rect(x: start, y: bounds.height - breadth, width: unobscuredLength, height: breadth)
  }

  // MARK: - Input

  /// Handles an event that scrolls, or declines it.
  open override func handle(_ event: InputEvent) -> Bool {
    if let isHandled = handleDuringAutoscroll(event) { return isHandled }
    guard isScrollEnabled || event.kind == .cancelled else { return false }
    switch event.kind {
    case .keyDown(_, _, let isRepeat):
      let isHandled = input.handle(event)
      if !isHandled, !isRepeat { stopDeceleration(at: event.time) }
      return isHandled
    case .pointerDown(let point, .middle, _, _): return autoscroll.begin(at: convertFromWindow(point))
    case .pointerDown(_, .primary, _, _):
      input.releaseKey(at: event.time)
      stopDeceleration(at: event.time)
      return false
    case .pointerMoved(let point):
      scrollIndicator.updatePointer(at: point, time: event.time)
      return false
    case .pointerLeft:
      scrollIndicator.updatePointer(at: nil, time: event.time)
      return false
    default: return input.handle(event)
    }
  }

  /// Handles an event during an autoscroll.
  ///
  /// - Returns: Whether the event was handled, or nil if it has its usual meaning because no autoscroll is in progress
  ///   or it ends one.
  package final func handleDuringAutoscroll(_ event: InputEvent) -> Bool? { autoscroll.handle(event) }

  /// Releases the content that a finger holds, because the finger scrolls nested content instead.
  package final func releaseHeldContent(at time: FrameInstant) { input.endDrag(.release, at: time) }

  /// Stops decelerating content after a press or a key without effect.
  package final func stopDeceleration(at time: FrameInstant) {
    if scroll.phase(at: time) == .decelerating { applyScrollEvent(.stop, at: shownInstant(time)) }
  }

  /// Whether a drag is in progress whose end may not be reported, or that moved the content a moment ago.
  ///
  /// Its next input arrives in step with the frames, whose lateness is then counted.
  private var isActivelyTracked: Bool {
    guard scroll.phase(at: lastInstant) == .tracking else { return false }
    return scroll.releaseInstant != nil || scrollIndicator.hasFlashed(within: .milliseconds(100))
  }
}

extension ScrollView: ScrollInputHost {
  package final var inputAxis: Axis { scrollAxis }
  package final var inputScroll: ScrollState { scroll }
  package final var acceptsInput: Bool { isScrollEnabled }
  package final var canScroll: Bool { scroll.range.length > 0 || scroll.tuning.alwaysBounces }
  package final var inputDirection: Double { 1 }
  package final var scrollsWhileKeyIsHeld: Bool { true }

  package final func applyInput(_ event: ScrollEvent, at instant: FrameInstant) { applyScrollEvent(event, at: instant) }
  package final func dragDidContinue(at instant: FrameInstant, until release: FrameInstant?) {
    notifier.recordDrag(until: release)
  }
  package final func dragWillEnd(at instant: FrameInstant) { notifier.recordRelease(at: instant) }
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }

  package final func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent? {
    guard modifiers.isSubset(of: .shift) else { return nil }
    switch key {
    case .down where scrollAxis == .vertical, .right where scrollAxis == .horizontal:
      return .advance(by: lineDistance)
    case .up where scrollAxis == .vertical, .left where scrollAxis == .horizontal:
      return .advance(by: -lineDistance)
    case .pageDown: return pageEvent(by: 1)
    case .pageUp: return pageEvent(by: -1)
    case .space: return pageEvent(by: modifiers.contains(.shift) ? -1 : 1)
    case .home: return .scrollTo(scroll.range.minimum, animated: true)
    case .end: return .scrollTo(scroll.range.maximum, animated: true)
    default: return nil
    }
  }

  /// Returns the event that scrolls by pages, continuing from the target of a page scroll in progress.
  private func pageEvent(by pages: Double) -> ScrollEvent {
    let from = scroll.pullTarget(after: lastInstant).flatMap { ($0 - contentOffset) * pages > 0 ? $0 : nil }
    return .advance(by: pageDistance(pages, from: from ?? contentOffset))
  }

  /// Scrolls by pages, as after a press next to the thumb.
  private func scrollByPages(_ pages: Double) { applyScrollEvent(pageEvent(by: pages)) }
}

extension ScrollView: AutoscrollHost {
  package final func grabInput() -> Bool {
    window?.grabber = self
    return window != nil
  }

  package final func releaseInput() {
    if let window, window.grabber === self { window.grabber = nil }
  }
}

// MARK: - Pending motion

/// A programmatic motion of resting content that no frame has shown yet.
///
/// The time of the last frame is no start time for it: the motion starts when the next frame is shown.
private struct PendingMotion {
  /// An event, and its time if known.
  private typealias Event = (event: ScrollEvent, instant: FrameInstant?)

  /// The state before the events.
  var initialState: ScrollState
  private var events: [Event] = []

  /// Creates a motion without events.
  init(from initialState: ScrollState) { self.initialState = initialState }

  /// The maximum number of events; events of content that keeps changing without frames are not accumulated.
  private static let maximumEvents = 256

  /// Appends an event at an instant, or at the time at which the next frame is shown.
  ///
  /// - Returns: Whether the motion is still pending; if not, it counts as begun long ago.
  mutating func append(_ event: ScrollEvent, at instant: FrameInstant?) -> Bool {
    guard events.count < PendingMotion.maximumEvents else { return false }
    events.append((event, instant))
    return true
  }

  /// Returns the state after all events, with those without a time at the given instant.
  func resolvedState(startingAt instant: FrameInstant) -> ScrollState {
    var scroll = initialState
    for event in events { scroll.handle(event.event, at: event.instant ?? instant) }
    return scroll
  }
}
