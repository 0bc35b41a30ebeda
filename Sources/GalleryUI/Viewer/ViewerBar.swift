import Geometry
import Rendering
import Views

/// What a picture is called, which of how many it is, and its extent, over the picture's lower edge.
final class ViewerBar: View {
  private let name: Label
  private let facts: Label
  private let theme: Theme
  /// How much of it is seen.
  var opacity = 1.0 {
    didSet {
      name.color = theme.primaryText.opacity(opacity)
      facts.color = theme.secondaryText.opacity(opacity)
      backgroundColor = theme.viewerBar.opacity(opacity)
    }
  }

  init(theme: Theme) {
    self.theme = theme
    name = Label(style: Theme.titleStyle, color: theme.primaryText)
    facts = Label(style: Theme.detailStyle, color: theme.secondaryText, alignment: .trailing)
    super.init()
    isInteractive = false
    name.truncation = .middle
    backgroundColor = theme.viewerBar
    addSubview(name)
    addSubview(facts)
  }

  /// Writes both texts.
  func show(name: String, facts: String) {
    guard name != self.name.text || facts != self.facts.text else { return }
    self.name.text = name
    self.facts.text = facts
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let inner = max(0, bounds.width - 2 * Metrics.margin)
    let wanted = window.map { facts.measuredWidth(in: $0.resources) + 1 } ?? 0
    // In a narrow window the name matters more.
    let factsWidth = wanted <= inner * 0.6 ? wanted : 0
    facts.isHidden = factsWidth == 0
    facts.frame = Rect(x: bounds.width - Metrics.margin - factsWidth, y: 0, width: factsWidth, height: bounds.height)
    name.frame = Rect(
      x: Metrics.margin, y: 0, width: max(0, inner - factsWidth - (factsWidth > 0 ? 16 : 0)), height: bounds.height)
  }
}
