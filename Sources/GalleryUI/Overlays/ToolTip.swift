import Geometry
import Rendering
import Views

/// A whole name beside the pointer, where a caption had no room for it.
final class ToolTip: PanelView {
  private let label: Label
  private static let inset = (x: 10.0, height: 26.0)
  private static let margin = 4.0
  /// How far below the pointer it stands: beneath its arrow.
  private static let pointerOffset = 20.0

  init(theme: Theme) {
    label = Label(style: Theme.captionStyle, color: theme.primaryText)
    label.truncation = .middle
    super.init(theme: theme, cornerRadius: Metrics.smallCornerRadius)
    isInteractive = false
    addSubview(label)
  }

  /// What it says.
  var text: String { label.text }

  /// Says something beside a point, within an area.
  func show(_ text: String, beside point: Point, within area: Rect, _ resources: RenderResources) {
    label.text = text
    let inner = area.inset(by: Insets(uniform: ToolTip.margin))
    let width = min((label.measuredWidth(in: resources) + 2 * ToolTip.inset.x + 1).rounded(.up), inner.width)
    let height = ToolTip.inset.height
    let isAbove = point.y + ToolTip.pointerOffset + height > inner.maxY
    let x = min(max(inner.minX, point.x - width / 2), max(inner.minX, inner.maxX - width))
    let y = isAbove ? point.y - height - ToolTip.margin : point.y + ToolTip.pointerOffset
    frame = Rect(
      x: resources.scale.snapped(x), y: resources.scale.snapped(max(inner.minY, y)), width: width, height: height)
    setNeedsLayout()
  }

  override func layoutSubviews() {
    label.frame = Rect(
      x: ToolTip.inset.x, y: 0, width: max(0, bounds.width - 2 * ToolTip.inset.x), height: bounds.height)
  }
}
