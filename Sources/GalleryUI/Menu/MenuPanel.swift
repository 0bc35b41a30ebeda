import Geometry
import Rendering
import Views

/// A menu's ground and its lines.
final class MenuPanel: PanelView {
  private static let defaultRowHeight = 28.0
  private static let minimumRowHeight = 20.0
  private static let padding = 6.0
  private static let groupGap = 9.0

  private let entries: [MenuEntry]
  private let rows: [MenuRow]
  private var rowHeight = MenuPanel.defaultRowHeight
  /// How far its lines are scrolled, where they do not all fit.
  private var offset = 0.0
  /// How far they can be.
  private var maximumOffset = 0.0

  init(_ entries: [MenuEntry], theme: Theme) {
    self.entries = entries
    rows = entries.map { MenuRow($0, theme: theme) }
    super.init(theme: theme, cornerRadius: Metrics.cornerRadius)
    isInteractive = false
    for row in rows { addSubview(row) }
  }

  /// Lights an entry up.
  func highlight(_ current: Int?) {
    for (place, row) in rows.enumerated() { row.isHighlighted = place == current }
    guard let current, maximumOffset > 0 else { return }
    let frame = rows[current].frame
    if frame.minY < MenuPanel.padding { scroll(by: frame.minY - MenuPanel.padding) }
    if frame.maxY > bounds.height - MenuPanel.padding { scroll(by: frame.maxY - bounds.height + MenuPanel.padding) }
  }

  /// Scrolls its lines by so many points, as far as there are some.
  func scroll(by distance: Double) {
    let next = max(0, min(maximumOffset, offset + distance))
    guard next != offset else { return }
    offset = next
    layoutSubviews()
    setNeedsDisplay()
  }

  /// The height of a line, in points.
  var rowStep: Double { rowHeight }

  /// The entry at a point of the panel's coordinates; nothing between entries.
  func entry(at point: Point) -> Int? { rows.firstIndex { !$0.isHidden && $0.frame.contains(point) } }

  /// The middle of an entry, in the panel's coordinates.
  func center(of entry: Int) -> Point { Point(x: rows[entry].frame.midX, y: rows[entry].frame.midY) }

  /// Takes its size and place: beside a point where there is room, and within an area in any case.
  func updateFrame(at point: Point, within area: Rect, _ resources: RenderResources) {
    let groups = Double(entries.count { $0.beginsGroup })
    let rest = 2 * MenuPanel.padding + groups * MenuPanel.groupGap
    let room = (area.height - rest) / Double(max(1, rows.count))
    rowHeight = min(MenuPanel.defaultRowHeight, max(MenuPanel.minimumRowHeight, room.rounded(.down)))
    let wanted = rows.map { $0.preferredWidth(in: resources) }.max() ?? 0
    let height = Double(rows.count) * rowHeight + rest
    // Half a point is no reason to scroll.
    maximumOffset = height > area.height + 0.5 ? height - area.height : 0
    offset = min(offset, maximumOffset)
    let size = Size(width: min(wanted.rounded(.up), area.width), height: height - maximumOffset)
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
      // A part of a line is not read.
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
