import Geometry
import Rendering
import Views

/// Fills the window where there is nothing to show, and says what would be shown.
final class EmptyView: View {
  private let icon: IconView
  private let headline: Paragraph
  private let hint: Paragraph
  private static let maximumIconSide = 96.0
  /// A smaller icon shows nothing, and is left out.
  private static let minimumIconSide = 32.0

  init(theme: Theme) {
    icon = IconView(icon: SharedIcon(isBroken: false), tint: theme.tertiaryText)
    headline = Paragraph(style: Theme.headlineStyle, color: theme.primaryText, lineHeight: 28, numberOfLines: 2)
    hint = Paragraph(style: Theme.detailStyle, color: theme.secondaryText, lineHeight: 20, numberOfLines: 4)
    super.init()
    isInteractive = false
    addSubview(icon)
    addSubview(headline)
    addSubview(hint)
  }

  /// Says what is not there, and what would make it appear.
  func show(headline: String, hint: String) {
    self.headline.text = headline
    self.hint.text = hint
    guard isHidden else { return }
    isHidden = false
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let width = max(0, bounds.width - 2 * Metrics.margin)
    headline.sizeToFit(width: width)
    hint.sizeToFit(width: width)
    let gaps = (icon: 16.0, headline: 4.0)
    let texts = headline.frame.height + gaps.headline + hint.frame.height
    // In a low window the words matter more than the icon.
    let room = bounds.height - 2 * Metrics.margin - texts - gaps.icon
    let side = min(EmptyView.maximumIconSide, (room / 4).rounded(.down) * 4)
    icon.isHidden = side < EmptyView.minimumIconSide
    let above = icon.isHidden ? 0 : side + gaps.icon
    // A little above the middle, where the eye looks for the middle.
    let top = max(0, (bounds.height * 0.46 - (above + texts) / 2).rounded())
    icon.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: max(0, side), height: max(0, side))
    headline.frame.origin = Point(x: Metrics.margin, y: top + above)
    hint.frame.origin = Point(x: Metrics.margin, y: headline.frame.maxY + gaps.headline)
  }
}
