import FramePacing
import Geometry
import Rendering
import Views

/// The frame's number at the window's top and at its bottom, for whoever checks from outside which frame is to be seen.
///
/// Drawn twice, so that a frame of which only a part is shown is told from one that is there. Allocates nothing.
final class FrameNumberStripeView: View {
  /// The run's frames.
  weak var loop: CommitLoop?

  init() {
    super.init()
    isInteractive = false
  }

  override func draw(in context: DrawContext) {
    // A record is taken into the history when its frame has ended: the count is the number of the frame that is drawn.
    guard let loop else { return }
    let stripe = FrameNumberStripe(number: loop.history.count)
    draw(stripe, y: 0, in: context)
    draw(stripe, y: bounds.height - FrameNumberStripe.cellSize, in: context)
  }

  private func draw(_ stripe: FrameNumberStripe, y: Double, in context: DrawContext) {
    let cell = FrameNumberStripe.cellSize
    context.fill(
      Rect(x: 0, y: y, width: Double(FrameNumberStripe.cellCount) * cell, height: cell), Color(hex: 0x000000))
    for place in 0..<FrameNumberStripe.cellCount where stripe.isWhite(place) {
      context.fill(Rect(x: Double(place) * cell, y: y, width: cell, height: cell), .white)
    }
  }
}
