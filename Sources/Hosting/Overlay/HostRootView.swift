import Geometry
import Rendering
import Views

/// The root of a program's window, which contains the content and the overlay and handles the common keys.
final class HostRootView: View {
  private static let margin = 16.0
  /// The number of overlay levels, including the hidden one.
  private static let levelCount = 5

  /// The frame overlay.
  let overlay = FrameOverlay()
  /// The height in points at the top that the overlay leaves free for a bar.
  var overlayTop = 0.0 {
    didSet { if overlayTop != oldValue { setNeedsLayout() } }
  }
  /// The view that draws frame numbers for external verification, if requested.
  private var stripeView: FrameNumberStripeView?
  /// The action that toggles full screen.
  var onToggleFullScreen: () -> Void = {}
  /// The action that quits the program.
  var onQuit: () -> Void = {}
  private let content: View

  init(_ content: View) {
    self.content = content
    super.init()
    isUserInteractionEnabled = false
    addSubview(content)
    addSubview(overlay)
  }

  /// Starts to draw each frame's number at the window's top and bottom.
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
    // The scale may change while the size remains.
    content.setNeedsLayout()
    let size = overlay.preferredSize
    overlay.frame = Rect(
      x: max(0, bounds.width - size.width - HostRootView.margin),
      // In a low window, the overlay covers the bar instead of extending beyond the window.
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
