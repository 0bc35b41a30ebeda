import Geometry
import Rendering
import Views

/// Fills the window where there is nothing to show, and says what would be shown.
final class EmptyView: View {
  private let icon: IconView
  private let headline: Label
  private let hint: Label

  init(theme: Theme) {
    icon = IconView(icon: SharedIcon(isBroken: false), tint: theme.tertiaryText)
    headline = Label(style: Theme.headlineStyle, color: theme.primaryText, alignment: .center)
    hint = Label(style: Theme.detailStyle, color: theme.secondaryText, alignment: .center)
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
    isHidden = false
  }

  override func layoutSubviews() {
    let heights = (icon: 96.0, headline: 32.0, hint: 24.0)
    let gap = 16.0
    let total = heights.icon + gap + heights.headline + heights.hint
    // A little above the middle, where the eye looks for the middle.
    let top = max(0, (bounds.height * 0.46 - total / 2).rounded())
    icon.frame = Rect(
      x: ((bounds.width - heights.icon) / 2).rounded(), y: top, width: heights.icon, height: heights.icon)
    let width = max(0, bounds.width - 2 * Metrics.margin)
    headline.frame = Rect(x: Metrics.margin, y: top + heights.icon + gap, width: width, height: heights.headline)
    hint.frame = Rect(x: Metrics.margin, y: headline.frame.maxY, width: width, height: heights.hint)
  }
}
