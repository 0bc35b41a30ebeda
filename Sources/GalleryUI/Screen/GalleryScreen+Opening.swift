import CollectionUI
import DiffableData
public import PhotoLibrary
import Views

/// Other photographs in the same window.
extension GalleryScreen {
  /// Shows other photographs from now on.
  ///
  /// - Parameters:
  ///   - feed: what fills the library; the last one is ended.
  ///   - wantedPath: the photograph to select and bring into view once it is found.
  public func open(_ feed: any LibraryFeed, wantedPath: PhotoPath?) {
    closeOverlay()
    endViewing()
    stopFinding()
    hover.disturb()
    hideTip()
    window?.firstResponder = grid
    library.keepPreviews()
    thumbnails.forgetAll()
    captionsAhead.removeAll()
    itemToReveal = nil
    library.open(feed, wantedPath: wantedPath)
    dataSource.applySnapshotUsingReloadData(LibraryArrangement.Snapshot())
    grid.scroll(to: 0, animated: false)
    recountSelection()
  }

  /// Opens what was dropped on the window, or says why not.
  func take(dropped paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    if let reason = onDrop(paths) { tell(reason) }
  }
}
