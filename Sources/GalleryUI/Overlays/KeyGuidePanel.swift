import Geometry
import Rendering
import Views

/// The keys and what they do, in columns on one ground.
final class KeyGuidePanel: PanelView {
  private struct Line {
    let caps: [KeyCap]
    let meaning: Label
  }
  private struct Group {
    let title: Label
    let lines: [Line]
  }

  private let headline: Label
  private let hint: Label
  private let columns: [[Group]]

  private static let padding = 32.0
  private static let columnGap = 48.0
  private static let row = 30.0
  private static let capHeight = 22.0
  private static let capGap = 4.0
  private static let groupTitle = 32.0
  private static let groupGap = 20.0
  private static let headlineHeight = 44.0
  private static let hintHeight = 32.0
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
            return Line(caps: line.keys.map { KeyCap($0, theme: theme) }, meaning: meaning)
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

  /// The extent that it has at best, in points.
  static var wantedSize: Size {
    let count = Double(KeyGuide.columns.count)
    let heights = KeyGuide.columns.map { column in
      column.reduce(Double(column.count - 1) * groupGap) { $0 + groupTitle + Double($1.lines.count) * row }
    }
    return Size(
      width: 2 * padding + count * (widths.keys + widths.meaning) + (count - 1) * columnGap,
      height: 2 * padding - 8 + headlineHeight + (heights.max() ?? 0) + hintHeight)
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let padding = KeyGuidePanel.padding
    let inner = max(0, bounds.width - 2 * padding)
    headline.frame = Rect(x: padding, y: padding - 8, width: inner, height: KeyGuidePanel.headlineHeight - 16)
    let count = Double(columns.count)
    let columnWidth = max(0, (inner - (count - 1) * KeyGuidePanel.columnGap) / count)
    let keysWidth =
      (columnWidth * KeyGuidePanel.widths.keys / (KeyGuidePanel.widths.keys + KeyGuidePanel.widths.meaning))
      .rounded()
    // A low window has rows that are closer.
    let share = min(1, bounds.height / KeyGuidePanel.wantedSize.height)
    for (place, column) in columns.enumerated() {
      let x = padding + Double(place) * (columnWidth + KeyGuidePanel.columnGap)
      var y = padding - 8 + KeyGuidePanel.headlineHeight * share
      for group in column {
        let titleHeight = (KeyGuidePanel.groupTitle * share).rounded()
        group.title.frame = Rect(x: x, y: y, width: columnWidth, height: titleHeight - 4)
        y += titleHeight
        for line in group.lines {
          let height = (KeyGuidePanel.row * share).rounded()
          put(line, x: x, y: y, height: height, keysWidth: keysWidth, width: columnWidth, resources)
          y += height
        }
        y += (KeyGuidePanel.groupGap * share).rounded()
      }
    }
    hint.frame = Rect(
      x: padding, y: bounds.height - padding - KeyGuidePanel.hintHeight + 16, width: inner,
      height: KeyGuidePanel.hintHeight - 8)
  }

  private func put(
    _ line: Line, x: Double, y: Double, height: Double, keysWidth: Double, width: Double, _ resources: RenderResources
  ) {
    var start = x
    let cap = min(KeyGuidePanel.capHeight, max(0, height - 2))
    for view in line.caps {
      let wanted = min(view.wantedWidth(in: resources), max(0, x + keysWidth - start))
      view.frame = Rect(x: start, y: y + ((height - cap) / 2).rounded(), width: wanted, height: cap)
      start += wanted + KeyGuidePanel.capGap
    }
    line.meaning.frame = Rect(x: x + keysWidth, y: y, width: max(0, width - keysWidth), height: height)
  }
}
