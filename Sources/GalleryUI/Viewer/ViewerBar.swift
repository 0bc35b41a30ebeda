import Geometry
import Rendering
import Views

/// What a picture is called, which of how many it is, and its extent, over the picture's lower edge.
final class ViewerBar: View {
  private let nameLabel: Label
  private let detailsLabel: Label
  private let theme: Theme
  /// How much of it is seen.
  var opacity = 1.0 {
    didSet {
      nameLabel.color = theme.primaryText.opacity(opacity)
      detailsLabel.color = theme.secondaryText.opacity(opacity)
      backgroundColor = theme.viewerBar.opacity(opacity)
    }
  }

  init(theme: Theme) {
    self.theme = theme
    nameLabel = Label(style: Theme.titleStyle, color: theme.primaryText)
    detailsLabel = Label(style: Theme.detailStyle, color: theme.secondaryText, alignment: .trailing)
    super.init()
    isInteractive = false
    nameLabel.truncation = .middle
    backgroundColor = theme.viewerBar
    addSubview(nameLabel)
    addSubview(detailsLabel)
  }

  /// Writes both texts.
  func show(name: String, details: String) {
    guard name != self.nameLabel.text || details != self.detailsLabel.text else { return }
    self.nameLabel.text = name
    self.detailsLabel.text = details
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let inner = max(0, bounds.width - 2 * Metrics.margin)
    let wanted = window.map { detailsLabel.measuredWidth(in: $0.resources) + 1 } ?? 0
    // In a narrow window the name matters more.
    let factsWidth = wanted <= inner * 0.6 ? wanted : 0
    detailsLabel.isHidden = factsWidth == 0
    detailsLabel.frame = Rect(
      x: bounds.width - Metrics.margin - factsWidth, y: 0, width: factsWidth, height: bounds.height)
    nameLabel.frame = Rect(
      x: Metrics.margin, y: 0, width: max(0, inner - factsWidth - (factsWidth > 0 ? 16 : 0)), height: bounds.height)
  }
}
