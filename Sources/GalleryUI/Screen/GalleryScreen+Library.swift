import CollectionEngine
import CollectionUI
import DataStructures
import DiffableData
import ImagePipeline
public import PhotoLibrary
import Rendering
import Views

extension GalleryScreen {
  /// Replaces the library by another one.
  ///
  /// - Parameters:
  ///   - feed: The new feed. The last one is ended.
  ///   - pathToReveal: The photograph to select and scroll to once it is found.
  public func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) {
    closeOverlay()
    viewer.remove()
    nameSearch.cancel()
    pathCopy.cancel()
    toolTips.cancel()
    window?.firstResponder = grid
    library.writePreviews()
    thumbnails.removeAll()
    captionPrefetchQueue.removeAll()
    itemToReveal = nil
    library.open(feed, pathToReveal: pathToReveal)
    libraryThumbnails.libraryDidClose()
    dataSource.applySnapshotUsingReloadData(LibraryArrangement.Snapshot())
    grid.scroll(to: 0, animated: false)
    selectionBytes.restart()
  }

  /// Starts to open files that were dropped on the window.
  ///
  /// The current library stays until they have been checked.
  func openDroppedFiles(_ paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    guard let opener else { return showNotice("Nothing can be opened here") }
    opener.open(paths)
    isOpening = true
    updateTitleBar()
  }

  /// Handles Escape while dropped files are being checked, unless it closes something else first.
  ///
  /// The files may be on a disk or network that does not respond.
  ///
  /// - Returns: Whether the event was handled.
  func interceptOpening(_ event: InputEvent) -> Bool {
    guard isOpening, case .keyDown(.escape, _, _) = event.kind, overlay == nil, !viewer.isOpen,
      grid.rubberBandFrame == nil
    else { return false }
    opener?.cancel()
    isOpening = false
    updateTitleBar()
    return true
  }

  /// Opens the dropped files if they have been checked, or shows why they cannot be opened.
  func openIfReady() {
    guard isOpening, let opening = opener?.takeResult() else { return }
    isOpening = false
    switch opening {
    case .success(let feed, let pathToReveal): open(feed, pathToReveal: pathToReveal)
    case .failure(let reason): showNotice(reason)
    }
  }
}

// MARK: - Thumbnails

extension GalleryScreen: LibraryThumbnailHost {
  var thumbnailFiles: (any ThumbnailFiles)? {
    guard library.isComplete, !library.isSorting, !library.hasPendingEvents, !library.catalogue.isComputed else {
      return nil
    }
    return LibraryThumbnailFiles(
      dataSource.snapshot(), records: library.catalogue.readOnlyCopy, background: theme.background.packed)
  }

  /// Whether thumbnails are stored on disk.
  var canMakeLibraryThumbnails: Bool { pipeline.storageStatus != nil }

  var thumbnailProgress: ThumbnailProgress? { pipeline.storageStatus?.libraryProgress }

  func makeThumbnails(of files: (any ThumbnailFiles)?) { pipeline.makeStoredThumbnails(of: files) }

  func thumbnailProgressDidChange() { updateTitleBar() }
}

// MARK: - Rescanning

extension GalleryScreen {
  /// Rescans the folders, and resumes decoding if it was stopped.
  func rescanFolders() {
    pipeline.resumeDecoding()
    library.requestRescan()
    rescanIfRequested()
  }

  /// Starts the requested rescan, unless a scan is running.
  func rescanIfRequested() {
    if library.rescanIfRequested(from: dataSource.snapshot) { updateTitleBar() }
  }
}

// MARK: - Sorting

extension GalleryScreen {
  /// Sorts the photographs in another order.
  ///
  /// The focused photograph stays in view.
  func sort(by sorting: GallerySorting) {
    guard sorting != library.sorting else { return }
    library.requestSorting(by: sorting)
    actionInstantBeforeSorting = lastActionInstant
    sortIfRequested()
    updateTitleBar()
  }

  /// Applies the requested order, if that is possible now.
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

  /// Shuffles the photographs of each section until they are sorted again, for demonstrations and tests.
  ///
  /// - Complexity: O(*n*) in the number of photographs.
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

  /// Scrolls to the focused photograph after a sort, which may have taken many frames.
  ///
  /// Without a focused photograph, scrolls to the top, unless the user has done anything since the sort was requested.
  private func didShowSorted(isAnimated: Bool) {
    updateTitleBar()
    if let lead = grid.selection.lead, lead < grid.itemCount {
      grid.scrollToItem(at: grid.indexPath(at: lead), at: .nearestVerticalEdge, animated: isAnimated)
    } else if lastActionInstant == actionInstantBeforeSorting {
      grid.scroll(to: 0, animated: isAnimated)
    }
  }
}
