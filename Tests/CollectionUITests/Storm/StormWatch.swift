import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing

/// Is told of everything that a view in a storm tells, checks at once what can be, and now and then calls back.
final class StormWatch: CollectionViewDelegate, CollectionViewScrollDelegate, CollectionViewInteractionDelegate,
  DataPrefetching
{
  /// The cells that came and did not go.
  private(set) var displayed: Set<ObjectIdentifier> = []
  /// The headers that came and did not go.
  private(set) var displayedHeaders: Set<ObjectIdentifier> = []
  /// Items that were announced, not given up and not on screen since.
  private(set) var wanted: Set<Int> = []
  /// The items that were selected when this was told last.
  private(set) var selected: Set<Int> = []
  /// Items that were on screen.
  private var seen: Set<Int> = []
  /// The identifiers of what is selected now.
  var currentSelection: () -> Set<Int> = { [] }
  /// Whether there is such an item.
  var isThere: (Int) -> Bool = { _ in true }
  /// Called wherever the view calls the client.
  var onCall: () -> Void = {}

  // MARK: Cells

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    #expect(displayed.insert(ObjectIdentifier(cell)).inserted, "a cell comes twice")
    if let item = (cell as? StormCell)?.item {
      wanted.remove(item)
      seen.insert(item)
    }
    onCall()
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    #expect(displayed.remove(ObjectIdentifier(cell)) != nil, "a cell goes that never came")
    onCall()
  }

  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(displayedHeaders.insert(ObjectIdentifier(supplementaryView)).inserted, "a header comes twice")
    onCall()
  }

  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(displayedHeaders.remove(ObjectIdentifier(supplementaryView)) != nil, "a header goes that never came")
    onCall()
  }

  func collectionViewDidScroll(_ view: CollectionView) { onCall() }
  func collectionViewDidLayout(_ view: CollectionView) { onCall() }

  // MARK: Selection

  func collectionViewDidChangeSelection(_ view: CollectionView) {
    selected = currentSelection()
    onCall()
  }

  func collectionView(_ view: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
    onCall()
    return indexPath.item % 7 != 0
  }

  func collectionView(_ view: CollectionView, didHighlightItemAt indexPath: IndexPath) { onCall() }
  func collectionView(_ view: CollectionView, didSelectItemAt indexPath: IndexPath) { onCall() }
  func collectionView(_ view: CollectionView, didDeselectItemAt indexPath: IndexPath) { onCall() }
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) { onCall() }

  // MARK: Prefetching

  func prefetchItems(_ items: [Int]) {
    for item in items {
      #expect(isThere(item), "\(item) is announced and does not exist")
      #expect(wanted.insert(item).inserted, "\(item) is announced twice")
    }
    onCall()
  }

  func cancelPrefetchingItems(_ items: [Int]) {
    for item in items { #expect(wanted.remove(item) != nil, "\(item) is given up and was not announced") }
    onCall()
  }

  func releaseItems(_ items: [Int]) {
    for item in items {
      #expect(seen.contains(item), "\(item) is released and was never on screen")
      // One that was seen to leave, and came back before it had gone, came without a word.
      wanted.remove(item)
    }
    onCall()
  }
}
