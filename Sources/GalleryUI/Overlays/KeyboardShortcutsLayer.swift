import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view that shows the keys over the whole window, until a key or a pointer button is pressed.
final class KeyboardShortcutsLayer: View {
  /// Called to close the layer.
  var onClose: () -> Void = {}

  private let panel: KeyboardShortcutsPanel
  /// The margin around the panel, if there is enough space.
  private static let margin = 16.0

  init(theme: Theme) {
    panel = KeyboardShortcutsPanel(theme: theme)
    super.init()
    // Dims the content below.
    backgroundColor = Color(hex: 0x000000, alpha: 120)
    addSubview(panel)
  }

  override func layoutSubviews() {
    let preferredSize = KeyboardShortcutsPanel.preferredSize
    let margin = min(KeyboardShortcutsLayer.margin, (bounds.height / 32).rounded())
    let (width, height) = (
      min(preferredSize.width, max(0, bounds.width - 2 * margin)),
      min(preferredSize.height, max(0, bounds.height - 2 * margin))
    )
    panel.frame = Rect(
      x: ((bounds.width - width) / 2).rounded(), y: ((bounds.height - height) / 2).rounded(), width: width,
      height: height)
    panel.setNeedsLayout()
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown: onClose()
    // The key that opened the layer is still pressed.
    case .keyDown(_, _, isRepeat: true): break
    case .keyDown(let key, let modifiers, _):
      // The window handles its own keys.
      if case .function(let number) = key, number != 1 { return false }
      if case .character = key, modifiers.contains(.control) { return false }
      onClose()
    case .pointerMoved, .pointerUp, .pointerLeft, .wheel, .keyUp: break
    default: return false
    }
    return true
  }
}

// MARK: - Panel

/// A panel with the keys and what they do, in columns.
final class KeyboardShortcutsPanel: PanelView {
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
  /// The widths of the keys and of their meaning in a line.
  private static let widths = (keys: 160.0, meaning: 176.0)

  init(theme: Theme) {
    headline = Label(style: Theme.headlineStyle, color: .white)
    hint = Label(style: Theme.detailStyle, color: .white)
    columns = KeyboardShortcuts.columns.map { column in
      column.map { group in
        let title = Label(style: Theme.groupStyle, color: .white)
        title.text = group.title
        return Group(
          title: title,
          lines: group.lines.map { line in
            let meaning = Label(style: Theme.rowStyle, color: .white)
            meaning.text = line.meaning
            return Line(caps: line.keys.map { KeyCapView($0, theme: theme) }, meaning: meaning)
          })
      }
    }
    super.init(theme: theme, cornerRadius: 12)
    isUserInteractionEnabled = false
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
    themeDidChange()
  }

  override func themeDidChange() {
    super.themeDidChange()
    headline.textColor = theme.primaryText
    hint.textColor = theme.tertiaryText
    for group in columns.joined() {
      group.title.textColor = theme.accent
      for line in group.lines { line.meaning.textColor = theme.secondaryText }
    }
  }

  /// The number of lines of each group, by column.
  private static let lineCounts = KeyboardShortcuts.columns.map { $0.map(\.lines.count) }

  /// The preferred size, in points.
  static var preferredSize: Size {
    let count = Double(KeyboardShortcuts.columns.count)
    let layout = KeyboardShortcutsLayout.widest
    return Size(
      width: 2 * layout.padding + count * (widths.keys + widths.meaning) + (count - 1) * columnGap,
      height: layout.height(of: lineCounts))
  }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let layout = KeyboardShortcutsLayout(fitting: bounds.size, columns: KeyboardShortcutsPanel.lineCounts)
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
    let gap = min(KeyboardShortcutsPanel.columnGap, layout.padding * 2)
    let columnWidth = max(0, (inner - (count - 1) * gap) / count)
    for (index, column) in groups.enumerated() {
      layoutGroups(
        column,
        at: Point(x: layout.padding + Double(index) * (columnWidth + gap), y: layout.padding + layout.headlineHeight),
        width: columnWidth, layout, resources)
    }
  }

  /// Lays out groups from top to bottom, and hides what does not fit.
  private func layoutGroups(
    _ groups: [Group], at corner: Point, width: Double, _ layout: KeyboardShortcutsLayout, _ resources: RenderResources
  ) {
    let share =
      KeyboardShortcutsPanel.widths.keys / (KeyboardShortcutsPanel.widths.keys + KeyboardShortcutsPanel.widths.meaning)
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
    let capHeight = min(KeyboardShortcutsPanel.keyCapHeight, max(0, height - 2))
    for view in line.caps {
      let capWidth = min(view.preferredWidth(in: resources), max(0, x + keysWidth - start))
      view.frame = Rect(x: start, y: y + ((height - capHeight) / 2).rounded(), width: capWidth, height: capHeight)
      start += capWidth + KeyboardShortcutsPanel.keyCapGap
    }
    line.meaning.frame = Rect(x: x + keysWidth, y: y, width: max(0, width - keysWidth), height: height)
  }
}

// MARK: - Key cap

/// A key cap.
private final class KeyCapView: View, ThemedView {
  var theme: Theme {
    didSet { themeDidChange() }
  }
  private let label: Label
  private static let inset = 7.0
  private static let minimumWidth = 24.0

  init(_ text: String, theme: Theme) {
    self.theme = theme
    label = Label(style: Theme.keyStyle, color: theme.primaryText, alignment: .center)
    super.init()
    isUserInteractionEnabled = false
    label.text = text
    addSubview(label)
  }

  private func themeDidChange() {
    label.textColor = theme.primaryText
    setNeedsDisplay()
  }

  /// Returns the preferred width, in points.
  func preferredWidth(in resources: RenderResources) -> Double {
    max(KeyCapView.minimumWidth, (label.measuredWidth(in: resources) + 2 * KeyCapView.inset).rounded(.up))
  }

  override func layoutSubviews() {
    label.frame = Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - 1))
  }

  override func draw(in context: DrawContext) {
    let radius = Metrics.smallCornerRadius
    context.fillRounded(bounds, radius: radius, theme.keyEdge)
    let face = Rect(x: 0, y: 0, width: bounds.width, height: max(0, bounds.height - 2))
    context.fillRounded(face, radius: radius, theme.keyFace)
  }
}
