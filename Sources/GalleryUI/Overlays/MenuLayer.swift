import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A menu over the whole window.
///
/// It receives all input while it is open, and closes when the user chooses an entry, presses Escape, or clicks
/// outside.
final class MenuLayer: View {
  /// Called to close the menu, before the chosen action is performed.
  var onClose: () -> Void = {}

  private let entries: [MenuEntry]
  private let panel: MenuPanel
  private let anchorPoint: Point
  private var selection: MenuSelection
  /// The margin between the window's edges and the panel.
  private static let margin = 4.0

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - entries: The entries, from top to bottom.
  ///   - anchorPoint: The position of the menu, in the coordinates of the view that the layer will fill.
  ///   - theme: The colors.
  init(_ entries: [MenuEntry], at anchorPoint: Point, theme: Theme) {
    self.entries = entries
    self.anchorPoint = anchorPoint
    panel = MenuPanel(entries, theme: theme)
    selection = MenuSelection(isEnabled: entries.map(\.isEnabled))
    super.init()
    addSubview(panel)
  }

  /// The panel's frame in this view.
  var panelFrame: Rect { panel.frame }

  /// The titles of the entries, from top to bottom.
  var titles: [String] { entries.map(\.title) }

  /// Returns the center of the entry with the given title, in this view's coordinates.
  func center(of title: String) -> Point? {
    titles.firstIndex(of: title).map { panel.frame.origin + panel.center(of: $0) }
  }

  /// The title of the highlighted entry.
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
      // The highlighted entry may be scrolled out of view.
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
    // The window handles its own keys.
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

/// An entry of a menu.
struct MenuEntry {
  /// The mark in front of an entry.
  enum State: Hashable {
    /// No mark: the entry is not one of several choices.
    case none
    /// A choice that is not selected.
    case off
    /// A choice that is selected.
    case on
  }

  /// The title.
  let title: String
  /// The keyboard shortcut for display.
  var shortcut = ""
  /// The mark in front of the title.
  var state = State.none
  /// Whether the entry can be chosen.
  var isEnabled = true
  /// Whether a separator precedes the entry.
  var beginsGroup = false
  /// The action.
  let action: () -> Void
}

/// The highlighted entry of a menu.
private nonisolated struct MenuSelection: Hashable, Sendable {
  /// The index of the highlighted entry, or nil if none is highlighted.
  private(set) var highlightedIndex: Int?
  private let isEnabled: [Bool]

  /// Creates a selection without a highlighted entry.
  init(isEnabled: [Bool]) { self.isEnabled = isEnabled }

  /// Highlights the entry under the pointer, or none if there is none or it is disabled.
  mutating func highlight(_ entry: Int?) {
    highlightedIndex = entry.flatMap { isEnabled.indices.contains($0) && isEnabled[$0] ? $0 : nil }
  }

  /// Highlights the next or the previous enabled entry, and wraps around at the ends.
  mutating func moveHighlight(by direction: Int) {
    guard isEnabled.contains(true) else { return }
    let count = isEnabled.count
    var next = highlightedIndex ?? (direction > 0 ? -1 : count)
    repeat { next = (next + direction + count) % count } while !isEnabled[next]
    highlightedIndex = next
  }

  /// Highlights the first enabled entry.
  mutating func highlightFirst() { highlightedIndex = isEnabled.firstIndex(of: true) }

  /// Highlights the last enabled entry.
  mutating func highlightLast() { highlightedIndex = isEnabled.lastIndex(of: true) }
}
