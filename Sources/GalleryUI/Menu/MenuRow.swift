import Geometry
import Rendering
import Views

/// A line of a menu on the screen.
final class MenuRow: View {
  /// Whether it is lit up.
  var isLit = false {
    didSet { if isLit != oldValue { setNeedsDisplay() } }
  }
  private let theme: Theme
  private let entry: MenuEntry
  private let title: Label
  private let keys: Label

  /// From the menu's edges to the words, with room for a mark.
  private static let inset = (leading: 32.0, trailing: 16.0)
  private static let gap = 32.0
  private static let markRadius = 3.5

  init(_ entry: MenuEntry, theme: Theme) {
    self.entry = entry
    self.theme = theme
    title = Label(style: Theme.rowStyle, color: entry.isEnabled ? theme.primaryText : theme.tertiaryText)
    keys = Label(
      style: Theme.rowStyle, color: entry.isEnabled ? theme.secondaryText : theme.tertiaryText, alignment: .trailing)
    super.init()
    isInteractive = false
    title.text = entry.title
    keys.text = entry.keys
    addSubview(title)
    addSubview(keys)
  }

  /// The width that its words need, in points.
  func wantedWidth(in resources: RenderResources) -> Double {
    let keysWidth = entry.keys.isEmpty ? 0 : MenuRow.gap + keys.measuredWidth(in: resources)
    return MenuRow.inset.leading + title.measuredWidth(in: resources) + keysWidth + MenuRow.inset.trailing + 2
  }

  override func layoutSubviews() {
    let inset = MenuRow.inset
    let width = max(0, bounds.width - inset.leading - inset.trailing)
    let keysWidth = window.map { min(width, keys.measuredWidth(in: $0.resources) + 1) } ?? 0
    keys.frame = Rect(x: bounds.width - inset.trailing - keysWidth, y: 0, width: keysWidth, height: bounds.height)
    title.frame = Rect(x: inset.leading, y: 0, width: max(0, width - keysWidth), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    if isLit {
      let area = Rect(x: 4, y: 0, width: max(0, bounds.width - 8), height: bounds.height)
      context.fillRounded(area, radius: Metrics.smallCornerRadius, theme.panelHighlight)
    }
    guard entry.mark != .none else { return }
    let center = Point(x: MenuRow.inset.leading / 2 + 1, y: bounds.height / 2)
    func disc(_ radius: Double, _ color: Color) {
      context.fillRounded(
        Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius), radius: radius, color)
    }
    let radius = MenuRow.markRadius
    if entry.mark == .on { disc(radius, theme.accent) }
  }
}
