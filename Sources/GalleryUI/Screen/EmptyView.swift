import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view that is shown instead of the grid if there are no photographs: an icon, the reason, and a button for what can be
/// done.
final class EmptyView: View, ThemedView {
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let icon: IconView
  private let headline: Paragraph
  private let hint: Paragraph
  /// The button, whose title is what can be done.
  let button: BarButton
  /// The title of the button, or nil if nothing can be done.
  private var title: String?
  private static let maximumIconSide = 96.0
  /// A smaller icon is hidden.
  private static let minimumIconSide = 32.0

  init(theme: Theme) {
    self.theme = theme
    icon = IconView(icon: SharedIcon(isBroken: false), tint: .white)
    headline = Paragraph(style: Theme.headlineStyle, color: .white, lineHeight: 28, numberOfLines: 2)
    hint = Paragraph(style: Theme.detailStyle, color: .white, lineHeight: 20, numberOfLines: 4)
    button = BarButton(title: " ", toolTip: "", theme: theme)
    super.init()
    isUserInteractionEnabled = false
    addSubview(icon)
    addSubview(headline)
    addSubview(hint)
    addSubview(button)
    button.isOn = true
    themeDidChange()
  }

  private func themeDidChange() {
    icon.tint = theme.tertiaryText
    headline.textColor = theme.primaryText
    hint.textColor = theme.secondaryText
  }

  /// Sets the texts, and shows the view.
  ///
  /// - Parameters:
  ///   - headline: The reason.
  ///   - hint: What is shown here.
  ///   - action: The title of the button, or nil for none.
  func show(headline: String, hint: String, action: String?) {
    guard isHidden || headline != self.headline.text || hint != self.hint.text || action != title else { return }
    title = action
    self.headline.text = headline
    self.hint.text = hint
    button.title = action ?? " "
    isHidden = false
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let width = max(0, bounds.width - 2 * Metrics.margin)
    headline.sizeToFit(width: width)
    hint.sizeToFit(width: width)
    let gaps = (icon: 16.0, headline: 4.0)
    let texts = headline.frame.height + gaps.headline + hint.frame.height
    let buttonGap = 20.0
    button.isHidden =
      title == nil || bounds.height < texts + buttonGap + BarButton.height + 2 * Metrics.margin
    let below = button.isHidden ? 0 : buttonGap + BarButton.height
    // In a low window the texts have precedence over the icon.
    let availableHeight = bounds.height - 2 * Metrics.margin - texts - below - gaps.icon
    let side = min(EmptyView.maximumIconSide, (availableHeight / 4).rounded(.down) * 4)
    icon.isHidden = side < EmptyView.minimumIconSide
    let above = icon.isHidden ? 0 : side + gaps.icon
    // Slightly above the middle, which looks centered.
    let top = max(0, (bounds.height * 0.46 - (above + texts + below) / 2).rounded())
    icon.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: max(0, side), height: max(0, side))
    headline.frame.origin = Point(x: Metrics.margin, y: top + above)
    hint.frame.origin = Point(x: Metrics.margin, y: headline.frame.maxY + gaps.headline)
    let buttonWidth = window.map { min(width, button.preferredWidth(in: $0.resources) + 16) } ?? 0
    button.frame = Rect(
      x: ((bounds.width - buttonWidth) / 2).rounded(), y: hint.frame.maxY + buttonGap, width: buttonWidth,
      height: BarButton.height)
  }
}
