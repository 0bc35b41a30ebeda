import Geometry
import Rendering

/// A disc with a dot and two arrows, displayed where the pointer pressed the wheel.
final class AutoscrollIndicator: View {
  /// The diameter of the disc in points.
  static let diameter = 30.0
  private static let arrowRows = 5

  private let axis: Axis

  /// Creates an indicator centered on a point.
  init(at center: Point, axis: Axis) {
    self.axis = axis
    let radius = AutoscrollIndicator.diameter / 2
    super.init(
      frame: Rect(
        x: (center.x - radius).rounded(), y: (center.y - radius).rounded(), width: AutoscrollIndicator.diameter,
        height: AutoscrollIndicator.diameter))
    isUserInteractionEnabled = false
  }

  override func draw(in context: DrawContext) {
    let ink = Color(hex: 0xFFFFFF, alpha: 220)
    context.fillRounded(bounds, radius: bounds.width / 2, Color(hex: 0xFFFFFF, alpha: 90))
    let inner = Rect(x: 1, y: 1, width: bounds.width - 2, height: bounds.height - 2)
    context.fillRounded(inner, radius: inner.width / 2, Color(hex: 0x202226, alpha: 230))
    let middle = bounds.width / 2
    context.fillRounded(Rect(x: middle - 2, y: middle - 2, width: 4, height: 4), radius: 2, ink)
    for row in 0..<AutoscrollIndicator.arrowRows {
      let (near, half) = (Double(row) + 5, Double(row) + 0.5)
      // From the tip inward each row is two points wider.
      fillArrowRow(along: near, half, context, ink)
      fillArrowRow(along: bounds.width - near - 1, half, context, ink)
    }
  }

  private func fillArrowRow(along position: Double, _ half: Double, _ context: DrawContext, _ color: Color) {
    var row = Rect.zero
    row.origin[axis] = position
    row.origin[axis.cross] = bounds.width / 2 - half
    row.size[axis] = 1
    row.size[axis.cross] = 2 * half
    context.fill(row, color)
  }
}

/// The state of an autoscroll, in which the pointer controls the speed of the content.
struct AutoscrollSession {
  /// The location at which the wheel was pressed, in the view's coordinates.
  var origin: Point
  /// Whether the button may have been clicked, so that the autoscroll continues until the next press.
  var isClick = true
  /// The indicator at the origin.
  var indicator: AutoscrollIndicator
  /// The window whose grabber is the scroll view.
  weak var window: Window?
}
