import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A view that shows the program's name and version over the whole window, until a key or a pointer button is pressed.
final class AboutLayer: View {
  /// Called to close the layer.
  var onClose: () -> Void = {}
  private let panel: AboutPanel

  /// Creates a layer.
  ///
  /// - Parameters:
  ///   - headline: The name of the program.
  ///   - text: The lines below it.
  ///   - theme: The colors.
  init(headline: String, text: [String], theme: Theme) {
    panel = AboutPanel(headline: headline, text: text, theme: theme)
    super.init()
    backgroundColor = Color(hex: 0x000000, alpha: 120)
    addSubview(panel)
  }

  override func layoutSubviews() {
    let size = Size(
      width: min(AboutPanel.width, max(0, bounds.width - 32)), height: min(panel.preferredHeight, bounds.height))
    panel.frame = Rect(
      x: ((bounds.width - size.width) / 2).rounded(), y: ((bounds.height - size.height) / 2).rounded(),
      width: size.width, height: size.height)
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown: onClose()
    case .keyDown(_, _, isRepeat: true): break
    case .keyDown(let key, let modifiers, _):
      // The window handles its own keys.
      if case .function = key { return false }
      if case .character = key, modifiers.contains(.control) { return false }
      onClose()
    case .pointerMoved, .pointerUp, .pointerLeft, .wheel, .keyUp: break
    default: return false
    }
    return true
  }
}

/// The panel of the ``AboutLayer``.
private final class AboutPanel: PanelView {
  static let width = 420.0
  private static let padding = 32.0
  private static let lineHeight = 24.0
  private static let headlineHeight = 40.0
  /// The distance between the lines and the hint below them.
  private static let hintGap = 12.0
  private let headline: Label
  private let lines: [Label]

  init(headline text: String, text lines: [String], theme: Theme) {
    headline = Label(style: Theme.headlineStyle, color: .white, alignment: .center)
    headline.text = text
    self.lines = (lines + ["Esc or a click closes this"]).map { line in
      let label = Label(style: Theme.detailStyle, color: .white, alignment: .center)
      label.text = line
      return label
    }
    super.init(theme: theme, cornerRadius: 12)
    isUserInteractionEnabled = false
    addSubview(headline)
    for label in self.lines { addSubview(label) }
    themeDidChange()
  }

  var preferredHeight: Double {
    2 * AboutPanel.padding + AboutPanel.headlineHeight + Double(lines.count) * AboutPanel.lineHeight
      + AboutPanel.hintGap
  }

  override func themeDidChange() {
    super.themeDidChange()
    headline.textColor = theme.primaryText
    for label in lines { label.textColor = theme.secondaryText }
    lines.last?.textColor = theme.tertiaryText
  }

  override func layoutSubviews() {
    let width = max(0, bounds.width - 32)
    headline.frame = Rect(x: 16, y: AboutPanel.padding - 8, width: width, height: AboutPanel.headlineHeight)
    for (index, label) in lines.enumerated() {
      label.frame = Rect(
        x: 16,
        y: AboutPanel.padding + AboutPanel.headlineHeight + Double(index) * AboutPanel.lineHeight
          + (index == lines.count - 1 ? AboutPanel.hintGap : 0),
        width: width, height: AboutPanel.lineHeight)
    }
  }
}
