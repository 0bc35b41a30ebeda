public import CollectionEngine
public import CollectionUI
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

  /// Other photographs are selected: the bar tells so, and their bytes are added up.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {
    selectionTotal.select(grid.selection.items)
    if grid.selection.items.count <= GalleryScreen.countedAtOnce { _ = countSome() }
    showTitle()
  }

  /// So few are added up at once.
  private static var countedAtOnce: Int { 256 }

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
    hideTip()
    let index = indexPath.flatMap { grid.flatIndex(at: $0) }
    let cell = index.flatMap { grid.cell(at: $0) } as? PictureCell
    let hasMore = if let cell, let resources { cell.isNameCut(in: resources) } else { false }
    hover.point(at: index, hasMore: hasMore, at: max(lastEvent, moment.instant))
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
    case (.function(1), []): if !isRepeat { showKeys() }
    default: return false
    }
    return true
  }

  // MARK: Paths

  /// More than these are no paths to paste anywhere, and would hold a frame up.
  private static var mostCopied: Int { 20_000 }

  /// Puts the paths of the selected photographs where other programs paste from.
  func copyPaths(as form: PathText.Form) {
    let selected = grid.selection.items
    guard selected.count > 0 else { return tell("Nothing is selected") }
    guard selected.count <= GalleryScreen.mostCopied else {
      let most = Counted.number(GalleryScreen.mostCopied)
      return tell("\(Counted.number(selected.count)) paths are too many to copy; \(most) are not")
    }
    var places: [PicturePlace] = []
    selected.forEach { index in
      if let place = dataSource.itemIdentifier(atFlatIndex: index).flatMap(library.place) { places.append(place) }
    }
    guard !places.isEmpty else { return tell("These pictures have no files whose paths could be copied") }
    let (one, more) = form == .addresses ? ("address", "addresses") : ("path", "paths")
    let text = "Copied \(Counted.number(places.count)) \(places.count == 1 ? one : more)"
    tell(onCopy(PathText.lines(places, as: form)) ? text : "Paths could not be copied")
  }

  // MARK: Order

  /// Puts the photographs into another order; the keyboard's one stays in view.
  func sort(by sorting: GallerySorting) {
    guard sorting != library.sorting else { return }
    library.askForSorting(by: sorting)
    sortIfAsked()
    showTitle()
  }

  /// Sorts if that was asked for and can be done now.
  func sortIfAsked() {
    guard let snapshot = library.sortIfAsked(from: dataSource.snapshot) else { return }
    showSorted(snapshot, isAnimated: true)
  }

  /// Shows the photographs in another order.
  func showSorted(_ snapshot: RescanEdits.Snapshot, isAnimated: Bool) {
    let lead = grid.selection.lead.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) }
    dataSource.apply(snapshot, animatingDifferences: isAnimated) { [weak self] in
      self?.sortedDidShow(lead, isAnimated: isAnimated)
    }
    showTitle()
  }

  /// Photographs stand in their new order: the keyboard's one comes into view, and where there is none the beginning.
  private func sortedDidShow(_ lead: PhotoID?, isAnimated: Bool) {
    showTitle()
    if let path = lead.flatMap({ dataSource.indexPath(for: $0) }) {
      grid.scrollToItem(at: path, at: .nearestVerticalEdge, animated: isAnimated)
    } else {
      grid.scroll(to: 0, animated: isAnimated)
    }
  }
}
