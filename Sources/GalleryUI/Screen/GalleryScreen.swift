package import CollectionUI
import VitrineCollectionEngine
import VitrineDiffableData
package import VitrineFramePacing
package import VitrineGeometry
package import VitrineImagePipeline
package import VitrinePhotoLibrary
package import VitrineRendering
package import VitrineThreads
package import VitrineViews

/// The main view of the gallery: a title bar, the grid of photographs, and a view for an empty library.
///
/// Its state belongs to owners, which reach it through a protocol each. The screen lays out their views, and determines
/// the order in which they see an event and work in a frame.
package final class GalleryScreen: View {
  /// The model of the library.
  package let library: LibraryModel
  let pipeline: ImagePipeline
  /// The colors.
  package private(set) var theme: Theme

  // Constants, because frames use them.

  /// The owner of the grid and the pictures in its cells.
  let gridController: GridController
  /// The owner of the order and the changes of the photographs in the grid.
  let libraryController: LibraryController
  /// The owner of the opening of dropped files.
  let opening = LibraryOpeningController()
  /// The owner of the title bar's texts, the view for an empty library, and the notice.
  let status: StatusController
  /// The owner of the header bar.
  let header: HeaderController
  /// The owner of how much of the header bar is visible.
  private let headerVisibility = HeaderVisibilityController()
  /// The folders that could not be read at the last change of the library.
  private var problems: [ScanProblem] = []
  /// The owner of the menu and the list of keyboard shortcuts.
  let overlays: OverlayController
  /// The bar with the conditions of the search.
  let filterBar: FilterBar
  /// The owner of the side bar.
  let sideBar = SideBarController()
  /// The owner of what is remembered between runs.
  let settings = SettingsController()
  /// The owner of the size of the selection.
  private(set) lazy var selectionBytes = SelectionByteCountController(host: self)
  /// The owner of the copying of paths.
  private(set) lazy var pathCopy = PathCopyController(host: self)
  /// The owner of the search by typing.
  private(set) lazy var nameSearch = NameSearchController(host: self)
  /// The owner of the work on thumbnails of the whole library.
  private(set) lazy var libraryThumbnails = LibraryThumbnailController(host: self)
  /// The owner of the tool tip.
  private(set) lazy var toolTips = ToolTipController(host: self)
  /// The owner of the viewer.
  private(set) lazy var viewer = ViewerController(
    host: self, grid: grid, dataSource: dataSource, library: library, pipeline: pipeline,
    thumbnails: gridController.thumbnails)

  /// A closure that copies the bytes of a text to the clipboard, and returns whether that succeeded.
  package var onCopy: ([UInt8]) -> Bool = { _ in false }
  /// The time of the frame.
  private(set) var frameInstant = FrameInstant.zero
  /// The time of the last event.
  private var lastEventInstant = FrameInstant.zero

  /// Creates the screen of a library.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - pipeline: The image pipeline.
  ///   - layout: The kind of layout. Default: a grid.
  ///   - columns: The initial number of columns of a grid, or nil for as many as fit.
  ///   - theme: The colors. Default: the dark theme.
  package init(
    library: LibraryModel, pipeline: ImagePipeline, layout: GalleryLayoutKind = .grid, columns: Int?,
    theme: Theme = .dark
  ) {
    self.theme = theme
    self.library = library
    self.pipeline = pipeline
    gridController = GridController(
      library: library, pipeline: pipeline, theme: theme, layout: layout, columns: columns)
    libraryController = LibraryController(
      library: library, grid: gridController.view, dataSource: gridController.dataSource)
    status = StatusController(library: library, theme: theme)
    overlays = OverlayController()
    header = HeaderController(titleBar: status.titleBar, theme: theme)
    filterBar = FilterBar(theme: theme)
    super.init()
    gridController.host = self
    libraryController.host = self
    opening.host = self
    status.host = self
    overlays.host = self
    header.host = self
    headerVisibility.host = self
    sideBar.host = self
    settings.host = self
    filterBar.onChange = { [weak self] text in
      self?.header.bar.searchField.replaceText(with: text)
      // Typing goes on in the field.
      self?.header.beginSearch()
    }
    status.messageBar.onAction = { [weak self] action in
      switch action {
      case .readAgain: self?.rescanFolders()
      case .stopReading: self?.library.stopReading()
      }
    }
    status.emptyView.button.action = { [weak self] in self?.performEmptyAction() }
    backgroundColor = theme.background
    addSubview(grid)
    addSubview(status.emptyView)
    addSubview(filterBar)
    addSubview(status.messageBar)
    addSubview(header.bar)
  }

  /// Attaches the screen to a window, so that it takes part in frames and receives keys.
  package func attach(to window: Window) {
    window.backgroundColor = theme.background
    window.firstResponder = grid
    gridController.resources = window.resources
    status.titleBar.measure = { [weak window] label in window.map { label.measuredWidth(in: $0.resources) } ?? 0 }
    window.addParticipant(self)
    window.addParticipant(grid)
    sideBar.attach(to: window)
    status.updateTexts()
    header.update()
  }

  /// Starts to decode the picture that the user opened before there is a window.
  ///
  /// If the window gets another size, the picture is decoded again in that size.
  ///
  /// - Parameter size: The expected size of the window, in pixels; its size in points if the display is not scaled.
  package func prepareOpenedPicture(for size: Size) {
    guard let pixels = PixelSize(width: Int(size.width), height: Int(size.height)) else { return }
    viewer.prepareOpenedPicture(in: pixels)
  }

  /// Themes that another thread posts when the desktop's settings change, or nil.
  ///
  /// Default: nil.
  ///
  /// The poster also wakes the loop.
  package var themeUpdates: Mailbox<Theme>?

  /// Choices of the dialog for folders that another thread posts, or nil.
  ///
  /// Default: nil.
  ///
  /// The poster also wakes the loop.
  package var folderChoices: Mailbox<FolderChoice>?

  /// Addresses that could not be opened, which another thread posts, or nil.
  ///
  /// Default: nil.
  ///
  /// The poster also wakes the loop.
  package var unopenedAddresses: Mailbox<String>?

  /// Shows other colors, and decodes pictures with transparent pixels for the new background.
  ///
  /// Views in the hierarchy that conform to ``ThemedView`` receive the theme. Owners read it from the screen when they
  /// make a view. The owner of the grid updates its cells, which are not all in the hierarchy.
  package func setTheme(_ theme: Theme) {
    guard theme != self.theme else { return }
    self.theme = theme
    backgroundColor = theme.background
    window?.backgroundColor = theme.background
    applyTheme(theme)
    gridController.theme = theme
    // Their background is another one.
    libraryThumbnails.libraryDidChange()
  }

  // MARK: Owners' objects

  /// The grid of photographs.
  package var grid: CollectionView { gridController.view }
  /// The photographs of the grid.
  var dataSource: DiffableDataSource<GallerySection, PhotoID> { gridController.dataSource }
  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? { gridController.resources }
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { max(lastEventInstant, frameInstant) }

  // MARK: Layout

  package override func layoutSubviews() {
    updatePipelineScreenSize()
    let barHeight = min(Metrics.barHeight, bounds.height)
    // Above the side bar, which covers what is beside it in a narrow window.
    let messageHeight = status.messageBar.isHidden ? 0 : min(MessageBar.height, bounds.height - barHeight)
    status.messageBar.frame = Rect(x: 0, y: barHeight, width: bounds.width, height: messageHeight)
    let below = Rect(
      x: 0, y: barHeight + messageHeight, width: bounds.width, height: bounds.height - barHeight - messageHeight)
    let (start, width) = sideBar.layout(in: below)
    let filterHeight = filterBar.isHidden ? 0 : min(FilterBar.height, below.height)
    filterBar.frame = Rect(x: start, y: below.minY, width: width, height: filterHeight)
    let top = below.minY + filterHeight
    // The bars cover the beginning of the grid, so that its size is the same when the header bar is hidden.
    grid.frame = Rect(x: start, y: 0, width: width, height: bounds.height)
    grid.contentInset.top = top
    status.emptyView.frame = Rect(x: start, y: top, width: width, height: max(0, bounds.height - top))
    headerVisibility.layout(width: bounds.width, height: barHeight)
    overlays.layout()
    viewer.layout()
    // The line breaks depend on the scale too.
    if !status.emptyView.isHidden { status.emptyView.setNeedsLayout() }
    grid.layoutIfNeeded()
  }

  /// Updates what is shown of the search.
  func updateFilter() {
    let query = libraryController.query
    let count = libraryController.matchCount
    let status =
      count.map { "\(CountFormat.number($0)) of \(CountFormat.quantity(library.count, "photograph"))" } ?? "Searching…"
    if filterBar.show(query, status: status) { setNeedsLayout() }
    header.controlsDidChange()
  }

  /// Performs the action that an empty window offers.
  private func performEmptyAction() {
    switch status.emptyAction {
    case .clearSearch: header.bar.searchField.replaceText(with: "")
    case .readAgain: rescanFolders()
    case .stopReading: library.stopReading()
    case .openFolder: windowActions.chooseFolder?()
    case nil: break
    }
  }

  /// Sets the screen size of the pipeline, from which its memory budget is derived.
  private func updatePipelineScreenSize() {
    guard let scale = resources?.scale else { return }
    pipeline.screen = PixelSize(width: Int(scale.pixel(bounds.width)), height: Int(scale.pixel(bounds.height)))
  }

  // MARK: Input

  package override func handle(_ event: InputEvent) -> Bool {
    if case .filesDropped(let paths) = event.kind {
      opening.openFiles(paths)
      return true
    }
    // The overlay has already received the event.
    guard !overlays.isOpen else { return false }
    if viewer.isOpen { return handleCommand(event) }
    if header.isFocused { return header.handle(event) || handleCommand(event) }
    if sideBar.isFocused { return sideBar.handle(event) || handleCommand(event) }
    if case .keyDown(.escape, _, _) = event.kind, !header.bar.searchField.text.isEmpty, grid.selection.items.isEmpty {
      header.bar.searchField.replaceText(with: "")
      return true
    }
    return handleTyping(event) || gridController.handleZoom(event) || handleCommand(event) || openFirst(event)
  }

  /// Opens the first visible photograph for Enter, which the grid does not handle before one was chosen.
  private func openFirst(_ event: InputEvent) -> Bool {
    guard case .keyDown(.enter, [], isRepeat: false) = event.kind, !nameSearch.isActive,
      let item = dataSource.itemIdentifier(atFlatIndex: grid.visibleRange.lowerBound)
    else { return false }
    viewer.open(item)
    return true
  }

  /// Handles typed text.
  ///
  /// Some characters are commands if no search is active.
  ///
  /// - Returns: Whether the event was handled.
  private func handleTyping(_ event: InputEvent) -> Bool {
    guard case .text(let text) = event.kind else { return false }
    if !nameSearch.isActive {
      // Space scrolls.
      if text == " " { return false }
      if handleCommand(event) { return true }
    }
    nameSearch.append(text)
    return true
  }

  // MARK: Library

  /// The opener of dropped files.
  ///
  /// If nil, nothing can be opened.
  package var opener: (any LibraryOpener)? {
    get { opening.opener }
    set { opening.opener = newValue }
  }

  /// Replaces the library by another one.
  ///
  /// - Parameters:
  ///   - feed: The new feed. The last one is ended.
  ///   - pathToReveal: The photograph to select and scroll to once it is found.
  package func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?) {
    settings.save()
    overlays.close()
    viewer.remove()
    header.didLoseFocus()
    nameSearch.cancel()
    pathCopy.cancel()
    toolTips.cancel()
    window?.firstResponder = grid
    library.writePreviews()
    gridController.removePictures()
    libraryController.open(feed, pathToReveal: pathToReveal)
    selectionBytes.restart()
    header.clearSearch()
    settings.restore()
    updatePlaces()
    header.update()
  }

  /// Rescans the folders, and resumes decoding if it was stopped.
  func rescanFolders() {
    retryFailedPictures()
    libraryController.rescan()
  }

  /// Tries again to show the photographs whose files could not be read.
  private func retryFailedPictures() {
    pipeline.resumeDecoding()
    gridController.retryFailedPictures()
    // The viewed picture may have failed too.
    viewer.showContent()
    status.updateTexts()
  }

  /// Shuffles the photographs of each section until they are sorted again, for demonstrations and tests.
  ///
  /// - Complexity: O(*n*) in the number of photographs.
  package func shuffle(seed: UInt64) { libraryController.shuffle(seed: seed) }

  /// Whether the thumbnails of all photographs are made while nothing else is done.
  ///
  /// Has no effect if nothing is stored on disk. Default: false.
  package var makesLibraryThumbnails: Bool {
    get { libraryThumbnails.isEnabled }
    set { libraryThumbnails.isEnabled = newValue }
  }

  /// Why there is no folder in which something is stored, as a sentence without a full stop, or nil if there is one or none
  /// is wanted.
  ///
  /// Default: nil.
  package var missingStorage: String?

  // MARK: Display

  /// What the window does for commands of the gallery; by default nothing.
  package var windowActions = WindowActions() {
    didSet {
      header.update()
      status.updateTexts()
      updateColorProfile()
    }
  }

  /// Shows all pictures in the colors of the window's display.
  ///
  /// Until they are decoded again, they are shown as before.
  private func updateColorProfile() {
    guard pipeline.setDisplayProfile(windowActions.colorProfile()) else { return }
    gridController.reloadPictures()
    viewer.colorsDidChange()
  }

  /// Shows the photographs in another layout.
  ///
  /// The first photograph stays in view.
  ///
  /// - Parameters:
  ///   - kind: The layout.
  ///   - level: The index of the size, from the smallest, or nil for the last or usual one.
  func setLayout(_ kind: GalleryLayoutKind, level: Int? = nil) {
    gridController.setLayout(kind, level: level)
    header.update()
  }

  /// Groups the photographs in another way.
  func setGrouping(_ grouping: GalleryGrouping) {
    libraryController.group(by: grouping)
    header.update()
  }

  /// Whether the side bar is shown.
  package var isSideBarShown: Bool {
    get { sideBar.isShown }
    set { sideBar.isShown = newValue }
  }

  /// Begins to remember how folders are shown, and shows the window and the folder as they were shown last.
  ///
  /// - Parameters:
  ///   - settings: What earlier runs remembered.
  ///   - store: Where it is stored.
  ///   - restoresFolder: Whether the folder is shown as it was shown last. Pass false if the user chose otherwise.
  package func remember(_ settings: GallerySettings, in store: any SettingsStore, restoresFolder: Bool) {
    self.settings.start(settings, store: store)
    if restoresFolder { self.settings.restore() }
    isSideBarShown = settings.sideBar ?? false
    updatePlaces()
  }

  /// Stores how the folder is shown.
  package func saveSettings() { settings.save() }

  /// The places where photographs usually are, for the side bar.
  package var places: [PhotoPath] = [] {
    didSet { updatePlaces() }
  }

  private func updatePlaces() { sideBar.setPlaces(places, recents: settings.recentFolders) }

  /// Moves the keyboard focus to the next part of the window: from the photographs to the header bar and the side bar.
  func moveFocusToNextPart() {
    if sideBar.isFocused { return restoreKeyboardFocus() }
    guard header.isFocused else { return header.focusFirst() }
    header.didLoseFocus()
    if sideBar.isShown { sideBar.focus() } else { restoreKeyboardFocus() }
  }

  // MARK: Statistics

  /// The height of the title bar, in points.
  package static var barHeight: Double { Metrics.barHeight }

  /// The number of sections.
  package var sectionCount: Int { dataSource.displayedSnapshot().numberOfSections }

  /// The number of photographs on screen whose picture is pending.
  ///
  /// - Complexity: O(visible cells).
  package var pendingPictureCount: Int { gridController.pendingPictureCount }

  /// Whether every photograph on screen shows its picture or the reason why there is none.
  ///
  /// An empty grid counts as fully shown only if the library is complete and empty.
  package var isFullyShown: Bool {
    guard !grid.visibleCells.isEmpty else { return library.isComplete && library.count == 0 }
    return gridController.pendingPictureCount == 0
  }

  /// The sum over all visible cells of the time without a picture, in milliseconds.
  package var placeholderCellMilliseconds: Double { gridController.placeholderCellMilliseconds }

  /// The part of ``placeholderCellMilliseconds`` in which cells were blank.
  package var blankCellMilliseconds: Double { gridController.blankCellMilliseconds }

  /// The number of items that cannot be shown, either because of their file or because decoding failed.
  ///
  /// - Complexity: O(*k*) in the number of items whose decoding failed.
  package var failedCount: Int { gridController.failedCount }
}

// MARK: - Frames

extension GalleryScreen: FrameParticipant {
  /// Whether work is pending that needs frames.
  package var needsFrames: Bool {
    hasPendingArrivals || gridController.isPassingFast || nameSearch.isSearching || pathCopy.isCopying
      || !selectionBytes.isComplete || viewer.isAnimating(at: frameInstant)
      || headerVisibility.needsFrames
  }

  /// Whether late frames count as hitches, because a picture is moved.
  package var isTracked: Bool { viewer.isTracked }

  private var hasPendingArrivals: Bool {
    library.hasPendingEvents || libraryController.hasPendingAnswer || pipeline.hasPendingArrivals
      || opening.hasPendingResult || sideBar.hasPendingResult || viewer.hasPendingResult
      || themeUpdates?.isEmpty == false || folderChoices?.isEmpty == false || unopenedAddresses?.isEmpty == false
  }

  /// The time at which the tool tip appears, or a text that is shown temporarily expires, or the progress of thumbnails is
  /// updated, or the viewer's controls hide, or an animation shows its next frame, or failed pictures are requested again.
  package var nextFrame: FrameInstant? {
    [
      toolTips.nextFrame, nameSearch.nextFrame, status.nextFrame, libraryThumbnails.nextFrame, viewer.nextFrame,
      gridController.nextRetry,
    ].compactMap { $0 }.min()
  }

  /// Records the time of an event, and handles the keys of a search by typing.
  package func intercept(_ event: InputEvent) -> Bool {
    lastEventInstant = max(lastEventInstant, event.time)
    viewer.intercept(event)
    switch event.kind {
    case .pointerMoved(let point):
      let point = convertFromWindow(point)
      headerVisibility.pointerDidMove(to: point)
      toolTips.pointerDidMove(to: point, at: event.time)
    case .pointerDown(let point, _, _, _):
      let point = convertFromWindow(point)
      if !header.bar.frame.contains(point) {
        if header.isFocused { header.leave() }
        sideBar.pressWillBegin(at: point)
      }
      fallthrough
    case .keyDown, .wheel, .touch:
      libraryController.userDidAct(at: event.time)
      toolTips.cancel()
    case .pointerLeft:
      headerVisibility.pointerDidMove(to: nil)
      toolTips.cancel()
    case .colorProfileChanged: updateColorProfile()
    case .hidden:
      // A hidden window gets no frames in which to continue, and the clipboard would keep its old contents.
      pathCopy.finish()
      settings.save()
    default: break
    }
    return nameSearch.intercept(event) || opening.intercept(event)
  }

  /// The time of the next arrival of a picture on a simulated clock.
  package var nextArrival: FrameInstant? { pipeline.nextArrival }

  /// Returns whether photographs or pictures arrive by the given time.
  package func hasArrivals(by now: FrameInstant) -> Bool {
    hasPendingArrivals || nextArrival.map { $0 <= now } ?? false
  }

  /// Updates the screen to the time of the frame.
  package func update(at target: FrameInstant) {
    frameInstant = target
    gridController.update(at: target)
    nameSearch.update(at: target)
    pathCopy.advance()
    status.update(at: target)
    toolTips.update(at: target)
    libraryThumbnails.update(at: target)
    viewer.update(at: target)
  }

  /// Collects found photographs, decoded pictures and a theme.
  package func collect(_ budget: FrameBudget) {
    if let theme = themeUpdates?.takeMessages().messages.last { setTheme(theme) }
    for choice in folderChoices?.takeMessages().messages ?? [] { opening.open(choice) }
    if let address = unopenedAddresses?.takeMessages().messages.last {
      showNotice(
        onCopy(Array(address.utf8))
          ? "The desktop opens no addresses; this one was copied" : "The desktop opens no addresses")
    }
    opening.openIfReady()
    sideBar.collect()
    viewer.collect()
    let changes = libraryController.collectChanges(budget)
    // The cells of these photographs are made in the layout.
    gridController.defersRequests = viewer.awaitsOpenedPicture
    let arrived = gridController.collectPictures(budget)
    libraryController.rescanIfRequested()
    if changes.hasEvents || arrived.changesFailures { status.updateTexts() }
    if changes.hasEvents {
      // A disk is there again, or out of reach, which the cells say.
      if library.problems != problems { retryFailedPictures() }
      problems = library.problems
    }
    dataSource.reconfigureItems(arrived.items)
    if changes.hasPreviews { gridController.reconfigureWaitingCells() }
    // After the grid has been updated, whose order is that of the work.
    libraryThumbnails.update(at: frameInstant)
    gridController.updateRetries(at: frameInstant)
    gridController.prefetchTextures(of: arrived.bitmaps)
    viewer.apply(arrived.others)
    gridController.defersRequests = viewer.awaitsOpenedPicture
  }

  /// Scrolls to the photograph that the user asked to open, and updates the requests of pictures.
  package func layout() {
    libraryController.revealWantedItem()
    headerVisibility.update(at: frameInstant)
    gridController.layout()
  }

  /// Continues the search, adds up the bytes of selected photographs, or renders a caption in advance, if that fits
  /// before the deadline.
  package func performSlackStep(_ budget: FrameBudget) -> Bool {
    if budget.remaining > .milliseconds(1), nameSearch.performSlackStep() || selectionBytes.advance() { return true }
    return gridController.performSlackStep(budget)
  }

  /// Returns false while the content passes too fast to be seen, and while the viewer is open.
  package func allowsInputResampling() -> Bool { !gridController.isPassingFast && !viewer.isShown }

  /// Evicts pictures that have not been used lately.
  package func handleMemoryPressure() { pipeline.handleMemoryPressure() }

  /// Ends idle decoders.
  package func releaseIdleResources() { pipeline.releaseIdleResources() }

  /// Updates the statistics, and the selection's byte count and the indices after updates of the grid.
  package func frameDidEnd(_ record: FrameRecord) {
    // This also works if no frame has slack.
    _ = selectionBytes.advance()
    gridController.reportUpdates()
    gridController.recordFrame(record)
    gridController.frameDidEnd()
    // The previews of a screen are written together, once all its pictures have arrived.
    if library.previews.hasUnwrittenPreviews, pipeline.isIdle { library.previews.writePreviews() }
  }
}
