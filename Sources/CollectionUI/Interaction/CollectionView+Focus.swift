import CollectionEngine
import CollectionLayout
import Geometry
import Rendering
import ScrollPhysics
import Views

/// The keyboard, from item to item.
extension CollectionView {
  /// Whether keys take the keyboard from item to item; false unless told, and then they scroll.
  ///
  /// Arrows go by geometry, and keep their column through rows that are too short for it; held they go on, the faster the
  /// longer (``CollectionEngine/HeldMove``). Page Up and Page Down go by what is seen, Home and End to the first item and the last, Tab and Shift+Tab to the next one and the one before. Where
  /// items can be selected, arrows, pages, Home and End select; with Shift they select up to the item, with Control
  /// they do not, and Control and Space selects the item or gives it up. Space without Control scrolls by a page.
  ///
  /// The item is brought into view by the least scrolling, and shown as focused by ``CellConfigurationState/isFocused``.
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

  /// Whether the item to which a key takes the keyboard becomes the selected one, where items can be selected; true unless
  /// told.
  public final var selectionFollowsFocus: Bool {
    get { interaction.selectionFollowsFocus }
    set { interaction.selectionFollowsFocus = newValue }
  }

  /// Puts the keyboard at an item, shows that, and brings the item into view by the least scrolling.
  ///
  /// - Parameters:
  ///   - index: its flat index; one that is not there is ignored.
  ///   - selects: whether it becomes the only selected item, where items can be selected.
  ///   - animated: whether the movement is seen; of a long one the end.
  public final func focusItem(at index: Int, selects: Bool = true, animated: Bool = true) {
    requireSolvedLayout()
    guard (0..<itemCount).contains(index) else { return }
    deferringUpdates {
      setFocus(index, selects ? .choose(index) : nil)
      revealItem(index, animated: animated)
    }
  }

  /// The item that is pointed at, by its flat index; nothing beside items and while content moves.
  public final var hoveredItem: Int? { interaction.hovered }

  // MARK: Keys

  /// Takes a key that means another item.
  final func handleFocusKey(_ event: InputEvent) -> Bool {
    if handleFocusKeyRelease(event) { return true }
    guard interaction.allowsFocus, case .keyDown(let key, let modifiers, let isRepeat) = event.kind,
      !interaction.isDragging, !modifiers.contains(.alt), let move = focusMove(of: key, modifiers)
    else { return false }
    requireSolvedLayout()
    guard itemCount > 0 else { return false }
    // A band that is drawn is what selects.
    guard interaction.rubberBand == nil else { return true }
    var times = 1
    if key.isArrow {
      if isRepeat {
        // None are due of a key that something else ended.
        times = interaction.repeatingKey?.keyRepeat.takeDueMoves(at: event.time) ?? 0
        guard times > 0 else { return true }
      } else {
        interaction.repeatingKey = RepeatingFocusKey(key: key, keyRepeat: FocusKeyRepeat(at: event.time))
      }
    }
    var isTaken = true
    deferringUpdates { isTaken = moveFocus(by: move, times: times, isTab: key == .tab, modifiers) }
    if isTaken { stopDeceleration(at: event.time) }
    return isTaken
  }

  /// A key that is held leads on no more once it is let go, another one goes down, or a hand does something.
  private func handleFocusKeyRelease(_ event: InputEvent) -> Bool {
    guard let held = interaction.repeatingKey else { return false }
    switch event.kind {
    case .keyUp(held.key, _):
      interaction.repeatingKey = nil
      return true
    case .keyDown(held.key, _, isRepeat: true), .keyUp, .pointerMoved, .pointerUp, .pointerLeft: break
    default: interaction.repeatingKey = nil
    }
    return false
  }

  private func moveFocus(by move: FocusMove, times: Int, isTab: Bool, _ modifiers: KeyModifiers) -> Bool {
    // What the keys act on is where the pointer is no more.
    var lead = interaction.selection.lead.flatMap { $0 < itemCount ? $0 : nil }
    // Pages go on from what is looked at, where the keyboard was left behind. That is what will be seen: the content may
    // still be on its way to the page before.
    let offset = move.isPage ? scroll.projectedOffset : contentOffset
    if let place = lead, move.isPage, !solution.frame(ofItem: place).intersects(viewportRect(at: offset)) { lead = nil }
    let start = lead ?? firstItem(at: offset)
    var target = start
    var left = lead == nil && !move.leavesViewport ? times - 1 : times
    while left > 0, let next = interaction.focusNavigator.target(of: move, from: target, in: solution) {
      target = next
      left -= 1
    }
    guard target != start || lead == nil else {
      // At an end: Tab goes on to whoever is next, everything else shows where it is.
      if isTab { return false }
      setFocus(start, nil)
      revealItem(start, by: move, from: start)
      return true
    }
    let isQuiet = isTab || !interaction.allowsSelection || !interaction.selectionFollowsFocus
    let adds = modifiers.contains(.control)
    let gesture: SelectionGesture? =
      modifiers.contains(.shift) && !isTab && interaction.allowsSelection
      ? .extend(to: target, adds: adds) : isQuiet || adds ? nil : .choose(target)
    setFocus(target, gesture)
    revealItem(target, by: move, from: start)
    return true
  }

  /// Puts the keyboard at an item; a gesture that is refused leaves what is selected.
  private func setFocus(_ item: Int, _ gesture: SelectionGesture?) {
    if let gesture { selectInteractively(gesture) }
    if interaction.selection.lead != item { interaction.selection.setLead(item) }
    interaction.showsFocus = true
    updateConfigurationStates()
  }

  /// Selects the item where the keyboard is, or gives it up.
  final func toggleFocusedItem() -> Bool {
    guard let lead = interaction.selection.lead, lead < itemCount else { return false }
    interaction.showsFocus = true
    selectInteractively(.toggle(lead))
    updateConfigurationStates()
    return true
  }

  /// Points around an item that is brought into view: for what is drawn around it.
  private static var revealMargin: Double { 12 }

  /// Shows where a key has led: a page is a page of the content too, and the ends are its ends.
  private func revealItem(_ item: Int, by move: FocusMove, from start: Int) {
    switch move {
    case .first where !contentBeginsAtEnd, .last where contentBeginsAtEnd:
      scroll(to: scroll.range.minimum, animated: true)
    case .first, .last: scroll(to: scroll.range.maximum, animated: true)
    case .pageUp, .pageDown:
      guard item != start else { return revealItem(item, animated: true) }
      let way = solution.frame(ofItem: item).origin[scrollAxis] - solution.frame(ofItem: start).origin[scrollAxis]
      scroll(to: scroll.projectedOffset + way, animated: true)
    case .up, .down, .previous, .next: revealItem(item, animated: true)
    }
  }

  private func revealItem(_ item: Int, animated: Bool) {
    let path = indexPath(at: item)
    let axis: ScrollPosition = scrollAxis == .vertical ? .nearestHorizontalEdge : .nearestVerticalEdge
    scrollToItem(at: path, at: axis, animated: animated)
    scrollToItem(item, at: .nearest, animated: animated, margin: CollectionView.revealMargin)
  }

  /// What is seen at an offset.
  private func viewportRect(at offset: Double) -> Rect {
    var rect = visibleRect
    rect.origin[scrollAxis] = offset
    return rect
  }

  /// The first item that is wholly in view at an offset, or begins there, or is seen at all.
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

  /// Where a key leads; nothing for one that means something else.
  private func focusMove(of key: Key, _ modifiers: KeyModifiers) -> FocusMove? {
    let isTurned = layoutDirection == .rightToLeft
    switch key {
    case .tab where modifiers.isSubset(of: .shift): return modifiers.isEmpty ? .next : .previous
    case .home: return .first
    case .end: return .last
    case .pageUp: return .pageUp(unobscuredLength)
    case .pageDown: return .pageDown(unobscuredLength)
    case .up: return scrollAxis == .vertical ? .up : .previous
    case .down: return scrollAxis == .vertical ? .down : .next
    case .left: return horizontalMove(isForward: isTurned)
    case .right: return horizontalMove(isForward: !isTurned)
    default: return nil
    }
  }

  private func horizontalMove(isForward: Bool) -> FocusMove {
    if scrollAxis == .vertical { return isForward ? .next : .previous }
    return isForward ? .down : .up
  }
}

extension FocusMove {
  /// Whether it goes by what is seen.
  fileprivate var isPage: Bool {
    switch self {
    case .pageUp, .pageDown: true
    case .first, .last, .up, .down, .previous, .next: false
    }
  }

  /// Whether it leads elsewhere than to what is seen, also where the keyboard was nowhere.
  fileprivate var leavesViewport: Bool {
    isPage || self == .first || self == .last
  }
}

extension Key {
  /// Whether it leads from item to item while it is held.
  fileprivate var isArrow: Bool { self == .up || self == .down || self == .left || self == .right }
}
