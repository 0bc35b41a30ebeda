import Geometry
import Rendering
import Views

/// A line of a menu on the screen.
final class MenuRow: View {
  /// Whether it is lit up.
  var isHighlighted = false {
    didSet { if isHighlighted != oldValue { setNeedsDisplay() } }
  }
  private let theme: Theme
  private let entry: MenuEntry
  private let titleLabel: Label
  private let keysLabel: Label

  /// From the menu's edges to the words, with room for a mark.
  private static let inset = (leading: 32.0, trailing: 16.0)
  private static let gap = 32.0
  private static let markRadius = 3.5

  init(_ entry: MenuEntry, theme: Theme) {
    self.entry = entry
    self.theme = theme
    titleLabel = Label(style: Theme.rowStyle, color: entry.isEnabled ? theme.primaryText : theme.tertiaryText)
    keysLabel = Label(
      style: Theme.rowStyle, color: entry.isEnabled ? theme.secondaryText : theme.tertiaryText, alignment: .trailing)
    super.init()
    isInteractive = false
    titleLabel.text = entry.title
    keysLabel.text = entry.keys
    addSubview(titleLabel)
    addSubview(keysLabel)
  }

  /// The width that its words need, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    let keysWidth = entry.keys.isEmpty ? 0 : MenuRow.gap + keysLabel.measuredWidth(in: resources)
    return MenuRow.inset.leading + titleLabel.measuredWidth(in: resources) + keysWidth + MenuRow.inset.trailing + 2
  }

  override func layoutSubviews() {
    let inset = MenuRow.inset
    let width = max(0, bounds.width - inset.leading - inset.trailing)
    let keysWidth = window.map { min(width, keysLabel.measuredWidth(in: $0.resources) + 1) } ?? 0
    keysLabel.frame = Rect(x: bounds.width - inset.trailing - keysWidth, y: 0, width: keysWidth, height: bounds.height)
    titleLabel.frame = Rect(x: inset.leading, y: 0, width: max(0, width - keysWidth), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    if isHighlighted {
      let area = Rect(x: 4, y: 0, width: max(0, bounds.width - 8), height: bounds.height)
      context.fillRounded(area, radius: Metrics.smallCornerRadius, theme.panelHighlight)
    }
    guard entry.state != .none else { return }
    let center = Point(x: MenuRow.inset.leading / 2 + 1, y: bounds.height / 2)
    func disc(_ radius: Double, _ color: Color) {
      context.fillRounded(
        Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius), radius: radius, color)
    }
    let radius = MenuRow.markRadius
    if entry.state == .on { disc(radius, theme.accent) }
  }
}
