public import CollectionEngine
import CollectionLayout
import DiffableData
public import struct FoundationEssentials.IndexPath
import Views

extension CollectionView {
  /// Whether a person can select items; true unless told.
  ///
  /// What is selected stays so.
  public final var allowsSelection: Bool {
    get { interaction.allowsSelection }
    set { interaction.allowsSelection = newValue }
  }

  /// Whether more than one item can be selected, by Control, Shift, Ctrl+A and by the program; false unless told.
  public final var allowsMultipleSelection: Bool {
    get { interaction.allowsMultipleSelection }
    set { interaction.allowsMultipleSelection = newValue }
  }

  /// What is selected, from where ranges go, and where the keyboard is, by flat index.
  public final var selection: Selection { interaction.selection }

  /// The paths of the selected items, in display order.
  ///
  /// - Complexity: O(runs of neighbours that are selected); each path is made when it is asked for.
  public final var indexPathsForSelectedItems: IndexPathRuns {
    IndexPathRuns(interaction.selection.items, in: solution.itemCounts)
  }

  /// Selects an item beside those that are selected, or in their place where one can be selected.
  ///
  /// The delegate is not asked, nor told of each item. Whether selection is allowed does not matter.
  ///
  /// - Parameters:
  ///   - path: the item; nothing deselects all. One that is not there is ignored.
  ///   - animated: whether scrolling there is seen.
  ///   - scrollPosition: where the item is to be seen; nothing scrolls nowhere.
  public final func selectItem(at path: IndexPath?, animated: Bool, scrollPosition: ScrollPosition = []) {
    guard let path else { return select(.clear) }
    guard let index = flatIndex(at: path) else { return }
    // What the delegate applies waits: until then the item has this number.
    deferringUpdates {
      select(.add(IndexRuns(index..<(index + 1))))
      interaction.selection.moveAnchor(to: index)
      updateConfigurationStates()
      scrollToItem(at: path, at: scrollPosition, animated: animated)
    }
  }

  /// Deselects an item; the delegate is not asked, nor told of each item.
  ///
  /// - Parameters:
  ///   - path: the item; one that is not there, or not selected, is ignored.
  ///   - animated: means nothing yet: a cell's look changes at once.
  public final func deselectItem(at path: IndexPath, animated: Bool) {
    if let index = flatIndex(at: path) { select(.remove(IndexRuns(index..<(index + 1)))) }
  }

  /// Selects as a gesture would, of whatever size; the delegate is not asked, nor told of each item.
  public final func select(_ gesture: SelectionGesture) {
    discardReleasedBands(for: gesture)
    let mode: SelectionMode = allowsMultipleSelection ? .multiple : .single
    applySelectionChange(interaction.selection.change(by: gesture, of: itemCount, mode: mode))
  }

  /// The item where the keyboard is, shown as focused; nothing where it is not shown.
  ///
  /// Through updates it follows its item, and goes on to the next where that is gone. Setting it selects nothing.
  public final var focusedIndexPath: IndexPath? {
    get { interaction.showsFocus ? interaction.selection.lead.map(indexPath(at:)) : nil }
    set {
      interaction.showsFocus = newValue != nil
      if let newValue, let index = flatIndex(at: newValue) { interaction.selection.setLead(index) }
      updateConfigurationStates()
    }
  }

  // MARK: A person's gestures

  /// Selects as a person does: the delegate is asked, and told of each item.
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

  /// What the delegate lets happen; nothing where the very item of a gesture is refused.
  private func allowedChange(
    _ change: SelectionChange, of gesture: SelectionGesture, _ delegate: any CollectionViewInteractionDelegate
  ) -> SelectionChange? {
    var unselectable = IndexRuns()
    change.selected.forEach { index in
      if !delegate.collectionView(self, shouldSelectItemAt: indexPath(at: index)) { unselectable.append(index) }
    }
    if case .choose(let item) = gesture, unselectable.contains(item) { return nil }
    if case .toggle(let item) = gesture, unselectable.contains(item) { return nil }
    var kept = IndexRuns()
    change.deselected.forEach { index in
      if !delegate.collectionView(self, shouldDeselectItemAt: indexPath(at: index)) { kept.append(index) }
    }
    // One item at a time: where the last one stays, no other comes.
    if !allowsMultipleSelection, !kept.isEmpty { return nil }
    // Once more, as the delegate may have selected something itself.
    return interaction.selection.change(by: gesture, of: itemCount, mode: interaction.mode)
      .without(selecting: unselectable, deselecting: kept)
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

  // MARK: Cells

  /// Tells the cells on screen and those that wait what they are to look like, where that is another look.
  final func updateConfigurationStates() {
    for cell in displayed.cells { updateConfigurationState(of: cell) }
    for cell in preparation.waiting.cells { updateConfigurationState(of: cell) }
    // What is seen to leave may come back.
    for entry in updateAnimation.disappearing {
      if let item = entry.waitingItem, let cell = entry.view as? CollectionViewCell {
        cell.applyState(interaction.state(of: item))
      }
    }
  }

  /// Tells a cell what it is to look like; one that was being prepared was not told of what changed meanwhile.
  final func updateConfigurationState(of cell: CollectionViewCell) {
    if let index = cell.itemIndex { cell.applyState(interaction.state(of: index)) }
  }

  // MARK: Updates

  /// The items are numbered anew: what is selected, pressed and pointed at stays so.
  ///
  /// - Parameters:
  ///   - newIndex: the new number of an item, or nothing when it is gone; given where all numbers together would be too many
  ///     for a frame, and few are asked for.
  ///   - numbers: the new numbers of all.
  final func remapInteraction(askingFor newIndex: ((Int) -> Int?)? = nil, _ numbers: () -> ItemIndexMap) {
    guard !interaction.isIdle else { return }
    defer { interaction.movement?.contentDidChange() }
    let count = interaction.selection.items.count
    let pressed = pressedPath
    let places = [interaction.selection.anchor, interaction.selection.lead].compactMap { $0 }
    if let newIndex, let selected = interaction.precomputedSelection {
      let few = ItemIndexMap(
        of: interaction.remappedInteractionItems, around: places, in: itemCount, newIndex: newIndex)
      interaction.apply(few, selecting: selected)
    } else if let newIndex, let followed = interaction.remappedItems {
      interaction.apply(ItemIndexMap(of: followed, around: places, in: itemCount, newIndex: newIndex))
    } else {
      interaction.apply(numbers())
    }
    if interaction.press?.item == nil, let pressed { interaction.removedPressPath = pressed }
    interaction.isSelectionReported = interaction.isSelectionReported && interaction.selection.items.count == count
  }

  /// Where the item is that looks pressed, before an update.
  private var pressedPath: IndexPath? {
    interaction.highlighted.flatMap { $0 < itemCount ? indexPath(at: $0) : nil }
  }

  /// After an update: the look of what changed its place, and what is known of the selection.
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

  /// All items are other ones: nothing is selected any more.
  final func resetInteraction() {
    interaction.isSelectionReported = interaction.isSelectionReported && interaction.selection.items.isEmpty
    if let pressed = pressedPath { interaction.removedPressPath = pressed }
    removeRubberBand()
    interaction.resetItems()
  }
}
