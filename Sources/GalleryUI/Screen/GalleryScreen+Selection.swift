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
    selectionBytes.selectionDidChange(adding: change.selected, removing: change.deselected)
  }

  /// Updates the title bar.
  public func collectionViewDidChangeSelection(_ view: CollectionView) {
    closeMenu()
    selectionBytes.selectionDidSettle()
    updateTitleBar()
  }

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

extension GalleryScreen: SelectionByteCountHost {
  var selectedIndices: IndexRuns { grid.selection.items }

  func byteCount(ofPhotographAt index: Int) -> Int64 {
    dataSource.itemIdentifier(atFlatIndex: index).map(library.byteCount) ?? 0
  }

  func selectionByteCountDidChange() { updateTitleBar() }
}

// MARK: - Copying

extension GalleryScreen: PathCopyHost {
  /// Copies the path of the picture in the viewer, or if none is open the paths of the selected photographs.
  func copyShownPaths(as format: PathListText.Format) {
    if let item = viewer.openItem { return pathCopy.copyPaths(1, as: format) { [item] } }
    let selected = grid.selection.items
    pathCopy.copyPaths(selected.count, as: format) {
      var items: [PhotoID] = []
      selected.forEach { index in
        if let item = dataSource.itemIdentifier(atFlatIndex: index) { items.append(item) }
      }
      return items
    }
  }

  func location(of item: PhotoID) -> PictureLocation? { library.location(of: item) }

  func copyText(_ bytes: [UInt8]) -> Bool { onCopy(bytes) }
}
