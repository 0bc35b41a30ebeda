import Geometry
import Rendering
import Views

/// Says on a picture that it is what could be saved of a damaged file.
final class DamagedBadge: View {
  /// Room for the one word that it says, in points.
  static let size = Size(width: 76, height: 20)

  private let label: Label

  init(theme: Theme) {
    label = Label(style: Theme.badgeStyle, color: theme.primaryText, alignment: .center)
    label.text = "damaged"
    super.init()
    isInteractive = false
    addSubview(label)
  }

  override func layoutSubviews() { label.frame = bounds }

  override func draw(in context: DrawContext) {
    context.fillRounded(bounds, radius: bounds.height / 2, Color(hex: 0x000000, alpha: 168))
  }
}
