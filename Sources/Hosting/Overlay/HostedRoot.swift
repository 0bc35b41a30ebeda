import Geometry
import Rendering
import Views

/// What fills a program's window: its root view, the overlay over that, and the keys that every program answers where its
/// views do not.
final class HostRootView: View {
  private static let margin = 16.0
  /// How many levels the overlay has, none of it among them.
  private static let levelCount = 5

  /// The figures of the frames.
  let overlay = FrameOverlay()
  /// The points at the top that the overlay leaves free, for a bar.
  var overlayTop = 0.0 {
    didSet { if overlayTop != oldValue { setNeedsLayout() } }
  }
  /// The frame's number in pixels, where somebody reads it.
  private var stripeView: FrameNumberStripeView?
  /// Asked to fill the screen with the window, or to stop that.
  var onToggleFullScreen: () -> Void = {}
  /// Asked to leave.
  var onQuit: () -> Void = {}
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    isInteractive = false
    addSubview(content)
    addSubview(overlay)
  }

  /// Draws each frame's number at the window's top and bottom from now on.
  func showFrameNumbers(of loop: CommitLoop) {
    let stripe = self.stripeView ?? FrameNumberStripeView()
    stripe.loop = loop
    if self.stripeView == nil { addSubview(stripe) }
    self.stripeView = stripe
    setNeedsLayout()
  }

  override func layoutSubviews() {
    content.frame = bounds
    stripeView?.frame = bounds
    // A window of the same size may have another scale.
    content.setNeedsLayout()
    let size = overlay.preferredSize
    overlay.frame = Rect(
      x: max(0, bounds.width - size.width - HostRootView.margin),
      // In a low window it lies over a bar, rather than beyond the window.
      y: max(0, min(overlayTop + HostRootView.margin, bounds.height - size.height)),
      width: min(size.width, bounds.width), height: size.height)
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .keyDown(.function(3), _, isRepeat: false):
      overlay.level = (overlay.level + 1) % HostRootView.levelCount
    case .keyDown(.function(11), _, isRepeat: false): onToggleFullScreen()
    case .keyDown(.character("q"), .control, _), .keyDown(.character("w"), .control, _): onQuit()
    default: return false
    }
    return true
  }
}
