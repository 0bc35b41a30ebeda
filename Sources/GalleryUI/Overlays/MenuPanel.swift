import VitrineGeometry
import VitrineRendering
import VitrineViews

/// The background and the rows of a menu.
final class MenuPanel: PanelView {
  private static let defaultRowHeight = 28.0
  private static let minimumRowHeight = 20.0
  private static let padding = 6.0
  private static let groupGap = 9.0

  private let entries: [MenuEntry]
  private let rows: [MenuRow]
  private var rowHeight = MenuPanel.defaultRowHeight
  /// The scroll offset, if the rows do not fit.
  private var offset = 0.0
  /// The maximum scroll offset.
  private var maximumOffset = 0.0

  init(_ entries: [MenuEntry], theme: Theme) {
    self.entries = entries
    rows = entries.map { MenuRow($0, theme: theme) }
    super.init(theme: theme, cornerRadius: Metrics.cornerRadius)
    isUserInteractionEnabled = false
    for row in rows { addSubview(row) }
  }

  /// Highlights an entry, and scrolls it into view.
  func highlight(_ current: Int?) {
    for (index, row) in rows.enumerated() { row.isHighlighted = index == current }
    guard let current, maximumOffset > 0 else { return }
    let frame = rows[current].frame
    if frame.minY < MenuPanel.padding { scroll(by: frame.minY - MenuPanel.padding) }
    if frame.maxY > bounds.height - MenuPanel.padding { scroll(by: frame.maxY - bounds.height + MenuPanel.padding) }
  }

  /// Scrolls the rows by the given distance in points, up to the ends.
  func scroll(by distance: Double) {
    let next = max(0, min(maximumOffset, offset + distance))
    guard next != offset else { return }
    offset = next
    layoutSubviews()
    setNeedsDisplay()
  }

  /// The height of a row, in points.
  var rowStep: Double { rowHeight }

  /// Returns the index of the entry at a point in the panel's coordinates, or nil if there is none.
  func entry(at point: Point) -> Int? { rows.firstIndex { !$0.isHidden && $0.frame.contains(point) } }

  /// Returns the center of an entry, in the panel's coordinates.
  func center(of entry: Int) -> Point { Point(x: rows[entry].frame.midX, y: rows[entry].frame.midY) }

  /// Sets the frame next to a point if there is space, and within an area in any case.
  func updateFrame(at point: Point, within area: Rect, _ resources: RenderResources) {
    let groups = Double(entries.count { $0.beginsGroup })
    let fixedHeight = 2 * MenuPanel.padding + groups * MenuPanel.groupGap
    let availableHeight = (area.height - fixedHeight) / Double(max(1, rows.count))
    rowHeight = min(MenuPanel.defaultRowHeight, max(MenuPanel.minimumRowHeight, availableHeight.rounded(.down)))
    let preferredWidth = rows.map { $0.preferredWidth(in: resources) }.max() ?? 0
    let height = Double(rows.count) * rowHeight + fixedHeight
    // Half a point does not justify scrolling.
    maximumOffset = height > area.height + 0.5 ? height - area.height : 0
    offset = min(offset, maximumOffset)
    let size = Size(width: min(preferredWidth.rounded(.up), area.width), height: height - maximumOffset)
    let x = point.x + size.width <= area.maxX ? point.x : point.x - size.width
    let y = point.y + size.height <= area.maxY ? point.y : point.y - size.height
    let corner = Point(
      x: min(max(area.minX, x), max(area.minX, area.maxX - size.width)),
      y: min(max(area.minY, y), max(area.minY, area.maxY - size.height)))
    frame = Rect(origin: Point(x: resources.scale.snapped(corner.x), y: resources.scale.snapped(corner.y)), size: size)
  }

  override func layoutSubviews() {
    var y = MenuPanel.padding - offset
    for (entry, row) in zip(entries, rows) {
      if entry.beginsGroup { y += MenuPanel.groupGap }
      row.frame = Rect(x: 0, y: y, width: bounds.width, height: rowHeight)
      // Rows that are cut off are hidden.
      row.isHidden = maximumOffset > 0 && (y < 0 || y + rowHeight > bounds.height)
      y += rowHeight
    }
  }

  override func draw(in context: DrawContext) {
    super.draw(in: context)
    let line = 1 / context.scale.pixelsPerPoint
    for (entry, row) in zip(entries, rows) where entry.beginsGroup && !row.isHidden && row.frame.minY > 0 {
      let y = context.scale.snapped(row.frame.minY - MenuPanel.groupGap / 2)
      context.fill(Rect(x: line, y: y, width: bounds.width - 2 * line, height: line), theme.panelEdge)
    }
  }
}

/// A row of a menu.
private final class MenuRow: View, ThemedView {
  /// Whether the row is highlighted.
  var isHighlighted = false {
    didSet { if isHighlighted != oldValue { setNeedsDisplay() } }
  }
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let entry: MenuEntry
  private let titleLabel: Label
  private let shortcutLabel: Label

  /// The insets of the text.
  ///
  /// The leading one includes space for a mark.
  private static let inset = (leading: 32.0, trailing: 16.0)
  private static let gap = 32.0
  private static let markRadius = 3.5

  init(_ entry: MenuEntry, theme: Theme) {
    self.entry = entry
    self.theme = theme
    titleLabel = Label(style: Theme.rowStyle, color: .white)
    shortcutLabel = Label(style: Theme.rowStyle, color: .white, alignment: .trailing)
    super.init()
    isUserInteractionEnabled = false
    titleLabel.text = entry.title
    shortcutLabel.text = entry.shortcut
    addSubview(titleLabel)
    addSubview(shortcutLabel)
    themeDidChange()
  }

  private func themeDidChange() {
    titleLabel.textColor = entry.isEnabled ? theme.primaryText : theme.tertiaryText
    shortcutLabel.textColor = entry.isEnabled ? theme.secondaryText : theme.tertiaryText
    setNeedsDisplay()
  }

  /// Returns the width that the text needs, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    let shortcutWidth = entry.shortcut.isEmpty ? 0 : MenuRow.gap + shortcutLabel.measuredWidth(in: resources)
    return MenuRow.inset.leading + titleLabel.measuredWidth(in: resources) + shortcutWidth + MenuRow.inset.trailing + 2
  }

  override func layoutSubviews() {
    let inset = MenuRow.inset
    let width = max(0, bounds.width - inset.leading - inset.trailing)
    let shortcutWidth = window.map { min(width, shortcutLabel.measuredWidth(in: $0.resources) + 1) } ?? 0
    shortcutLabel.frame = Rect(
      x: bounds.width - inset.trailing - shortcutWidth, y: 0, width: shortcutWidth, height: bounds.height)
    titleLabel.frame = Rect(x: inset.leading, y: 0, width: max(0, width - shortcutWidth), height: bounds.height)
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
