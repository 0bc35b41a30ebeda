package import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
package import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// The owner of moving the focus with keys.
///
/// A key becomes a move (``FocusHeading``) by the layout's geometry, the move leads to an item, and that item is focused,
/// revealed and, depending on the modifier keys, selected. The focused item itself belongs to ``SelectionController``.
///
/// Invariants:
/// - Moves between rows stay in the column in which they started, until another move or another way of changing the
///   focus (``FocusNavigator``).
/// - The speed of a held arrow key depends on the times of its events alone (``FocusKeyRepeat``), not on how many of
///   them arrive. The repetition ends with its key, and with any press, wheel, touch or other key.
/// - A key at the end of the items changes nothing but the position of the content. Tab is then not handled, so that it
///   can move to the next responder.
package final class FocusController {
  /// An arrow key that is held.
  private struct RepeatingKey {
    let key: Key
    var keyRepeat: FocusKeyRepeat
  }

  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any InteractionHost)!
  private let selection: SelectionController

  private var navigator = FocusNavigator()
  private var repeatingKey: RepeatingKey?
  private var isAllowed = false

  /// Whether an item that is focused by a key is selected, if items can be selected.
  package var selectionFollowsFocus = true

  /// The distance kept around a revealed item, in points, for what is drawn around it.
  private static let revealMargin = 12.0

  /// Creates a controller that handles no keys.
  ///
  /// - Parameter selection: The owner of the focused item.
  package init(selection: SelectionController) { self.selection = selection }

  /// Whether keys move the focus.
  package var allowsFocus: Bool {
    get { isAllowed }
    set {
      isAllowed = newValue
      guard !newValue else { return }
      selection.setShowsFocus(false)
      host.updateConfigurationStates()
    }
  }

  /// Updates the column of moves between rows after an update.
  package func apply(_ map: IndexMap) { navigator.apply(map) }

  // MARK: - Focusing an item

  /// Focuses an item and scrolls it into view by the smallest distance.
  package func focusItem(_ index: Int, selects: Bool, animated: Bool) {
    setFocus(index, selects ? .choose(index) : nil)
    revealItem(index, animated: animated)
  }

  /// Focuses an item.
  ///
  /// A refused selection gesture leaves the selection unchanged.
  private func setFocus(_ item: Int, _ gesture: SelectionGesture?) {
    if let gesture { selection.selectInteractively(gesture) }
    selection.setFocusedItem(item)
    selection.setShowsFocus(true)
    host.updateConfigurationStates()
  }

  /// Toggles the selection of the focused item.
  ///
  /// - Returns: Whether there is one.
  package func toggleFocusedItem() -> Bool {
    guard let lead = selection.focusedItem else { return false }
    selection.setShowsFocus(true)
    selection.selectInteractively(.toggle(lead))
    host.updateConfigurationStates()
    return true
  }

  // MARK: - Keys

  /// Handles a key that moves the focus, or the end of its repetition.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - activity: What else the user does with items.
  /// - Returns: Whether the event was handled.
  package func handle(_ event: InputEvent, while activity: FocusKeyContext) -> Bool {
    if endRepetition(with: event) { return true }
    guard isAllowed, case .keyDown(let key, let modifiers, let isRepeat) = event.kind, activity != .dragging,
      !modifiers.contains(.alt), let move = move(of: key, modifiers), host.itemCount > 0
    else { return false }
    guard activity != .drawingRubberBand else { return true }
    var times = 1
    if key.isArrow {
      if isRepeat {
        // Another event may have ended the key's repetition, so that no moves are due.
        times = repeatingKey?.keyRepeat.takeDueMoves(at: event.time) ?? 0
        guard times > 0 else { return true }
      } else {
        repeatingKey = RepeatingKey(key: key, keyRepeat: FocusKeyRepeat(at: event.time))
      }
    }
    var isHandled = true
    host.deferringUpdates { isHandled = moveFocus(by: move, times: times, isTab: key == .tab, modifiers) }
    if isHandled { host.stopDeceleration(at: event.time) }
    return isHandled
  }

  /// Ends the repetition of a held key when it is released, another key is pressed, or another input begins.
  private func endRepetition(with event: InputEvent) -> Bool {
    guard let repeatingKey else { return false }
    switch event.kind {
    case .keyUp(repeatingKey.key, _):
      self.repeatingKey = nil
      return true
    case .keyDown(repeatingKey.key, _, isRepeat: true), .keyUp, .pointerMoved, .pointerUp, .pointerLeft: break
    default: self.repeatingKey = nil
    }
    return false
  }

  private func moveFocus(by move: FocusHeading, times: Int, isTab: Bool, _ modifiers: KeyModifiers) -> Bool {
    var lead = selection.focusedItem
    // If the focused item is not visible, pages start from the visible items: those at the projected offset, because
    // the content may still scroll by the last page.
    let offset = move.isPage ? host.scroll.projectedOffset : host.contentOffset
    if let item = lead, move.isPage, !host.solution.frame(ofItem: item).intersects(viewport(at: offset)) { lead = nil }
    let start = lead ?? firstItem(at: offset)
    var target = start
    var remaining = lead == nil && !move.leavesViewport ? times - 1 : times
    while remaining > 0, let next = navigator.target(of: move, from: target, in: host.solution) {
      target = next
      remaining -= 1
    }
    guard target != start || lead == nil else {
      if isTab { return false }
      setFocus(start, nil)
      reveal(start, by: move, from: start)
      return true
    }
    setFocus(target, gesture(selecting: target, isTab: isTab, modifiers))
    reveal(target, by: move, from: start)
    return true
  }

  /// Returns the selection gesture of a move to an item, or nil if the selection stays.
  private func gesture(selecting target: Int, isTab: Bool, _ modifiers: KeyModifiers) -> SelectionGesture? {
    guard !isTab, selection.allowsSelection else { return nil }
    let adds = modifiers.contains(.control)
    if modifiers.contains(.shift) { return .extend(to: target, adds: adds) }
    return selectionFollowsFocus && !adds ? .choose(target) : nil
  }

  /// Returns the focus move of a key, or nil if the key does not move the focus.
  private func move(of key: Key, _ modifiers: KeyModifiers) -> FocusHeading? {
    switch key {
    case .tab where modifiers.isSubset(of: .shift): modifiers.isEmpty ? .next : .previous
    case .home: .first
    case .end: .last
    case .pageUp: .pageUp(host.unobscuredLength)
    case .pageDown: .pageDown(host.unobscuredLength)
    case .up: host.scrollAxis == .vertical ? .up : .previous
    case .down: host.scrollAxis == .vertical ? .down : .next
    case .left: horizontalMove(isForward: host.isRightToLeft)
    case .right: horizontalMove(isForward: !host.isRightToLeft)
    default: nil
    }
  }

  private func horizontalMove(isForward: Bool) -> FocusHeading {
    if host.scrollAxis == .vertical { return isForward ? .next : .previous }
    return isForward ? .down : .up
  }

  // MARK: - Viewport

  /// Reveals a newly focused item: Page Up and Page Down scroll by the distance of the focus, Home and End to the ends
  /// of the content.
  private func reveal(_ item: Int, by move: FocusHeading, from start: Int) {
    switch move {
    case .first: host.scrollToEnd(!host.contentBeginsAtEnd, showing: item)
    case .last: host.scrollToEnd(host.contentBeginsAtEnd, showing: item)
    case .pageUp where item != start, .pageDown where item != start:
      let axis = host.scrollAxis
      let distance =
        host.solution.frame(ofItem: item).origin[axis] - host.solution.frame(ofItem: start).origin[axis]
      host.scroll(to: host.scroll.projectedOffset + distance, animated: true)
    case .pageUp, .pageDown, .up, .down, .previous, .next: revealItem(item, animated: true)
    }
  }

  private func revealItem(_ item: Int, animated: Bool) {
    host.revealItem(item, margin: FocusController.revealMargin, animated: animated)
  }

  /// Returns the visible rectangle at an offset.
  private func viewport(at offset: Double) -> Rect {
    var rect = host.visibleRect
    rect.origin[host.scrollAxis] = offset
    return rect
  }

  /// Returns the first item at an offset that is entirely visible, or else starts in the viewport, or else is partly
  /// visible.
  private func firstItem(at offset: Double) -> Int {
    let axis = host.scrollAxis
    let start = host.uncoveredViewport.start + offset
    let end = offset + host.viewportLength
    var seen: [Int] = []
    host.solution.visitItems(in: viewport(at: offset)) { seen += $0 }
    func edges(_ item: Int) -> (start: Double, end: Double) {
      let frame = host.solution.frame(ofItem: item)
      return (frame.origin[axis], frame.origin[axis] + frame.size[axis])
    }
    return seen.first { edges($0).start >= start && edges($0).end <= end } ?? seen.first { edges($0).start >= start }
      ?? seen.first ?? 0
  }
}

/// What else the user does with items while a key is pressed.
package enum FocusKeyContext {
  /// Nothing else.
  case idle
  /// An item is dragged. Keys do not move the focus.
  case dragging
  /// A rubber band is drawn, which alone selects. Keys that move the focus have no effect.
  case drawingRubberBand
}

extension FocusHeading {
  /// Whether it moves by the length of the viewport.
  fileprivate var isPage: Bool {
    switch self {
    case .pageUp, .pageDown: true
    case .first, .last, .up, .down, .previous, .next: false
    }
  }

  /// Whether it can lead to an item outside the viewport, even if no item was focused.
  fileprivate var leavesViewport: Bool { isPage || self == .first || self == .last }
}

extension Key {
  /// Whether it repeats while it is held.
  fileprivate var isArrow: Bool { self == .up || self == .down || self == .left || self == .right }
}
