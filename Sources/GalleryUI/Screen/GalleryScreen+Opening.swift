import CollectionUI
import DiffableData
public import PhotoLibrary
import Rendering
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
    removeViewer()
    cancelSearch()
    pathCopy = nil
    toolTipTimer.cancel()
    hideToolTip()
    window?.firstResponder = grid
    library.writePreviews()
    thumbnails.removeAll()
    captionPrefetchQueue.removeAll()
    itemToReveal = nil
    library.open(feed, wantedPath: wantedPath)
    dataSource.applySnapshotUsingReloadData(LibraryArrangement.Snapshot())
    grid.scroll(to: 0, animated: false)
    recountSelection()
  }

  /// Has what was dropped on the window looked at; what is shown stays until that is known.
  func openDroppedFiles(_ paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    guard let opener else { return showNotice("Nothing can be opened here") }
    opener.open(paths)
    isOpening = true
    updateTitleBar()
  }

  /// What was dropped may lie where nobody answers: Escape ends the waiting for it, once what else it ends is over.
  ///
  /// - Returns: whether the event was used.
  func interceptOpening(_ event: InputEvent) -> Bool {
    guard isOpening, case .keyDown(.escape, _, _) = event.kind, overlay == nil, viewer?.isOpen != true,
      grid.rubberBandFrame == nil
    else { return false }
    opener?.cancel()
    isOpening = false
    updateTitleBar()
    return true
  }

  /// Opens what was dropped once it was looked at, or says why not.
  func openIfReady() {
    guard isOpening, let opening = opener?.takeResult() else { return }
    isOpening = false
    switch opening {
    case .success(let feed, let wanted): open(feed, wantedPath: wanted)
    case .failure(let reason): showNotice(reason)
    }
  }
}
