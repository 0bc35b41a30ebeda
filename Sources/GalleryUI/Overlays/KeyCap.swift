import Geometry
import Rendering
import Views

/// A key as it is printed on a board.
final class KeyCapView: View {
  private let label: Label
  private let theme: Theme
  private static let inset = 7.0
  private static let minimumWidth = 24.0

  init(_ text: String, theme: Theme) {
    self.theme = theme
    label = Label(style: Theme.keyStyle, color: theme.primaryText, alignment: .center)
    super.init()
    isInteractive = false
    label.text = text
    addSubview(label)
  }

  /// The width that it needs, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    max(KeyCapView.minimumWidth, (label.measuredWidth(in: resources) + 2 * KeyCapView.inset).rounded(.up))
  }

  override func layoutSubviews() {
    label.frame = Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - 1))
  }

  override func draw(in context: DrawContext) {
    let radius = Metrics.smallCornerRadius
    context.fillRounded(bounds, radius: radius, theme.keyEdge)
    let face = Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - 2))
    context.fillRounded(face, radius: radius, theme.keyFace)
  }
}
