import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
public import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
public import Rendering
import ScrollPhysics
public import Views

extension GalleryScreen: FrameParticipant {
  /// The maximum number of bytes of pictures to collect in a frame.
  private static var bytesPerCollect: Int { 16 << 20 }

  /// Whether work is pending that needs frames.
  public var needsFrames: Bool {
    hasPendingArrivals || pace.isFast || nameSearch.isSearching || pathCopy.isCopying || !selectionBytes.isComplete
      || viewer.isFading(at: frameContext.instant)
  }

  private var hasPendingArrivals: Bool {
    library.hasPendingEvents || pipeline.hasPendingArrivals || (isOpening && opener?.hasPendingResult == true)
  }

  /// The time at which the tool tip appears, or a text that is shown temporarily expires, or the progress of thumbnails is updated.
  public var nextFrame: FrameInstant? {
    [toolTips.nextFrame, nameSearch.typeAhead.expiry, notice?.expiry, libraryThumbnails.nextFrame].compactMap { $0 }
      .min()
  }

  /// Records the time of an event, and handles the keys of a search by typing.
  public func intercept(_ event: InputEvent) -> Bool {
    lastEventInstant = max(lastEventInstant, event.time)
    switch event.kind {
    case .pointerMoved(let point):
      toolTips.pointerDidMove(to: convertFromWindow(point), at: event.time)
    case .pointerDown, .keyDown, .wheel, .touch:
      lastActionInstant = event.time
      toolTips.cancel()
    case .pointerLeft: toolTips.cancel()
    case .hidden:
      // A hidden window gets no frames in which to continue, and the clipboard would keep its old contents.
      pathCopy.finish()
    default: break
    }
    return nameSearch.intercept(event) || interceptOpening(event)
  }

  /// The time of the next arrival of a picture on a simulated clock.
  public var nextArrival: FrameInstant? { pipeline.nextArrival }

  /// Returns whether photographs or pictures arrive by the given time.
  public func hasArrivals(by now: FrameInstant) -> Bool {
    hasPendingArrivals || nextArrival.map { $0 <= now } ?? false
  }

  /// Updates the screen to the time of the frame.
  public func update(at target: FrameInstant) {
    frameContext.instant = target
    nameSearch.update(at: target)
    pathCopy.advance()
    if let expiry = notice?.expiry, expiry <= target {
      notice = nil
      updateTitleBar()
      viewer.showContent()
    }
    toolTips.update(at: target)
    libraryThumbnails.update(at: target)
    viewer.update(at: target)
  }

  /// Collects found photographs and decoded pictures.
  public func collect(_ budget: FrameBudget) {
    openIfReady()
    var changes = budget.clock.performUncounted { library.takeChanges() }
    // A simulation takes equal batches; with a live window the time budget of the frame decides.
    budget.clock.repeatInRealTime(while: library.hasPendingEvents && budget.remaining > .zero) {
      changes.merge(library.takeChanges())
    }
    applyArrangement(changes)
    sortIfRequested()
    if let item = changes.itemToReveal { itemToReveal = item }
    if !changes.changed.isEmpty { applyChangedItems(changes) }
    if changes.hasEvents { libraryThumbnails.libraryDidChange() }
    let failuresBefore = thumbnails.failures.count
    let arrived = budget.clock.performUncounted {
      thumbnails.collect(at: budget.clock.now(), atMost: GalleryScreen.bytesPerCollect)
    }
    rescanIfRequested()
    if changes.hasEvents || thumbnails.failures.count != failuresBefore { updateTitleBar() }
    dataSource.reconfigureItems(arrived.items)
    if changes.hasPreviews { reconfigureWaitingCells() }
    // After the grid has been updated, whose order is that of the work.
    libraryThumbnails.update(at: frameContext.instant)
    for bitmap in arrived.bitmaps { resources?.uploads.enqueuePrefetch(bitmap) }
    viewer.apply(arrived.others)
  }

  /// Updates cells, selection and viewer after changes of photographs.
  private func applyChangedItems(_ changes: LibraryModel.Changes) {
    dataSource.reconfigureItems(changes.changed)
    if !changes.replaced.isEmpty, !grid.selection.items.isEmpty { selectionBytes.restart() }
    if let item = viewer.openItem, changes.changed.contains(item) { viewer.showContent() }
  }

  /// Reconfigures the visible cells without a picture, after previews were loaded or requests were resumed.
  private func reconfigureWaitingCells() {
    dataSource.reconfigureItems(
      grid.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, cell.isWaiting else { return nil }
        return cell.item
      })
  }

  /// Inserts, moves and removes photographs in the grid, and invalidates the layout of those whose aspect ratio
  /// changed.
  private func applyArrangement(_ changes: LibraryModel.Changes) {
    let shown = dataSource.displayedSnapshot()
    // The layout queries the aspect ratios of new items anyway.
    let reshaped = zoom.kind == .justified ? changes.reshaped.filter(shown.contains) : []
    if let outcome = changes.rescanOutcome, !(outcome.arrived.isEmpty && outcome.removed.isEmpty) {
      dataSource.apply(outcome.snapshot)
      thumbnails.removeItems(outcome.removed)
    }
    // First, because the photographs found meanwhile are inserted into it.
    if let snapshot = changes.arrangedSnapshot {
      if changes.isSorted {
        showSorted(snapshot, isAnimated: false)
      } else {
        dataSource.apply(snapshot, animatingDifferences: false)
      }
    }
    if changes.isArranged {
      var snapshot = dataSource.snapshot()
      // Not animated: too many photographs stream in during a scan to follow their movements.
      if library.arrangeSnapshot(&snapshot) { dataSource.apply(snapshot, animatingDifferences: false) }
    }
    if !reshaped.isEmpty { dataSource.invalidateLayout(ofItems: reshaped) }
  }

  /// Scrolls to the photograph that the user asked to open, now that the layout has the window's size.
  ///
  /// If scrolling started or stopped, it also updates the priorities of the visible pictures.
  public func layout() {
    revealWantedItem()
    updatePace()
    guard frameContext.updateOffset() else { return }
    for case let cell as PictureCell in grid.visibleCells {
      if let item = cell.item { thumbnails.setPriority(frameContext.priority(of: cell.frame), of: item) }
    }
  }

  /// Pauses requests while the scroll thumb moves the content too fast to be seen, and resumes them when it slows down.
  private func updatePace() {
    let isThumbHeld = grid.scroll.isThumbHeld(at: frameContext.instant)
    guard
      pace.update(
        offset: grid.contentOffset, viewportLength: grid.viewportLength, isDragging: isThumbHeld,
        at: frameContext.instant)
    else { return }
    if pace.isFast { return thumbnails.pause() }
    for bitmap in thumbnails.resume(at: frameContext.instant) { resources?.uploads.enqueuePrefetch(bitmap) }
    reconfigureWaitingCells()
  }

  /// Updates what depends on item indices, after updates that changed them.
  private func handleUpdates() {
    let statistics = grid.updateStatistics
    let updates = statistics.structural + statistics.reloadedAll
    guard updates != lastUpdateCount else { return }
    lastUpdateCount = updates
    viewer.updateIndex()
    toolTips.hoveredPhotoDidChange()
    // Appended items do not change the indices of others.
    let renumberings = updates - statistics.appendOnly
    guard renumberings != lastRenumberingCount else { return }
    lastRenumberingCount = renumberings
    selectionBytes.restartIfNeeded()
  }

  private func revealWantedItem() {
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    itemToReveal = nil
    if let index = grid.flatIndex(at: path) { grid.focusItem(at: index, animated: false) }
    didRevealItem = true
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Continues the search, adds up the bytes of selected photographs, or renders a caption in advance, if that fits
  /// before the deadline.
  public func performSlackStep(_ budget: FrameBudget) -> Bool {
    if budget.remaining > .milliseconds(1), nameSearch.performSlackStep() || selectionBytes.advance() { return true }
    guard let resources, budget.allows(captionPrefetchQueue.expectedCost), let item = captionPrefetchQueue.next() else {
      return false
    }
    let start = budget.clock.now()
    PhotoCell.prepareCaption(library.caption(of: item), cellWidth: grid.firstItemSize.width, in: resources)
    captionPrefetchQueue.recordCost(budget.clock.now() - start)
    return true
  }

  /// Returns false while the content passes too fast to be seen, and while the viewer is open.
  public func allowsInputResampling() -> Bool { !pace.isFast && !viewer.isShown }

  /// Evicts pictures that have not been used lately.
  public func handleMemoryPressure() { pipeline.handleMemoryPressure() }

  /// Ends idle decoders.
  public func releaseIdleResources() { pipeline.releaseIdleResources() }

  /// Updates the statistics, and the selection's byte count and the indices after updates of the grid.
  public func frameDidEnd(_ record: FrameRecord) {
    // This also works if no frame has slack.
    _ = selectionBytes.advance()
    handleUpdates()
    if didRevealItem {
      // The title bar changed after the views of this frame were laid out.
      didRevealItem = false
      titleBar.setNeedsLayout()
    }
    pendingPictures.recordFrame(in: grid, record)
    // The previews of a screen are written together, once all its pictures have arrived.
    if library.previews.hasUnwrittenPreviews, pipeline.isIdle { library.previews.writePreviews() }
  }
}

// MARK: - Pending pictures

/// Statistics of the photographs on screen whose picture is pending.
struct PendingPictureCounter {
  /// The sum of the waiting times of all cells, in milliseconds.
  private(set) var cellMilliseconds = 0.0
  /// The part of ``cellMilliseconds`` in which cells were blank.
  private(set) var blankCellMilliseconds = 0.0
  private var lastShown: FrameInstant?
  private var lastCount = 0
  private var lastBlankCount = 0

  /// Returns the number of cells whose picture is pending.
  ///
  /// - Complexity: O(visible cells).
  func pendingCount(in grid: CollectionView) -> Int {
    var count = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting { count += 1 }
    return count
  }

  /// Records a frame that was shown: the cells that waited in the last frame waited until now.
  mutating func recordFrame(in grid: CollectionView, _ record: FrameRecord) {
    if let lastShown, lastCount > 0 {
      let milliseconds = (record.shown - lastShown).milliseconds
      cellMilliseconds += Double(lastCount) * milliseconds
      blankCellMilliseconds += Double(lastBlankCount) * milliseconds
    }
    lastShown = record.shown
    lastCount = 0
    lastBlankCount = 0
    for case let cell as PictureCell in grid.visibleCells where cell.isWaiting {
      lastCount += 1
      if cell.isBlank { lastBlankCount += 1 }
    }
  }
}
