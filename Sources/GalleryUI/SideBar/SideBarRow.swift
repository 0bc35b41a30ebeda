import CollectionUI
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A row of the side bar: an icon, a title and a number.
final class SideBarRow: PressableCell {
  /// The height of a row, in points.
  nonisolated static let height = 32.0
  private static let inset = 8.0
  private static let iconSide = 18.0

  private let iconView = IconView(icon: SharedIcon(.folder), tint: Theme.dark.secondaryText)
  private let titleLabel = Label(style: Theme.rowStyle, color: Theme.dark.primaryText)
  private let countLabel = Label(style: Theme.detailStyle, color: Theme.dark.secondaryText, alignment: .trailing)
  private var theme = Theme.dark
  private var isOn = false

  required init() {
    super.init()
    titleLabel.lineBreakMode = .byTruncatingMiddle
    addSubview(iconView)
    addSubview(titleLabel)
    addSubview(countLabel)
  }

  /// Shows a row.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - icon: The icon, or nil for an indented title.
  ///   - count: The number of photographs, or nil.
  ///   - isOn: Whether what the row stands for is shown.
  ///   - theme: The colors.
  ///   - onPress: The action of a click.
  func show(
    title: String, icon: SharedIcon?, count: Int?, isOn: Bool, theme: Theme, onPress: @escaping () -> Void
  ) {
    self.theme = theme
    self.isOn = isOn
    self.onPress = onPress
    titleLabel.text = title
    countLabel.text = count.map(CountFormat.number) ?? ""
    iconView.isHidden = icon == nil
    if let icon { iconView.icon = icon }
    titleLabel.textColor = theme.primaryText
    countLabel.textColor = isOn ? theme.primaryText : theme.secondaryText
    iconView.tint = isOn ? theme.accent : theme.secondaryText
    setNeedsLayout()
  }

  override func updateConfiguration(using state: CellConfigurationState) { setNeedsDisplay() }

  override func layoutSubviews() {
    let side = SideBarRow.iconSide
    iconView.frame = Rect(x: SideBarRow.inset, y: ((bounds.height - side) / 2).rounded(), width: side, height: side)
    let start = SideBarRow.inset + side + 8
    let countWidth = window.map { min(80, countLabel.measuredWidth(in: $0.resources) + 1) } ?? 0
    countLabel.frame = Rect(
      x: bounds.width - SideBarRow.inset - countWidth, y: 0, width: countWidth, height: bounds.height)
    titleLabel.frame = Rect(x: start, y: 0, width: max(0, countLabel.frame.minX - 8 - start), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    let row = Rect(x: 0, y: 1, width: bounds.width, height: bounds.height - 2)
    let radius = Metrics.smallCornerRadius + 2
    if configurationState.isFocused, window?.firstResponder === superview {
      FocusRing.draw(around: row, radius: radius, theme, in: context)
    }
    if isOn { context.fillRounded(row, radius: radius, theme.chosenOverlay) }
    if configurationState.isHovered { context.fillRounded(row, radius: radius, theme.hoverOverlay) }
  }

  override var accessibilityLabel: String { titleLabel.text }
  override var accessibilityValue: String { countLabel.text }
}

/// The title of a section of the side bar.
final class SideBarHeader: CollectionReusableView {
  /// The height of a title, in points.
  nonisolated static let height = 36.0
  private let label = Label(style: Theme.keyStyle, color: Theme.dark.secondaryText)

  required init() {
    super.init()
    addSubview(label)
  }

  /// Shows a title.
  func show(_ title: String, theme: Theme) {
    (label.text, label.textColor) = (title, theme.secondaryText)
  }

  override func layoutSubviews() {
    label.frame = Rect(x: 8, y: 8, width: max(0, bounds.width - 16), height: bounds.height - 8)
  }
}
