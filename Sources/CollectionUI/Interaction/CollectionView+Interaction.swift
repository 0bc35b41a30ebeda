import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
package import VitrineGeometry
import VitrineRendering
package import VitrineScrollPhysics
import VitrineViews

/// The routing of events for items to the controllers that handle them.
extension CollectionView {
  /// Handles a key that moves the focus.
  final func handleFocusKey(_ event: InputEvent) -> Bool {
    requireSolvedLayout()
    return focusController.handle(
      event,
      while: dragController.isDragging ? .dragging : rubberBandController.isDrawing ? .drawingRubberBand : .idle)
  }

  /// Handles an event that did not scroll.
  ///
  /// - Parameter isCatch: Whether a press stopped decelerating content, which is then its only effect.
  /// - Returns: Whether the event was handled.
  final func handleInteraction(_ event: InputEvent, isCatch: Bool) -> Bool {
    var isHandled = false
    // Updates by the delegate are deferred, because the indices below are those at the time of the event.
    deferringUpdates { isHandled = routeInteraction(event, isCatch: isCatch) }
    return isHandled
  }

  private func routeInteraction(_ event: InputEvent, isCatch: Bool) -> Bool {
    switch event.kind {
    case .pointerMoved, .pointerLeft, .pointerDown, .pointerUp:
      if dragController.isDraggingByPointer { return continueItemDrag(event) }
      if rubberBandController.isDrawing { return continueRubberBand(event) }
      return routePointer(event, isCatch: isCatch)
    case .keyDown(let key, let modifiers, let isRepeat): return handleItemKey(key, modifiers, isRepeat: isRepeat)
    default: return false
    }
  }

  // MARK: - Pointer

  private func routePointer(_ event: InputEvent, isCatch: Bool) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      let point = convertFromWindow(point)
      pressController.movePointer(to: point)
      return beginItemDrag(at: point) || beginRubberBand(at: point)
    case .pointerLeft:
      pressController.movePointer(to: nil)
      return false
    case .pointerDown(let point, .primary, let clicks, let modifiers):
      let point = convertFromWindow(point)
      guard allowsSelection else { return beginDragPress(at: point) }
      pressController.beginPress(at: point, clicks: clicks, modifiers, isCatch: isCatch)
      return true
    case .pointerUp(let point, .primary, _): return pressController.endPress(at: convertFromWindow(point))
    case .pointerDown(let point, .secondary, _, _):
      return pressController.showContextMenu(at: convertFromWindow(point))
    default: return false
    }
  }

  private func beginDragPress(at point: Point) -> Bool {
    guard let item = itemIndex(at: point), displayedSource?.canMoveItem(at: item) ?? false else { return false }
    pressController.beginDragPress(on: item, at: point)
    return true
  }

  private func beginItemDrag(at point: Point) -> Bool {
    guard let (item, start) = pressController.itemToDrag(at: point),
      dragController.begin(item, from: start, byPointer: true)
    else { return false }
    pressController.didBeginDrag()
    dragController.move(to: point)
    return true
  }

  private func continueItemDrag(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): dragController.move(to: convertFromWindow(point))
    case .pointerUp(let point, .primary, _):
      dragController.move(to: convertFromWindow(point))
      pressController.setPointer(convertFromWindow(point))
      dragController.end()
    case .pointerDown(_, .primary, _, _):
      // The release of the button was not received.
      dragController.cancel()
      return routePointer(event, isCatch: false)
    default: break
    }
    return true
  }

  private func beginRubberBand(at point: Point) -> Bool {
    guard rubberBandController.isEnabled, selectionController.mode == .multiple,
      let (start, effect) = pressController.rubberBandStart(at: point)
    else { return false }
    pressController.didBeginRubberBand()
    rubberBandController.begin(at: start, to: point, effect: effect)
    pressController.updateHoveredItem()
    return true
  }

  private func continueRubberBand(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point): rubberBandController.move(to: convertFromWindow(point))
    case .pointerUp(let point, .primary, _):
      pressController.setPointer(convertFromWindow(point))
      rubberBandController.end(at: convertFromWindow(point))
    case .pointerDown(_, .primary, _, _):
      // The release of the button was not received.
      rubberBandController.end()
      return routePointer(event, isCatch: false)
    default: break
    }
    return true
  }

  // MARK: - Keys

  private func handleItemKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    if key == .escape, dragController.isDragging {
      dragController.cancel()
      return true
    }
    // While a rubber band is drawn, only the band selects.
    if rubberBandController.isDrawing, isItemKey(key, modifiers) { return true }
    switch (key, modifiers) {
    case (.up, .alt), (.down, .alt), (.left, .alt), (.right, .alt): return dragController.moveFocusedItem(by: key)
    case (.character("a"), .control) where selectionController.mode == .multiple:
      selectionController.selectInteractively(.all)
      return true
    case (.escape, []) where rubberBandController.isDrawing:
      rubberBandController.cancel()
      return true
    case (.escape, []) where allowsSelection && !selection.items.isEmpty:
      selectionController.selectInteractively(.clear)
      return true
    case (.enter, []) where !isRepeat && interactionDelegate != nil:
      guard let lead = selection.lead else { return false }
      pressController.performPrimaryAction(on: lead)
      return true
    case (.space, .control) where allowsSelection && allowsFocus && !isRepeat:
      return focusController.toggleFocusedItem()
    case (.function(10), .shift), (.menu, _): return pressController.showContextMenuAtFocus()
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

  // MARK: - Cancellation

  /// Handles an event that scrolls an orthogonal section, or the cancellation of input.
  ///
  /// - Returns: Whether the event was handled. A cancellation is not, because every view must receive it.
  final func handleDragEvent(_ event: InputEvent) -> Bool {
    if event.kind == .cancelled { cancelDrags(at: event.time) }
    return orthogonalController.handle(event)
  }

  /// Ends all drags after input was cancelled.
  ///
  /// The items under a rubber band stay selected. A dragged item returns to its original position.
  private func cancelDrags(at time: FrameInstant) {
    pressController.cancelPress()
    rubberBandController.end()
    if dragController.isDraggingByPointer { dragController.cancel() }
  }

  // MARK: - Updates

  /// Updates the items of the interaction after an update.
  final func remapInteraction(_ update: CollectionUpdate) {
    selectionController.apply(update)
    focusController.apply(update.map)
    pressController.apply(update.map)
    rubberBandController.apply(update.map)
    dragController.apply(update.map)
    swipeController?.apply(update.map)
  }

  /// Clears the selection and ends the interaction, because all items were replaced.
  final func resetInteraction(_ map: IndexMap) {
    focusController.apply(map)
    pressController.removeAll(from: map.formerCounts)
    rubberBandController.removeAll()
    selectionController.removeAll()
    swipeController?.removeAll()
  }

  /// Updates cells, and notifies the delegate of a highlight and a selection that an update ended.
  final func refreshInteractionAfterUpdate() {
    if !selectionController.isEmpty || !pressController.isIdle || dragController.isActive {
      updateConfigurationStates()
    }
    pressController.refreshAfterUpdate()
    selectionController.refreshAfterUpdate()
  }

  // MARK: - Cells

  /// Returns the configuration state of an item's cell.
  package final func configurationState(of index: Int) -> CellConfigurationState {
    var state = CellConfigurationState()
    selectionController.setState(of: index, in: &state)
    pressController.setState(of: index, in: &state)
    state.isReordering = dragController.movingItem == index
    return state
  }

  /// Updates the configuration states of displayed and waiting cells.
  package final func updateConfigurationStates() {
    cellController.updateStates()
    // A cell that is being animated out may be displayed again.
    updateAnimator.forEachBoundCell { item, cell in cell.applyState(configurationState(of: item)) }
  }
}

// MARK: - What the controllers need

extension CollectionView: DragHost {
  package final var uncoveredViewport: (start: Double, end: Double) {
    (uncoveredStart - contentOffset, viewportLength - axisInsets.end)
  }

  package final func isItemDisplayed(_ index: Int) -> Bool { cellController.displayedCell(at: index) != nil }

  /// Returns the displayed item at a point in the view's coordinates, or nil if there is none.
  package final func itemIndex(at point: Point) -> Int? {
    requireSolvedLayout()
    guard bounds.contains(point) else { return nil }
    let location = point + contentOrigin
    // Section handlers may have moved the displayed cells.
    if let index = visibleItemController.adjustedItem(at: location) { return index }
    var found: Int?
    solution.visitItems(in: Rect(origin: location, size: Size(width: 1e-6, height: 1e-6))) { run in
      for index in run where solution.frame(ofItem: index).contains(location) { found = index }
    }
    return found
  }

  package final var isRubberBandShown: Bool { rubberBandController.isDrawing }

  package final var isContentScrolling: Bool {
    scroll.isTracked(at: lastInstant) || orthogonalController.isTracked(at: lastInstant)
  }

  package final func scrollToEnd(_ isStart: Bool, showing item: Int) {
    let destination = ItemDestination(item: item, edge: isStart ? .contentStart : .contentEnd)
    itemScrollController.scroll(to: destination, animated: true)
  }

  package final func revealItem(_ index: Int, margin: Double, animated: Bool) {
    let cross: ScrollPosition = scrollAxis == .vertical ? .nearestHorizontalEdge : .nearestVerticalEdge
    scrollToItem(at: indexPath(at: index), at: cross, animated: animated)
    itemScrollController.scroll(
      to: ItemDestination(item: index, edge: .nearest, margin: margin), animated: animated)
  }

  package final func becomeFirstResponder() { window?.firstResponder = self }

  package final var reorderingSource: (any ReorderingSource)? { displayedSource }

  package final var isUpdateAnimationPlanned: Bool { updateAnimator.isPlanned }

  package final func isAnimatingItem(_ index: Int) -> Bool { updateAnimator.isAnimating(item: index) }

  package final func displayedFrame(ofItem index: Int) -> Rect {
    updateAnimator.displacement(of: .item(index)).applied(to: solution.frame(ofItem: index)).offset(
      by: .zero - contentOrigin)
  }

  package final func beginSettling(_ index: Int, from frame: Rect) {
    updateAnimator.beginSettling(index, from: frame)
    // From now on only the layout's visible items are displayed, and the item may not be one of them.
    setNeedsVisibleUpdate()
  }

  package final func movementDidEnd() {
    setNeedsVisibleUpdate()
    // The adjustment displays the item in front of the others.
    if !updateAnimator.isRunning { visibleItemController.discardAdjustments() }
    updateConfigurationStates()
    setNeedsDisplay()
  }

  package final func scrollSection(_ section: OrthogonalSection, by event: ScrollEvent) {
    // The last frame may be long ago, and an animation that began then would have ended.
    let instant = max(lastInstant, stepMeter.clock?.now() ?? lastInstant)
    orthogonalController.apply(event, to: section, at: instant)
    orthogonalController.applyOffsets(at: instant)
  }

  // MARK: - Delegate

  package final var interactionDelegate: (any InteractionDelegate)? {
    delegate.map { ClientInteractionDelegate(view: self, delegate: $0) }
  }

  package final func selectionDidChange(by change: SelectionChange) {
    delegate?.collectionView(self, didChangeSelectionBy: change)
  }

  package final func selectionDidChange() { delegate?.collectionViewDidChangeSelection(self) }
}

/// The client's delegate, called with its collection view.
private struct ClientInteractionDelegate: InteractionDelegate {
  let view: CollectionView
  let delegate: any CollectionViewDelegate

  var decidesOnEachItem: Bool { delegate.decidesOnEachItem }

  func shouldSelectItem(at path: IndexPath) -> Bool { delegate.collectionView(view, shouldSelectItemAt: path) }

  func shouldDeselectItem(at path: IndexPath) -> Bool { delegate.collectionView(view, shouldDeselectItemAt: path) }

  func didSelectItem(at path: IndexPath) { delegate.collectionView(view, didSelectItemAt: path) }

  func didDeselectItem(at path: IndexPath) { delegate.collectionView(view, didDeselectItemAt: path) }

  func shouldHighlightItem(at path: IndexPath) -> Bool { delegate.collectionView(view, shouldHighlightItemAt: path) }

  func didHighlightItem(at path: IndexPath) { delegate.collectionView(view, didHighlightItemAt: path) }

  func didUnhighlightItem(at path: IndexPath) { delegate.collectionView(view, didUnhighlightItemAt: path) }

  func didHoverItem(at path: IndexPath?) { delegate.collectionView(view, didHoverItemAt: path) }

  func performPrimaryAction(at path: IndexPath) {
    guard delegate.collectionView(view, canPerformPrimaryActionForItemAt: path) else { return }
    delegate.collectionView(view, performPrimaryActionForItemAt: path)
  }

  func targetOfMove(from original: IndexPath, at current: IndexPath, proposed: IndexPath) -> IndexPath {
    delegate.collectionView(
      view, targetIndexPathForMoveOfItemFromOriginalIndexPath: original, atCurrentIndexPath: current,
      toProposedIndexPath: proposed)
  }

  func showContextMenu(for paths: IndexPathRuns, at point: Point) -> Bool {
    if delegate.collectionView(view, showContextMenuForItemsAt: paths, at: point) { return true }
    let own = delegate.collectionView(view, contextMenuForItemsAt: paths, point: point)
    guard let menu = view.contextMenu(own, forItemsAt: paths) else { return false }
    return view.showMenu(menu, at: point, palette: view.palette)
  }
}
