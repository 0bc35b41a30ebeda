import VitrineGeometry
import VitrineHosting
import VitrineRendering
import VitrineViews

/// The root of the window of a run with diagnostics, which shows the overlay over the content.
final class DiagnosticRootView: HostRootView {
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

  override init(_ content: View) {
    super.init(content)
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
    super.layoutSubviews()
    stripeView?.frame = bounds
    let size = overlay.preferredSize
    overlay.frame = Rect(
      x: max(0, bounds.width - size.width - DiagnosticRootView.margin),
      // In a low window, the overlay covers the bar instead of extending beyond the window.
      y: max(0, min(overlayTop + DiagnosticRootView.margin, bounds.height - size.height)),
      width: min(size.width, bounds.width), height: size.height)
  }

  override func handle(_ event: InputEvent) -> Bool {
    guard case .keyDown(.function(3), _, isRepeat: false) = event.kind else { return super.handle(event) }
    showNextOverlay()
    return true
  }

  override func showNextOverlay() { overlay.level = (overlay.level + 1) % DiagnosticRootView.levelCount }
}
