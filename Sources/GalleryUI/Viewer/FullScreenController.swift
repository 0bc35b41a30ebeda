import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// Whether the controls over a picture in full screen are visible, as a function of time and of what the user does.
///
/// Invariants:
/// - Outside full screen they are always visible.
/// - In full screen they hide ``delay`` after the last action, unless they are in use.
nonisolated struct ControlVisibility: Hashable, Sendable {
  /// The time after which controls that are not used hide.
  static let delay = FrameDuration.seconds(2.5)

  /// Whether the controls are visible.
  private(set) var isVisible = true
  private var isFullScreen = false
  private var lastAction = FrameInstant.zero
  private var isInUse = false

  /// The time at which the controls hide, or nil if they do not.
  var nextFrame: FrameInstant? { isFullScreen && isVisible && !isInUse ? lastAction + ControlVisibility.delay : nil }

  /// Shows the controls, because the user moved the pointer or touched the screen.
  mutating func userDidAct(at instant: FrameInstant) { lastAction = max(lastAction, instant) }

  /// Updates whether the controls are visible.
  ///
  /// - Parameters:
  ///   - isFullScreen: Whether a picture is shown in full screen.
  ///   - isInUse: Whether the pointer is on a control, or a menu is open.
  ///   - instant: The time of the frame.
  mutating func update(isFullScreen: Bool, isInUse: Bool, at instant: FrameInstant) {
    if isFullScreen != self.isFullScreen || self.isInUse && !isInUse { lastAction = max(lastAction, instant) }
    (self.isFullScreen, self.isInUse) = (isFullScreen, isInUse)
    isVisible = !isFullScreen || isInUse || instant < lastAction + ControlVisibility.delay
  }
}

/// The owner of full screen in the viewer: of who entered it, and of the controls and the pointer that hide there.
///
/// Invariants:
/// - Full screen that was entered in the viewer is left with it. Full screen from before stays.
/// - Outside the viewer, and outside full screen, the pointer is visible.
final class FullScreenController {
  private unowned let host: any ViewerHost
  private var visibility = ControlVisibility()
  /// Whether full screen was entered while a picture was viewed.
  private var isEnteredInViewer = false
  private var pointerLocation: Point?
  private var isPointerHidden = false

  /// Creates the controller of a viewer.
  init(host: any ViewerHost) { self.host = host }

  /// The time at which the controls hide, or nil.
  var nextFrame: FrameInstant? { visibility.nextFrame }

  /// Whether full screen was entered while a picture was viewed, and has not been left.
  var isEntered: Bool { isEnteredInViewer && host.isFullScreen }

  /// Enters full screen, or leaves it.
  func toggle() {
    isEnteredInViewer = !host.isFullScreen
    host.toggleFullScreen()
    host.setNeedsDisplay()
  }

  /// Enters full screen unless the window is full screen.
  func enter() { if !host.isFullScreen { toggle() } }

  /// Leaves full screen if it was entered while a picture was viewed.
  ///
  /// - Returns: Whether it was left.
  @discardableResult
  func leaveIfEntered() -> Bool {
    guard isEntered else { return false }
    toggle()
    return true
  }

  /// Leaves full screen if it was entered in the viewer, which is closed, and shows the pointer.
  func viewerDidClose() {
    leaveIfEntered()
    isEnteredInViewer = false
    setPointerHidden(false)
  }

  /// Records what the user does in a viewer, before views receive the event.
  func handle(_ event: InputEvent, in viewer: PictureViewer) {
    switch event.kind {
    case .pointerMoved(let point):
      let point = viewer.convertFromWindow(point)
      // Window systems report a pointer that does not move when a window changes below it.
      guard point != pointerLocation else { return }
      setPointerLocation(point, in: viewer)
    case .pointerLeft: return setPointerLocation(nil, in: viewer)
    case .pointerDown: break
    // The tap that ends here does not press a control that it shows.
    case .touch(let touch) where touch.phase == .ended || touch.phase == .cancelled: break
    default: return
    }
    visibility.userDidAct(at: event.time)
    // The frame that shows the controls.
    if !visibility.isVisible { host.setNeedsDisplay() }
  }

  private func setPointerLocation(_ point: Point?, in viewer: PictureViewer) {
    let wasAtControl = isAtControl(of: viewer)
    pointerLocation = point
    // The frame from which the controls hide, or stay.
    if isAtControl(of: viewer) != wasAtControl { host.setNeedsDisplay() }
  }

  private func isAtControl(of viewer: PictureViewer) -> Bool {
    visibility.isVisible && pointerLocation.map(viewer.hasControl) ?? false
  }

  /// Shows or hides the controls of a viewer and the pointer.
  ///
  /// - Parameters:
  ///   - viewer: The viewer, which is open.
  ///   - isSlideShow: Whether pictures are shown one after the other, also without full screen.
  ///   - instant: The time of the frame.
  func update(_ viewer: PictureViewer, isSlideShow: Bool, at instant: FrameInstant) {
    visibility.update(
      isFullScreen: host.isFullScreen || isSlideShow, isInUse: host.coversViewer || isAtControl(of: viewer), at: instant
    )
    // The picture stays where it is when the controls come and go.
    viewer.overlaysControls = host.isFullScreen || isSlideShow
    viewer.hidesControls = !visibility.isVisible
    setPointerHidden(!visibility.isVisible)
  }

  private func setPointerHidden(_ isHidden: Bool) {
    guard isHidden != isPointerHidden else { return }
    isPointerHidden = isHidden
    host.setPointerHidden(isHidden)
  }
}
