import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The bar above the photographs with the title, the number of photographs and the current activity.
final class TitleBar: View, ThemedView {
  private static let minimumLabelWidth = 24.0
  private static let narrowWidth = 300.0
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
  /// The insets of the texts from the edges, in points.
  var insets = (leading: Metrics.margin, trailing: Metrics.margin) {
    didSet { if insets != oldValue { setNeedsLayout() } }
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
    let inner = max(0, bounds.width - insets.leading - insets.trailing)
    let preferred = (title: measure(titleLabel), count: measure(countLabel), status: measure(statusLabel))
    // In a narrow bar the title comes first. Otherwise, if not all fit, it gets at least two fifths of what the status
    // leaves, and the count what a short title leaves.
    let isNarrow = inner < TitleBar.narrowWidth
    let statusWidth = min(
      preferred.status, isNarrow ? max(0, inner - min(preferred.title, inner * 0.6) - 16) : inner * 0.5)
    let available = max(0, inner - statusWidth - 32)
    let countWidth = min(preferred.count, max(isNarrow ? 0 : available * 0.6, available - preferred.title))
    let titleWidth = min(preferred.title, max(0, available - countWidth))
    let x = insets.leading
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
