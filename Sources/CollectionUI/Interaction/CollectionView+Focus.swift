import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import ScrollPhysics
import Views

/// Moving the focus between items with the keyboard.
extension CollectionView {
  /// A Boolean value that indicates whether keys move the focus from item to item.
  ///
  /// If false, they scroll.
  ///
  /// Arrow keys move the focus by the items' frames and keep their column through rows that are too short for it. While
  /// an arrow key is held, the focus moves faster and faster (`FocusKeyRepeat`). Page Up and Page
  /// Down move by the length of the viewport, Home and End to the first and last item, Tab and Shift-Tab to the next
  /// and previous item.
  ///
  /// If items can be selected, arrow keys, Page Up, Page Down, Home and End select the focused item. With Shift they
  /// extend the selection to it, with Control they do not change the selection, and Control-Space toggles the focused
  /// item. Space without Control scrolls by a page.
  ///
  /// The focused item is scrolled into view by the smallest distance. Its cell's ``CellConfigurationState/isFocused``
  /// is true. The default is false.
  public final var allowsFocus: Bool {
    get { interaction.allowsFocus }
    set {
      interaction.allowsFocus = newValue
      if !newValue {
        interaction.showsFocus = false
        updateConfigurationStates()
      }
    }
  }

  /// A Boolean value that indicates whether an item that is focused by a key is selected, if items can be selected.
  ///
  /// The default is true.
  public final var selectionFollowsFocus: Bool {
    get { interaction.selectionFollowsFocus }
    set { interaction.selectionFollowsFocus = newValue }
  }

  /// Focuses an item, shows the focus, and scrolls the item into view by the smallest distance.
  ///
  /// - Parameters:
  ///   - index: The flat index of the item. An index without an item is ignored.
  ///   - selects: Whether the item becomes the only selected one, if items can be selected. Default: true.
  ///   - animated: Whether scrolling is animated. Of a long distance only the end is animated. Default: true.
  public final func focusItem(at index: Int, selects: Bool = true, animated: Bool = true) {
    requireSolvedLayout()
    guard (0..<itemCount).contains(index) else { return }
    deferringUpdates {
      setFocus(index, selects ? .choose(index) : nil)
      revealItem(index, animated: animated)
    }
  }

  /// The flat index of the item under the pointer, or nil if there is none or content scrolls.
  public final var hoveredItem: Int? { interaction.hovered }

  // MARK: - Keys

  /// Handles a key that moves the focus.
  final func handleFocusKey(_ event: InputEvent) -> Bool {
    if handleFocusKeyRelease(event) { return true }
    guard interaction.allowsFocus, case .keyDown(let key, let modifiers, let isRepeat) = event.kind,
      !interaction.isDragging, !modifiers.contains(.alt), let move = focusMove(of: key, modifiers)
    else { return false }
    requireSolvedLayout()
    guard itemCount > 0 else { return false }
    // While a rubber band is drawn, only the band selects.
    guard interaction.rubberBand == nil else { return true }
    var times = 1
    if key.isArrow {
      if isRepeat {
        // Something else may have ended the key's repetition, so that no moves are due.
        times = interaction.repeatingKey?.keyRepeat.takeDueMoves(at: event.time) ?? 0
        guard times > 0 else { return true }
      } else {
        interaction.repeatingKey = RepeatingFocusKey(key: key, keyRepeat: FocusKeyRepeat(at: event.time))
      }
    }
    var isHandled = true
    deferringUpdates { isHandled = moveFocus(by: move, times: times, isTab: key == .tab, modifiers) }
    if isHandled { stopDeceleration(at: event.time) }
    return isHandled
  }

  /// Ends the repetition of a held key when it is released, another key is pressed, or another input begins.
  private func handleFocusKeyRelease(_ event: InputEvent) -> Bool {
    guard let repeating = interaction.repeatingKey else { return false }
    switch event.kind {
    case .keyUp(repeating.key, _):
      interaction.repeatingKey = nil
      return true
    case .keyDown(repeating.key, _, isRepeat: true), .keyUp, .pointerMoved, .pointerUp, .pointerLeft: break
    default: interaction.repeatingKey = nil
    }
    return false
  }

  private func moveFocus(by move: FocusMove, times: Int, isTab: Bool, _ modifiers: KeyModifiers) -> Bool {
    // Keys act on the focused item, not the hovered one.
    var lead = interaction.selection.lead.flatMap { $0 < itemCount ? $0 : nil }
    // If the focused item is not visible, pages start from the visible items: those at the projected offset, because
    // the content may still scroll by the last page.
    let offset = move.isPage ? scroll.projectedOffset : contentOffset
    if let item = lead, move.isPage, !solution.frame(ofItem: item).intersects(viewportRect(at: offset)) { lead = nil }
    let start = lead ?? firstItem(at: offset)
    var target = start
    var remaining = lead == nil && !move.leavesViewport ? times - 1 : times
    while remaining > 0, let next = interaction.focusNavigator.target(of: move, from: target, in: solution) {
      target = next
      remaining -= 1
    }
    guard target != start || lead == nil else {
      // At an end, Tab moves on to the next responder. Other keys reveal the focused item.
      if isTab { return false }
      setFocus(start, nil)
      revealItem(start, by: move, from: start)
      return true
    }
    let keepsSelection = isTab || !interaction.allowsSelection || !interaction.selectionFollowsFocus
    let adds = modifiers.contains(.control)
    let gesture: SelectionGesture? =
      modifiers.contains(.shift) && !isTab && interaction.allowsSelection
      ? .extend(to: target, adds: adds) : keepsSelection || adds ? nil : .choose(target)
    setFocus(target, gesture)
    revealItem(target, by: move, from: start)
    return true
  }

  /// Focuses an item.
  ///
  /// A refused selection gesture leaves the selection unchanged.
  private func setFocus(_ item: Int, _ gesture: SelectionGesture?) {
    if let gesture { selectInteractively(gesture) }
    if interaction.selection.lead != item { interaction.selection.setLead(item) }
    interaction.showsFocus = true
    updateConfigurationStates()
  }

  /// Toggles the selection of the focused item.
  final func toggleFocusedItem() -> Bool {
    guard let lead = interaction.selection.lead, lead < itemCount else { return false }
    interaction.showsFocus = true
    selectInteractively(.toggle(lead))
    updateConfigurationStates()
    return true
  }

  /// The distance kept around a revealed item, in points, for what is drawn around it.
  private static var revealMargin: Double { 12 }

  /// Reveals a newly focused item: Page Up and Page Down scroll by the distance of the focus, Home and End to the ends
  /// of the content.
  private func revealItem(_ item: Int, by move: FocusMove, from start: Int) {
    switch move {
    case .first where !contentBeginsAtEnd, .last where contentBeginsAtEnd:
      scroll(to: scroll.range.minimum, animated: true)
    case .first, .last: scroll(to: scroll.range.maximum, animated: true)
    case .pageUp, .pageDown:
      guard item != start else { return revealItem(item, animated: true) }
      let distance = solution.frame(ofItem: item).origin[scrollAxis] - solution.frame(ofItem: start).origin[scrollAxis]
      scroll(to: scroll.projectedOffset + distance, animated: true)
    case .up, .down, .previous, .next: revealItem(item, animated: true)
    }
  }

  private func revealItem(_ item: Int, animated: Bool) {
    let path = indexPath(at: item)
    let axis: ScrollPosition = scrollAxis == .vertical ? .nearestHorizontalEdge : .nearestVerticalEdge
    scrollToItem(at: path, at: axis, animated: animated)
    scrollToItem(item, at: .nearest, animated: animated, margin: CollectionView.revealMargin)
  }

  /// Returns the visible rectangle at an offset.
  private func viewportRect(at offset: Double) -> Rect {
    var rect = visibleRect
    rect.origin[scrollAxis] = offset
    return rect
  }

  /// Returns the first item at an offset that is entirely visible, or else starts in the viewport, or else is partly
  /// visible.
  private func firstItem(at offset: Double) -> Int {
    let start = uncoveredStart - contentOffset + offset
    let end = offset + viewportLength
    var seen: [Int] = []
    solution.visitItems(in: viewportRect(at: offset)) { seen += $0 }
    func edges(_ item: Int) -> (Double, Double) {
      let frame = solution.frame(ofItem: item)
      return (frame.origin[scrollAxis], frame.origin[scrollAxis] + frame.size[scrollAxis])
    }
    return seen.first { edges($0).0 >= start && edges($0).1 <= end } ?? seen.first { edges($0).0 >= start }
      ?? seen.first ?? 0
  }

  /// Returns the focus move of a key, or nil if the key does not move the focus.
  private func focusMove(of key: Key, _ modifiers: KeyModifiers) -> FocusMove? {
    let isRightToLeft = layoutDirection == .rightToLeft
    switch key {
    case .tab where modifiers.isSubset(of: .shift): return modifiers.isEmpty ? .next : .previous
    case .home: return .first
    case .end: return .last
    case .pageUp: return .pageUp(unobscuredLength)
    case .pageDown: return .pageDown(unobscuredLength)
    case .up: return scrollAxis == .vertical ? .up : .previous
    case .down: return scrollAxis == .vertical ? .down : .next
    case .left: return horizontalMove(isForward: isRightToLeft)
    case .right: return horizontalMove(isForward: !isRightToLeft)
    default: return nil
    }
  }

  private func horizontalMove(isForward: Bool) -> FocusMove {
    if scrollAxis == .vertical { return isForward ? .next : .previous }
    return isForward ? .down : .up
  }
}

extension FocusMove {
  /// Whether it moves by the length of the viewport.
  fileprivate var isPage: Bool {
    switch self {
    case .pageUp, .pageDown: true
    case .first, .last, .up, .down, .previous, .next: false
    }
  }

  /// Whether it can lead to an item outside the viewport, even if no item was focused.
  fileprivate var leavesViewport: Bool {
    isPage || self == .first || self == .last
  }
}

extension Key {
  /// Whether it repeats while it is held.
  fileprivate var isArrow: Bool { self == .up || self == .down || self == .left || self == .right }
}

/// An arrow key that is held and moves the focus repeatedly.
struct RepeatingFocusKey {
  /// The key.
  let key: Key
  /// The timing of its repetition.
  var keyRepeat: FocusKeyRepeat
}
