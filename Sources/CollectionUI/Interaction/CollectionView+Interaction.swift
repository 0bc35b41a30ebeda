import CollectionEngine
import CollectionLayout
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// Handling of pointer and key events for items.
extension CollectionView {
  /// Handles an event that did not scroll.
  ///
  /// - Parameter isCatch: Whether a press stopped decelerating content, which is then its only effect.
  /// - Returns: Whether the event was handled.
  final func handleInteraction(_ event: InputEvent, isCatch: Bool) -> Bool {
    var isHandled = false
    // Updates by the delegate are deferred, because the indices below are those at the time of the event.
    deferringUpdates { isHandled = dispatchInteraction(event, isCatch: isCatch) }
    return isHandled
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

  // MARK: - Pointer

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

  /// Continues dragging an item with the pointer.
  private func continueItemDrag(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): updateInteractiveMovementTargetPosition(convertFromWindow(point))
    case .pointerUp(let point, .primary, _):
      updateInteractiveMovementTargetPosition(convertFromWindow(point))
      interaction.pointer = convertFromWindow(point)
      endInteractiveMovement()
    case .pointerDown(_, .primary, _, _):
      // The release of the button was not received.
      cancelInteractiveMovement()
      return handlePointer(event, isCatch: false)
    default: break
    }
    return true
  }

  /// Begins dragging the pressed item, if the pointer moved far enough and the item may be moved.
  private func beginItemDragIfNeeded(_ point: Point) -> Bool {
    guard let press = interaction.press, let item = press.item, press.canDrag else { return false }
    let translation = point - press.point
    guard
      translation.x * translation.x + translation.y * translation.y >= CollectionView.itemDragThreshold
        * CollectionView.itemDragThreshold
    else {
      return false
    }
    interaction.press?.canDrag = false
    // Scrolling may have moved the item away from the pointer.
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

  /// The distance that the pointer moves before a drag begins, in points.
  private static var itemDragThreshold: Double { 4 }

  /// Records a press that may begin a drag while items cannot be selected.
  private func beginDragPress(at point: Point) -> Bool {
    guard let item = itemIndex(at: point), displayedSource?.canMoveItem(at: item) ?? false else { return false }
    window?.firstResponder = self
    clearPress()
    interaction.press = InteractionState.Press(item: item, gesture: nil, point: point, isDouble: false, isInside: false)
    return true
  }

  /// Returns the item at a point in the view's coordinates.
  final func itemIndex(at point: Point) -> Int? {
    requireSolvedLayout()
    guard bounds.contains(point) else { return nil }
    let location = point + contentOrigin
    // Section handlers may have moved the displayed cells.
    for (index, cell) in displayed.entries.reversed() where !arrangement.isEmpty && cell.frame.contains(location) {
      return index
    }
    var found: Int?
    solution.visitItems(in: Rect(origin: location, size: Size(width: 1e-6, height: 1e-6))) { run in
      for index in run where solution.frame(ofItem: index).contains(location) { found = index }
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

  /// Updates the hovered item.
  ///
  /// It is nil while content scrolls, so that items do not light up one after the other.
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

  /// Updates the hovered item when scrolling began or ended.
  final func updateScrollActivity() {
    guard interaction.pointer != nil, isTracked != interaction.isMoving else { return }
    interaction.isMoving = isTracked
    updateHoveredItem()
  }

  private func beginPress(at point: Point, _ clicks: Int, _ modifiers: KeyModifiers, isCatch: Bool) -> Bool {
    window?.firstResponder = self
    interaction.pointer = point
    interaction.showsFocus = false
    // The release of the last press may not have been received.
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

  /// Ends the press and removes the highlight.
  private func clearPress() {
    setHighlighted(false)
    interaction.press = nil
  }

  /// Adds or removes the highlight of the pressed item.
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

  // MARK: - Actions

  private func performPrimaryAction(on item: Int) {
    guard let delegate = interaction.delegate, item < itemCount else { return }
    let path = indexPath(at: item)
    if delegate.collectionView(self, canPerformPrimaryActionForItemAt: path) {
      delegate.collectionView(self, performPrimaryActionForItemAt: path)
    }
  }

  /// Shows a context menu for the selection.
  ///
  /// If the clicked item is not selected, it becomes the selection.
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

  // MARK: - Keys

  private func handleItemKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    if key == .escape, interaction.isDragging {
      cancelInteractiveMovement()
      return true
    }
    // While a rubber band is drawn, only the band selects.
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

  /// Returns whether a key selects, moves or acts on items.
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
    let location = lead.map { Point(x: $0.midX, y: $0.midY) - contentOrigin } ?? Point(x: -1, y: -1)
    let point = bounds.contains(location) ? location : Point(x: bounds.midX, y: bounds.midY)
    return delegate.collectionView(self, showContextMenuForItemsAt: indexPathsForSelectedItems, at: point)
  }

  // MARK: - Cancellation

  /// Handles an event that scrolls an orthogonal section, or the cancellation of input.
  ///
  /// - Returns: Whether the event was handled. A cancellation is not, because every view must receive it.
  final func handleDragEvent(_ event: InputEvent) -> Bool {
    if event.kind == .cancelled { cancelDrags(at: event.time) }
    return handleOrthogonalInput(event)
  }

  /// Ends all drags after input was cancelled.
  ///
  /// The items under a rubber band stay selected. A dragged item returns to its original position.
  final func cancelDrags(at time: FrameInstant) {
    if orthogonalInput.isDragging { endOrthogonalDrag(.stop, at: time) }
    if interaction.press != nil {
      deferringUpdates { setHighlighted(false) }
      interaction.press = nil
    }
    endRubberBand()
    if interaction.isDragging, interaction.isDraggedByPointer { cancelInteractiveMovement() }
  }
}

extension SelectionGesture {
  /// Returns the gesture of a click on an item with the given modifier keys.
  fileprivate static func forClick(_ item: Int, _ modifiers: KeyModifiers) -> SelectionGesture {
    if modifiers.contains(.shift) { return .extend(to: item, adds: modifiers.contains(.control)) }
    return modifiers.contains(.control) ? .toggle(item) : .choose(item)
  }

  /// Returns the same gesture for an item whose index changed.
  fileprivate func moved(to item: Int) -> SelectionGesture {
    switch self {
    case .choose: .choose(item)
    case .toggle: .toggle(item)
    case .extend(_, let adds): .extend(to: item, adds: adds)
    default: self
    }
  }
}
