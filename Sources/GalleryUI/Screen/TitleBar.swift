import Geometry
import Rendering
import Views

/// The bar above the photographs: what is shown, how many, and what is still going on.
final class TitleBar: View {
  private static let minimumLabelWidth = 24.0
  private let titleLabel: Label
  private let countLabel: Label
  private let statusLabel: Label
  private let theme: Theme
  /// How far the work in the bar's status has come, 0 to 1; nothing where no work goes on or nobody knows.
  var progress: Double? {
    didSet { if progress != oldValue { setNeedsDisplay() } }
  }
  /// Called with each label that must be measured; set by the screen.
  var measure: (Label) -> Double = { _ in 0 }

  init(theme: Theme) {
    self.theme = theme
    titleLabel = Label(style: Theme.titleStyle, color: theme.primaryText)
    countLabel = Label(style: Theme.detailStyle, color: theme.secondaryText)
    statusLabel = Label(style: Theme.detailStyle, color: theme.secondaryText, alignment: .trailing)
    super.init()
    titleLabel.truncation = .middle
    backgroundColor = theme.bar
    addSubview(titleLabel)
    addSubview(countLabel)
    addSubview(statusLabel)
  }

  /// Writes the bar's three texts.
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
    let wanted = (title: measure(titleLabel), count: measure(countLabel), status: measure(statusLabel))
    let statusWidth = min(wanted.status, inner * 0.5)
    // Where both do not fit, the title keeps two fifths at least, and the count takes what a short title leaves.
    let room = max(0, inner - statusWidth - 32)
    let countWidth = min(wanted.count, max(room * 0.6, room - wanted.title))
    let titleWidth = min(wanted.title, max(0, room - countWidth))
    let x = Metrics.margin
    layoutLabel(titleLabel, x: x, width: titleWidth, of: wanted.title)
    layoutLabel(countLabel, x: x + titleWidth + 12, width: countWidth, of: wanted.count)
    layoutLabel(statusLabel, x: x + inner - statusWidth - 1, width: statusWidth, of: wanted.status)
  }

  /// Places a label, or leaves it out where not even the beginning of its text would be read.
  private func layoutLabel(_ label: Label, x: Double, width: Double, of wanted: Double) {
    label.isHidden = width < min(wanted, TitleBar.minimumLabelWidth)
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
