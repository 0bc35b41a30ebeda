import VitrineFramePacing
package import VitrineGeometry
package import VitrineRendering

/// A menu over the whole window, with its submenus.
///
/// It receives all input while it is open, and closes when the user chooses an entry, presses Escape, or clicks
/// outside. Its owner adds it in front of all views, makes it the first responder, and removes it when it closes.
package final class MenuView: View {
  /// Called to close the menu, before the chosen action is performed.
  package var onClose: () -> Void = {}
  /// The colors.
  package var colors: MenuColors {
    didSet { for level in levels { level.panel.colors = colors } }
  }

  /// A menu or submenu that is open.
  private final class Level {
    let entries: [MenuEntry]
    let panel: MenuPanel
    var selection: MenuSelection
    /// The entry whose submenu is the next level.
    var openEntry: Int?

    init(_ menu: Menu, colors: MenuColors) {
      entries = menu.entries
      panel = MenuPanel(entries, colors: colors)
      selection = MenuSelection(isEnabled: entries.map(\.isEnabled))
    }
  }

  /// The open menus, the outermost first.
  private var levels: [Level]
  private let anchorPoint: Point
  private var press: MenuPress
  /// Opens or closes a submenu after the pointer has rested on an entry.
  private var submenuTimer: FrameTimer?
  /// The margin between the window's edges and the panels.
  private static let margin = 4.0
  /// The time for which the pointer rests on an entry before its submenu opens, or that of another entry closes.
  private static let submenuDelay = FrameDuration.milliseconds(160)
  /// The overlap of a submenu with its menu, in points.
  private static let submenuOverlap = 3.0

  /// Creates a menu.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - anchorPoint: The position of the menu, in the coordinates of the view that the menu will fill.
  ///   - colors: The colors.
  package init(_ menu: Menu, at anchorPoint: Point, colors: MenuColors) {
    self.anchorPoint = anchorPoint
    self.colors = colors
    press = MenuPress(origin: anchorPoint)
    let level = Level(menu, colors: colors)
    levels = [level]
    super.init()
    addSubview(level.panel)
  }

  /// Receives the pointer from its current press on, so that dragging to an entry and releasing the button chooses it.
  ///
  /// Call it when the view has been added to a window.
  package func beginTracking() { window?.grabber = self }

  /// The panels, the outermost first.
  var panels: [View] { levels.map(\.panel) }

  /// The frame of the outermost panel in this view.
  package var panelFrame: Rect { levels[0].panel.frame }

  /// The titles of the entries of the innermost open menu, from top to bottom.
  package var titles: [String] { lastLevel.entries.map(\.title) }

  /// Returns the center of the entry with the given title in an open menu, in this view's coordinates.
  package func center(of title: String) -> Point? {
    for level in levels.reversed() {
      guard let index = level.entries.firstIndex(where: { $0.title == title }) else { continue }
      let row = level.panel.rowFrame(of: index)
      return level.panel.frame.origin + Point(x: row.midX, y: row.midY)
    }
    return nil
  }

  /// The title of the highlighted entry of the innermost open menu.
  package var highlightedTitle: String? {
    lastLevel.selection.highlightedIndex.map { lastLevel.entries[$0].title }
  }

  private var lastLevel: Level { levels[levels.count - 1] }

  package override var accessibility: AccessibilityElement? { element(ofLevel: 0) }

  private func element(ofLevel index: Int) -> AccessibilityElement {
    let level = levels[index]
    var element = AccessibilityElement(role: .menu, frame: level.panel.frameInWindow)
    element.itemCount = level.entries.count
    element.children = level.entries.indices.map { entry in
      var child = level.panel.accessibilityElement(of: entry)
      child.position = AccessibilityElement.Position(number: entry + 1, count: level.entries.count)
      // The entry of an open submenu is highlighted, but the focus is within.
      if index < levels.count - 1 { child.isFocused = false }
      if level.openEntry == entry { child.children = [self.element(ofLevel: index + 1)] }
      return child
    }
    return element
  }

  package override func layoutSubviews() {
    guard let resources = window?.resources else { return }
    let area = bounds.inset(by: Insets(uniform: MenuView.margin))
    for (index, level) in levels.enumerated() {
      if index == 0 {
        level.panel.updateFrame(at: anchorPoint, within: area, resources)
      } else if let entry = levels[index - 1].openEntry {
        let parent = levels[index - 1].panel
        parent.layoutIfNeeded()
        let row = parent.rowFrame(of: entry).offset(by: parent.frame.origin)
        level.panel.updateFrame(
          at: Point(x: parent.frame.maxX - MenuView.submenuOverlap, y: row.minY - MenuPanel.padding),
          flippedTo: parent.frame.minX + MenuView.submenuOverlap, within: area, resources)
      }
      level.panel.setNeedsLayout()
    }
  }

  // MARK: - Input

  package override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      // Without a pressed button the pointer is routed as usual, so that the view below notices that it left.
      if let window, window.grabber === self, window.pointerTarget == nil {
        window.grabber = nil
        return false
      }
      movePointer(to: convertFromWindow(point))
    case .pointerDown(let point, _, _, _): pressPointer(at: convertFromWindow(point))
    case .pointerUp(let point, _, _):
      if let window, window.grabber === self { window.grabber = nil }
      releasePointer(at: convertFromWindow(point))
    case .keyDown(let key, let modifiers, let isRepeat): return handleKey(key, modifiers, isRepeat: isRepeat)
    case .text(let text):
      lastLevel.selection.highlight(startingWith: text, titles: titles)
      showHighlights()
    case .wheel(let wheel):
      // The highlighted entry may be scrolled out of view.
      scrollPanel(at: wheel.location) { -wheel.deltaY * $0.rowStep }
    case .pan(let pan): scrollPanel(at: pan.start) { _ in -pan.translation.y }
    case .cancelled:
      onClose()
      return false
    case .pointerLeft, .keyUp: break
    default: return false
    }
    return true
  }

  private func scrollPanel(at location: Point, by distance: (MenuPanel) -> Double) {
    let panel = (level(at: convertFromWindow(location)) ?? lastLevel).panel
    panel.scroll(by: distance(panel))
    if panel !== lastLevel.panel { setNeedsLayout() }
  }

  /// Returns the frontmost open menu at a point of this view.
  private func level(at point: Point) -> Level? { levels.last { $0.panel.frame.contains(point) } }

  private func entry(of level: Level?, at point: Point) -> Int? {
    level.flatMap { $0.panel.entry(at: point - $0.panel.frame.origin) }
  }

  private func movePointer(to point: Point) {
    let level = level(at: point)
    let entry = entry(of: level, at: point)
    press.move(to: point, isOverEntry: entry != nil)
    guard let level else { return cancelSubmenuTimer() }
    level.selection.highlight(entry)
    // Submenus show no highlight while the pointer is in a menu around them.
    for other in levels.drop(while: { $0 !== level }).dropFirst() { other.selection.highlight(nil) }
    // The path to the pointer remains highlighted.
    for other in levels.prefix(while: { $0 !== level }) { other.selection.highlight(other.openEntry) }
    if level.selection.highlightedIndex == nil, let open = level.openEntry, entry == nil {
      level.selection.highlight(open)
    }
    showHighlights()
    scheduleSubmenu(of: level)
  }

  private func pressPointer(at point: Point) {
    guard let level = level(at: point) else { return onClose() }
    press.begin()
    guard let entry = entry(of: level, at: point), level.entries[entry].submenu != nil else { return }
    openSubmenu(of: level, at: entry)
  }

  private func releasePointer(at point: Point) {
    let level = level(at: point)
    let entry = entry(of: level, at: point)
    switch press.releaseEffect(isOverEntry: entry != nil, isInside: level != nil) {
    case .none: break
    case .close: onClose()
    case .choose: if let level, let entry { performEntry(entry, of: level) }
    }
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    let level = lastLevel
    switch key {
    case .down: level.selection.moveHighlight(by: 1)
    case .up: level.selection.moveHighlight(by: -1)
    case .tab: level.selection.moveHighlight(by: modifiers.contains(.shift) ? -1 : 1)
    case .home, .pageUp: level.selection.highlightFirst()
    case .end, .pageDown: level.selection.highlightLast()
    case .right:
      if let current = level.selection.highlightedIndex, level.entries[current].submenu != nil {
        openSubmenu(of: level, at: current)
        lastLevel.selection.highlightFirst()
      }
    case .enter, .space:
      guard !isRepeat, let current = level.selection.highlightedIndex else { return true }
      performEntry(current, of: level)
      if lastLevel !== level { lastLevel.selection.highlightFirst() }
    case .escape, .left:
      guard levels.count > 1 else {
        onClose()
        return true
      }
      closeSubmenus(of: levels[levels.count - 2])
    case .menu: onClose()
    // The window handles its own keys.
    case .function: return key == .function(10)
    case .character: return modifiers.isDisjoint(with: .control)
    default: break
    }
    cancelSubmenuTimer()
    showHighlights()
    return true
  }

  private func performEntry(_ entry: Int, of level: Level) {
    guard level.entries[entry].isEnabled else { return }
    guard let action = level.entries[entry].action else { return openSubmenu(of: level, at: entry) }
    onClose()
    action.handler()
  }

  private func showHighlights() {
    for level in levels { level.panel.highlight(level.selection.highlightedIndex ?? level.openEntry) }
  }

  // MARK: - Submenus

  private func openSubmenu(of level: Level, at entry: Int) {
    cancelSubmenuTimer()
    guard level.openEntry != entry, let menu = level.entries[entry].submenu else { return }
    closeSubmenus(of: level)
    let next = Level(menu, colors: colors)
    level.openEntry = entry
    level.selection.highlight(entry)
    levels.append(next)
    addSubview(next.panel)
    setNeedsLayout()
    showHighlights()
  }

  private func closeSubmenus(of level: Level) {
    while lastLevel !== level { levels.removeLast().panel.removeFromSuperview() }
    level.openEntry = nil
  }

  /// Opens or closes a submenu when the pointer has rested: a pointer on the way to a submenu crosses other entries.
  private func scheduleSubmenu(of level: Level) {
    cancelSubmenuTimer()
    let entry = level.selection.highlightedIndex
    let submenu = entry.flatMap { level.entries[$0].submenu == nil ? nil : $0 }
    guard submenu != level.openEntry, let window else { return }
    let timer = FrameTimer(interval: MenuView.submenuDelay, repeats: false) { [weak self] _ in
      guard let self, levels.contains(where: { $0 === level }) else { return }
      if let submenu { openSubmenu(of: level, at: submenu) } else { closeSubmenus(of: level) }
      showHighlights()
    }
    submenuTimer = timer
    timer.start(in: window)
  }

  private func cancelSubmenuTimer() {
    submenuTimer?.invalidate()
    submenuTimer = nil
  }
}
