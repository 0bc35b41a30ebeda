import CollectionUI
import struct FoundationEssentials.IndexPath

/// Answers where items may go, as a test says, and counts what comes on screen and leaves it.
final class CarryLog: CollectionViewDelegate, CollectionViewInteractionDelegate {
  /// Where an item goes that is meant to go from a path to another.
  var target: (_ original: IndexPath, _ current: IndexPath, _ proposed: IndexPath) -> IndexPath = { $2 }
  private(set) var asked = 0
  private(set) var displayed = 0
  private(set) var selected = 0

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    displayed += 1
  }

  func collectionView(
    _ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath
  ) { displayed -= 1 }

  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { selected += 1 }

  func collectionView(
    _ view: CollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
    atCurrentIndexPath currentIndexPath: IndexPath, toProposedIndexPath proposedIndexPath: IndexPath
  ) -> IndexPath {
    asked += 1
    return target(originalIndexPath, currentIndexPath, proposedIndexPath)
  }
}
