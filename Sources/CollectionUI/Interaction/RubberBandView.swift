import Geometry
import Rendering
import Views

/// Draws a rubber band: a hairline around a breath of colour.
final class RubberBandView: View {
  /// The colour of its line; within, a little of it.
  var color: Color {
    didSet { if color != oldValue { setNeedsDisplay() } }
  }
  private static let fillOpacity = 0.16

  init(color: Color) {
    self.color = color
    super.init()
    isInteractive = false
  }

  override func draw(in context: DrawContext) {
    context.fill(bounds, color.opacity(RubberBandView.fillOpacity))
    let line = 1 / context.scale.pixelsPerPoint
    let (width, height) = (bounds.width, bounds.height)
    guard width > 2 * line, height > 2 * line else { return }
    let edge = color.opacity(0.85)
    context.fill(Rect(x: 0, y: 0, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: height - line, width: width, height: line), edge)
    context.fill(Rect(x: 0, y: line, width: line, height: height - 2 * line), edge)
    context.fill(Rect(x: width - line, y: line, width: line, height: height - 2 * line), edge)
  }
}
