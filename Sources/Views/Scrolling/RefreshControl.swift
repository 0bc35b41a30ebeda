public import VitrineFramePacing
import VitrineGeometry
public import VitrineRendering
import VitrineScrollPhysics

/// A control that refreshes the content of a scroll view: the user pulls the content down beyond its start, with a finger
/// or a trackpad.
///
/// Set it as the ``ScrollView/refreshControl`` of a view that scrolls vertically. While it refreshes, it stays above the
/// content, which keeps its position; ``endRefreshing()`` lets the content return.
///
/// ```swift
/// let control = RefreshControl()
/// control.onRefresh = { [weak control] in
///   Task {
///     await store.reload()
///     control?.endRefreshing()
///   }
/// }
/// list.refreshControl = control
/// ```
@MainActor
public final class RefreshControl: View, FrameParticipant {
  private enum Phase { case idle, refreshing, ending }

  /// Whether the content is being refreshed, after a pull or ``beginRefreshing()``.
  public var isRefreshing: Bool { phase == .refreshing }
  /// The color of the indicator.
  ///
  /// Default: a grey that is visible on dark and light backgrounds.
  public var tintColor = Color(hex: 0x8E9198) {
    didSet { if tintColor != oldValue { setNeedsDisplay() } }
  }
  /// Called when the user has pulled far enough; not by ``beginRefreshing()``.
  public var onRefresh: (() -> Void)?

  private var phase = Phase.idle
  /// The inset that the control has added to the scroll view's, in points.
  private var addedInset = 0.0
  /// The part of the pull that is necessary, 0 to 1.
  private var progress = 0.0
  /// The number of the spoke at which the turning indicator is brightest.
  private var step = 0
  private var nextStepInstant: FrameInstant?
  private weak var participatingWindow: Window?
  /// Whether the user has released the content since the last refresh.
  private var canBegin = true

  /// The height of the control, in points.
  private static let height = 56.0
  /// The distance beyond the start at which refreshing begins, in points on the screen.
  private static let threshold = 44.0
  private static let spokeCount = 12
  private static let stepInterval = FrameDuration.milliseconds(83)

  /// Creates a control.
  public init() {
    super.init(frame: .zero)
    isUserInteractionEnabled = false
  }

  private var scrollView: ScrollView? { superview as? ScrollView }

  /// A text that tells that the content is being refreshed, or nil.
  public override var accessibility: AccessibilityElement? {
    isRefreshing ? AccessibilityElement(role: .text, label: "Refreshing", frame: frameInWindow) : nil
  }

  /// Shows that the content is being refreshed, as after a pull.
  ///
  /// Content at its start scrolls to show the control; other content stays where it is. It has no effect while the content
  /// is being refreshed, or before the control is that of a scroll view.
  public func beginRefreshing() {
    guard phase != .refreshing, let scrollView else { return }
    let isAtStart = scrollView.contentOffset <= scrollView.scroll.range.minimum
    begin()
    if isAtStart { scrollView.setContentOffset(scrollView.scroll.range.minimum, animated: true) }
  }

  /// Ends refreshing; content that shows the control scrolls back, and other content stays where it is.
  public func endRefreshing() {
    guard phase == .refreshing else { return }
    phase = .ending
    guard let scrollView else { return finish() }
    let start = scrollView.scroll.range.minimum + addedInset
    guard start <= scrollView.scroll.range.maximum || scrollView.isDragging else { return finish() }
    guard scrollView.contentOffset < start, !scrollView.isDragging else { return setNeedsDisplay() }
    scrollView.setContentOffset(start, animated: true)
  }

  private func begin() {
    guard let scrollView else { return }
    if phase == .idle {
      addedInset = RefreshControl.height
      scrollView.setRefreshInset(addedInset)
    }
    phase = .refreshing
    canBegin = false
    progress = 1
    isHidden = false
    setNeedsDisplay()
  }

  private func finish() {
    phase = .idle
    nextStepInstant = nil
    addedInset = 0
    if let scrollView {
      scrollView.setRefreshInset(0)
      // Content that is too short to scroll past the control.
      let start = scrollView.scroll.range.minimum
      if scrollView.contentOffset < start, !scrollView.isDragging { scrollView.setContentOffset(start, animated: true) }
    }
    updateFrame()
  }

  // MARK: - Frames

  /// Joins the frames of the window.
  public override func layoutSubviews() { joinFrames() }

  fileprivate func joinFrames() {
    guard let window, participatingWindow == nil else { return }
    participatingWindow = window
    window.addParticipant(self)
  }

  fileprivate func leave() {
    let inset = addedInset
    (phase, addedInset, nextStepInstant) = (.idle, 0, nil)
    // Content that shows the control returns at once.
    if inset > 0, let scrollView {
      scrollView.setRefreshInset(0)
      let start = scrollView.scroll.range.minimum
      if scrollView.contentOffset < start { scrollView.setContentOffset(start, animated: false) }
    }
    let window = participatingWindow
    participatingWindow = nil
    window?.removeParticipant(self)
  }

  /// Whether the control waits for the end of refreshing while its content returns.
  public var needsFrames: Bool { phase == .ending || (isRefreshing && nextStepInstant == nil) }
  /// The time at which the indicator turns.
  public var nextFrame: FrameInstant? { isRefreshing && !isHidden ? nextStepInstant : nil }

  /// Begins refreshing if the content was pulled far enough, and turns the indicator.
  public func update(at target: FrameInstant) {
    guard let scrollView, scrollView.scrollAxis == .vertical else { return }
    let pull = scrollView.scroll.range.minimum - scrollView.contentOffset
    if !scrollView.isDragging { canBegin = true }
    switch phase {
    case .idle:
      guard pull > 0 || !isHidden else { return }
      let next = max(0, min(1, pull / RefreshControl.threshold))
      if next != progress {
        progress = next
        setNeedsDisplay()
      }
      if pull >= RefreshControl.threshold, canBegin, scrollView.isDragging {
        begin()
        onRefresh?()
      }
    case .refreshing:
      if nextStepInstant.map({ target >= $0 }) ?? true {
        step = (step + 1) % RefreshControl.spokeCount
        nextStepInstant = target + RefreshControl.stepInterval
        setNeedsDisplay()
      }
    case .ending:
      let isTooShort = scrollView.scroll.range.minimum + addedInset > scrollView.scroll.range.maximum
      if isTooShort || -pull >= addedInset - 0.5, !scrollView.isDragging { finish() }
      // The user held the content while refreshing ended.
      if phase == .ending, !scrollView.isDragging, !scrollView.scroll.isMoving(at: scrollView.lastInstant) {
        scrollView.setContentOffset(scrollView.scroll.range.minimum + addedInset, animated: true)
      }
    }
    updateFrame()
  }

  /// Ends the participation in frames.
  public func framesDidEnd() {
    participatingWindow = nil
    // A hidden view is not laid out, which is when it joins the frames again.
    isHidden = false
  }

  /// Places the control above the start of the content.
  private func updateFrame() {
    guard let scrollView else { return }
    // The start of the content, in the scroll view's coordinates.
    let start = -scrollView.contentOffset
    let inset = scrollView.contentInset.top
    isHidden = start <= inset && participatingWindow != nil
    let frame = Rect(
      x: 0, y: start - RefreshControl.height, width: scrollView.bounds.width, height: RefreshControl.height)
    if !isHidden, frame != self.frame { self.frame = frame }
  }

  // MARK: - Drawing

  /// Draws the spokes that the pull has reached, or a turning indicator.
  public override func draw(in context: DrawContext) {
    let count = RefreshControl.spokeCount
    let visible = isRefreshing ? count : Int((progress * Double(count)).rounded())
    let style = StrokeStyle(lineWidth: 2.5, lineCap: .round)
    for (index, direction) in RefreshControl.directions.enumerated() where index < visible {
      let age = (step - index + count) % count
      let opacity = isRefreshing ? 1 - 0.75 * Double(age) / Double(count - 1) : phase == .ending ? 0.25 : 0.85
      let center = Point(x: bounds.midX, y: bounds.midY)
      context.strokeLine(
        from: center + Point(x: direction.x * 5.5, y: direction.y * 5.5),
        to: center + Point(x: direction.x * 10, y: direction.y * 10), tintColor.opacity(opacity), style: style)
    }
  }

  /// The directions of the spokes, clockwise from the top.
  private static let directions: [Point] = {
    let (half, long) = (0.5, 0.8660254037844386)
    return [
      Point(x: 0, y: -1), Point(x: half, y: -long), Point(x: long, y: -half), Point(x: 1, y: 0),
      Point(x: long, y: half), Point(x: half, y: long), Point(x: 0, y: 1), Point(x: -half, y: long),
      Point(x: -long, y: half), Point(x: -1, y: 0), Point(x: -long, y: -half), Point(x: -half, y: -long),
    ]
  }()
}

extension ScrollView {
  /// The control that refreshes the content when it is pulled down beyond its start, or nil.
  ///
  /// With a control, content that fits into the view can be pulled too. While the control refreshes, the content begins
  /// below it; ``contentInset`` stays as it is. The default is nil.
  public final var refreshControl: RefreshControl? {
    get { subviews.lazy.compactMap { $0 as? RefreshControl }.first }
    set {
      let last = refreshControl
      guard newValue !== last else { return }
      last?.leave()
      last?.removeFromSuperview()
      guard let newValue else {
        scrollTuning.alwaysBounces = false
        return
      }
      newValue.leave()
      addSubview(newValue)
      scrollTuning.alwaysBounces = true
      newValue.joinFrames()
    }
  }
}
