import Geometry
import Rendering
import Views

/// The bar above the photographs with the title, the number of photographs and the current activity.
final class TitleBar: View, ThemedView {
  private static let minimumLabelWidth = 24.0
  private let titleLabel: Label
  private let countLabel: Label
  private let statusLabel: Label
  var theme: Theme {
    didSet { themeDidChange() }
  }
  /// The progress of the current activity, 0 to 1, or nil if there is none or it is unknown.
  var progress: Double? {
    didSet { if progress != oldValue { setNeedsDisplay() } }
  }
  /// A closure that measures the width of a label.
  ///
  /// Set by the screen.
  var measure: (Label) -> Double = { _ in 0 }

  init(theme: Theme) {
    self.theme = theme
    titleLabel = Label(style: Theme.titleStyle, color: .white)
    countLabel = Label(style: Theme.detailStyle, color: .white)
    statusLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
    super.init()
    titleLabel.lineBreakMode = .byTruncatingMiddle
    addSubview(titleLabel)
    addSubview(countLabel)
    addSubview(statusLabel)
    themeDidChange()
  }

  private func themeDidChange() {
    backgroundColor = theme.bar
    titleLabel.textColor = theme.primaryText
    countLabel.textColor = theme.secondaryText
    statusLabel.textColor = theme.secondaryText
    setNeedsDisplay()
  }

  /// Sets the three texts.
  func show(title: String, count: String, status: String) {
    guard title != self.titleLabel.text || count != self.countLabel.text || status != self.statusLabel.text else {
      return
    }
    self.titleLabel.text = title
    self.countLabel.text = count
    self.statusLabel.text = status
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let inner = max(0, bounds.width - 2 * Metrics.margin)
    let preferred = (title: measure(titleLabel), count: measure(countLabel), status: measure(statusLabel))
    let statusWidth = min(preferred.status, inner * 0.5)
    // If not both fit, the title gets at least two fifths, and the count what a short title leaves.
    let available = max(0, inner - statusWidth - 32)
    let countWidth = min(preferred.count, max(available * 0.6, available - preferred.title))
    let titleWidth = min(preferred.title, max(0, available - countWidth))
    let x = Metrics.margin
    layoutLabel(titleLabel, x: x, width: titleWidth, of: preferred.title)
    layoutLabel(countLabel, x: x + titleWidth + 12, width: countWidth, of: preferred.count)
    layoutLabel(statusLabel, x: x + inner - statusWidth - 1, width: statusWidth, of: preferred.status)
  }

  /// Lays out a label, or hides it if not even the beginning of its text would be readable.
  private func layoutLabel(_ label: Label, x: Double, width: Double, of preferred: Double) {
    label.isHidden = width < min(preferred, TitleBar.minimumLabelWidth)
    label.frame = Rect(x: x, y: 0, width: width + 1, height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: 0, y: bounds.height - hairline, width: bounds.width, height: hairline), theme.separator)
    if let progress {
      let width = bounds.width * max(0, min(1, progress))
      context.fill(Rect(x: 0, y: bounds.height - 2, width: width, height: 2), theme.accent)
    }
  }
}

/// A view that is shown instead of the grid if the library is empty.
final class EmptyView: View, ThemedView {
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let icon: IconView
  private let headline: Paragraph
  private let hint: Paragraph
  private static let maximumIconSide = 96.0
  /// A smaller icon is hidden.
  private static let minimumIconSide = 32.0

  init(theme: Theme) {
    self.theme = theme
    icon = IconView(icon: SharedIcon(isBroken: false), tint: .white)
    headline = Paragraph(style: Theme.headlineStyle, color: .white, lineHeight: 28, numberOfLines: 2)
    hint = Paragraph(style: Theme.detailStyle, color: .white, lineHeight: 20, numberOfLines: 4)
    super.init()
    isUserInteractionEnabled = false
    addSubview(icon)
    addSubview(headline)
    addSubview(hint)
    themeDidChange()
  }

  private func themeDidChange() {
    icon.tint = theme.tertiaryText
    headline.textColor = theme.primaryText
    hint.textColor = theme.secondaryText
  }

  /// Sets the headline and the hint, and shows the view.
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
    // In a low window the texts have precedence over the icon.
    let availableHeight = bounds.height - 2 * Metrics.margin - texts - gaps.icon
    let side = min(EmptyView.maximumIconSide, (availableHeight / 4).rounded(.down) * 4)
    icon.isHidden = side < EmptyView.minimumIconSide
    let above = icon.isHidden ? 0 : side + gaps.icon
    // Slightly above the middle, which looks centered.
    let top = max(0, (bounds.height * 0.46 - (above + texts) / 2).rounded())
    icon.frame = Rect(x: ((bounds.width - side) / 2).rounded(), y: top, width: max(0, side), height: max(0, side))
    headline.frame.origin = Point(x: Metrics.margin, y: top + above)
    hint.frame.origin = Point(x: Metrics.margin, y: headline.frame.maxY + gaps.headline)
  }
}
