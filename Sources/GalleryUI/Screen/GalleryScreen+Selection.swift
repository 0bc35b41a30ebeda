public import CollectionEngine
public import CollectionUI
import DiffableData
public import struct FoundationEssentials.IndexPath
public import Geometry
import PhotoLibrary
import Rendering
import Views

extension GalleryScreen: CollectionViewInteractionDelegate {
  /// Always false: all photographs can be selected, and a selected range of a million costs no calls.
  public var decidesOnEachItem: Bool { false }

  /// Updates the byte count of the selection.
  public func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange) {
    selectionTotal.updateSelection(adding: change.selected, removing: change.deselected, to: grid.selection.items)
  }

  /// Updates the title bar.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {
    closeMenu()
    if grid.selection.items.count <= GalleryScreen.immediateCountLimit { _ = countSelectedBytes() }
    updateTitleBar()
  }

  /// The maximum number of selected photographs whose bytes are added up immediately.
  private static var immediateCountLimit: Int { 256 }

  /// Opens a photograph in the viewer.
  public func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    if let item = dataSource.itemIdentifier(for: indexPath) { viewer.open(item) }
  }

  /// Shows the context menu.
  public func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    showMenu(for: indexPaths, at: point + grid.frame.origin)
    return true
  }

  /// Updates the tool tip for the hovered photograph.
  public func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?) {
    toolTips.hoveredPhotoDidChange()
  }
}

// MARK: - Byte count

extension GalleryScreen {
  /// The number of photographs whose bytes are added up in a step.
  private static var itemsPerStep: Int { 512 }

  /// Restarts the byte count, because indices or files changed.
  func recountSelection() {
    selectionTotal.restart(grid.selection.items)
    updateTitleBar()
  }

  /// Adds up the bytes of more selected photographs.
  ///
  /// - Returns: Whether the count was incomplete.
  func countSelectedBytes() -> Bool {
    guard !selectionTotal.isComplete else { return false }
    let source = dataSource
    let library = library
    selectionTotal.advance(atMost: GalleryScreen.itemsPerStep, of: grid.selection.items) { index in
      source.itemIdentifier(atFlatIndex: index).map(library.byteCount) ?? 0
    }
    if selectionTotal.isComplete { updateTitleBar() }
    return true
  }
}

// MARK: - Copying

extension GalleryScreen {
  /// The maximum number of paths to copy.
  private static var maximumCopiedPaths: Int { 20_000 }
  /// The number of paths to write per frame.
  private static var pathsPerFrame: Int { 1_000 }

  /// Copies the paths of the selected photographs to the clipboard, over several frames if there are many.
  func copyPaths(as format: PathListText.Format) {
    let selected = grid.selection.items
    guard selected.count > 0 else { return showNotice("Nothing is selected") }
    guard selected.count <= GalleryScreen.maximumCopiedPaths else {
      let most = CountFormat.number(GalleryScreen.maximumCopiedPaths)
      return showNotice("\(CountFormat.number(selected.count)) paths are too many to copy; \(most) are not")
    }
    var items: [PhotoID] = []
    selected.forEach { index in
      if let item = dataSource.itemIdentifier(atFlatIndex: index) { items.append(item) }
    }
    copyPaths(of: items, as: format)
  }

  /// Copies the path of the picture in the viewer, or if none is open the paths of the selected photographs.
  func copyShownPaths(as format: PathListText.Format) {
    guard let item = viewer.openItem else { return copyPaths(as: format) }
    copyPaths(of: [item], as: format)
  }

  /// Copies the paths of photographs to the clipboard.
  func copyPaths(of items: [PhotoID], as format: PathListText.Format) {
    pathCopy = PathCopy(of: items, as: format)
    continueCopying()
  }

  /// Writes more paths, and copies the text once it is complete.
  func continueCopying() {
    let library = library
    pathCopy?.advance(atMost: GalleryScreen.pathsPerFrame, location: library.location)
    guard let pathCopy, pathCopy.isComplete else { return }
    self.pathCopy = nil
    guard pathCopy.count > 0 else { return showNotice("These pictures have no files whose paths could be copied") }
    let (one, more) = pathCopy.format == .urls ? ("URL", "URLs") : ("path", "paths")
    let text = "Copied \(CountFormat.number(pathCopy.count)) \(pathCopy.count == 1 ? one : more)"
    showNotice(onCopy(pathCopy.text) ? text : "Paths could not be copied")
  }
}
