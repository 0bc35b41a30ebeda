public import CollectionEngine
public import CollectionUI
import DataStructures
import DiffableData
public import struct FoundationEssentials.IndexPath
public import Geometry
import PhotoLibrary
import Rendering
import Views

/// What a person does with photographs.
extension GalleryScreen: CollectionViewInteractionDelegate {
  /// All may be selected: a range of a million is no question.
  public var decidesOnEachItem: Bool { false }

  /// Other photographs are selected: their bytes are added up.
  public func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange) {
    selectionTotal.updateSelection(adding: change.selected, removing: change.deselected, to: grid.selection.items)
  }

  /// Other photographs are selected: the bar tells so.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {
    closeMenu()
    if grid.selection.items.count <= GalleryScreen.immediateCountLimit { _ = countSelectedBytes() }
    updateTitleBar()
  }

  /// So few are added up at once.
  private static var immediateCountLimit: Int { 256 }

  /// Opens a photograph.
  public func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    if let item = dataSource.itemIdentifier(for: indexPath) { openViewer(on: item) }
  }

  /// Shows what can be done with photographs.
  public func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    showMenu(for: indexPaths, at: point + grid.frame.origin)
    return true
  }

  /// The name of a photograph that rests under the pointer is told, where it is cut.
  public func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?) {
    hideToolTip()
    updateHover()
  }

  /// Takes in which photograph is pointed at now.
  func updateHover() {
    let index = grid.hoveredItem
    let item = index.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) }
    guard item != toolTipTimer.item else {
      // It may have gone elsewhere, and the pointer not.
      if let index, !isPointerOver(index) {
        toolTipTimer.cancel()
        hideToolTip()
      }
      return
    }
    hideToolTip()
    let cell = index.flatMap { grid.cell(at: $0) } as? PictureCell
    let hasMore = if let cell, let resources { cell.isNameTruncated(in: resources) } else { false }
    toolTipTimer.setItem(item, isTruncated: hasMore, at: max(lastEventInstant, frameContext.instant))
  }

  private func isPointerOver(_ index: Int) -> Bool {
    guard let lastPointerLocation, let cell = grid.cell(at: index) else { return false }
    return Rect(origin: grid.origin(of: cell) + grid.frame.origin, size: cell.frame.size).contains(lastPointerLocation)
  }

  /// Answers keys that are about photographs, and how they stand.
  ///
  /// - Returns: whether the event was used.
  func handleKeys(_ event: InputEvent) -> Bool {
    guard case .keyDown(let key, let modifiers, let isRepeat) = event.kind else { return false }
    switch (key, modifiers) {
    case (.character("c"), .control): copyPaths(as: .plain)
    case (.character("c"), [.control, .shift]): copyPaths(as: .addresses)
    case (.character("1"), .control): sort(by: .name)
    case (.character("2"), .control): sort(by: .date)
    case (.character("3"), .control): sort(by: .size)
    case (.function(1), []): if !isRepeat { showKeyGuide() }
    default: return false
    }
    return true
  }

  // MARK: Order

  /// Puts the photographs into another order; the keyboard's one stays in view.
  func sort(by sorting: GallerySorting) {
    guard sorting != library.sorting else { return }
    library.requestSorting(by: sorting)
    actionBeforeSorting = lastActionInstant
    sortIfRequested()
    updateTitleBar()
  }

  /// Sorts if that was asked for and can be done now.
  func sortIfRequested() {
    guard let snapshot = library.sortIfRequested(from: dataSource.snapshot) else { return }
    showSorted(snapshot, isAnimated: true)
  }

  /// Shows the photographs in another order.
  func showSorted(_ snapshot: RescanDiff.Snapshot, isAnimated: Bool) {
    dataSource.apply(snapshot, animatingDifferences: isAnimated) { [weak self] in
      self?.didShowSorted(isAnimated: isAnimated)
    }
    updateTitleBar()
  }

  /// Shows the photographs of each section in an order by chance, until they are sorted anew: for demonstrations and tests.
  ///
  /// - Complexity: O(n) for n photographs.
  public func shuffle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let before = dataSource.snapshot()
    var after = RescanDiff.Snapshot()
    for section in before.sectionIdentifiers {
      after.appendSections([section])
      after.appendItems(before.itemIdentifiers(inSection: section).shuffled(using: &random), toSection: section)
    }
    dataSource.apply(after, animatingDifferences: true)
  }

  /// Photographs stand in their new order, maybe many frames after that was asked for: the keyboard's one comes into view,
  /// wherever the keyboard was put meanwhile; and where there is none the beginning, unless a hand has gone elsewhere since.
  private func didShowSorted(isAnimated: Bool) {
    updateTitleBar()
    if let lead = grid.selection.lead, lead < grid.itemCount {
      grid.scrollToItem(at: grid.indexPath(at: lead), at: .nearestVerticalEdge, animated: isAnimated)
    } else if lastActionInstant == actionBeforeSorting {
      grid.scroll(to: 0, animated: isAnimated)
    }
  }
}
