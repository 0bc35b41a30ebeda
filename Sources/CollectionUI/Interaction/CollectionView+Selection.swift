public import CollectionEngine
import CollectionLayout
import DiffableData
public import struct FoundationEssentials.IndexPath
import Views

extension CollectionView {
  /// A Boolean value that indicates whether the user can select items.
  ///
  /// Changing it does not change the selection. The default is true.
  public final var allowsSelection: Bool {
    get { interaction.allowsSelection }
    set { interaction.allowsSelection = newValue }
  }

  /// A Boolean value that indicates whether multiple items can be selected.
  ///
  /// The user selects multiple items with Control, Shift and Ctrl+A. The default is false.
  public final var allowsMultipleSelection: Bool {
    get { interaction.allowsMultipleSelection }
    set { interaction.allowsMultipleSelection = newValue }
  }

  /// The selected items, the anchor of range selections, and the focused item, by flat index.
  public final var selection: Selection { interaction.selection }

  /// The index paths of the selected items, in display order.
  ///
  /// - Complexity: O(ranges of selected items). Index paths are created on access.
  public final var indexPathsForSelectedItems: IndexPathRuns {
    IndexPathRuns(interaction.selection.items, in: solution.itemCounts)
  }

  /// Selects an item, in addition to the selected ones or, if only one item can be selected, instead.
  ///
  /// The view does not call the delegate's methods for individual items. It does not matter whether ``allowsSelection``
  /// is true.
  ///
  /// - Parameters:
  ///   - path: The index path of the item, or nil to deselect all items. An index path without an item is ignored.
  ///   - animated: Whether scrolling is animated.
  ///   - scrollPosition: The position to scroll the item to, or an empty option set to not scroll. Default: empty.
  public final func selectItem(at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition = []) {
    guard let path else { return select(.clear) }
    guard let index = flatIndex(at: path) else { return }
    // Updates by the delegate are deferred, so that the item keeps its index until then.
    deferringUpdates {
      select(.add(IndexRuns(index..<(index + 1))))
      interaction.selection.moveAnchor(to: index)
      updateConfigurationStates()
      scrollToItem(at: path, at: scrollPosition, animated: animated)
    }
  }

  /// Deselects an item.
  ///
  /// The view does not call the delegate's methods for individual items.
  ///
  /// - Parameters:
  ///   - path: The index path of the item. If there is no item or it is not selected, it is ignored.
  ///   - animated: Not used. Cells change their appearance immediately.
  public final func deselectItem(at path: IndexPath, animated: Bool) {
    if let index = flatIndex(at: path) { select(.remove(IndexRuns(index..<(index + 1)))) }
  }

  /// Changes the selection as a gesture does, regardless of its size.
  ///
  /// The view does not call the delegate's methods for individual items.
  public final func select(_ gesture: SelectionGesture) {
    discardReleasedBands(for: gesture)
    let mode: SelectionMode = allowsMultipleSelection ? .multiple : .single
    applySelectionChange(interaction.selection.change(by: gesture, of: itemCount, mode: mode))
  }

  /// The index path of the focused item, or nil if no focus is shown.
  ///
  /// After updates it refers to the same item, or to the next one if the item was deleted. Setting it does not change
  /// the selection.
  public final var focusedIndexPath: IndexPath? {
    get { interaction.showsFocus ? interaction.selection.lead.map(indexPath(at:)) : nil }
    set {
      interaction.showsFocus = newValue != nil
      if let newValue, let index = flatIndex(at: newValue) { interaction.selection.setLead(index) }
      updateConfigurationStates()
    }
  }

  // MARK: - Gestures of the user

  /// Changes the selection on behalf of the user, calling the delegate's methods for individual items.
  final func selectInteractively(_ gesture: SelectionGesture) {
    discardReleasedBands(for: gesture)
    let change = interaction.selection.change(by: gesture, of: itemCount, mode: interaction.mode)
    guard !change.isEmpty, let delegate = interaction.delegate, delegate.decidesOnEachItem else {
      return applySelectionChange(change)
    }
    deferringUpdates {
      guard let allowed = allowedChange(change, of: gesture, delegate) else { return }
      applySelectionChange(allowed)
      allowed.deselected.forEach { delegate.collectionView(self, didDeselectItemAt: indexPath(at: $0)) }
      allowed.selected.forEach { delegate.collectionView(self, didSelectItemAt: indexPath(at: $0)) }
    }
  }

  /// Returns the part of a change that the delegate allows, or nil if it refuses the item of the gesture itself.
  private func allowedChange(
    _ change: SelectionChange, of gesture: SelectionGesture, _ delegate: any CollectionViewInteractionDelegate
  ) -> SelectionChange? {
    var unselectable = IndexRuns()
    change.selected.forEach { index in
      if !delegate.collectionView(self, shouldSelectItemAt: indexPath(at: index)) { unselectable.append(index) }
    }
    if case .choose(let item) = gesture, unselectable.contains(item) { return nil }
    if case .toggle(let item) = gesture, unselectable.contains(item) { return nil }
    var undeselectable = IndexRuns()
    change.deselected.forEach { index in
      if !delegate.collectionView(self, shouldDeselectItemAt: indexPath(at: index)) { undeselectable.append(index) }
    }
    // If only one item can be selected and it must stay selected, no other item can be.
    if !allowsMultipleSelection, !undeselectable.isEmpty { return nil }
    // Computed again, because the delegate may have changed the selection.
    return interaction.selection.change(by: gesture, of: itemCount, mode: interaction.mode)
      .without(selecting: unselectable, deselecting: undeselectable)
  }

  private func applySelectionChange(_ change: SelectionChange) {
    interaction.selection.apply(change)
    updateConfigurationStates()
    guard !change.isEmpty else { return }
    deferringUpdates {
      delegate?.collectionView(self, didChangeSelectionBy: change)
      delegate?.collectionViewDidChangeSelection(self)
    }
  }

  // MARK: - Cells

  /// Updates the configuration states of displayed and waiting cells.
  final func updateConfigurationStates() {
    for cell in displayed.cells { updateConfigurationState(of: cell) }
    for cell in preparation.waiting.cells { updateConfigurationState(of: cell) }
    // A cell that is being animated out may be displayed again.
    for entry in updateAnimation.disappearing {
      if let item = entry.boundItem, let cell = entry.view as? CollectionViewCell {
        cell.applyState(interaction.state(of: item))
      }
    }
  }

  /// Updates the configuration state of a cell, which may have changed while the cell was prepared.
  final func updateConfigurationState(of cell: CollectionViewCell) {
    if let index = cell.itemIndex { cell.applyState(interaction.state(of: index)) }
  }

  // MARK: - Updates

  /// Updates the indices of the selected, pressed and hovered items after an update.
  final func remapInteraction(_ update: CollectionUpdate) {
    guard !interaction.isIdle else { return }
    defer { interaction.movement?.contentDidChange() }
    let count = interaction.selection.items.count
    let pressed = pressedPath
    interaction.apply(update.map, selecting: update.selection)
    if interaction.press?.item == nil, let pressed { interaction.removedPressPath = pressed }
    interaction.isSelectionReported = interaction.isSelectionReported && interaction.selection.items.count == count
  }

  /// The index path of the highlighted item before an update.
  private var pressedPath: IndexPath? {
    interaction.highlighted.flatMap { $0 < itemCount ? indexPath(at: $0) : nil }
  }

  /// Updates cells and notifies the delegate of the selection after an update.
  final func refreshInteractionAfterUpdate() {
    if !interaction.isIdle { updateConfigurationStates() }
    if let path = interaction.removedPressPath {
      interaction.removedPressPath = nil
      deferringUpdates { interaction.delegate?.collectionView(self, didUnhighlightItemAt: path) }
    }
    guard !interaction.isSelectionReported else { return }
    interaction.isSelectionReported = true
    deferringUpdates { delegate?.collectionViewDidChangeSelection(self) }
  }

  /// Clears the selection and the interaction, because all items were replaced.
  final func resetInteraction() {
    interaction.isSelectionReported = interaction.isSelectionReported && interaction.selection.items.isEmpty
    if let pressed = pressedPath { interaction.removedPressPath = pressed }
    removeRubberBand()
    interaction.resetItems()
  }
}
