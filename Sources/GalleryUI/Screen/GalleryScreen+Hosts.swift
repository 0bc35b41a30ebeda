import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

// What the owners of the screen's state need from it. The requirements connect them, and store nothing.

// MARK: - Grid

extension GalleryScreen: GridHost {
  func selectionDidChange(adding added: IndexRuns, removing removed: IndexRuns) {
    selectionBytes.selectionDidChange(adding: added, removing: removed)
  }

  func selectionDidSettle() {
    overlays.closeMenu()
    selectionBytes.selectionDidSettle()
    status.updateTexts()
  }

  func openPhotograph(_ item: PhotoID) { viewer.open(item) }

  func zoomDidChange() { header.update() }

  func showMenu(for indexPaths: IndexPathRuns, at point: Point) { overlays.showMenu(for: indexPaths, at: point) }

  func hoveredPhotoDidChange() { toolTips.hoveredPhotoDidChange() }

  func gridDidUpdate(changesIndices: Bool) {
    viewer.updateIndex()
    toolTips.hoveredPhotoDidChange()
    if changesIndices { selectionBytes.restartIfNeeded() }
  }
}

// MARK: - Library

extension GalleryScreen: LibraryHost {
  var layoutDependsOnAspectRatios: Bool { gridController.dependsOnAspectRatios }

  func libraryDidChange() {
    libraryThumbnails.libraryDidChange()
    if library.isComplete { sideBar.libraryDidChange() }
  }

  func libraryDidClose() {
    libraryThumbnails.libraryDidClose()
    sideBar.libraryDidClose()
  }

  func photographsDidChange(_ changed: [PhotoID], replaced: [PhotoID]) {
    if !replaced.isEmpty, !grid.selection.items.isEmpty { selectionBytes.restart() }
    if viewer.openItems.contains(where: changed.contains) { viewer.showContent() }
  }

  func photographsWereRemoved(_ items: [PhotoID]) { gridController.removePictures(of: items) }

  func captionsDidChange() { gridController.reconfigureAllCells() }

  func libraryActivityDidChange() {
    status.updateTexts()
    updateFilter()
  }

  func isViewing(_ item: PhotoID) -> Bool { viewer.openItem == item }

  func openWantedPhotograph(_ item: PhotoID) { viewer.openWanted(item) }
}

extension GalleryScreen: LibraryOpeningHost {
  var handlesEscape: Bool { overlays.isOpen || viewer.isOpen || grid.rubberBandFrame != nil }

  func openingDidChange() {
    status.updateTexts()
    header.update()
  }

  var openPaths: [PhotoPath] { roots }

  func showNotice(_ text: String) { status.showNotice(text) }
}

extension GalleryScreen: LibraryThumbnailHost {
  var thumbnailFiles: (any ThumbnailFiles)? {
    guard library.isComplete, !library.isSorting, !library.hasPendingEvents, !library.catalogue.isComputed else {
      return nil
    }
    return LibraryThumbnailFiles(
      libraryController.arrangedSnapshot, records: library.catalogue.readOnlyCopy, background: theme.background.packed)
  }

  /// Whether thumbnails are stored on disk.
  var canMakeLibraryThumbnails: Bool { pipeline.storageStatus != nil }

  var thumbnailProgress: ThumbnailProgress? { pipeline.storageStatus?.libraryProgress }

  func makeThumbnails(of files: (any ThumbnailFiles)?) { pipeline.makeStoredThumbnails(of: files) }

  func thumbnailProgressDidChange() { status.updateTexts() }
}

// MARK: - Status

extension GalleryScreen: StatusHost {
  var selectedCount: Int { grid.selection.items.count }

  var selectedByteCount: Int64? { selectionBytes.isComplete ? selectionBytes.total.bytes : nil }

  var searchText: String? { nameSearch.statusText }

  var matchCount: Int? { libraryController.matchCount }

  var isOpening: Bool { opening.isOpening }

  var isDecodingStopped: Bool { pipeline.decoderStatus.isStopped }

  var thumbnailText: String? { libraryThumbnails.statusText }

  var storageFault: String? { pipeline.storageStatus?.fault ?? missingStorage }

  var canChooseFolder: Bool { windowActions.chooseFolder != nil }

  func noticeDidChange() { viewer.showContent() }

  func messageBarDidChange() {
    setNeedsLayout()
    header.controlsDidChange()
  }
}

// MARK: - Header bar

extension GalleryScreen: HeaderHost {
  func state(of command: GalleryCommand) -> (isEnabled: Bool, isShown: Bool, isOn: Bool) {
    (command.isEnabled(self), command.isShown(self), command.menuItem?.isOn(self) ?? false)
  }

  func performCommand(_ command: GalleryCommand) { command.perform?(self) }

  var controlsBelowHeader: [Control] { status.messageBar.controls + (filterBar.isHidden ? [] : filterBar.chips) }

  func showMenu(_ menu: GalleryCommand.Menu, below button: Rect) {
    let corner = convertFromWindow(Point(x: button.minX, y: button.maxY + 4))
    overlays.showMenu(menu, at: corner)
  }

  var zoomLevel: (count: Int, index: Int) { gridController.zoomLevel }

  func zoom(toLevel level: Int) { gridController.zoom(toLevel: level) }

  func search(_ text: String) {
    libraryController.search(text)
    updateFilter()
    sideBar.searchDidChange()
  }

  var parentFolders: [PhotoPath] {
    guard library.roots.count == 1, let root = library.roots.first else { return [] }
    return root.absolute.ancestors.suffix(2)
  }

  func openFolder(_ path: PhotoPath) {
    sideBar.hideIfCovering()
    opening.openFiles([path.bytes])
  }
}

extension GalleryScreen: HeaderVisibilityHost {
  var headerBar: HeaderBar { header.bar }

  var needsHeader: Bool {
    header.isFocused || overlays.isOpen || sideBar.isShown || !filterBar.isHidden || !status.messageBar.isHidden
      || status.noticeText != nil || nameSearch.isActive
  }
}

// MARK: - Side bar

extension GalleryScreen: SideBarHost {
  var outlineSource: (items: LibraryArrangement.Snapshot, records: any PhotoRecords) {
    (libraryController.arrangedSnapshot, library.catalogue)
  }

  var roots: [PhotoPath] { library.roots }

  var arrangementThread: ArrangementThread? { library.arrangementThread }

  var searchFieldText: String { header.bar.searchField.text }

  func searchFromSideBar(_ text: String) { header.bar.searchField.replaceText(with: text) }

  func addSideBar(_ view: View) {
    addSubview(view)
    // An open overlay stays in front.
    if let overlay = overlays.openView { addSubview(overlay) }
  }

  func sideBarDidChange() {
    setNeedsLayout()
    header.update()
  }
}

// MARK: - Settings

extension GalleryScreen: SettingsHost {
  var shownFolder: PhotoPath? { library.roots.count == 1 ? library.roots.first?.absolute : nil }

  var displaySettings: (layout: GalleryLayoutKind, grouping: GalleryGrouping, sorting: GallerySorting, size: Int) {
    (gridController.layoutKind, library.arrangement.grouping, library.sorting, zoomLevel.index)
  }

  var placePath: PhotoPath? {
    guard let item = gridController.firstPhotoInView, let folder = library.catalogue.folder(of: item),
      let name = library.catalogue.name(of: item)
    else { return nil }
    return folder.appending(name)
  }

  func show(_ folder: GallerySettings.Folder) {
    if let layout = folder.layoutKind { setLayout(layout, level: folder.size) }
    if let grouping = folder.grouping { setGrouping(grouping) }
    if let sorting = folder.sorting { libraryController.sort(by: sorting) }
    libraryController.placeToRestore = folder.placePath
  }
}

// MARK: - Overlays

extension GalleryScreen: OverlayHost {
  func overlayWillOpen() {
    header.didLoseFocus()
    nameSearch.cancel()
    toolTips.cancel()
  }

  func moveKeyboardFocus(to view: View) { window?.firstResponder = view }

  func restoreKeyboardFocus() {
    window?.firstResponder = viewer.openView ?? grid
    sideBar.focusDidMove()
  }

  /// Opens the photograph to which the menu applies.
  func openMenuItem() {
    if let path = overlays.menuItemPath, let item = dataSource.itemIdentifier(for: path) { viewer.open(item) }
  }
}

extension GalleryScreen: ToolTipHost {
  var coversPhotographs: Bool { viewer.isShown }

  var hidesToolTips: Bool { overlays.isOpen }

  var hoveredPhoto: PhotoID? { gridController.hoveredPhoto }

  func control(at point: Point) -> Control? { hitTest(point) as? Control }

  func frameOnScreen(of item: PhotoID) -> Rect? { gridController.frame(of: item) }

  func isNameTruncated(of item: PhotoID) -> Bool { gridController.isNameTruncated(of: item) }

  func caption(of item: PhotoID) -> String { library.fullCaption(of: item) }
}

extension GalleryScreen: ViewerHost {
  var noticeText: String? { status.noticeText }

  var openAddress: ((String) -> Void)? { windowActions.openAddress }

  var isFullScreen: Bool { windowActions.isFullScreen() }

  var coversViewer: Bool { overlays.isOpen }

  func toggleFullScreen() { windowActions.toggleFullScreen?() }

  func setScreenSaverDisabled(_ isDisabled: Bool) { windowActions.setScreenSaverDisabled(isDisabled) }

  func setPointerHidden(_ isHidden: Bool) { windowActions.setPointerHidden(isHidden) }

  func viewerWillOpen() {
    overlays.close()
    header.didLoseFocus()
    nameSearch.cancel()
    toolTips.cancel()
  }

  func pictureFrame(of item: PhotoID) -> Rect? { gridController.pictureFrame(of: item) }

  func showPictureMenu(at point: Point) { overlays.showPictureMenu(at: point) }
}

// MARK: - Comparison

extension GalleryScreen {
  /// The photographs that are compared: the selected ones if there are two to four, or else none.
  var comparableItems: [PhotoID] {
    let selected = grid.selection.items
    guard (2...Comparison.maximumCount).contains(selected.count) else { return [] }
    var items: [PhotoID] = []
    selected.forEach { index in
      if let item = dataSource.itemIdentifier(atFlatIndex: index) { items.append(item) }
    }
    return items
  }

  /// Shows the selected photographs side by side.
  func compareSelection() {
    let items = comparableItems
    guard let first = items.first else {
      return showNotice("Select two to four photographs to compare them")
    }
    let focused = grid.selection.lead.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) }
    viewer.open(items, active: focused.flatMap { items.contains($0) ? $0 : nil } ?? first)
  }
}

// MARK: - Filtering

extension GalleryScreen {
  /// Adds the conditions of a text to the search, or removes them if they are part of it.
  func toggleSearch(for text: String, insteadOf others: [String]) {
    header.bar.searchField.replaceText(with: libraryController.query.text(toggling: text, insteadOf: others))
  }
}

// MARK: - Magnification

extension GalleryScreen {
  /// Enlarges or shrinks the picture in the viewer, or else the photographs of the grid.
  func zoom(by steps: Int) {
    if viewer.isOpen { viewer.zoom(bySteps: Double(steps)) } else { gridController.zoom(by: steps, around: nil) }
  }

  /// Shows the whole picture in the viewer, or else the photographs in their usual size.
  func resetZoom() {
    if viewer.isOpen { viewer.zoom(to: .whole) } else { gridController.resetZoom() }
  }
}

// MARK: - Search

extension GalleryScreen: NameSearchHost {
  var hasPhotographs: Bool { library.count > 0 }

  var searchableCount: Int { dataSource.displayedSnapshot().numberOfItems }

  var focusedIndex: Int? { grid.selection.lead }

  func name(at index: Int) -> ArraySlice<UInt8>? {
    dataSource.itemIdentifier(atFlatIndex: index).flatMap(library.catalogue.name)
  }

  func revealMatch(at index: Int) { grid.focusItem(at: index) }

  func searchDidChange() { status.updateTexts() }
}

// MARK: - Selection

extension GalleryScreen: SelectionByteCountHost {
  var selectedIndices: IndexRuns { grid.selection.items }

  func byteCount(ofPhotographAt index: Int) -> Int64 {
    dataSource.itemIdentifier(atFlatIndex: index).map(library.byteCount) ?? 0
  }

  func selectionByteCountDidChange() { status.updateTexts() }
}

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
