public import struct FoundationEssentials.IndexPath
public import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
public import VitrineGeometry
public import VitrineRendering
import VitrineViews

/// Selecting, focusing and moving items, by the user and by the program.
extension CollectionView {
  // MARK: - Selection

  /// A Boolean value that indicates whether the user can select items.
  ///
  /// Changing it does not change the selection. The default is true.
  public final var allowsSelection: Bool {
    get { selectionController.allowsSelection }
    set { selectionController.allowsSelection = newValue }
  }

  /// A Boolean value that indicates whether multiple items can be selected.
  ///
  /// The user selects multiple items with Control, Shift and Ctrl+A. The default is false.
  public final var allowsMultipleSelection: Bool {
    get { selectionController.allowsMultipleSelection }
    set { selectionController.allowsMultipleSelection = newValue }
  }

  /// The selected items, the anchor of range selections, and the focused item, by flat index.
  public final var selection: Selection { selectionController.current }

  /// The index paths of the selected items, in display order.
  ///
  /// - Complexity: O(ranges of selected items). Index paths are created on access.
  public final var indexPathsForSelectedItems: IndexPathRuns { indexPaths(of: selectionController.selectedItems) }

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
    guard let index = flatIndex(at: path) else {
      return reportMissingItem(path, "selectItem(at:animated:scrollPosition:)")
    }
    // Updates by the delegate are deferred, so that the item keeps its index until then.
    deferringUpdates {
      select(.add(IndexRuns(index..<(index + 1))))
      selectionController.moveAnchor(to: index)
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
  public final func select(_ gesture: SelectionGesture) { selectionController.select(gesture) }

  // MARK: - Focus

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
    get { focusController.allowsFocus }
    set { focusController.allowsFocus = newValue }
  }

  /// A Boolean value that indicates whether an item that is focused by a key is selected, if items can be selected.
  ///
  /// The default is true.
  public final var selectionFollowsFocus: Bool {
    get { focusController.selectionFollowsFocus }
    set { focusController.selectionFollowsFocus = newValue }
  }

  /// Focuses an item, shows the focus, and scrolls the item into view by the smallest distance.
  ///
  /// - Parameters:
  ///   - index: The flat index of the item. An index without an item is ignored.
  ///   - selects: Whether the item becomes the only selected one, if items can be selected. Default: true.
  ///   - animated: Whether scrolling is animated. Of a long distance only the end is animated. Default: true.
  public final func focusItem(at index: Int, selects: Bool = true, animated: Bool = true) {
    guard (0..<itemCount).contains(index) else { return }
    deferringUpdates { focusController.focusItem(index, selects: selects, animated: animated) }
  }

  /// The index path of the focused item, or nil if no focus is shown.
  ///
  /// After updates it refers to the same item, or to the next one if the item was deleted. Setting it does not change
  /// the selection.
  public final var focusedIndexPath: IndexPath? {
    get { selectionController.showsFocus ? selection.lead.map(indexPath(at:)) : nil }
    set {
      selectionController.setShowsFocus(newValue != nil)
      if let newValue, let index = flatIndex(at: newValue) { selectionController.setFocusedItem(index) }
      updateConfigurationStates()
    }
  }

  /// The flat index of the item under the pointer, or nil if there is none or content scrolls.
  public final var hoveredItem: Int? { pressController.hoveredItem }

  // MARK: - Rubber band

  /// A Boolean value that indicates whether a drag that begins between items selects the items under the drawn
  /// rectangle.
  ///
  /// It has an effect only if multiple items can be selected. With Control, the items under the rectangle are toggled;
  /// with Shift, they are added. Near an edge of the view the content scrolls, the faster the nearer. Escape restores
  /// the previous selection.
  ///
  /// Each frame examines the visible items and a portion of the others, however many are under the rectangle. Items
  /// that were not found before the release are found in the frames after it, unless another selection replaces them.
  /// After the release, the anchor of range selections is the item nearest to where the drag began, and the focused
  /// item is the one nearest to where it ended. The default is false.
  public final var allowsRubberBandSelection: Bool {
    get { rubberBandController.isEnabled }
    set { rubberBandController.isEnabled = newValue }
  }

  /// The color of the rectangle's border.
  ///
  /// The rectangle is filled with a translucent shade of it.
  public final var rubberBandColor: Color {
    get { rubberBandController.color }
    set { rubberBandController.color = newValue }
  }

  /// The frame of the drawn rectangle, in the view's coordinates, as of the last frame, or nil if none is drawn.
  public final var rubberBandFrame: Rect? { rubberBandController.frame?.offset(by: .zero - contentOrigin) }

  // MARK: - Interactive movement

  /// The current index path of the dragged item, or nil if no item is dragged.
  ///
  /// If a data source's `reorderingHandlers` allow moving an item, a press that moves four points begins dragging it;
  /// no gesture recognizer has to be installed. A program can begin and control a movement with the four methods below,
  /// as in UIKit. While an item is dragged, the other items move out of its way. Their order is provisional:
  /// ``DiffableDataSource/snapshot()`` is unchanged until the movement ends, and then changes in one transaction.
  ///
  /// - Complexity: O(log sections).
  public final var indexPathOfInteractiveMovement: IndexPath? { dragController.draggedItem.map(indexPath(at:)) }

  /// Initiates the interactive movement of the item at an index path, at its center.
  ///
  /// The item is displayed in front of the others, and its cell's ``CellConfigurationState/isReordering`` becomes true.
  /// Its descendants in its section's tree are hidden during the movement.
  ///
  /// - Parameter path: The index path of the item.
  /// - Returns: Whether the movement began. It does not if the item may not be moved, does not exist or is not visible,
  ///   or while another item is dragged. Items of a ``CollectionViewDataSource`` cannot be dragged, because they have
  ///   no identifiers.
  public final func beginInteractiveMovementForItem(at path: IndexPath) -> Bool {
    guard let index = flatIndex(at: path), isItemDisplayed(index) else { return false }
    return dragController.begin(index, from: nil, byPointer: false)
  }

  /// Updates the position of the dragged item.
  ///
  /// Has no effect if no item is dragged.
  ///
  /// In the coming frame the other items move out of its way. Near an edge of the view the content scrolls, the faster
  /// the nearer.
  ///
  /// - Parameter point: The new center of the item, in the view's coordinates. Use `convertFromWindow(_:)` to convert a
  ///   point of the window.
  public final func updateInteractiveMovementTargetPosition(_ point: Point) { dragController.move(to: point) }

  /// Ends the interactive movement, moving the item to its current target.
  ///
  /// Has no effect if no item is dragged. The data source commits the new order and calls its handlers once. The item
  /// is animated to its final frame.
  public final func endInteractiveMovement() { dragController.end() }

  /// Cancels the interactive movement, returning the item to its original position.
  ///
  /// Has no effect if no item is dragged. No handler is called, because nothing changed.
  public final func cancelInteractiveMovement() { dragController.cancel() }
}
