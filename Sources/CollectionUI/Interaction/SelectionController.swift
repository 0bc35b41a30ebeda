import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
package import VitrineDiffableData
import VitrineFramePacing
import VitrineViews

/// The owner of the selection: which items are selected, which one is focused, and whether the focus is visible.
///
/// The controller changes the selection by gestures (``SelectionGesture``), whether they come from a click, a key, a
/// rubber band or the program. A gesture of the user asks the delegate about each item first; one of the program does
/// not. How a gesture arises is the business of other owners: ``PressController``, ``FocusController`` and
/// ``RubberBandController`` pass theirs to ``selectInteractively(_:)``.
///
/// Invariants:
/// - Between two updates of the items, every selected item exists. The focused item may not: it is checked when it is
///   used.
/// - Every change that the delegate can observe is reported exactly once, after the cells have their new states. A
///   change by an update is reported by ``refreshAfterUpdate()``, when the new items are displayed.
/// - If the delegate refuses the item that a gesture names, the selection does not change at all.
///
/// Memory and time depend on the number of runs of selected items, not on the number of items.
package final class SelectionController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any InteractionHost)!

  // Unchecked: nothing that changes it calls client code, so that it cannot be read while it is being modified.
  @exclusivity(unchecked) private var selection = Selection()
  @exclusivity(unchecked) private var isFocusShown = false
  private var isSelectionReported = true
  private var replacements = 0
  private var preparation = SelectionPreparation()

  /// Creates a controller of an empty selection.
  package init() {}

  /// Whether the user can select items.
  package var allowsSelection = true
  /// Whether multiple items can be selected.
  package var allowsMultipleSelection = false

  // MARK: - State

  /// The selected items, the anchor and the focused item.
  package var current: Selection { selection }

  /// The selected items.
  package var selectedItems: IndexRuns { selection.items }

  /// The focused item, or nil if none is focused or it does not exist.
  package var focusedItem: Int? { host.existing(selection.lead) }

  /// Whether the focused item is displayed as focused.
  package var showsFocus: Bool { isFocusShown }

  /// The number of items that the user can select.
  package var mode: SelectionMode { !allowsSelection ? .none : allowsMultipleSelection ? .multiple : .single }

  /// The number of gestures that replaced the selection, by which others recognize that theirs is obsolete.
  package var replacementCount: Int { replacements }

  /// Whether no item is selected or focused.
  package var isEmpty: Bool { selection.items.isEmpty && selection.anchor == nil && selection.lead == nil }

  /// Sets the part of an item's configuration state that depends on the selection.
  package func setState(of index: Int, in state: inout CellConfigurationState) {
    state.isSelected = selection.contains(index)
    state.isFocused = isFocusShown && selection.lead == index
  }

  // MARK: - Focus

  /// Shows or hides the focus.
  package func setShowsFocus(_ isShown: Bool) { isFocusShown = isShown }

  /// Focuses an item without selecting it.
  package func setFocusedItem(_ index: Int) { selection.setLead(index) }

  /// Starts ranges at an item and focuses it.
  package func moveAnchor(to index: Int) { selection.moveAnchor(to: index) }

  // MARK: - Gestures

  /// Changes the selection on behalf of the program.
  ///
  /// The delegate's methods for individual items are not called.
  package func select(_ gesture: SelectionGesture) {
    recordReplacement(by: gesture)
    let mode: SelectionMode = allowsMultipleSelection ? .multiple : .single
    apply(selection.change(by: gesture, of: host.itemCount, mode: mode))
  }

  /// Changes the selection on behalf of the user, as far as the delegate allows.
  ///
  /// - Parameters:
  ///   - gesture: The change.
  ///   - notifiesOfItems: Whether the delegate is told which items were selected, in addition to the changed selection.
  ///     Not for a context menu, because the user did not choose its item for the action of a selection.
  package func selectInteractively(_ gesture: SelectionGesture, notifiesOfItems: Bool = true) {
    recordReplacement(by: gesture)
    let change = selection.change(by: gesture, of: host.itemCount, mode: mode)
    guard !change.isEmpty, let delegate = host.interactionDelegate, delegate.decidesOnEachItem else {
      return apply(change)
    }
    host.deferringUpdates {
      guard let allowed = allowedChange(change, of: gesture, delegate) else { return }
      apply(allowed)
      guard notifiesOfItems else { return }
      allowed.deselected.forEach { delegate.didDeselectItem(at: host.indexPath(at: $0)) }
      allowed.selected.forEach { delegate.didSelectItem(at: host.indexPath(at: $0)) }
    }
  }

  private func recordReplacement(by gesture: SelectionGesture) {
    if !gesture.keepsOthers { replacements += 1 }
  }

  /// Returns the part of a change that the delegate allows, or nil if it refuses the item of the gesture itself.
  private func allowedChange(
    _ change: SelectionChange, of gesture: SelectionGesture, _ delegate: any InteractionDelegate
  ) -> SelectionChange? {
    var unselectable = IndexRuns()
    change.selected.forEach { index in
      if !delegate.shouldSelectItem(at: host.indexPath(at: index)) { unselectable.append(index) }
    }
    if case .choose(let item) = gesture, unselectable.contains(item) { return nil }
    if case .toggle(let item) = gesture, unselectable.contains(item) { return nil }
    var undeselectable = IndexRuns()
    change.deselected.forEach { index in
      if !delegate.shouldDeselectItem(at: host.indexPath(at: index)) { undeselectable.append(index) }
    }
    // If only one item can be selected and it must stay selected, no other item can be.
    if !allowsMultipleSelection, !undeselectable.isEmpty { return nil }
    // Computed again, because the delegate may have changed the selection.
    return selection.change(by: gesture, of: host.itemCount, mode: mode)
      .without(selecting: unselectable, deselecting: undeselectable)
  }

  private func apply(_ change: SelectionChange) {
    selection.apply(change)
    host.updateConfigurationStates()
    guard !change.isEmpty else { return }
    host.deferringUpdates {
      host.selectionDidChange(by: change)
      host.selectionDidChange()
    }
  }

  // MARK: - Updates

  /// Returns whether an update can be performed in one frame, and otherwise prepares for it in steps.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - isSelecting: Whether the selection is about to change, so that a large update waits.
  func prepare(for update: CollectionUpdate, isSelecting: Bool) -> Bool {
    guard let changes = update.changes, changes.hasManyRuns else {
      preparation.cancel()
      return true
    }
    return !isSelecting && preparation.prepare(selection.items, for: changes, update.map)
  }

  /// Phase 3: prepares for a large update if the last frame had no slack time for it.
  ///
  /// - Returns: The number of selected items that were mapped.
  func collect(_ clock: any FrameClock) -> Int { preparation.collect(clock) }

  /// Phase 8: prepares for a large update.
  ///
  /// - Returns: The number of selected items that were mapped, or nil if no step was performed.
  func performSlackStep(_ budget: FrameBudget) -> Int? { preparation.performSlackStep(budget) }

  /// Updates the selection after an update of the items.
  func apply(_ update: CollectionUpdate) {
    let selected = update.changes.flatMap { preparation.selection(selection.items, after: $0, update.map) }
    preparation.cancel()
    apply(update.map, selecting: selected)
  }

  /// Updates the selection after an update of the items.
  ///
  /// - Parameter map: The map of the update.
  /// - Complexity: That of ``Selection/apply(_:)``.
  package func apply(_ map: IndexMap) { apply(map, selecting: nil) }

  private func apply(_ map: IndexMap, selecting selected: IndexRuns?) {
    let count = selection.items.count
    if let selected { selection.apply(map, selecting: selected) } else { selection.apply(map) }
    if selection.items.count != count { isSelectionReported = false }
  }

  /// Clears the selection, because all items were replaced.
  package func removeAll() {
    if !selection.items.isEmpty { isSelectionReported = false }
    selection = Selection()
    preparation.cancel()
  }

  /// Notifies the delegate if the update changed the selection.
  package func refreshAfterUpdate() {
    guard !isSelectionReported else { return }
    isSelectionReported = true
    host.deferringUpdates { host.selectionDidChange() }
  }
}
