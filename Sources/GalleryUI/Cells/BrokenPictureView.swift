import Geometry
import Rendering
import Views

/// Says in a photograph's place why it cannot be shown.
final class BrokenPictureView: View {
  private let iconView: IconView
  private let label: Label

  init(theme: Theme, icon: SharedIcon) {
    iconView = IconView(icon: icon, tint: theme.tertiaryText)
    label = Label(style: Theme.reasonStyle, color: theme.secondaryText, alignment: .center)
    super.init()
    isInteractive = false
    addSubview(iconView)
    addSubview(label)
  }

  /// The reason in a few words.
  var reason = "" {
    didSet { label.text = reason }
  }

  override func layoutSubviews() {
    let side = min(40, bounds.height / 2)
    let lineHeight = 20.0
    let gap = 8.0
    let top = ((bounds.height - side - gap - lineHeight) / 2).rounded()
    iconView.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: side, height: side)
    label.frame = Rect(x: 12, y: top + side + gap, width: max(0, bounds.width - 24), height: lineHeight)
  }
}
