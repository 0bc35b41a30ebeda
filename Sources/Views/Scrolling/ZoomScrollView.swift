import VitrineDataStructures
public import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering
public import VitrineScrollPhysics

/// A view that displays a part of a large drawing or picture, which scrolls in two dimensions and is zoomed.
///
/// It has the zooming of `UIScrollView`. A ``ScrollView`` moves its content along one axis, without a scale: that is all
/// that lists and grids need, and every frame of theirs pays for its code. A zoom scroll view has one content view
/// instead, whose position and scale are functions of time along both axes.
///
///     let view = ZoomScrollView()
///     view.contentView = drawing
///     view.contentSize = Size(width: 2_000, height: 1_500)
///     (view.minimumZoomScale, view.maximumZoomScale) = (0.25, 8)
///     window.addParticipant(view)
///
/// Content moves with fingers, a pressed pointer, a trackpad, a wheel (with Shift horizontally) and the arrow keys. It is
/// zoomed by a pinch, by Control and a wheel around the pointer, by a double click or double tap, and by the keys + and -;
/// 0 shows it at a scale of 1. Keys need the view to be the window's ``Window/firstResponder``, which a press makes it.
///
/// A content view that conforms to ``ZoomableContent`` draws itself at the zoom scale, with sharp lines and text. Any other
/// view is stretched by its ``View/transform``, which the zoom scroll view sets.
@MainActor
open class ZoomScrollView: View, FrameParticipant {
  /// The delegate, which the view does not retain.
  public final weak var delegate: (any ZoomScrollViewDelegate)?
  /// The distance of a wheel notch and of an arrow key, in points.
  ///
  /// The default is 80.
  public final var lineDistance = 80.0
  /// Whether a drag that begins along one axis moves the content along that axis only.
  ///
  /// A drag that begins diagonally moves it along both. The default is false, as in UIKit.
  public final var isDirectionalLockEnabled = false
  /// Whether content that conforms to ``ZoomableContent`` is drawn at each scale of a motion.
  ///
  /// The default is false: it is stretched while its scale changes, and drawn at its scale when the change ends. Paths and
  /// text are painted for each scale, which takes longer than a frame for most drawings.
  public final var redrawsWhileZooming = false

  private var state = ZoomState()
  private let input = ZoomInputController()
  private var shownOffset = Point.zero
  private var shownScale = 1.0
  /// The scale at which the content view last drew itself.
  private var drawnScale = 1.0
  private var (hasScrolled, hasZoomed, wasZooming) = (false, false, false)
  private var displayScale = DisplayScale.one
  /// The target time of the last frame.
  public private(set) final var lastInstant = FrameInstant.zero

  /// Creates a view without content.
  public override init(frame: Rect = .zero) {
    super.init(frame: frame)
    input.host = self
  }

  // MARK: - Content

  /// The view that displays the content, or nil.
  ///
  /// The zoom scroll view adds it to its subviews, and sets its frame and its transform.
  public final var contentView: View? {
    didSet {
      guard contentView !== oldValue else { return }
      if let oldValue, oldValue.superview === self {
        oldValue.transform = .identity
        oldValue.removeFromSuperview()
      }
      guard let contentView else { return }
      addSubview(contentView)
      drawnScale = shownScale
      (contentView as? any ZoomableContent)?.zoomScaleDidChange(to: shownScale)
      setNeedsLayout()
    }
  }

  /// The size of the content at a zoom scale of 1, in points.
  ///
  /// Unlike in UIKit it does not change with the scale. Negative and non-finite lengths count as 0.
  public final var contentSize: Size {
    get { state.geometry.contentSize }
    set {
      func usable(_ length: Double) -> Double { length.isFinite ? max(0, length) : 0 }
      change { $0.contentSize = Size(width: usable(newValue.width), height: usable(newValue.height)) }
    }
  }

  /// The insets of the content from the view's edges, in points, for example for bars that cover the view.
  ///
  /// They extend the range of ``contentOffset``, and content that is smaller is centered between them. Content at its
  /// start stays there when they change. Negative and non-finite distances count as 0.
  public final var contentInset: Insets {
    get { state.geometry.inset }
    set {
      func usable(_ length: Double) -> Double { length.isFinite ? max(0, length) : 0 }
      change {
        $0.inset = Insets(
          top: usable(newValue.top), left: usable(newValue.left), bottom: usable(newValue.bottom),
          right: usable(newValue.right))
      }
    }
  }

  /// A Boolean value that indicates whether the user can scroll.
  ///
  /// The user can still zoom, unless the smallest and the largest scale are the same. The default is true.
  public final var isScrollEnabled = true {
    didSet { if !isScrollEnabled, oldValue { input.cancelDrag(at: lastInstant) } }
  }

  /// The parameters of the motion.
  ///
  /// Motion is reduced if they or the window's ``Window/reducesMotion`` say so.
  public final var scrollTuning = ScrollTuning.standard {
    didSet { state.tuning = effectiveTuning }
  }

  private var effectiveTuning: ScrollTuning {
    var tuning = scrollTuning
    if window?.reducesMotion == true { tuning.reducesMotion = true }
    return tuning
  }

  // MARK: - Position

  /// The offset of the last frame, rounded to whole pixels: the distance in points from the corner of the scaled content to
  /// that of the view.
  ///
  /// It is negative for content that is smaller than the view, and at the start with insets. Setting it is ``setContentOffset(_:animated:)`` without
  /// animation.
  public final var contentOffset: Point {
    get { shownOffset }
    set { setContentOffset(newValue, animated: false) }
  }

  /// Scrolls to an offset, clamped to the allowed range.
  ///
  /// NaN has no effect, nor has a call while two fingers hold the content. Before the view has a size, the offset is kept
  /// for its first layout.
  public final func setContentOffset(_ offset: Point, animated: Bool) {
    perform { $0.setOffset(offset, animated: animated, from: .nextFrame, at: $1) }
  }

  /// The rectangle of the content that is visible, at a scale of 1.
  ///
  /// A content view that draws much can leave out what is outside of it.
  public final var visibleContentRect: Rect {
    let rect = Rect(
      x: shownOffset.x / shownScale, y: shownOffset.y / shownScale, width: bounds.width / shownScale,
      height: bounds.height / shownScale)
    return rect.intersection(Rect(origin: .zero, size: contentSize))
  }

  // MARK: - Zoom

  /// The smallest zoom scale, above 0.
  ///
  /// The default is 1. A scale above ``maximumZoomScale`` raises it too.
  ///
  /// - Precondition: The scale is finite and above 0.
  public final var minimumZoomScale: Double {
    get { state.geometry.limits.lowerBound }
    set {
      checkZoomScale(newValue)
      change { $0.limits = newValue...max(newValue, $0.limits.upperBound) }
    }
  }

  /// The largest zoom scale.
  ///
  /// The default is 1. A scale below ``minimumZoomScale`` lowers it too.
  ///
  /// - Precondition: The scale is finite and above 0.
  public final var maximumZoomScale: Double {
    get { state.geometry.limits.upperBound }
    set {
      checkZoomScale(newValue)
      change { $0.limits = min(newValue, $0.limits.lowerBound)...newValue }
    }
  }

  private func checkZoomScale(_ scale: Double) {
    checkPrecondition(
      scale.isFinite && scale > 0, "A zoom scale of \(scale) was set as a limit. Set a finite number above 0.")
  }

  /// The zoom scale of the last frame.
  ///
  /// Setting it is ``setZoomScale(_:animated:)`` without animation.
  public final var zoomScale: Double {
    get { shownScale }
    set { setZoomScale(newValue, animated: false) }
  }

  /// Changes the scale, clamped to its limits, around the center of the view.
  ///
  /// A scale that is not finite has no effect, nor has a call while two fingers hold the content.
  public final func setZoomScale(_ scale: Double, animated: Bool) {
    perform { $0.zoom(to: scale, around: nil, animated: animated, from: .nextFrame, at: $1) }
  }

  /// Zooms so that a rectangle of the content fills the view as far as the limits allow, and scrolls to it.
  ///
  /// - Parameters:
  ///   - rect: The rectangle in the coordinates of the content at a scale of 1. An empty one has no effect. Before
  ///     the view has a size, it is kept for its first layout.
  ///   - animated: Whether the change is animated.
  public final func zoom(to rect: Rect, animated: Bool) {
    perform { $0.zoom(to: rect, animated: animated, from: .nextFrame, at: $1) }
  }

  /// Whether the scale is being changed, by the user or an animation.
  public final var isZooming: Bool { state.isZooming(at: lastInstant) }

  // MARK: - State

  private func change(_ body: (inout ZoomState.Geometry) -> Void) {
    var geometry = state.geometry
    body(&geometry)
    guard geometry != state.geometry else { return }
    state.setGeometry(geometry, at: lastInstant)
    showPosition()
    setNeedsLayout()
  }

  /// Applies a change by the program, at the time of the last frame.
  private func perform(_ body: (inout ZoomState, FrameInstant) -> Void) {
    change { $0.viewport = bounds.size }
    state.tuning = effectiveTuning
    body(&state, lastInstant)
    showPosition()
    setNeedsLayout()
  }

  /// Updates the shown position for the time of the last frame.
  private func showPosition() {
    let scale = state.scale(at: lastInstant)
    let exact = state.offset(at: lastInstant)
    let offset = Point(x: displayScale.snapped(exact.x), y: displayScale.snapped(exact.y))
    guard scale != shownScale || offset != shownOffset else { return }
    hasScrolled = hasScrolled || offset != shownOffset
    hasZoomed = hasZoomed || scale != shownScale
    (shownScale, shownOffset) = (scale, offset)
    placeContent()
  }

  /// Sets the frame and the transform of the content view.
  private func placeContent() {
    guard let contentView, contentView.superview === self else { return }
    let sharp = contentView as? any ZoomableContent
    if let sharp, drawnScale != shownScale, redrawsWhileZooming || !state.isZooming(at: lastInstant) {
      drawnScale = shownScale
      sharp.zoomScaleDidChange(to: shownScale)
      contentView.setNeedsLayout()
    }
    let drawn = sharp == nil ? 1 : drawnScale
    let size = Size(width: contentSize.width * drawn, height: contentSize.height * drawn)
    contentView.frame = Rect(origin: Point(x: 0 - shownOffset.x, y: 0 - shownOffset.y), size: size)
    let factor = shownScale / drawn
    // The transform is about the center, and the corner stays.
    contentView.transform =
      factor == 1
      ? .identity
      : Transform(scaleX: factor, y: factor).concatenating(
        Transform(translationX: size.width / 2 * (factor - 1), y: size.height / 2 * (factor - 1)))
  }

  // MARK: - Frames

  /// Whether the content will move.
  open var needsFrames: Bool { state.isMoving(at: lastInstant) || hasScrolled || hasZoomed }

  /// Whether the content moves, by a drag, a deceleration or an animation.
  open var isTracked: Bool { state.isTracked(at: lastInstant) }

  /// Continues the motion from the position that was last shown.
  public final func didStall(for duration: FrameDuration) {
    state.delay(by: duration, after: lastInstant)
    lastInstant = lastInstant + duration
  }

  /// Evaluates the position at the frame's target time, and notifies the delegate.
  open func update(at target: FrameInstant) {
    lastInstant = max(lastInstant, target)
    state.prepareFrame(at: lastInstant)
    showPosition()
    if drawnScale != shownScale, !isZooming { placeContent() }
    notifyDelegate()
  }

  /// Evaluates the position at the frame's target time again, after late input; false if that changes the scale.
  open func resampleInput(at target: FrameInstant) -> Bool {
    guard state.scale(at: lastInstant) == shownScale else { return false }
    showPosition()
    return true
  }

  private func notifyDelegate() {
    let (didScroll, didZoom, isZooming) = (hasScrolled, hasZoomed, isZooming)
    let didEndZooming = !isZooming && (wasZooming || didZoom)
    (hasScrolled, hasZoomed, wasZooming) = (false, false, isZooming)
    guard let delegate else { return }
    if didZoom { delegate.scrollViewDidZoom(self) }
    if didScroll { delegate.scrollViewDidScroll(self) }
    if didEndZooming { delegate.scrollViewDidEndZooming(self, atScale: shownScale) }
  }

  /// Updates the view for another display scale.
  open func displayScaleDidChange(_ scale: DisplayScale) {
    guard scale != displayScale else { return }
    displayScale = scale
    showPosition()
    setNeedsLayout()
  }

  open override func layoutSubviews() {
    if let window {
      displayScaleDidChange(window.resources.scale)
      if !window.includes(self) {
        window.misuse.report(
          """
          A \(type(of: self)) is displayed and takes part in no frames, so that it neither scrolls nor zooms. Call \
          addParticipant(_:) of its window.
          """)
      }
    }
    if state.geometry.viewport != bounds.size { change { $0.viewport = bounds.size } }
    placeContent()
  }

  /// Draws the content, clipped to the view.
  open override func renderSubviews(in context: DrawContext) {
    context.clipped(to: bounds) { super.renderSubviews(in: $0) }
  }

  // MARK: - Input

  /// Handles an event that scrolls or zooms, or declines it.
  open override func handle(_ event: InputEvent) -> Bool {
    let isHandled = input.handle(event)
    if case .pointerDown = event.kind, isHandled || state.canZoom { window?.firstResponder = self }
    return isHandled
  }
}

extension ZoomScrollView: ZoomInputHost {
  package final var inputState: ZoomState { state }
  package final func localPoint(_ point: Point) -> Point { convertFromWindow(point) }
  package final func applyInput(at time: FrameInstant, _ body: (inout ZoomState, FrameInstant) -> Void) {
    change { $0.viewport = bounds.size }
    state.tuning = effectiveTuning
    body(&state, time)
    setNeedsDisplay()
  }
  package final func shownInstant(_ time: FrameInstant) -> FrameInstant { max(time, lastInstant) }
}

// MARK: - Protocols

/// A content view that draws itself at the zoom scale of its ``ZoomScrollView``.
///
/// The view's bounds are those of the scaled content: a point of the content, multiplied by the scale, is a point of the
/// view. While the scale changes the view is stretched, unless ``ZoomScrollView/redrawsWhileZooming`` is true.
@MainActor
public protocol ZoomableContent: View {
  /// Called when the view is to be drawn at another scale, and when it becomes a content view.
  ///
  /// The bounds of the view have the size of the scaled content when it is laid out and drawn next.
  func zoomScaleDidChange(to scale: Double)
}

/// The delegate of a zoom scroll view, which is notified of its position.
///
/// The methods are called in the update phase of frames, before layout.
@MainActor
public protocol ZoomScrollViewDelegate: AnyObject {
  /// Called when the content offset differs from that of the last frame.
  func scrollViewDidScroll(_ view: ZoomScrollView)
  /// Called when the zoom scale differs from that of the last frame.
  func scrollViewDidZoom(_ view: ZoomScrollView)
  /// Called when a change of the zoom scale ended.
  func scrollViewDidEndZooming(_ view: ZoomScrollView, atScale scale: Double)
}

extension ZoomScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ view: ZoomScrollView) {}
  /// Does nothing.
  public func scrollViewDidZoom(_ view: ZoomScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndZooming(_ view: ZoomScrollView, atScale scale: Double) {}
}
