import CollectionEngine
import CollectionLayout
import DiffableData
import FramePacing
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import Views

/// What a person does with items, by pointer and keys.
extension CollectionView {
  /// Takes an event that scrolled nothing.
  ///
  /// - Parameter isCatch: whether a press caught content that ran on, which is all that it did.
  /// - Returns: whether it meant something here.
  final func handleInteraction(_ event: InputEvent, isCatch: Bool) -> Bool {
    var isMeant = false
    // What the delegate applies waits: the numbers below are those of the items that the event meets.
    deferringUpdates { isMeant = dispatchInteraction(event, isCatch: isCatch) }
    return isMeant
  }

  private func dispatchInteraction(_ event: InputEvent, isCatch: Bool) -> Bool {
    switch event.kind {
    case .pointerMoved, .pointerLeft, .pointerDown, .pointerUp:
      if interaction.isDragging, interaction.isDraggedByPointer { return continueItemDrag(event) }
      if interaction.rubberBand != nil { return continueRubberBand(event) }
      return handlePointer(event, isCatch: isCatch)
    case .keyDown(let key, let modifiers, let isRepeat): return handleItemKey(key, modifiers, isRepeat: isRepeat)
    default: return false
    }
  }

  // MARK: Pointer

  final func handlePointer(_ event: InputEvent, isCatch: Bool) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      updatePointer(convertFromWindow(point))
      return beginItemDragIfNeeded(convertFromWindow(point)) || beginRubberBandIfNeeded(to: convertFromWindow(point))
    case .pointerLeft:
      updatePointer(nil)
      return false
    case .pointerDown(let point, .primary, let clicks, let modifiers):
      guard allowsSelection else { return beginDragPress(at: convertFromWindow(point)) }
      return beginPress(at: convertFromWindow(point), clicks, modifiers, isCatch: isCatch)
    case .pointerUp(let point, .primary, _): return finishPress(at: convertFromWindow(point))
    case .pointerDown(let point, .secondary, _, _): return showContextMenu(at: convertFromWindow(point))
    default: return false
    }
  }

  /// The pointer carries an item.
  private func continueItemDrag(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): updateInteractiveMovementTargetPosition(convertFromWindow(point))
    case .pointerUp(let point, .primary, _):
      updateInteractiveMovementTargetPosition(convertFromWindow(point))
      interaction.pointer = convertFromWindow(point)
      endInteractiveMovement()
    case .pointerDown(_, .primary, _, _):
      // It was let go where nobody could see it.
      cancelInteractiveMovement()
      return handlePointer(event, isCatch: false)
    default: break
    }
    return true
  }

  /// A press that went far enough takes its item along, where that may be put elsewhere.
  private func beginItemDragIfNeeded(_ point: Point) -> Bool {
    guard let press = interaction.press, let item = press.item, press.canDrag else { return false }
    let way = point - press.point
    guard way.x * way.x + way.y * way.y >= CollectionView.itemDragThreshold * CollectionView.itemDragThreshold else {
      return false
    }
    interaction.press?.canDrag = false
    // The wheel may have taken it away from beneath the press.
    guard displayed[item] != nil, itemIndex(at: press.point) == item,
      beginDrag(item, from: press.point, byPointer: true)
    else { return false }
    setHighlighted(false)
    interaction.press = nil
    interaction.hovered = nil
    updateConfigurationStates()
    updateInteractiveMovementTargetPosition(point)
    return true
  }

  /// Points that a pressed pointer goes until it takes its item along.
  private static var itemDragThreshold: Double { 4 }

  /// A press where nothing can be selected may still take an item along.
  private func beginDragPress(at point: Point) -> Bool {
    guard let item = itemIndex(at: point), displayedSource?.canMoveItem(at: item) ?? false else { return false }
    window?.firstResponder = self
    clearPress()
    interaction.press = InteractionState.Press(item: item, gesture: nil, point: point, isDouble: false, isInside: false)
    return true
  }

  /// The item at a point of the view's coordinates.
  final func itemIndex(at point: Point) -> Int? {
    requireSolvedLayout()
    guard bounds.contains(point) else { return nil }
    let place = point + contentOrigin
    // Handlers of sections may have moved what is seen.
    for (index, cell) in displayed.entries.reversed() where !arrangement.isEmpty && cell.frame.contains(place) {
      return index
    }
    var found: Int?
    solution.visitItems(in: Rect(origin: place, size: Size(width: 1e-6, height: 1e-6))) { run in
      for index in run where solution.frame(ofItem: index).contains(place) { found = index }
    }
    return found
  }

  private func updatePointer(_ point: Point?) {
    interaction.pointer = point
    if let press = interaction.press, let item = press.item {
      let isInside = point.flatMap(itemIndex) == item
      if isInside != press.isInside, allowsSelection { setHighlighted(isInside) }
    }
    updateHoveredItem()
  }

  /// Finds what is pointed at; nothing while the content moves, or items would light up one after the other.
  final func updateHoveredItem() {
    let isPointing = !isTracked && interaction.rubberBand == nil
    let hovered = isPointing ? interaction.pointer.flatMap(itemIndex) : nil
    guard hovered != interaction.hovered else { return }
    interaction.hovered = hovered
    updateConfigurationStates()
    guard let delegate = interaction.delegate else { return }
    let path = hovered.map(indexPath(at:))
    deferringUpdates { delegate.collectionView(self, didHoverItemAt: path) }
  }

  /// The content began to move, or came to rest.
  final func updateScrollActivity() {
    guard interaction.pointer != nil, isTracked != interaction.isMoving else { return }
    interaction.isMoving = isTracked
    updateHoveredItem()
  }

  private func beginPress(at point: Point, _ clicks: Int, _ modifiers: KeyModifiers, isCatch: Bool) -> Bool {
    window?.firstResponder = self
    interaction.pointer = point
    interaction.showsFocus = false
    // The one before was let go where nobody could see it.
    clearPress()
    let item = isCatch ? nil : itemIndex(at: point)
    var press = InteractionState.Press(
      item: item, gesture: nil, point: point, isDouble: clicks == 2, isInside: false)
    if let item {
      let path = indexPath(at: item)
      let isAllowed = interaction.delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
      guard isAllowed else {
        updateConfigurationStates()
        return true
      }
      press.gesture = .forClick(item, modifiers)
    } else if !isCatch {
      press.effect = .forModifiers(modifiers)
      if modifiers.isEmpty { press.gesture = .clear }
    }
    interaction.press = press
    if item != nil { setHighlighted(true) } else { updateConfigurationStates() }
    return true
  }

  private func finishPress(at point: Point) -> Bool {
    guard interaction.press != nil else { return false }
    updatePointer(point)
    guard let press = interaction.press else { return true }
    if press.isInside, let item = press.item, let gesture = press.gesture?.moved(to: item) {
      selectInteractively(gesture)
      if press.isDouble { performPrimaryAction(on: item) }
    } else if press.gesture == .clear, bounds.contains(point), itemIndex(at: point) == nil {
      selectInteractively(.clear)
    }
    clearPress()
    return true
  }

  /// The pressed item is pressed no more.
  private func clearPress() {
    setHighlighted(false)
    interaction.press = nil
  }

  /// The pressed item looks so, or no more.
  final func setHighlighted(_ isInside: Bool) {
    guard let item = interaction.press?.item, interaction.press?.isInside != isInside else { return }
    interaction.press?.isInside = isInside
    updateConfigurationStates()
    let path = indexPath(at: item)
    if isInside {
      interaction.delegate?.collectionView(self, didHighlightItemAt: path)
    } else {
      interaction.delegate?.collectionView(self, didUnhighlightItemAt: path)
    }
  }

  // MARK: Actions

  private func performPrimaryAction(on item: Int) {
    guard let delegate = interaction.delegate, item < itemCount else { return }
    let path = indexPath(at: item)
    if delegate.collectionView(self, canPerformPrimaryActionForItemAt: path) {
      delegate.collectionView(self, performPrimaryActionForItemAt: path)
    }
  }

  /// Has a menu shown for the selection, which becomes the clicked item where that is not selected.
  private func showContextMenu(at point: Point) -> Bool {
    guard let delegate = interaction.delegate else { return false }
    guard let item = itemIndex(at: point) else {
      return delegate.collectionView(self, showContextMenuForItemsAt: indexPaths(of: nil), at: point)
    }
    if allowsSelection, !interaction.selection.contains(item) { selectInteractively(.choose(item)) }
    guard item < itemCount else { return true }
    let isSelected = interaction.selection.contains(item)
    return delegate.collectionView(
      self, showContextMenuForItemsAt: isSelected ? indexPathsForSelectedItems : indexPaths(of: item), at: point)
  }

  private func indexPaths(of item: Int?) -> IndexPathRuns {
    IndexPathRuns(item.map { .init($0..<($0 + 1)) } ?? .init(), in: solution.itemCounts)
  }

  // MARK: Keys

  private func handleItemKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    if key == .escape, interaction.isDragging {
      cancelInteractiveMovement()
      return true
    }
    // A band that is drawn is what selects.
    if interaction.rubberBand != nil, isItemKey(key, modifiers) { return true }
    switch (key, modifiers) {
    case (.up, .alt), (.down, .alt), (.left, .alt), (.right, .alt): return moveItemByKey(key)
    case (.character("a"), .control) where interaction.mode == .multiple:
      selectInteractively(.all)
      return true
    case (.escape, []) where interaction.rubberBand != nil:
      cancelRubberBand()
      return true
    case (.escape, []) where allowsSelection && !interaction.selection.items.isEmpty:
      selectInteractively(.clear)
      return true
    case (.enter, []) where !isRepeat && interaction.delegate != nil:
      guard let lead = interaction.selection.lead else { return false }
      performPrimaryAction(on: lead)
      return true
    case (.space, .control) where allowsSelection && allowsFocus && !isRepeat: return toggleFocusedItem()
    case (.function(10), .shift), (.menu, _): return showContextMenuForKey()
    default: return false
    }
  }

  /// Whether a key selects items, moves them or does something with them.
  private func isItemKey(_ key: Key, _ modifiers: KeyModifiers) -> Bool {
    switch (key, modifiers) {
    case (.up, .alt), (.down, .alt), (.left, .alt), (.right, .alt), (.character("a"), .control), (.enter, []),
      (.space, .control), (.function(10), .shift), (.menu, _):
      true
    default: false
    }
  }

  private func showContextMenuForKey() -> Bool {
    guard let delegate = interaction.delegate else { return false }
    let lead = interaction.selection.lead.flatMap { $0 < itemCount ? solution.frame(ofItem: $0) : nil }
    let place = lead.map { Point(x: $0.midX, y: $0.midY) - contentOrigin } ?? Point(x: -1, y: -1)
    let point = bounds.contains(place) ? place : Point(x: bounds.midX, y: bounds.midY)
    return delegate.collectionView(self, showContextMenuForItemsAt: indexPathsForSelectedItems, at: point)
  }
}

extension SelectionGesture {
  /// What a click on an item means with keys held.
  fileprivate static func forClick(_ item: Int, _ modifiers: KeyModifiers) -> SelectionGesture {
    if modifiers.contains(.shift) { return .extend(to: item, adds: modifiers.contains(.control)) }
    return modifiers.contains(.control) ? .toggle(item) : .choose(item)
  }

  /// The same gesture on an item that has another number.
  fileprivate func moved(to item: Int) -> SelectionGesture {
    switch self {
    case .choose: .choose(item)
    case .toggle: .toggle(item)
    case .extend(_, let adds): .extend(to: item, adds: adds)
    default: self
    }
  }
}
