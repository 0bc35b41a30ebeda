import Geometry
import Rendering
import Views

/// A menu over the whole window: it has all input while it is open, and closes by a choice, Escape, or a press elsewhere.
final class MenuLayer: View {
  /// Called when it is to be taken away, before a choice is carried out.
  var onClose: () -> Void = {}

  private let entries: [MenuEntry]
  private let panel: MenuPanel
  private let place: Point
  private var course: MenuCourse
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
    self.place = place
    panel = MenuPanel(entries, theme: theme)
    course = MenuCourse(isEnabled: entries.map(\.isEnabled))
    super.init()
    addSubview(panel)
  }

  /// The panel's place in this view.
  var panelFrame: Rect { panel.frame }

  /// What its lines say, from the top.
  var titles: [String] { entries.map(\.title) }

  /// The middle of the line that says something, in this view's coordinates.
  func middle(of title: String) -> Point? {
    titles.firstIndex(of: title).map { panel.frame.origin + panel.middle(of: $0) }
  }

  /// The line that is lit up.
  var current: String? { course.current.map { entries[$0].title } }

  override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let area = bounds.inset(by: Insets(all: MenuLayer.margin))
    panel.place(at: place, within: area, resources)
    panel.setNeedsLayout()
  }

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      let entry = panel.entry(at: convertFromWindow(point) - panel.frame.origin)
      if entry != nil || panel.frame.contains(convertFromWindow(point)) { course.point(at: entry) }
    case .pointerDown(let point, _, _, _) where !panel.frame.contains(convertFromWindow(point)): onClose()
    case .pointerUp(let point, _, _):
      let entry = panel.entry(at: convertFromWindow(point) - panel.frame.origin)
      if let entry { choose(entry) }
    case .keyDown(let key, let modifiers, let isRepeat): return take(key, modifiers, isRepeat: isRepeat)
    case .wheel(let wheel):
      // What is lit may be scrolled out of view.
      panel.scroll(by: -wheel.deltaY * panel.step)
      return true
    case .pointerDown, .pointerLeft, .keyUp: break
    default: return false
    }
    panel.light(course.current)
    return true
  }

  private func take(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    switch key {
    case .down: course.go(by: 1)
    case .up: course.go(by: -1)
    case .tab: course.go(by: modifiers.contains(.shift) ? -1 : 1)
    case .home, .pageUp: course.goToFirst()
    case .end, .pageDown: course.goToLast()
    case .enter, .space:
      if !isRepeat, let current = course.current { choose(current) }
    case .escape, .menu, .left: onClose()
    // The window's own keys.
    case .function: return key == .function(10)
    case .character: return modifiers.isDisjoint(with: .control)
    default: break
    }
    panel.light(course.current)
    return true
  }

  private func choose(_ entry: Int) {
    guard entries[entry].isEnabled else { return }
    onClose()
    entries[entry].action()
  }
}
