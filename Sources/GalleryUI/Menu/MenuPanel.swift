import Geometry
import Rendering
import Views

/// A menu's ground and its lines.
final class MenuPanel: PanelView {
  private static let usualRow = 28.0
  private static let leastRow = 16.0
  private static let padding = 6.0
  private static let groupGap = 9.0

  private let entries: [MenuEntry]
  private let rows: [MenuRow]
  private var rowHeight = MenuPanel.usualRow

  init(_ entries: [MenuEntry], theme: Theme) {
    self.entries = entries
    rows = entries.map { MenuRow($0, theme: theme) }
    super.init(theme: theme, cornerRadius: Metrics.cornerRadius)
    isInteractive = false
    for row in rows { addSubview(row) }
  }

  /// Lights an entry up.
  func light(_ current: Int?) {
    for (place, row) in rows.enumerated() { row.isLit = place == current }
  }

  /// The entry at a point of the panel's coordinates; nothing between entries.
  func entry(at point: Point) -> Int? { rows.firstIndex { $0.frame.contains(point) } }

  /// The middle of an entry, in the panel's coordinates.
  func middle(of entry: Int) -> Point { Point(x: rows[entry].frame.midX, y: rows[entry].frame.midY) }

  /// Takes its size and place: beside a point where there is room, and within an area in any case.
  func place(at point: Point, within area: Rect, _ resources: RenderResources) {
    let groups = Double(entries.count { $0.beginsGroup })
    let rest = 2 * MenuPanel.padding + groups * MenuPanel.groupGap
    let room = (area.height - rest) / Double(max(1, rows.count))
    rowHeight = min(MenuPanel.usualRow, max(MenuPanel.leastRow, room.rounded(.down)))
    let wanted = rows.map { $0.wantedWidth(in: resources) }.max() ?? 0
    let size = Size(
      width: min(wanted.rounded(.up), area.width), height: Double(rows.count) * rowHeight + rest)
    let x = point.x + size.width <= area.maxX ? point.x : point.x - size.width
    let y = point.y + size.height <= area.maxY ? point.y : point.y - size.height
    let corner = Point(
      x: min(max(area.minX, x), max(area.minX, area.maxX - size.width)),
      y: min(max(area.minY, y), max(area.minY, area.maxY - size.height)))
    frame = Rect(origin: Point(x: resources.scale.snapped(corner.x), y: resources.scale.snapped(corner.y)), size: size)
  }

  override func layoutSubviews() {
    var y = MenuPanel.padding
    for (entry, row) in zip(entries, rows) {
      if entry.beginsGroup { y += MenuPanel.groupGap }
      row.frame = Rect(x: 0, y: y, width: bounds.width, height: rowHeight)
      y += rowHeight
    }
  }

  override func draw(in context: DrawContext) {
    super.draw(in: context)
    let line = 1 / context.scale.pixelsPerPoint
    for (entry, row) in zip(entries, rows) where entry.beginsGroup {
      let y = context.scale.snapped(row.frame.minY - MenuPanel.groupGap / 2)
      context.fill(Rect(x: line, y: y, width: bounds.width - 2 * line, height: line), theme.panelEdge)
    }
  }
}
