package import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineViews

/// The interface between a collection view and its data source, by flat index.
///
/// Identifiers are internal to the data source.
protocol CollectionViewSource: CellSource, ReorderingSource, PrefetchingSource {
  /// The number of items of each section.
  var itemCounts: ItemCounts { get }
  /// Returns the view that the provider returns for a supplementary view, or nil if there is no provider.
  func supplementaryView(ofKind kind: String, at path: IndexPath, in view: CollectionView) -> CollectionReusableView?
  /// Calls the pending completion handlers, because no frame will: the view has another data source or is in no window.
  func framesDidEnd()

  /// Whether the data source has work to do in a frame.
  ///
  /// It calls ``DataSourceHost/sourceDidChange(_:adding:)`` whenever this may have changed.
  var needsFrames: Bool { get }
  /// Phase 3: applies the updates that are waiting for a frame.
  func collectUpdates(_ budget: FrameBudget)
  /// Begins phase 5: the updates displayed by now are in the frame.
  func frameWillBegin()
  /// Phase 8: performs one step of work ahead, if one fits.
  ///
  /// - Returns: Whether a step was performed.
  func slackStep(_ budget: FrameBudget) -> Bool
}

/// What a data source does for a user who moves items, by flat index.
package protocol ReorderingSource: AnyObject {
  /// Whether a snapshot is waiting to be displayed.
  var hasPendingUpdate: Bool { get }
  /// Returns whether the user may move an item.
  func canMoveItem(at index: Int) -> Bool
  /// Begins dragging an item, hiding its descendants.
  func beginMove(of index: Int)
  /// The index path of the dragged item as long as it is not moved, or nil if no item is dragged.
  var originalPathOfMove: IndexPath? { get }
  /// Displays the dragged item at another index path, without moving any other item.
  func showMove(to path: IndexPath)
  /// Moves the dragged item to its displayed position and calls the handlers.
  func endMove()
  /// Displays the dragged item at its original position again.
  func cancelMove()
  /// Moves an item, as the keyboard does.
  ///
  /// - Returns: Whether the item was moved.
  func moveItem(at index: Int, to path: IndexPath) -> Bool
}

extension ReorderingSource {
  /// Returns false.
  package func canMoveItem(at index: Int) -> Bool { false }

  /// Does nothing.
  package func beginMove(of index: Int) {}

  /// Nil, because no item can be dragged.
  package var originalPathOfMove: IndexPath? { nil }

  /// Does nothing.
  package func showMove(to path: IndexPath) {}

  /// Does nothing.
  package func endMove() {}

  /// Does nothing.
  package func cancelMove() {}

  /// Returns false.
  package func moveItem(at index: Int, to path: IndexPath) -> Bool { false }
}

extension CollectionViewSource {
  /// Does nothing.
  func recordShown(_ items: IndexRuns) {}

  /// Does nothing.
  func indicesWillChange(announced: IndexRuns, seen: IndexRuns) {}

  /// Does nothing.
  func framesDidEnd() {}
}
