import VitrineGeometry
package import VitrineRendering

/// The background and the rows of a menu or submenu.
final class MenuPanel: View {
  private static let defaultRowHeight = 28.0
  private static let minimumRowHeight = 20.0
  /// The space above the first row and below the last one, in points.
  static let padding = 6.0
  private static let groupGap = 9.0
  private static let cornerRadius = 8.0

  private let entries: [MenuEntry]
  private let rows: [MenuRow]
  private var rowHeight = MenuPanel.defaultRowHeight
  /// The scroll offset, if the rows do not fit.
  private var offset = 0.0
  /// The maximum scroll offset.
  private var maximumOffset = 0.0

  /// The colors.
  var colors: MenuColors {
    didSet {
      guard colors != oldValue else { return }
      for row in rows { row.colors = colors }
      setNeedsDisplay()
    }
  }

  init(_ entries: [MenuEntry], colors: MenuColors) {
    self.entries = entries
    self.colors = colors
    let columns = MenuRow.Columns(
      hasMarks: entries.contains { $0.action?.state == .on }, hasImages: entries.contains { $0.image != nil })
    rows = entries.map { MenuRow($0, columns: columns, colors: colors) }
    super.init()
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

  /// Returns the frame of an entry, in the panel's coordinates.
  func rowFrame(of entry: Int) -> Rect { rows[entry].frame }

  /// Returns the accessibility element of an entry.
  func accessibilityElement(of entry: Int) -> AccessibilityElement { rows[entry].element }

  /// Sets the frame next to a point if there is space, and within an area in any case.
  ///
  /// - Parameters:
  ///   - point: The top left corner.
  ///   - edge: The right edge if there is no space to the right of the point; by default the point's.
  ///   - area: The area.
  func updateFrame(at point: Point, flippedTo edge: Double? = nil, within area: Rect, _ resources: RenderResources) {
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
    let x = point.x + size.width <= area.maxX ? point.x : (edge ?? point.x) - size.width
    // A submenu remains beside its entry.
    let flippedY = edge == nil ? point.y - size.height : area.maxY - size.height
    let y = point.y + size.height <= area.maxY ? point.y : flippedY
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
    let radius = MenuPanel.cornerRadius
    context.drawShadow(of: bounds, radius: radius, extent: 18, verticalOffset: 5, Color(hex: 0x000000, alpha: 72))
    context.fillRounded(bounds, radius: radius, colors.border)
    let line = 1 / context.scale.pixelsPerPoint
    context.fillRounded(bounds.inset(by: Insets(uniform: line)), radius: radius - line, colors.background)
    for (entry, row) in zip(entries, rows) where entry.beginsGroup && !row.isHidden && row.frame.minY > 0 {
      let y = context.scale.snapped(row.frame.minY - MenuPanel.groupGap / 2)
      context.fill(Rect(x: line, y: y, width: bounds.width - 2 * line, height: line), colors.border)
    }
  }
}

/// The colors of a menu.
package nonisolated struct MenuColors: Hashable, Sendable {
  /// The background.
  package var background: Color
  /// The border and the separators.
  package var border: Color
  /// The background of the highlighted entry.
  package var highlight: Color
  /// Titles and images.
  package var label: Color
  /// Shortcuts and chevrons.
  package var secondaryLabel: Color
  /// Entries that cannot be chosen.
  package var disabledLabel: Color
  /// Check marks.
  package var tint: Color
  /// Titles of destructive actions.
  package var destructive: Color

  /// Creates colors.
  package init(
    background: Color, border: Color, highlight: Color, label: Color, secondaryLabel: Color, disabledLabel: Color,
    tint: Color, destructive: Color
  ) {
    (self.background, self.border, self.highlight, self.label) = (background, border, highlight, label)
    (self.secondaryLabel, self.disabledLabel) = (secondaryLabel, disabledLabel)
    (self.tint, self.destructive) = (tint, destructive)
  }

  /// Creates the colors of a palette.
  package init(_ palette: InterfacePalette) {
    self.init(
      background: palette.secondaryBackground, border: palette.separator, highlight: palette.selection,
      label: palette.label, secondaryLabel: palette.secondaryLabel,
      disabledLabel: palette.secondaryLabel.opacity(0.6), tint: palette.tint, destructive: palette.destructive)
  }
}
