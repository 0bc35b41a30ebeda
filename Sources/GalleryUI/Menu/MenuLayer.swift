import Geometry
import Rendering
import Views

/// A menu over the whole window: it has all input while it is open, and closes by a choice, Escape, or a press elsewhere.
final class MenuLayer: View {
  /// Called when it is to be taken away, before a choice is carried out.
  var onClose: () -> Void = {}

  private let entries: [MenuEntry]
  private let panel: MenuPanel
  private let anchorPoint: Point
  private var selection: MenuSelection
  /// From the window's edges to the panel.
  private static let margin = 4.0

  /// Makes a menu.
  ///
  /// - Parameters:
  ///   - entries: its lines, from the top.
  ///   - place: where it was asked for, in the coordinates of the view that it will fill.
  ///   - theme: its colours.
  init(_ entries: [MenuEntry], at place: Point, theme: Theme) {
    self.entries = entries
    self.anchorPoint = place
    panel = MenuPanel(entries, theme: theme)
    selection = MenuSelection(isEnabled: entries.map(\.isEnabled))
    super.init()
    addSubview(panel)
  }

  /// The panel's place in this view.
  var panelFrame: Rect { panel.frame }

  /// What its lines say, from the top.
  var titles: [String] { entries.map(\.title) }

  /// The middle of the line that says something, in this view's coordinates.
  func center(of title: String) -> Point? {
    titles.firstIndex(of: title).map { panel.frame.origin + panel.center(of: $0) }
  }

  /// The line that is lit up.
  var highlightedTitle: String? { selection.highlightedIndex.map { entries[$0].title } }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let area = bounds.inset(by: Insets(uniform: MenuLayer.margin))
    panel.updateFrame(at: anchorPoint, within: area, resources)
    panel.setNeedsLayout()
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      let entry = panel.entry(at: convertFromWindow(point) - panel.frame.origin)
      if entry != nil || panel.frame.contains(convertFromWindow(point)) { selection.highlight(entry) }
    case .pointerDown(let point, _, _, _) where !panel.frame.contains(convertFromWindow(point)): onClose()
    case .pointerUp(let point, _, _):
      let entry = panel.entry(at: convertFromWindow(point) - panel.frame.origin)
      if let entry { performEntry(entry) }
    case .keyDown(let key, let modifiers, let isRepeat): return handleKey(key, modifiers, isRepeat: isRepeat)
    case .wheel(let wheel):
      // What is lit may be scrolled out of view.
      panel.scroll(by: -wheel.deltaY * panel.rowStep)
      return true
    case .pointerDown, .pointerLeft, .keyUp: break
    default: return false
    }
    panel.highlight(selection.highlightedIndex)
    return true
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    switch key {
    case .down: selection.moveHighlight(by: 1)
    case .up: selection.moveHighlight(by: -1)
    case .tab: selection.moveHighlight(by: modifiers.contains(.shift) ? -1 : 1)
    case .home, .pageUp: selection.highlightFirst()
    case .end, .pageDown: selection.highlightLast()
    case .enter, .space:
      if !isRepeat, let current = selection.highlightedIndex { performEntry(current) }
    case .escape, .menu, .left: onClose()
    // The window's own keys.
    case .function: return key == .function(10)
    case .character: return modifiers.isDisjoint(with: .control)
    default: break
    }
    panel.highlight(selection.highlightedIndex)
    return true
  }

  private func performEntry(_ entry: Int) {
    guard entries[entry].isEnabled else { return }
    onClose()
    entries[entry].action()
  }
}
