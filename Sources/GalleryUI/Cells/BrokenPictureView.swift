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

  private static let maximumIconSide = 40.0
  private static let inset = 12.0
  private static let lineHeight = 20.0
  private static let gap = 8.0
  /// A narrower or lower place has no room for words: the icon stands alone.
  private static let minimumSizeWithLabel = Size(width: 96, height: 52)

  /// The reason in a few words; none leaves the icon alone.
  var reason = "" {
    didSet {
      guard reason != oldValue else { return }
      label.text = reason
      setNeedsLayout()
    }
  }

  override func layoutSubviews() {
    let smallest = BrokenPictureView.minimumSizeWithLabel
    label.isHidden = reason.isEmpty || bounds.width < smallest.width || bounds.height < smallest.height
    let words = label.isHidden ? 0 : BrokenPictureView.gap + BrokenPictureView.lineHeight
    let room = label.isHidden ? bounds.height * 0.75 : bounds.height / 2
    let side = min(BrokenPictureView.maximumIconSide, room, bounds.width * 0.75).rounded(.down)
    let top = ((bounds.height - side - words) / 2).rounded()
    iconView.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: side, height: side)
    label.frame = Rect(
      x: BrokenPictureView.inset, y: top + side + BrokenPictureView.gap,
      width: max(0, bounds.width - 2 * BrokenPictureView.inset), height: BrokenPictureView.lineHeight)
  }
}
