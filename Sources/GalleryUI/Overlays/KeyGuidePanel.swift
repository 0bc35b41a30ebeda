import Geometry
import Rendering
import Views

/// The keys and what they do, in columns on one ground.
final class KeyGuidePanel: PanelView {
  private struct Line {
    let caps: [KeyCapView]
    let meaning: Label
  }
  private struct Group {
    let title: Label
    let lines: [Line]
  }

  private let headline: Label
  private let hint: Label
  private let columns: [[Group]]

  private static let columnGap = 48.0
  private static let keyCapHeight = 22.0
  private static let keyCapGap = 4.0
  /// The width of the keys of a line, and of what they mean.
  private static let widths = (keys: 160.0, meaning: 176.0)

  init(theme: Theme) {
    headline = Label(style: Theme.headlineStyle, color: theme.primaryText)
    hint = Label(style: Theme.detailStyle, color: theme.tertiaryText)
    columns = KeyGuide.columns.map { column in
      column.map { group in
        let title = Label(style: Theme.groupStyle, color: theme.accent)
        title.text = group.title
        return Group(
          title: title,
          lines: group.lines.map { line in
            let meaning = Label(style: Theme.rowStyle, color: theme.secondaryText)
            meaning.text = line.meaning
            return Line(caps: line.keys.map { KeyCapView($0, theme: theme) }, meaning: meaning)
          })
      }
    }
    super.init(theme: theme, cornerRadius: 12)
    isInteractive = false
    headline.text = "Keys"
    hint.text = "? or Esc closes this"
    addSubview(headline)
    addSubview(hint)
    for group in columns.joined() {
      addSubview(group.title)
      for line in group.lines {
        line.caps.forEach(addSubview)
        addSubview(line.meaning)
      }
    }
  }

  /// How many lines each group has, column by column.
  private static let lineCounts = KeyGuide.columns.map { $0.map(\.lines.count) }

  /// The extent that it has at best, in points.
  static var preferredSize: Size {
    let count = Double(KeyGuide.columns.count)
    let layout = KeyGuideLayout.widest
    return Size(
      width: 2 * layout.padding + count * (widths.keys + widths.meaning) + (count - 1) * columnGap,
      height: layout.height(of: lineCounts))
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let layout = KeyGuideLayout(fitting: bounds.size, columns: KeyGuidePanel.lineCounts)
    let inner = max(0, bounds.width - 2 * layout.padding)
    headline.isHidden = layout.headlineHeight == 0
    headline.frame = Rect(
      x: layout.padding, y: layout.padding - 4, width: inner, height: max(0, layout.headlineHeight - 12))
    hint.isHidden = layout.hintHeight == 0
    hint.frame = Rect(
      x: layout.padding, y: bounds.height - layout.padding - layout.hintHeight + 12, width: inner,
      height: max(0, layout.hintHeight - 8))
    let groups = layout.isWide ? columns : [columns.flatMap(\.self)]
    let count = Double(groups.count)
    let gap = min(KeyGuidePanel.columnGap, layout.padding * 2)
    let columnWidth = max(0, (inner - (count - 1) * gap) / count)
    for (place, column) in groups.enumerated() {
      put(
        column,
        at: Point(x: layout.padding + Double(place) * (columnWidth + gap), y: layout.padding + layout.headlineHeight),
        width: columnWidth, layout, resources)
    }
  }

  /// Puts groups one below the other; what there is no room for is left out.
  private func put(
    _ groups: [Group], at corner: Point, width: Double, _ layout: KeyGuideLayout, _ resources: RenderResources
  ) {
    let share = KeyGuidePanel.widths.keys / (KeyGuidePanel.widths.keys + KeyGuidePanel.widths.meaning)
    let keysWidth = (width * share).rounded()
    let end = bounds.height - layout.padding - layout.hintHeight
    var y = corner.y
    for group in groups {
      group.title.frame = Rect(x: corner.x, y: y, width: width, height: layout.groupTitleHeight - 4)
      group.title.isHidden = y + layout.groupTitleHeight + layout.rowHeight > end
      y += layout.groupTitleHeight
      for line in group.lines {
        let isHidden = y + layout.rowHeight > end
        for view in line.caps as [View] + [line.meaning] { view.isHidden = isHidden }
        layoutLine(line, x: corner.x, y: y, height: layout.rowHeight, keysWidth: keysWidth, width: width, resources)
        y += layout.rowHeight
      }
      y += layout.groupGap
    }
  }

  private func layoutLine(
    _ line: Line, x: Double, y: Double, height: Double, keysWidth: Double, width: Double, _ resources: RenderResources
  ) {
    var start = x
    let cap = min(KeyGuidePanel.keyCapHeight, max(0, height - 2))
    for view in line.caps {
      let wanted = min(view.preferredWidth(in: resources), max(0, x + keysWidth - start))
      view.frame = Rect(x: start, y: y + ((height - cap) / 2).rounded(), width: wanted, height: cap)
      start += wanted + KeyGuidePanel.keyCapGap
    }
    line.meaning.frame = Rect(x: x + keysWidth, y: y, width: max(0, width - keysWidth), height: height)
  }
}
