import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A delegate that checks the calls of a view under stress, and forwards them to a callback.
final class StressObserver: CollectionViewDelegate,
  DataPrefetching
{
  /// The cells that are displayed.
  private(set) var displayed: Set<ObjectIdentifier> = []
  /// The headers that are displayed.
  private(set) var displayedHeaders: Set<ObjectIdentifier> = []
  /// The items that were prefetched, and neither cancelled nor displayed since.
  private(set) var prefetched: Set<Int> = []
  /// The items that were selected at the last selection change.
  private(set) var selected: Set<Int> = []
  /// The items that have been displayed.
  private var displayedItems: Set<Int> = []
  /// Returns the identifiers of the selected items.
  var currentSelection: () -> Set<Int> = { [] }
  /// Returns whether an item exists.
  var itemExists: (Int) -> Bool = { _ in true }
  /// Called in every callback of the view.
  var onCall: () -> Void = {}

  // MARK: Cells

  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    #expect(displayed.insert(ObjectIdentifier(cell)).inserted, "a cell is displayed twice")
    if let item = (cell as? StressCell)?.item {
      prefetched.remove(item)
      displayedItems.insert(item)
    }
    onCall()
  }

  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    #expect(displayed.remove(ObjectIdentifier(cell)) != nil, "a cell that is not displayed ends its display")
    onCall()
  }

  func collectionView(
    _ view: CollectionView, willDisplaySupplementaryView supplementaryView: CollectionReusableView,
    forElementKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(displayedHeaders.insert(ObjectIdentifier(supplementaryView)).inserted, "a header is displayed twice")
    onCall()
  }

  func collectionView(
    _ view: CollectionView, didEndDisplayingSupplementaryView supplementaryView: CollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    #expect(
      displayedHeaders.remove(ObjectIdentifier(supplementaryView)) != nil,
      "a header that is not displayed ends its display")
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
      #expect(itemExists(item), "\(item) is prefetched and does not exist")
      #expect(prefetched.insert(item).inserted, "\(item) is prefetched twice")
    }
    onCall()
  }

  func cancelPrefetchingItems(_ items: [Int]) {
    for item in items { #expect(prefetched.remove(item) != nil, "\(item) is cancelled and was not prefetched") }
    onCall()
  }

  func releaseItems(_ items: [Int]) {
    for item in items {
      #expect(displayedItems.contains(item), "\(item) is released and was never displayed")
      // An item that disappears in an animation and returns before its end is displayed again without a call.
      prefetched.remove(item)
    }
    onCall()
  }
}

/// A cell with several preparation steps that draws its item, version and state, so that a stale cell looks different.
final class StressCell: CollectionViewCell {
  var item = -1
  var version = -1 {
    didSet { setNeedsDisplay() }
  }
  private var completedSteps = 0

  /// Displays an item.
  func show(_ item: Int, version: Int) {
    self.item = item
    self.version = version
    completedSteps = 0
  }

  override var preparationSteps: Int { max(0, item) % 3 }

  override func prepare(step: Int) {
    completedSteps += 1
    setNeedsDisplay()
  }

  override func updateConfiguration(using state: CellConfigurationState) { setNeedsDisplay() }

  override func draw(in context: DrawContext) {
    context.fill(bounds, Color(hex: UInt32(truncatingIfNeeded: item &* 2_654_435 &+ version &* 977) & 0xFFFFFF))
    let marks = [isSelected, isHighlighted, configurationState.isFocused, configurationState.isHovered]
    for (index, mark) in marks.enumerated() where mark {
      context.fill(Rect(x: Double(index * 5), y: 2, width: 4, height: 4), .white)
    }
    context.fill(Rect(x: 2, y: 8, width: Double(completedSteps + 1), height: 2), .black)
  }
}
