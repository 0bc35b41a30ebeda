import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDiffableData
package import VitrineGeometry
package import VitrineRendering
import VitrineViews

/// The owner of the pointer: where it is, which item is under it, and which item is pressed.
///
/// A press highlights its item while the pointer is over it. When it is released there, it becomes a selection gesture,
/// and the second one a primary action. A press that moves far enough becomes something else, and the owner of that
/// asks for it: the drag of an item (``itemToDrag(at:)``), a rubber band (``rubberBandStart(at:)``), or a drag of an
/// orthogonal section (``sectionDrag``).
///
/// Invariants:
/// - At most one item is highlighted: that of the press, while the pointer is over it. Every `didHighlight` is followed
///   by one `didUnhighlight`, also if an update deletes the item.
/// - No item is hovered while content moves or a rubber band is drawn, so that items do not light up one after the
///   other.
/// - A press whose release was not received ends with the next press.
package final class PressController {
  /// A pressed pointer button.
  private struct Press {
    /// The pressed item, or nil if the press is between items or the item was deleted.
    var item: Int?
    /// The selection gesture of a release over the item, or between items.
    var gesture: SelectionGesture?
    /// The position of the press, in the view's coordinates.
    var point: Point
    /// The effect of a rubber band that begins here, or nil if none can.
    var effect: RubberBandEffect?
    /// Whether the item may be dragged, as far as was checked.
    var canDrag = true
    /// Whether it is the second press of a double click.
    var isDouble = false
    /// Whether the pointer is over the item.
    var isInside = false
  }

  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any InteractionHost)!
  private let selection: SelectionController

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private var press: Press?
  private var pointer: Point?
  @exclusivity(unchecked) private var hovered: Int?
  private var hasMovingContent = false
  private var deletedPath: IndexPath?

  /// The distance that the pointer moves before it drags an item or draws a rubber band, in points.
  private static let dragThreshold = 4.0

  /// Creates a controller without a pointer.
  ///
  /// - Parameter selection: The owner of the selection.
  package init(selection: SelectionController) { self.selection = selection }

  // MARK: - State

  /// The position of the pointer, in the view's coordinates, or nil if it is outside.
  package var pointerLocation: Point? { pointer }

  /// The item under the pointer, or nil if there is none or content moves.
  package var hoveredItem: Int? { hovered }

  /// The pressed item while the pointer is over it.
  private var highlightedItem: Int? { press.flatMap { $0.isInside ? $0.item : nil } }

  /// Whether no item is pressed or hovered.
  package var isIdle: Bool { press == nil && hovered == nil }

  /// Sets the part of an item's configuration state that depends on the pointer.
  package func setState(of index: Int, in state: inout CellConfigurationState) {
    state.isHighlighted = highlightedItem == index
    state.isHovered = hovered == index
  }

  // MARK: - Pointer

  /// Moves the pointer.
  ///
  /// - Parameter point: The new position, in the view's coordinates, or nil if the pointer left the view.
  package func movePointer(to point: Point?) {
    pointer = point
    if let press, let item = press.item, selection.allowsSelection {
      let isInside = point.flatMap(host.itemIndex(at:)) == item
      if isInside != press.isInside { setHighlighted(isInside) }
    }
    updateHoveredItem()
  }

  /// Records the position of the pointer at the end of a drag, for the hovered item of the next frame.
  package func setPointer(_ point: Point) { pointer = point }

  /// Updates the hovered item after the content or the layout changed.
  package func updateHoveredItem() {
    let item = host.isTracked || host.isRubberBandShown ? nil : pointer.flatMap(host.itemIndex(at:))
    guard item != hovered else { return }
    hovered = item
    host.updateConfigurationStates()
    guard let delegate = host.interactionDelegate else { return }
    let path = item.map(host.indexPath(at:))
    host.deferringUpdates { delegate.didHoverItem(at: path) }
  }

  /// Updates the hovered item when motion of the content began or ended.
  package func updateScrollActivity() {
    guard pointer != nil, host.isTracked != hasMovingContent else { return }
    hasMovingContent = host.isTracked
    updateHoveredItem()
  }

  // MARK: - Presses

  /// Begins a press.
  ///
  /// - Parameters:
  ///   - point: The position of the pointer, in the view's coordinates.
  ///   - clicks: The number of the press in a multiple click, from 1.
  ///   - modifiers: The pressed modifier keys.
  ///   - isCatch: Whether the press stopped decelerating content, which is then its only effect.
  package func beginPress(at point: Point, clicks: Int, _ modifiers: KeyModifiers, isCatch: Bool) {
    host.becomeFirstResponder()
    pointer = point
    selection.setShowsFocus(false)
    clearPress()
    let item = isCatch ? nil : host.itemIndex(at: point)
    var press = Press(item: item, point: point, isDouble: clicks == 2)
    if let item {
      let isAllowed = host.interactionDelegate?.shouldHighlightItem(at: host.indexPath(at: item)) ?? true
      guard isAllowed else { return host.updateConfigurationStates() }
      press.gesture = .forClick(item, modifiers)
    } else if !isCatch {
      press.effect = .forModifiers(modifiers)
      if modifiers.isEmpty { press.gesture = .clear }
    }
    self.press = press
    if item != nil { setHighlighted(true) } else { host.updateConfigurationStates() }
  }

  /// Begins a press that can only drag its item, because items cannot be selected.
  package func beginDragPress(on item: Int, at point: Point) {
    host.becomeFirstResponder()
    clearPress()
    press = Press(item: item, point: point)
  }

  /// Ends the press at a point: selects the item under it, or clears the selection between items.
  ///
  /// - Returns: Whether there was a press.
  package func endPress(at point: Point) -> Bool {
    guard press != nil else { return false }
    movePointer(to: point)
    // The delegate may have ended it.
    guard let press else { return true }
    if press.isInside, let item = press.item, let gesture = press.gesture?.moved(to: item) {
      selection.selectInteractively(gesture)
      if press.isDouble { performPrimaryAction(on: item) }
    } else if press.gesture == .clear, host.bounds.contains(point), host.itemIndex(at: point) == nil {
      selection.selectInteractively(.clear)
    }
    clearPress()
    return true
  }

  /// Ends the press without an effect, and removes the highlight.
  package func cancelPress() {
    guard press != nil else { return }
    host.deferringUpdates { setHighlighted(false) }
    press = nil
  }

  private func clearPress() {
    setHighlighted(false)
    press = nil
  }

  private func setHighlighted(_ isInside: Bool) {
    guard let item = press?.item, press?.isInside != isInside else { return }
    press?.isInside = isInside
    host.updateConfigurationStates()
    let path = host.indexPath(at: item)
    if isInside {
      host.interactionDelegate?.didHighlightItem(at: path)
    } else {
      host.interactionDelegate?.didUnhighlightItem(at: path)
    }
  }

  // MARK: - Presses that become drags

  /// Returns the pressed item and the position of the press, if the pointer moved far enough to drag the item.
  ///
  /// It is returned at most once for a press: if the item cannot be dragged, the press stays one.
  package func itemToDrag(at point: Point) -> (item: Int, start: Point)? {
    guard let press, let item = press.item, press.canDrag, hasMoved(from: press.point, to: point) else { return nil }
    self.press?.canDrag = false
    // Scrolling may have moved the item away from the pointer.
    guard host.isItemDisplayed(item), host.itemIndex(at: press.point) == item else { return nil }
    return (item, press.point)
  }

  /// Ends the press because its item is dragged from now on.
  package func didBeginDrag() {
    setHighlighted(false)
    press = nil
    hovered = nil
    host.updateConfigurationStates()
  }

  /// Returns where a press between items began and what its rubber band does, if the pointer moved far enough.
  package func rubberBandStart(at point: Point) -> (start: Point, effect: RubberBandEffect)? {
    guard let press, press.item == nil, let effect = press.effect, hasMoved(from: press.point, to: point) else {
      return nil
    }
    return (press.point, effect)
  }

  /// Ends the press because a rubber band begins.
  package func didBeginRubberBand() { press = nil }

  /// The pressed item and the position of the press, if the press may drag an orthogonal section instead.
  package var sectionDrag: (item: Int, start: Point)? {
    guard let press, let item = press.item, press.gesture != nil else { return nil }
    return (item, press.point)
  }

  private func hasMoved(from start: Point, to point: Point) -> Bool {
    let translation = point - start
    let threshold = PressController.dragThreshold
    return translation.x * translation.x + translation.y * translation.y >= threshold * threshold
  }

  // MARK: - Actions

  /// Performs the primary action of an item, if it has one.
  package func performPrimaryAction(on item: Int) {
    guard let delegate = host.interactionDelegate, let item = host.existing(item) else { return }
    delegate.performPrimaryAction(at: host.indexPath(at: item))
  }

  /// Shows a context menu for the selected items.
  ///
  /// An item at the point that is not selected becomes the selection.
  ///
  /// - Returns: Whether a menu is shown, or its item vanished.
  package func showContextMenu(at point: Point) -> Bool {
    guard let delegate = host.interactionDelegate else { return false }
    guard let item = host.itemIndex(at: point) else {
      return delegate.showContextMenu(for: host.indexPaths(of: IndexRuns()), at: point)
    }
    if selection.allowsSelection, !selection.selectedItems.contains(item) {
      selection.selectInteractively(.choose(item), notifiesOfItems: false)
    }
    guard item < host.itemCount else { return true }
    let items = selection.selectedItems.contains(item) ? selection.selectedItems : IndexRuns(item..<(item + 1))
    return delegate.showContextMenu(for: host.indexPaths(of: items), at: point)
  }

  /// Shows a context menu for the selected items, at the focused item if it is visible.
  ///
  /// - Returns: Whether a menu is shown.
  package func showContextMenuAtFocus() -> Bool {
    guard let delegate = host.interactionDelegate else { return false }
    let bounds = host.bounds
    let frame = selection.focusedItem.map { host.solution.frame(ofItem: $0) }
    let location = frame.map { Point(x: $0.midX, y: $0.midY) - host.contentOrigin } ?? Point(x: -1, y: -1)
    let point = bounds.contains(location) ? location : Point(x: bounds.midX, y: bounds.midY)
    return delegate.showContextMenu(for: host.indexPaths(of: selection.selectedItems), at: point)
  }

  // MARK: - Updates

  /// Updates the pressed and the hovered item after an update of the items.
  package func apply(_ map: IndexMap) {
    let path = highlightedItem.flatMap { map.formerCounts.position(of: $0) }
    let item = press?.item.flatMap(map.newIndex(ofItem:))
    press?.item = item
    hovered = hovered.flatMap(map.newIndex(ofItem:))
    if item == nil, let path { deletedPath = IndexPath(item: path.item, section: path.section) }
  }

  /// Ends the press and the hovering, because all items were replaced.
  ///
  /// - Parameter counts: The counts of the former items.
  package func removeAll(from counts: ItemCounts) {
    if let path = highlightedItem.flatMap({ counts.position(of: $0) }) {
      deletedPath = IndexPath(item: path.item, section: path.section)
    }
    press = nil
    hovered = nil
  }

  /// Notifies the delegate of the last index path of a highlighted item that an update deleted.
  package func refreshAfterUpdate() {
    guard let path = deletedPath else { return }
    deletedPath = nil
    host.deferringUpdates { host.interactionDelegate?.didUnhighlightItem(at: path) }
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

extension RubberBandEffect {
  /// Returns the effect of a rubber band with the given modifier keys.
  fileprivate static func forModifiers(_ modifiers: KeyModifiers) -> RubberBandEffect {
    modifiers.contains(.control) ? .toggles : modifiers.contains(.shift) ? .adds : .replaces
  }
}
