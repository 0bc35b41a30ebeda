import Geometry
import Rendering
import Views

/// Says in a picture's corner that the photograph is selected, on bright ones and on dark ones.
final class SelectionTick: View {
  /// Its extent in points.
  static let size = Size(width: 24, height: 24)
  /// From the picture's edges.
  static let inset = 8.0
  private static let edgeWidth = 1.0
  private let color: Color

  init(theme: Theme, icon: SharedIcon) {
    color = theme.accent
    super.init()
    isInteractive = false
    let tick = IconView(icon: icon, tint: theme.onAccent)
    tick.frame = Rect(origin: .zero, size: SelectionTick.size)
    addSubview(tick)
  }

  override func draw(in context: DrawContext) {
    // A dark edge sets it off from a bright picture; on a dark one its own colour does.
    context.fillRounded(bounds, radius: bounds.width / 2, Color(hex: 0x000000, alpha: 110))
    let edge = SelectionTick.edgeWidth
    let inner = bounds.inset(by: Insets(top: edge, left: edge, bottom: edge, right: edge))
    context.fillRounded(inner, radius: inner.width / 2, color)
  }
}
