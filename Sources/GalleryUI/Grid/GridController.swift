import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// What ``GridController`` needs from the screen.
protocol GridHost: AnyObject {
  /// Records a change of the selection.
  func selectionDidChange(adding added: IndexRuns, removing removed: IndexRuns)
  /// Updates what depends on the selection, after all of its changes.
  func selectionDidSettle()
  /// Opens a photograph.
  func openPhotograph(_ item: PhotoID)
  /// Updates what shows the size of the photographs.
  func zoomDidChange()
  /// Shows the context menu.
  ///
  /// - Parameters:
  ///   - indexPaths: The selected photographs to which the menu applies; empty if none was clicked.
  ///   - point: The menu's position on the screen.
  func showMenu(for indexPaths: IndexPathRuns, at point: Point)
  /// Updates what depends on the photograph under the pointer.
  func hoveredPhotoDidChange()
  /// Updates what depends on the photographs in the grid.
  ///
  /// - Parameter changesIndices: Whether photographs have other indices than before. Appended ones change none.
  func gridDidUpdate(changesIndices: Bool)
}

/// The owner of the grid of photographs and the pictures in its cells.
///
/// It owns the collection view with its layout and zoom level, the data source, the thumbnails of the cells, the
/// captions rendered in advance, the timeline of the scroll indicator, and the statistics of pending pictures. It handles
/// the calls of the collection view, and passes on those that concern other owners.
///
/// Invariants:
/// - The layout works with the photographs and aspect ratios of the last layout pass.
/// - The pictures of visible cells are pinned, and requested unless requests are paused.
/// - Requests are paused exactly while the scroll thumb moves the content too fast to be seen.
/// - Captions rendered in advance have the width of the current layout.
/// - The host is notified once, at the end of a frame, of all updates in it.
final class GridController {
  /// The maximum number of bytes of pictures to collect in a frame.
  private static let bytesPerCollect = 16 << 20

  /// The pictures that arrived in a frame.
  struct Arrivals {
    /// The photographs whose picture arrived or failed.
    let items: [PhotoID]
    /// The pictures.
    let bitmaps: [Bitmap]
    /// The arrivals that other clients of the pipeline requested.
    let others: [ImageArrival]
    /// Whether the number of pictures that cannot be loaded changed.
    let changesFailures: Bool
  }

  /// The screen, which owns the controller.
  unowned var host: (any GridHost)!
  /// The collection view.
  let view: CollectionView
  /// The photographs of the collection view.
  let dataSource: DiffableDataSource<GallerySection, PhotoID>
  /// The pictures of the cells.
  let thumbnails: ThumbnailLoader

  private let library: LibraryModel
  private let frameContext: FrameContext
  private let pictureSizes: PictureSizes
  private let layoutInput: LayoutInput
  private let uploadedTextures: UploadedTextureLookup
  private let timeline: GalleryTimeline
  private let cellProvider: PhotoCellProvider
  /// The colors.
  var theme: Theme {
    didSet { themeDidChange() }
  }
  /// The kind of layout and its zoom level.
  private var zoom: GalleryZoom
  /// The zoom levels of the layouts that were shown before.
  private var lastZooms: [GalleryLayoutKind: GalleryZoom] = [:]
  private var zoomWheel = ZoomWheel()
  private var zoomPinch = ZoomPinch()
  /// The speed at which the scroll thumb moves the content.
  private var pace = ScrubPace()
  private var captionPrefetchQueue = CaptionPrefetchQueue()
  private var pendingPictures = PendingPictureCounter()
  /// The number of updates of which the host was notified, and of those that changed the indices of items.
  private var lastUpdateCount = 0
  private var lastRenumberingCount = 0
  /// The number of failures after pictures were collected last.
  private var lastFailureCount = 0

  /// Creates the controller of a screen.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - pipeline: The pipeline that decodes the pictures.
  ///   - theme: The colors.
  ///   - layout: The kind of layout.
  ///   - columns: The initial number of columns of a grid, or nil for as many as fit.
  init(library: LibraryModel, pipeline: ImagePipeline, theme: Theme, layout: GalleryLayoutKind, columns: Int?) {
    self.library = library
    self.theme = theme
    let layoutInput = LayoutInput()
    self.layoutInput = layoutInput
    zoom = GalleryZoom(layout, columns: columns)
    let view = CollectionView(layout: GalleryLayout.makeLayout(zoom, input: layoutInput))
    self.view = view
    let sizes = PictureSizes(layout, grid: view)
    pictureSizes = sizes
    thumbnails = ThumbnailLoader(
      pipeline: pipeline, background: theme.background, previews: library.previews,
      reference: { library.reference(to: $0) }, size: { sizes.size(of: $0) })
    frameContext = FrameContext(grid: view)
    let textures = UploadedTextureLookup()
    uploadedTextures = textures
    let cellProvider = PhotoCellProvider(
      library: library, thumbnails: thumbnails, frameContext: frameContext, sizes: sizes, theme: theme,
      isUploaded: { textures.contains($0) })
    self.cellProvider = cellProvider
    dataSource = DiffableDataSource(collectionView: view) { view, path, item in cellProvider.makeCell(view, path, item)
    }
    timeline = GalleryTimeline(grid: view, dataSource: dataSource, library: library)
    sizes.setDataSource(dataSource)
    view.scrollIndicator.scrubberDataSource = timeline
    view.delegate = self
    view.allowsMultipleSelection = true
    view.allowsRubberBandSelection = true
    view.allowsFocus = true
    dataSource.prefetching = self
    view.register(SeparatorView.self, forDecorationViewOfKind: CollectionLayoutListConfiguration.separatorKind) {
      [weak self] separator in
      if let self, separator.theme != self.theme { separator.theme = self.theme }
    }
    registerHeaders()
    updateColors()
  }

  private func updateColors() {
    view.scrollIndicator.color = theme.indicator
    view.scrollIndicator.scrubberStyle = theme.scrubber
    view.rubberBandColor = theme.accent
  }

  /// Applies the colors of the theme to all views, and requests the pictures again.
  ///
  /// Pooled views receive the theme when they are configured.
  private func themeDidChange() {
    updateColors()
    cellProvider.theme = theme
    // Now, because cells are configured again in several frames.
    for cell in view.visibleCells + view.preparedCells { cell.applyTheme(theme) }
    view.reconfigureSupplementaryViews()
    prefetchTextures(of: thumbnails.setBackground(theme.background, at: frameContext.instant))
    reconfigureAllCells()
  }

  /// Registers the section headers.
  private func registerHeaders() {
    let registration = SupplementaryRegistration<SectionHeaderView>(elementKind: GalleryLayout.headerKind) {
      [weak self, weak dataSource, library] header, _, path in
      if let self, header.theme != theme { header.theme = theme }
      guard let dataSource, let section = dataSource.sectionIdentifier(for: path.section) else { return }
      let count = dataSource.displayedSnapshot().numberOfItems(inSectionAt: path.section)
      header.layoutInput = self?.layoutInput
      header.show(title: section.title(library.folderTitles), count: CountFormat.number(count))
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
    }
  }

  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? {
    get { uploadedTextures.resources }
    set { uploadedTextures.resources = newValue }
  }

  /// Whether the layout depends on the aspect ratios of the photographs.
  var dependsOnAspectRatios: Bool { zoom.kind == .justified }

  // MARK: - Zoom

  /// Handles input that zooms: the wheel with Control, and pinch gestures.
  ///
  /// - Returns: Whether the event was handled.
  func handleZoom(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .wheel(let wheel) where wheel.modifiers.contains(.control):
      zoom(by: zoomWheel.steps(of: wheel.deltaY), around: view.convertFromWindow(wheel.location))
    case .pinch(let pinch):
      zoom(by: zoomPinch.steps(of: pinch), around: view.convertFromWindow(pinch.location))
    default: return false
    }
    return true
  }

  /// Zooms by the given number of steps.
  ///
  /// - Parameters:
  ///   - steps: The number of steps. Positive numbers make photographs larger.
  ///   - point: The point that stays in place, in the grid's coordinates. If nil, the first photograph stays in view.
  func zoom(by steps: Int, around point: Point?) {
    if steps != 0, zoom.zoom(by: steps, in: view.bounds.width) { applyZoom(around: point) }
  }

  /// Shows the photographs in their usual size.
  func resetZoom() { if zoom.reset() { applyZoom(around: nil) } }

  private func applyZoom(around point: Point?) {
    captionPrefetchQueue.removeAll()
    view.setCollectionViewLayout(
      GalleryLayout.makeLayout(zoom, input: layoutInput), animated: true, anchoredAt: point)
    host.zoomDidChange()
  }

  /// The number of zoom steps of the layout, and the index of the current one.
  var zoomLevel: (count: Int, index: Int) { (zoom.levelCount, zoom.level) }

  /// Zooms to a step.
  func zoom(toLevel level: Int) { if zoom.setLevel(level) { applyZoom(around: nil) } }

  // MARK: - Layout

  /// The kind of layout.
  var layoutKind: GalleryLayoutKind { zoom.kind }

  /// Shows the photographs in another layout, at the zoom level that it had before.
  ///
  /// The first photograph stays in view, and the selection remains.
  func setLayout(_ kind: GalleryLayoutKind, level: Int? = nil) {
    if kind != zoom.kind {
      lastZooms[zoom.kind] = zoom
      zoom = lastZooms[kind] ?? GalleryZoom(kind)
    }
    if let level { _ = zoom.setLevel(level) }
    pictureSizes.kind = zoom.kind
    captionPrefetchQueue.removeAll()
    view.setCollectionViewLayout(GalleryLayout.makeLayout(zoom, input: layoutInput))
    // The cells of another layout are of another class, which a reload replaces. It clears the selection.
    let (selected, lead) = (view.selection.items, view.selection.lead)
    dataSource.applySnapshotUsingReloadData(dataSource.snapshot()) { [weak self] in
      guard let self, !selected.isEmpty else { return }
      view.select(.replace(selected))
      if let lead, lead < view.itemCount { view.focusItem(at: lead, selects: false, animated: false) }
    }
  }

  // MARK: - Selection

  /// Extends the selection to whole sections: to all photographs of each section that contains a selected one.
  func selectSections() {
    view.select(
      .replace(view.selection.items.expandedToWholeSections(counts: dataSource.displayedSnapshot().itemCounts)))
  }

  // MARK: - Photographs on screen

  /// The first photograph whose cell is in view, or nil at the beginning of the content.
  var firstPhotoInView: PhotoID? {
    guard view.contentOffset > view.viewportLength / 4 else { return nil }
    let headerHeight = library.arrangement.grouping == .none ? 0 : Metrics.headerHeight
    let top = view.contentOffset + view.contentInset.top + headerHeight
    let cells = view.visibleCells.lazy.compactMap { $0 as? PictureCell }.filter { $0.frame.minY >= top - 1 }
    let first = cells.min { ($0.frame.minY, $0.frame.minX) < ($1.frame.minY, $1.frame.minX) }
    return first?.item
  }

  /// The photograph under the pointer, or nil.
  var hoveredPhoto: PhotoID? { view.hoveredItem.flatMap { dataSource.itemIdentifier(atFlatIndex: $0) } }

  /// Returns the frame of a photograph's cell in the grid's superview, or nil if it is not visible.
  func frame(of item: PhotoID) -> Rect? {
    cell(of: item).map { Rect(origin: view.origin(of: $0) + view.frame.origin, size: $0.frame.size) }
  }

  /// Returns the frame of a photograph's picture in the grid's superview, or nil if it is not visible.
  func pictureFrame(of item: PhotoID) -> Rect? {
    guard let cell = cell(of: item) as? PictureCell else { return nil }
    return cell.pictureArea.offset(by: view.origin(of: cell) + view.frame.origin)
  }

  /// Returns whether the name of a photograph is truncated in its cell.
  func isNameTruncated(of item: PhotoID) -> Bool {
    guard let cell = cell(of: item) as? PictureCell, let resources else { return false }
    return cell.isNameTruncated(in: resources)
  }

  private func cell(of item: PhotoID) -> CollectionViewCell? {
    dataSource.flatIndex(of: item).flatMap { view.cell(at: $0) }
  }

  // MARK: - Pictures

  /// Cancels all requests, because another library is shown.
  func removePictures() {
    thumbnails.removeAll()
    captionPrefetchQueue.removeAll()
  }

  /// Cancels the requests of photographs that are no longer in the library.
  func removePictures(of items: [PhotoID]) { thumbnails.removeItems(items) }

  /// Collects decoded pictures.
  func collectPictures(_ budget: FrameBudget) -> Arrivals {
    let arrived = budget.clock.performUncounted {
      thumbnails.collect(at: budget.clock.now(), atMost: GridController.bytesPerCollect)
    }
    defer { lastFailureCount = thumbnails.failures.count }
    return Arrivals(
      items: arrived.items, bitmaps: arrived.bitmaps, others: arrived.others,
      changesFailures: thumbnails.failures.count != lastFailureCount)
  }

  /// Reconfigures the visible cells without a picture, after previews were loaded or requests were resumed.
  func reconfigureWaitingCells() {
    dataSource.reconfigureItems(
      view.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, cell.isWaiting else { return nil }
        return cell.item
      })
  }

  /// Requests the pictures again whose files could not be read.
  func retryFailedPictures() {
    let forgotten = thumbnails.forgetTransientFailures()
    guard !forgotten.isEmpty else { return }
    dataSource.reconfigureItems(
      (view.visibleCells + view.preparedCells).compactMap { ($0 as? PictureCell)?.item }.filter(forgotten.contains))
  }

  /// The time at which visible pictures that failed are requested again, or nil if none may succeed.
  private(set) var nextRetry: FrameInstant?
  /// The visible pictures that failed, how often they were requested again, and the number of all failures.
  private var retries: (items: Set<PhotoID>, count: Int, failures: Int) = ([], 0, 0)
  /// The time between two of the first requests, which is also that of the pipeline.
  private static let retryInterval = FrameDuration.milliseconds(500)
  /// The number of requests after which the time doubles, and the largest number of times.
  private static let (quickRetries, retryDoublings) = (16, 7)

  /// Requests the visible pictures again that failed for a reason that may be over: twice a second, and less and less often
  /// while the same pictures fail.
  ///
  /// - Complexity: O(1) without failures, otherwise O(visible cells).
  func updateRetries(at instant: FrameInstant) {
    if thumbnails.failures.isEmpty {
      nextRetry = nil
      return
    }
    if let due = nextRetry, due > instant {
      if thumbnails.failures.count == retries.failures { return }
      // Another picture failed, which may be over soon.
      retries.failures = thumbnails.failures.count
      nextRetry = min(due, instant + GridController.retryInterval)
      return
    }
    let items = view.visibleCells.compactMap { ($0 as? PictureCell)?.item }.filter(thumbnails.mayRecover)
    if nextRetry != nil { dataSource.reconfigureItems(items) }
    let failed = Set(items)
    retries = (failed, failed == retries.items ? retries.count + 1 : 0, thumbnails.failures.count)
    let doublings = min(max(retries.count - GridController.quickRetries, 0), GridController.retryDoublings)
    nextRetry = items.isEmpty ? nil : instant + GridController.retryInterval * Double(1 << doublings)
  }

  /// Requests all pictures again, because those in memory have the colors of another display.
  func reloadPictures() {
    prefetchTextures(of: thumbnails.requestAgain(at: frameContext.instant))
    reconfigureAllCells()
  }

  /// Reconfigures all cells that show a photograph or wait for it, after captions changed.
  func reconfigureAllCells() {
    dataSource.reconfigureItems((view.visibleCells + view.preparedCells).compactMap { ($0 as? PictureCell)?.item })
  }

  /// Enqueues the uploads of pictures that are not on screen yet.
  func prefetchTextures(of bitmaps: [Bitmap]) {
    for bitmap in bitmaps { resources?.uploads.enqueuePrefetch(bitmap) }
  }

  // MARK: - Frames

  /// Whether the content passes too fast to be seen, which needs frames.
  var isPassingFast: Bool { pace.isFast }

  /// Sets the time of the frame.
  func update(at instant: FrameInstant) { frameContext.instant = instant }

  /// Updates the speed of the scroll thumb, and if scrolling started or stopped the priorities of the visible pictures.
  func layout() {
    updatePace()
    guard frameContext.updateOffset() else { return }
    for case let cell as PictureCell in view.visibleCells {
      if let item = cell.item { thumbnails.setPriority(frameContext.priority(of: cell.frame), of: item) }
    }
  }

  /// Whether requests wait, because the picture that was opened in front of the grid is decoded first.
  ///
  /// Default: false.
  var defersRequests = false {
    didSet { if defersRequests != oldValue { updateRequests() } }
  }

  /// Pauses requests while the scroll thumb moves the content too fast to be seen, and resumes them when it slows down.
  private func updatePace() {
    let isThumbHeld = view.scroll.isThumbHeld(at: frameContext.instant)
    let hasChanged = pace.update(
      offset: view.contentOffset, viewportLength: view.viewportLength, isDragging: isThumbHeld,
      at: frameContext.instant)
    if hasChanged { updateRequests() }
  }

  private func updateRequests() {
    let mustPause = pace.isFast || defersRequests
    guard mustPause != thumbnails.isPaused else { return }
    if mustPause { return thumbnails.pause() }
    prefetchTextures(of: thumbnails.resume(at: frameContext.instant))
    reconfigureWaitingCells()
  }

  /// Renders a caption in advance, if that fits before the deadline.
  ///
  /// - Returns: Whether a caption was rendered.
  func performSlackStep(_ budget: FrameBudget) -> Bool {
    guard let resources, budget.allows(captionPrefetchQueue.expectedCost), let item = captionPrefetchQueue.next() else {
      return false
    }
    let start = budget.clock.now()
    PhotoCell.prepareCaption(library.fullCaption(of: item), cellWidth: view.firstItemSize.width, in: resources)
    captionPrefetchQueue.recordCost(budget.clock.now() - start)
    return true
  }

  /// Notifies the host of the updates since the last call.
  func reportUpdates() {
    let statistics = view.updateStatistics
    let updates = statistics.structural + statistics.reloadedAll
    guard updates != lastUpdateCount else { return }
    lastUpdateCount = updates
    let renumberings = updates - statistics.appendOnly
    let changesIndices = renumberings != lastRenumberingCount
    lastRenumberingCount = renumberings
    host.gridDidUpdate(changesIndices: changesIndices)
  }

  /// Requests the pictures of cells again that were leaving in an animation and are displayed again, and a frame in which
  /// failures are counted that were recorded after the frame's pictures were collected.
  func frameDidEnd() {
    if thumbnails.failures.count != lastFailureCount { view.setNeedsDisplay() }
    let items = thumbnails.takeCancelledItems { cell(of: $0) != nil }
    if !items.isEmpty { dataSource.reconfigureItems(items) }
  }

  /// Updates the statistics of pending pictures after a frame.
  func recordFrame(_ record: FrameRecord) { pendingPictures.recordFrame(in: view, record) }

  // MARK: - Statistics

  /// The number of photographs on screen whose picture is pending.
  ///
  /// - Complexity: O(visible cells).
  var pendingPictureCount: Int { PendingPictureCounter.pendingCount(in: view) }

  /// The sum over all visible cells of the time without a picture, in milliseconds.
  var placeholderCellMilliseconds: Double { pendingPictures.cellMilliseconds }

  /// The part of ``placeholderCellMilliseconds`` in which cells were blank.
  var blankCellMilliseconds: Double { pendingPictures.blankCellMilliseconds }

  /// The number of items that cannot be shown, either because of their file or because decoding failed; not those whose
  /// folder is out of reach.
  ///
  /// - Complexity: O(*k*) in the number of items whose decoding failed.
  var failedCount: Int {
    library.failedItems.count
      + thumbnails.failures.count { !library.failedItems.contains($0) && !library.isOffline($0) }
  }
}

// MARK: - Prefetching

extension GridController: DataPrefetching {
  /// Requests the pictures of items that will appear.
  func prefetchItems(_ items: [PhotoID]) {
    let distance = items.first.flatMap { dataSource.flatIndex(of: $0) }.map(frameContext.distance) ?? 0
    prefetchTextures(of: thumbnails.prefetch(items, distance: distance, at: frameContext.instant))
    if zoom.kind == .grid { captionPrefetchQueue.add(items) }
  }

  /// Cancels the requests of items that will not appear.
  func cancelPrefetchingItems(_ items: [PhotoID]) { thumbnails.cancel(items) }

  /// Cancels the requests of items far outside the viewport.
  func releaseItems(_ items: [PhotoID]) { thumbnails.cancel(items) }
}

// MARK: - Cells and layout

extension GridController: CollectionViewDelegate {
  /// Pins the picture of a cell that appears on screen, and requests it if it is missing.
  ///
  /// The cell may have been prepared in advance, or may have waited since it left the screen.
  func collectionView(_ view: CollectionView, willDisplay cell: CollectionViewCell, at indexPath: IndexPath) {
    guard let cell = cell as? PictureCell, let item = cell.item else { return }
    thumbnails.itemDidAppear(item)
    guard cell.isWaiting else { return }
    // Its request may have been cancelled while the cell was waiting.
    let deadline = ThumbnailDeadline.deadline(onScreenWithPriority: frameContext.priority(of: cell.frame))
    let isMissing = if case .missing = thumbnails.state(of: item, deadline: deadline) { true } else { false }
    // If the cell was prepared before the previews were loaded, its preview may be available now.
    if isMissing, !cell.isBlank || cell.tinyPreview != nil || library.tinyPreview(of: item) == nil { return }
    dataSource.reconfigureItems([item])
  }

  /// Postpones the request of an item that left the screen.
  func collectionView(_ view: CollectionView, didEndDisplaying cell: CollectionViewCell, at indexPath: IndexPath) {
    guard let item = (cell as? PictureCell)?.item else { return }
    thumbnails.itemDidDisappear(item)
    thumbnails.postpone(item, at: frameContext.instant)
  }

  /// Passes the current photographs and aspect ratios to the layout.
  func collectionViewWillPrepareLayout(_ view: CollectionView) {
    layoutInput.contents = LayoutInput.Contents(
      snapshot: dataSource.displayedSnapshot(), aspectRatios: library.aspectRatios)
    view.scrollIndicator.scrubberLabelInset = layoutInput.hasHeaders ? Metrics.headerHeight : 0
    view.scrollIndicator.scrubberLabelWidth = layoutInput.timelineLabelWidth(inWidth: view.bounds.width)
    pictureSizes.scale = resources?.scale ?? .one
    pictureSizes.invalidate()
  }

  /// Requests the visible and prefetched pictures again if the sizes of cells in pixels changed.
  func collectionViewDidLayout(_ view: CollectionView) {
    if pictureSizes.haveChanged() { prefetchTextures(of: thumbnails.updateSizes(at: frameContext.instant)) }
    dataSource.reconfigureItems(
      view.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, let item = cell.item, cell.requestedSize != pictureSizes.size(of: item)
        else {
          return nil
        }
        return item
      })
  }
}

// MARK: - Interaction

extension GridController {
  /// Always false: all photographs can be selected, and a selected range of a million costs no calls.
  var decidesOnEachItem: Bool { false }

  func collectionView(_ view: CollectionView, didChangeSelectionBy change: SelectionChange) {
    host.selectionDidChange(adding: change.selected, removing: change.deselected)
  }

  func collectionViewDidChangeSelection(_ view: CollectionView) { host.selectionDidSettle() }

  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    if let item = dataSource.itemIdentifier(for: indexPath) { host.openPhotograph(item) }
  }

  func collectionView(
    _ view: CollectionView, showContextMenuForItemsAt indexPaths: IndexPathRuns, at point: Point
  ) -> Bool {
    host.showMenu(for: indexPaths, at: point + view.frame.origin)
    return true
  }

  func collectionView(_ view: CollectionView, didHoverItemAt indexPath: IndexPath?) { host.hoveredPhotoDidChange() }
}
