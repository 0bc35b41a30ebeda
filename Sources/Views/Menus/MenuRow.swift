import VitrineGeometry
import VitrineRendering

/// A row of a menu: a mark, an image, a title, and a shortcut or the chevron of a submenu.
final class MenuRow: View {
  /// Whether the row is highlighted.
  var isHighlighted = false {
    didSet { if isHighlighted != oldValue { setNeedsDisplay() } }
  }
  /// The colors.
  var colors: MenuColors {
    didSet { colorsDidChange() }
  }
  private let entry: MenuEntry
  private let titleLabel: Label
  private let shortcutLabel: Label
  private var imageView: ImageView?
  /// The distance of the title from the leading edge, which includes space for a mark and an image, in points.
  private let leadingInset: Double
  private let columns: Columns

  /// What the rows of a menu have in front of their titles.
  nonisolated struct Columns: Hashable, Sendable {
    /// Whether there are check marks.
    let hasMarks: Bool
    /// Whether there are images.
    let hasImages: Bool

    /// The distance of images from the leading edge, in points.
    var imageInset: Double { hasMarks ? 30 : 14 }
    /// The distance of titles from the leading edge, in points.
    var titleInset: Double { hasImages ? imageInset + MenuRow.imageSize + 10 : hasMarks ? 32 : 16 }
  }

  private static let style = TextStyle(size: 13)
  private static let markWidth = 32.0
  private static let trailingInset = 16.0
  private static let gap = 32.0
  private nonisolated static let imageSize = 16.0

  init(_ entry: MenuEntry, columns: Columns, colors: MenuColors) {
    (self.entry, self.columns) = (entry, columns)
    self.colors = colors
    titleLabel = Label(style: MenuRow.style, color: .white)
    shortcutLabel = Label(style: MenuRow.style, color: .white, alignment: .trailing)
    leadingInset = columns.titleInset
    super.init()
    isUserInteractionEnabled = false
    titleLabel.text = entry.title
    shortcutLabel.text = entry.action?.shortcut ?? ""
    addSubview(titleLabel)
    addSubview(shortcutLabel)
    if case .bitmap(let bitmap) = entry.image {
      let view = ImageView()
      view.image = bitmap
      view.isUserInteractionEnabled = false
      if !entry.isEnabled { view.imageOpacity = 0.5 }
      addSubview(view)
      imageView = view
    }
    colorsDidChange()
  }

  private var titleColor: Color {
    guard entry.isEnabled else { return colors.disabledLabel }
    return entry.action?.attributes.contains(.destructive) == true ? colors.destructive : colors.label
  }

  private func colorsDidChange() {
    titleLabel.textColor = titleColor
    shortcutLabel.textColor = entry.isEnabled ? colors.secondaryLabel : colors.disabledLabel
    setNeedsDisplay()
  }

  /// Returns the width that the text needs, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    var width = leadingInset + titleLabel.measuredWidth(in: resources) + MenuRow.trailingInset + 2
    if !shortcutLabel.text.isEmpty { width += MenuRow.gap + shortcutLabel.measuredWidth(in: resources) }
    if entry.submenu != nil { width += MenuRow.gap }
    return width
  }

  /// The accessibility element of the entry.
  var element: AccessibilityElement {
    var element = AccessibilityElement(role: .menuItem, label: entry.title, frame: frameInWindow)
    element.value = entry.submenu != nil ? "submenu" : entry.action?.shortcut ?? ""
    element.isEnabled = entry.isEnabled
    element.isSelected = entry.action?.state == .on
    element.isFocused = isHighlighted
    return element
  }

  override func layoutSubviews() {
    let width = max(0, bounds.width - leadingInset - MenuRow.trailingInset)
    let shortcutWidth = window.map { min(width, shortcutLabel.measuredWidth(in: $0.resources) + 1) } ?? 0
    shortcutLabel.frame = Rect(
      x: bounds.width - MenuRow.trailingInset - shortcutWidth, y: 0, width: shortcutWidth, height: bounds.height)
    titleLabel.frame = Rect(x: leadingInset, y: 0, width: max(0, width - shortcutWidth), height: bounds.height)
    imageView?.frame = imageFrame
  }

  private var imageFrame: Rect {
    Rect(
      x: columns.imageInset, y: ((bounds.height - MenuRow.imageSize) / 2).rounded(), width: MenuRow.imageSize,
      height: MenuRow.imageSize)
  }

  override func draw(in context: DrawContext) {
    if isHighlighted {
      let area = Rect(x: 4, y: 0, width: max(0, bounds.width - 8), height: bounds.height)
      context.fillRounded(area, radius: 4, colors.highlight)
    }
    let style = StrokeStyle(lineWidth: 1.75, lineCap: .round, lineJoin: .round)
    if case .glyph(let path) = entry.image {
      context.translated(by: imageFrame.origin) {
        $0.stroke(path, titleColor, style: StrokeStyle(lineWidth: 1.5, lineCap: .round, lineJoin: .round))
      }
    }
    let y = bounds.midY
    if entry.action?.state == .on {
      let x = MenuRow.markWidth / 2 + 1
      let mark = [Point(x: x - 5, y: y + 0.5), Point(x: x - 1.5, y: y + 4), Point(x: x + 5.5, y: y - 4.5)]
      context.stroke(Path(lines: mark), entry.isEnabled ? colors.tint : colors.disabledLabel, style: style)
    }
    if entry.submenu != nil {
      let x = bounds.width - MenuRow.trailingInset + 1
      let chevron = [Point(x: x - 4, y: y - 4), Point(x: x, y: y), Point(x: x - 4, y: y + 4)]
      context.stroke(Path(lines: chevron), colors.secondaryLabel, style: style)
    }
  }
}
