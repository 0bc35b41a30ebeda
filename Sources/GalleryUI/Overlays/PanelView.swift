import Geometry
import Rendering
import Views

/// A ground with round corners that lies over the photographs: a fine edge, and a soft shadow around it.
class PanelView: View {
  final let theme: Theme
  /// How round its corners are, in points.
  final let cornerRadius: Double
  /// How far the shadow's rings reach, and how dark each of them is.
  private static let shadow = (rings: stride(from: 18.0, through: 1, by: -1), alpha: UInt8(6))

  init(theme: Theme, cornerRadius: Double) {
    self.theme = theme
    self.cornerRadius = cornerRadius
    super.init()
  }

  override func draw(in context: DrawContext) {
    let shadow = PanelView.shadow
    for width in shadow.rings {
      context.fillRing(
        around: bounds, width: width, cornerRadius: cornerRadius, Color(hex: 0x000000, alpha: shadow.alpha))
    }
    context.fillRounded(bounds, radius: cornerRadius, theme.panelEdge)
    let line = 1 / context.scale.pixelsPerPoint
    let inner = bounds.inset(by: Insets(uniform: line))
    context.fillRounded(inner, radius: cornerRadius - line, theme.panel)
  }
}
