public import FramePacing
public import Geometry
public import Rendering
public import ScrollPhysics

/// Shows a part of content that is longer than itself, and moves it by wheel, trackpad, fingers, keys, the indicator's
/// thumb, and by how far the pointer is from where the wheel was pressed.
///
/// The position is a function of time: every frame asks for the offset at which it will be shown. One axis at a time.
open class ScrollView: View, FrameParticipant {
  /// The state machine of the position; what changes it, and the other values that are not checked for exclusive access, calls
  /// nobody else's code.
  @exclusivity(unchecked) public private(set) final var scroll = ScrollState()
  /// The offset of the last frame.
  private final var shownOffset = 0.0
  /// Who is told when content moves, and what moves it.
  public final weak var scrollDelegate: (any ScrollViewDelegate)? {
    didSet { notificationState.hasDelegate = scrollDelegate != nil }
  }
  /// What was told last of what moves the content, and whether there is more to tell.
  @exclusivity(unchecked) final var notificationState = ScrollNotificationState()
  /// How far a notch of a wheel goes, in points.
  public var notchDistance = 80.0
  /// How far an arrow key goes, in points.
  public var lineDistance = 80.0
  /// The axis along which the content moves; vertical unless told.
  public final var scrollAxis = Axis.vertical {
    didSet {
      guard scrollAxis != oldValue else { return }
      indicator.axis = scrollAxis
      setNeedsLayout()
    }
  }
  /// Whether content that a hand let go rests at pages of what is seen; false unless told.
  public final var isPagingEnabled = false
  /// How content moves: what it does at its ends, how it runs on, how it is brought to places.
  public final var scrollTuning: ScrollTuning {
    get { scroll.tuning }
    set {
      scroll.tuning = newValue
      pendingMotion?.initialState.tuning = newValue
    }
  }
  /// The thumb at the right edge, or at the bottom where the content moves to the side.
  public let indicator = ScrollIndicator()

  /// Pixels a point, as the window said.
  @exclusivity(unchecked) public private(set) final var displayScale = DisplayScale.one

  private var pendingMotion: PendingMotion?
  /// What a person does with it at the moment.
  @exclusivity(unchecked) final var interaction = ScrollInteraction()
  /// The target of the last frame.
  @exclusivity(unchecked) public private(set) final var lastInstant = FrameInstant.zero

  /// Makes a scroll view.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    addSubview(indicator)
    indicator.onDrag = { [weak self] offset in
      self?.applyScrollEvent(.thumbDrag(to: offset))
      self?.beginTracking()
    }
    indicator.onRelease = { [weak self] in self?.applyScrollEvent(.thumbRelease) }
    indicator.onPage = { [weak self] pages in self?.scrollByPages(pages) }
  }

  // MARK: Position

  /// The offset of the last frame, in whole pixels: how many points of content are before the edge at which it begins.
  ///
  /// Setting it is ``setContentOffset(_:animated:)`` without animation.
  public final var contentOffset: Double {
    get { shownOffset }
    set { setContentOffset(newValue, animated: false) }
  }

  /// The length of the content in points.
  public private(set) final var contentLength = 0.0

  /// Room before and behind the content, in points, such as beneath bars that lie over the view.
  ///
  /// The content can be scrolled so much farther; its beginning and end rest within. What stands at the beginning stays
  /// there. Pages, items that are brought into view and the indicator keep to what the room leaves; content is seen in it
  /// on its way, and views that are pinned stay at the view's edge. Room across the axis means nothing. Distances that are
  /// negative, infinite or no numbers count as 0 and are refused.
  public final var contentInset = Insets.zero {
    didSet { applyContentInset(from: oldValue) }
  }

  /// Whether content begins at the end of the axis, as where it scrolls to the side and one reads from right to left.
  open var contentBeginsAtEnd: Bool { false }

  private func applyContentInset(from last: Insets) {
    let sides = [contentInset.top, contentInset.left, contentInset.bottom, contentInset.right]
    let usable = sides.map { $0.isFinite ? max(0, $0) : 0 }
    guard usable == sides else {
      didRejectInvalidNumber()
      contentInset = Insets(top: usable[0], left: usable[1], bottom: usable[2], right: usable[3])
      return
    }
    guard contentInset != last else { return }
    let before = scroll.range
    let isAtStart = scroll.projectedOffset == (contentBeginsAtEnd ? before.maximum : before.minimum)
    let next = scrollRange
    let points = contentBeginsAtEnd ? next.maximum - before.maximum : next.minimum - before.minimum
    updateScrollRange(adjustingOffsetBy: isAtStart ? points : 0)
    setNeedsLayout()
    contentInsetDidChange()
  }

  /// Called when there is other room around the content.
  open func contentInsetDidChange() {}

  /// A client gave a number that cannot be meant.
  open func didRejectInvalidNumber() {}

  /// Moves the content to an offset, as far as it reaches.
  ///
  /// An infinite one is an end; one that is no number moves nothing. Both are refused.
  public final func setContentOffset(_ offset: Double, animated: Bool) {
    if !offset.isFinite { didRejectInvalidNumber() }
    if !offset.isNaN { scroll(to: offset, animated: animated) }
  }

  /// How far pages go from an offset, in points, beside the room around the content: nine tenths of what is seen each,
  /// unless overridden.
  open func pageDistance(_ pages: Double, from offset: Double) -> Double {
    pages * scrollTuning.pageFraction * unobscuredLength
  }

  private var scrollRange: ScrollRange {
    ScrollRange(
      contentLength: contentLength, viewportLength: viewportLength, leadingInset: axisInsets.start,
      trailingInset: axisInsets.end)
  }

  /// Takes another length of content or another size, and moves every position by an adjustment.
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

  /// Gives the state machine an event, at the time of the last frame unless told.
  ///
  /// While the content stands still the last frame may be long ago: a motion then begins when the coming frame is shown.
  public final func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant? = nil) {
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

  /// Scrolls so that an offset is at the top; animated, only the end of a long way is shown.
  public final func scroll(to offset: Double, animated: Bool) {
    applyScrollEvent(.scrollTo(offset, animated: animated))
    if !animated, updateOffset(at: lastInstant) { setNeedsDisplay() }
  }

  /// Called when the offset or the size changed, in the update phase.
  open func contentOffsetDidChange() {}

  // MARK: Frames

  /// Whether the content will move, or is in a hand that moved just now.
  open var needsFrames: Bool { scroll.isMoving(at: lastInstant) || indicator.needsFrames || isActivelyTracked }

  /// When what is drawn changes though nothing moves until then: the indicator begins to fade, or a key was held for long.
  open var nextFrame: FrameInstant? {
    guard let fading = indicator.nextFrame else { return heldKeyStart }
    return heldKeyStart.map { min($0, fading) } ?? fading
  }

  /// Whether the content moves: a drag, a deceleration, an animation.
  open var isTracked: Bool {
    scroll.range.length > 0 && scroll.isTracked(at: lastInstant)
  }

  /// What moves the content goes on from where it was shown last.
  public final func didStall(for duration: FrameDuration) {
    scroll.delay(by: duration, after: lastInstant)
    motionWasDelayed(by: duration)
    // What was shown then is where motion is now.
    lastInstant = lastInstant + duration
  }

  /// The content's motion goes on so much later: what else moves in the view is to do so too.
  open func motionWasDelayed(by duration: FrameDuration) {}

  /// Evaluates the position at the frame's target time.
  open func update(at target: FrameInstant) { updateMotion(at: target) }

  /// Whether what is drawn may be drawn once more at another offset before it is shown: not while the thumb is held, which
  /// goes far.
  ///
  /// A subclass whose ``layout()`` places by the offset is to decline, or to place in ``contentOffsetDidChange()``.
  open func allowsInputResampling() -> Bool { !scroll.isThumbHeld(at: lastInstant) }

  /// Evaluates the position at the frame's target time once more, after input that came since.
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
    advanceInteraction()
    // The frame is being made already; only a drawing that is kept would not show it.
    if updateOffset(at: lastInstant), isDrawingCached { setNeedsDisplay() }
    indicator.update(at: target)
    notifyOfScrolling()
  }

  /// The display has so many pixels a point.
  open func displayScaleDidChange(_ scale: DisplayScale) {
    guard scale != displayScale else { return }
    displayScale = scale
    indicator.scaleDidChange()
    setNeedsLayout()
  }

  /// Phase 3; nothing is awaited in a plain scroll view.
  open func collect(_ budget: FrameBudget) {}

  /// Phase 4; nothing to place in a plain scroll view.
  open func layout() {}

  /// Phase 5; nothing enters a plain scroll view.
  open func commit(_ record: inout FrameRecord) {}

  /// Phase 8: some of the indicator's time line, where it has one.
  open func performSlackStep(_ budget: FrameBudget) -> Bool { prepareIndicator(budget) }

  /// Nothing is left to do after presenting in a plain scroll view.
  open var hasDeferredSteps: Bool { false }

  /// After presenting: some of the indicator's time line, where it has one.
  open func performDeferredStep(_ budget: FrameBudget) -> Bool { prepareIndicator(budget) }

  /// At rest: nothing to make.
  open func prepareForMotion() -> Bool { false }

  /// Some of the indicator's time line, where it has one.
  package final func prepareIndicator(_ budget: FrameBudget) -> Bool { indicator.performSlackStep(budget) }

  /// After presenting; nothing to make ready in a plain scroll view.
  open func frameDidEnd(_ record: FrameRecord) {}

  /// Memory is short; a plain scroll view has nothing that it could let go of.
  open func handleMemoryPressure() {}

  /// Takes part in no more frames; nobody waits in a plain scroll view.
  open func framesDidEnd() {}

  /// Takes the position at an instant.
  ///
  /// - Returns: whether the content is at another place than before.
  private func updateOffset(at instant: FrameInstant) -> Bool {
    // Copied once, as each question of it in the view copies it.
    let scroll = scroll
    let offset = displayScale.snapped(scroll.offset(at: instant))
    indicator.show(
      offset: offset, of: scroll.range, contentLength: contentLength, isThumbHeld: scroll.isThumbHeld(at: instant))
    guard offset != shownOffset else { return false }
    shownOffset = offset
    notificationState.hasScrolled = true
    indicator.flash(at: instant)
    contentOffsetDidChange()
    return true
  }

  /// Draws the views within; most often that is the indicator alone.
  open override func renderSubviews(in context: DrawContext) {
    if subviews.count == 1, subviews[0] === indicator {
      render(indicator, in: context)
    } else {
      super.renderSubviews(in: context)
    }
  }

  open override func layoutSubviews() {
    if let resources = window?.resources { displayScale = resources.scale }
    let breadth = ScrollIndicator.hitWidth
    let start = axisInsets.start
    indicator.frame =
      scrollAxis == .vertical
      ? Rect(x: bounds.width - breadth, y: start, width: breadth, height: unobscuredLength)
      : Rect(x: start, y: bounds.height - breadth, width: unobscuredLength, height: breadth)
  }

  // MARK: Input

  open override func handle(_ event: InputEvent) -> Bool { handleScrollInput(event) }
}
