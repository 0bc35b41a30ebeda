public import CollectionEngine
public import struct FoundationEssentials.IndexPath
public import Geometry

/// Is asked and told what a person does with items; the view asks its delegate, if that conforms to this protocol too.
///
/// Of a press, in this order: shouldHighlight, didHighlight, shouldSelect, shouldDeselect, didDeselect, didSelect,
/// didUnhighlight. Every highlight has its end: where an update takes the pressed item away it is told where that was last.
/// Nothing is asked or told of what a program does. A range of a million items is a million questions: who has such, and
/// nothing to refuse, says so by ``decidesOnEachItem`` and is told by `collectionViewDidChangeSelection` once.
public protocol CollectionViewInteractionDelegate: AnyObject {
  /// Whether it is asked and told of each item that comes to be selected by hand, or is no more; true unless implemented.
  ///
  /// Otherwise `collectionView(_:shouldSelectItemAt:)` and the three beside it are not called, and a gesture costs the runs
  /// of neighbours that it changes, however many items they hold.
  var decidesOnEachItem: Bool { get }
  /// Whether an item that is pressed looks so, and may be chosen.
  func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
  /// An item is pressed.
  func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath)
  /// An item is pressed no more, or gone.
  func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath)
  /// Whether an item may be selected.
  func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
  /// An item was selected.
  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath)
  /// Whether an item may be deselected.
  func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool
  /// An item was deselected.
  func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath)
  /// The pointer came to be over an item, or over none; while content moves it is over none.
  func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?)
  /// Whether an item has something that a double click or Return does.
  func collectionView(_ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath) -> Bool
  /// An item was double-clicked, or Return was pressed with the keyboard at it.
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath)
  /// Where an item goes that is put elsewhere by hand or by a key: asked for every place that it is meant to have.
  ///
  /// A hand means several places at once, the nearest first: the next one is asked for where this names none that is nearer
  /// than where the item stands. It is asked when the hand may mean another place, and not at each of its movements. Paths
  /// name where the item stands once it is there, those below it in its section's tree not counted.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - originalIndexPath: where it was before a hand took it.
  ///   - currentIndexPath: where it stands now, as the others have made way.
  ///   - proposedIndexPath: where it is meant to go.
  /// - Returns: where it goes: `proposedIndexPath`, or another one where it may not stand there.
  /// - Precondition: the answer names a place that there is: one of a section's items, or the one behind its last. What is
  ///   applied while this is asked is shown after it.
  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath
  /// A menu was asked for.
  ///
  /// - Parameters:
  ///   - view: the view.
  ///   - indexPaths: what it is for: the selection, which holds what was clicked; none where no item was clicked.
  ///   - point: where, in the view's coordinates.
  /// - Returns: whether one is shown.
  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool
}

extension CollectionViewInteractionDelegate {
  /// It is.
  public var decidesOnEachItem: Bool { true }
  /// It may.
  public func collectionView(_ view: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool { true }
  /// Not interested.
  public func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath) {}
  /// Not interested.
  public func collectionView(_ view: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {}
  /// It may.
  public func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool { true }
  /// Not interested.
  public func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) {}
  /// It may.
  public func collectionView(_ view: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool { true }
  /// Not interested.
  public func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath) {}
  /// Not interested.
  public func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?) {}
  /// It has.
  public func collectionView(
    _ view: CollectionView, canPerformPrimaryActionForItemAt indexPath: IndexPath
  ) -> Bool { true }
  /// Not interested.
  public func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {}
  /// There.
  public func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath { proposedIndexPath }
  /// There is none.
  public func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool { false }
}
