package import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
import VitrineCollectionLayout
package import VitrineDiffableData
package import VitrineFramePacing
package import VitrineGeometry
import VitrineRendering
package import VitrineScrollPhysics
package import VitrineViews

/// What the controllers of the user's interaction need from the collection view.
package protocol InteractionHost: ControllerHost {
  // MARK: - Geometry

  /// The point of the content at the view's origin.
  var contentOrigin: Point { get }
  /// The length of the viewport, in points.
  var viewportLength: Double { get }
  /// The part of the viewport on the scroll axis that no pinned view and no inset covers, in the view's coordinates.
  var uncoveredViewport: (start: Double, end: Double) { get }
  /// Returns the displayed item at a point, or nil if there is none.
  func itemIndex(at point: Point) -> Int?
  /// Returns whether an item has a displayed cell.
  func isItemDisplayed(_ index: Int) -> Bool

  /// Whether a rubber band is drawn.
  var isRubberBandShown: Bool { get }

  // MARK: - Scrolling

  /// Whether the first item is at the end of the content.
  var contentBeginsAtEnd: Bool { get }
  /// The length of the viewport without insets, in points.
  var unobscuredLength: Double { get }
  /// Passes a scroll event to the content.
  func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant?)
  /// Scrolls the content to an offset.
  func scroll(to offset: Double, animated: Bool)
  /// Scrolls the content to its start or end, where an item is.
  func scrollToEnd(_ isStart: Bool, showing item: Int)
  /// Scrolls an item into view by the smallest distance on both axes, keeping a margin around it if possible.
  func revealItem(_ index: Int, margin: Double, animated: Bool)
  /// Ends the deceleration of the content.
  func stopDeceleration(at instant: FrameInstant)

  // MARK: - Effects

  /// Passes the current configuration states to all cells.
  func updateConfigurationStates()
  /// Makes the view the first responder.
  func becomeFirstResponder()
  /// Adds a view in front of the content.
  func addSubview(_ view: View)

  // MARK: - Delegate

  /// The methods of the delegate, or nil if the delegate does not handle interaction.
  var interactionDelegate: (any InteractionDelegate)? { get }
  /// Notifies the delegate of the items that were selected and deselected.
  func selectionDidChange(by change: SelectionChange)
  /// Notifies the delegate that the selection changed.
  func selectionDidChange()
}

/// The delegate of a collection view as the controllers call it: without the view.
package protocol InteractionDelegate {
  /// Whether the delegate decides on each item that the user selects or deselects.
  var decidesOnEachItem: Bool { get }
  /// Returns whether an item can be selected.
  func shouldSelectItem(at path: IndexPath) -> Bool
  /// Returns whether an item can be deselected.
  func shouldDeselectItem(at path: IndexPath) -> Bool
  /// Notifies the delegate that an item was selected.
  func didSelectItem(at path: IndexPath)
  /// Notifies the delegate that an item was deselected.
  func didDeselectItem(at path: IndexPath)
  /// Returns whether an item should be highlighted during a press.
  func shouldHighlightItem(at path: IndexPath) -> Bool
  /// Notifies the delegate that an item was highlighted.
  func didHighlightItem(at path: IndexPath)
  /// Notifies the delegate that the highlight was removed from an item, which may have been deleted.
  func didUnhighlightItem(at path: IndexPath)
  /// Notifies the delegate that the pointer moved to another item, or to none.
  func didHoverItem(at path: IndexPath?)
  /// Performs the primary action of an item, if it has one.
  func performPrimaryAction(at path: IndexPath)
  /// Returns where a moved item may go instead of the proposed index path.
  func targetOfMove(from original: IndexPath, at current: IndexPath, proposed: IndexPath) -> IndexPath
  /// Shows a context menu, and returns whether there is one.
  func showContextMenu(for paths: IndexPathRuns, at point: Point) -> Bool
}

extension InteractionHost {
  /// Whether leading is right.
  package var isRightToLeft: Bool { solution.environment.layoutDirection == .rightToLeft }

  /// Returns the index paths of items.
  package func indexPaths(of items: IndexRuns) -> IndexPathRuns { IndexPathRuns(items, in: solution.itemCounts) }

  /// Returns the index, or nil if no item has it any more.
  package func existing(_ index: Int?) -> Int? { index.flatMap { $0 < itemCount ? $0 : nil } }
}
