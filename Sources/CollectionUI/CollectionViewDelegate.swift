public import struct FoundationEssentials.IndexPath
public import VitrineCollectionEngine
public import VitrineGeometry
public import VitrineScrollPhysics
public import VitrineViews

/// The methods that a collection view calls when cells appear and disappear, while the user interacts with items, and
/// when the content scrolls.
///
/// All methods have default implementations, so that a delegate implements those it needs. Implementations should be
/// fast. Prepare cells in ``CollectionViewCell/prepare(step:)`` instead.
///
/// For a press the view calls, in this order, shouldHighlight, didHighlight, shouldSelect, shouldDeselect, didDeselect,
/// didSelect and didUnhighlight. Every highlight ends: if an update deletes the pressed item, its last index path is
/// passed to didUnhighlight. Programmatic changes call none of these methods.
///
/// The phases of a scroll, such as the beginning of a drag, are reported to the view's `scrollDelegate`.
@MainActor
public protocol CollectionViewDelegate: AnyObject {
  // MARK: - Display

  /// Notifies the delegate that a cell is about to be displayed.
  ///
  /// Each call is followed by exactly one call of `collectionView(_:didEndDisplaying:at:)`.
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath)
  /// Notifies the delegate that a cell was removed from the screen.
  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath)
  /// Notifies the delegate that a supplementary view is about to be displayed.
  ///
  /// Each call is followed by exactly one call of
  /// `collectionView(_:didEndDisplayingSupplementaryView:forElementOfKind:at:)`.
  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath)
  /// Notifies the delegate that a supplementary view was removed from the screen.
  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath)
  /// Notifies the delegate that the layout is about to be solved for some or all items, with the data source's current
  /// items.
  ///
  /// Implement this method to pass properties of items, such as the aspect ratios of images, to the layout's closures,
  /// which must not query the view. The view may call this method outside of frames. An implementation should be fast
  /// and must change neither items nor the layout.
  func collectionViewWillPrepareLayout(_ view: CollectionView)
  /// Notifies the delegate that visible items may have other frames than in the last frame.
  ///
  /// The view calls this method when every visible cell exists and is positioned.
  func collectionViewDidLayout(_ view: CollectionView)

  // MARK: - Selection

  /// A Boolean value that indicates whether the view calls the delegate for each item that the user selects or
  /// deselects.
  ///
  /// If false, `collectionView(_:shouldSelectItemAt:)`, `collectionView(_:didSelectItemAt:)` and the two methods for
  /// deselecting are not called, and the cost of a gesture is proportional to the ranges of items that change, however
  /// many items they contain. If true, selecting a range of a million items calls these methods a million times. A
  /// delegate that has such ranges and refuses none returns false, and implements
  /// ``collectionViewDidChangeSelection(_:)``. The default is true.
  var decidesOnEachItem: Bool { get }
  /// Returns whether an item should be highlighted during a press. The default is true.
  func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
  /// Notifies the delegate that an item was highlighted because the user pressed it.
  func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath)
  /// Notifies the delegate that the highlight was removed from an item, which may have been deleted.
  func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath)
  /// Returns whether an item can be selected. The default is true.
  func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
  /// Notifies the delegate that an item was selected.
  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath)
  /// Returns whether an item can be deselected. The default is true.
  func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool
  /// Notifies the delegate that an item was deselected.
  func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath)
  /// Notifies the delegate of the items that were selected and deselected, by the user or the program.
  ///
  /// The view calls this method before ``collectionViewDidChangeSelection(_:)``. Implement it to maintain a value that
  /// depends on a large selection, such as a sum, without visiting every selected item.
  ///
  /// The view does not call this method for updates, because they change the indices of items.
  func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange)
  /// Notifies the delegate that the selection changed, by the user, the program, or an update that deleted selected
  /// items.
  ///
  /// The view calls this method once for each change.
  func collectionViewDidChangeSelection(_ view: CollectionView)

  // MARK: - Interaction

  /// Notifies the delegate that the pointer moved to another item.
  ///
  /// The index path is nil if the pointer is over no item, or while content scrolls.
  func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?)
  /// Returns whether an item has a primary action, performed by a double click or the Return key. The default is true.
  func collectionView(_ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath) -> Bool
  /// Notifies the delegate that the user double-clicked an item, or pressed Return while it was focused.
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath)
  /// Handles files and folders that the user drags from another program and drops on the view.
  ///
  /// - Parameters:
  ///   - view: The collection view.
  ///   - files: The files and folders.
  ///   - indexPath: The index path of the item beneath the pointer, or nil for the background, or if the window system
  ///     does not tell where the pointer is.
  /// - Returns: Whether the files are used; otherwise the superviews receive them. The default is false.
  func collectionView(
    _ view: CollectionView, performDropOf files: [DroppedFile], at indexPath: IndexPath?
  ) -> Bool
  /// Returns the index path to use for an item that the user moves by dragging or with the keyboard.
  ///
  /// The view calls this method for every proposed position. During a drag there may be several, the nearest first: if
  /// the returned position is not nearer than the current one, the view proposes the next. The view calls this method
  /// when the proposed position may have changed, not for each movement of the pointer. Index paths are those after the
  /// move, without the item's descendants in its section's tree.
  ///
  /// - Parameters:
  ///   - view: The collection view.
  ///   - originalIndexPath: The item's index path before the drag.
  ///   - currentIndexPath: The item's current index path during the drag.
  ///   - proposedIndexPath: The proposed index path.
  /// - Returns: `proposedIndexPath`, or another index path if the item may not be moved there. The default is
  ///   `proposedIndexPath`.
  /// - Precondition: The returned index path is that of an item, or the one after the last item of a section. Snapshots
  ///   applied during the call are displayed after it.
  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath
  /// Returns the context menu of items, which the view shows at the point in the colors of its palette.
  ///
  /// The view calls this method for a secondary click, a long press, and the keys for context menus, unless
  /// `collectionView(_:showContextMenuForItemsAt:at:)` returns true. Items may change while the menu is open: actions
  /// should refer to them by identifier.
  ///
  /// - Parameters:
  ///   - view: The collection view.
  ///   - indexPaths: The selected items, which include the clicked one. Empty if no item was clicked.
  ///   - point: The position of the menu, in the view's coordinates.
  /// - Returns: The menu, or nil if there is none. The default is nil.
  func collectionView(
    _ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point
  ) -> Menu?
  /// Returns the actions that a swipe reveals at the leading edge of an item.
  ///
  /// The view calls this method when fingers on a touch screen or trackpad swipe across an item of content that scrolls
  /// vertically. The actions are also in the item's context menu, for the pointer and the keyboard's menu key, unless
  /// the menu of the delegate has actions with the same titles. In right-to-left layouts the leading edge is right.
  ///
  /// - Returns: The actions, or nil if there are none. The default is nil.
  func collectionView(
    _ view: CollectionView, leadingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration?
  /// Returns the actions that a swipe reveals at the trailing edge of an item.
  ///
  /// - Returns: The actions, or nil if there are none. The default is nil.
  func collectionView(
    _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration?
  /// Shows a context menu that is not one of the library's.
  ///
  /// To show a `Menu`, implement `collectionView(_:contextMenuForItemsAt:point:)` instead.
  ///
  /// - Parameters:
  ///   - view: The collection view.
  ///   - indexPaths: The selected items, which include the clicked one. Empty if no item was clicked.
  ///   - point: The position of the menu, in the view's coordinates.
  /// - Returns: Whether a menu is shown. The default is false.
  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool

  // MARK: - Scrolling

  /// Notifies the delegate that the content scrolled or the range of visible items changed.
  ///
  /// A delegate without this method costs a scroll nothing: the default implementation is called once.
  func collectionViewDidScroll(_ view: CollectionView)
  /// Notifies the delegate that a section scrolled to the given offset on its cross axis, in points.
  func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double)
  /// Notifies the delegate that a drag, deceleration or animation of a section began or ended.
  func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int)
}

extension CollectionViewDelegate {
  /// Does nothing.
  public func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) {}
  /// Does nothing.
  public func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {}
  /// Does nothing.
  public func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {}
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange) {}
  /// Does nothing.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {}
  /// Does nothing.
  public func collectionViewWillPrepareLayout(_ view: CollectionView) {}
  /// Does nothing.
  public func collectionViewDidLayout(_ view: CollectionView) {}
  /// Returns true.
  public var decidesOnEachItem: Bool { true }
  /// Returns true.
  public func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool { true }
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {}
  /// Returns true.
  public func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { true }
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {}
  /// Returns true.
  public func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool { true }
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath) {}
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?) {}
  /// Returns true.
  public func collectionView(
    _ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath
  ) -> Bool { true }
  /// Does nothing.
  public func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {}
  /// Returns false.
  public func collectionView(
    _ view: CollectionView, performDropOf files: [DroppedFile], at indexPath: IndexPath?
  ) -> Bool { false }
  /// Returns the proposed index path.
  public func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath { proposedIndexPath }
  /// Returns nil.
  public func collectionView(
    _ view: CollectionView, contextMenuForItemsAt indexPaths: IndexPathRuns, point: Point
  ) -> Menu? { nil }
  /// Returns nil.
  public func collectionView(
    _ view: CollectionView, leadingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? { nil }
  /// Returns nil.
  public func collectionView(
    _ view: CollectionView, trailingSwipeActionsConfigurationForItemAt indexPath: IndexPath
  ) -> SwipeActionsConfiguration? { nil }
  /// Returns false.
  public func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool { false }
  /// Does nothing.
  public func collectionViewDidScroll(_ view: CollectionView) { view.delegateIgnoresScrolling() }
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didScrollSection section: Int, to offset: Double) {}
  /// Does nothing.
  public func collectionView(_ view: CollectionView, didNotice notice: ScrollNotice, inSection section: Int) {}
}
