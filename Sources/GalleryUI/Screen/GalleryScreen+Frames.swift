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
  /// The bytes of pictures that a frame takes in at most.
  private static var bytesPerCollect: Int { 16 << 20 }

  /// Whether something waits to be taken in.
  public var needsFrames: Bool {
    hasPendingArrivals || pace.isFast || search != nil || pathCopy != nil || !selectionTotal.isComplete
      || viewer?.fade.isRunning(at: frameContext.instant) == true
  }

  private var hasPendingArrivals: Bool {
    library.hasPendingEvents || pipeline.hasPendingArrivals || (isOpening && opener?.hasPendingResult == true)
  }

  /// When something that is shown for a while has been, or a name is to be shown.
  public var nextFrame: FrameInstant? {
    [toolTipTimer.fireInstant, typeAhead.expiry, notice?.expiry].compactMap { $0 }.min()
  }

  /// Takes the time of an event, and what goes on with what was typed.
  public func intercept(_ event: InputEvent) -> Bool {
    lastEventInstant = max(lastEventInstant, event.time)
    switch event.kind {
    case .pointerMoved(let point):
      lastPointerLocation = convertFromWindow(point)
      if overlay == nil, viewer == nil { toolTipTimer.pointerDidMove(at: event.time) }
    case .pointerDown, .keyDown, .wheel, .touch:
      lastActionInstant = event.time
      toolTipTimer.cancel()
      hideToolTip()
    case .pointerLeft:
      toolTipTimer.cancel()
      hideToolTip()
    case .hidden:
      // No frames come that would go on with it, and what is pasted meanwhile would be something else.
      while pathCopy != nil { continueCopying() }
    default: break
    }
    return interceptTyping(event) || interceptOpening(event)
  }

  /// When the next picture arrives on a simulated clock.
  public var nextArrival: FrameInstant? { pipeline.nextArrival }

  /// Whether photographs were found, or pictures are there by an instant.
  public func hasArrivals(by now: FrameInstant) -> Bool {
    hasPendingArrivals || nextArrival.map { $0 <= now } ?? false
  }

  /// Takes the frame's moment.
  public func update(at target: FrameInstant) {
    frameContext.instant = target
    continueSearch()
    if pathCopy != nil { continueCopying() }
    let isForgotten = typeAhead.expire(at: target)
    if isForgotten { hasNoMatch = false }
    let isTold = notice.map { $0.expiry <= target } ?? false
    if isTold { notice = nil }
    if isForgotten || isTold { updateTitleBar() }
    if isTold { updateViewer() }
    if toolTipTimer.advance(to: target) { showToolTip() }
    advanceViewer(to: target)
  }

  /// Takes in what was found and what was decoded.
  public func collect(_ budget: FrameBudget) {
    openIfReady()
    var found = budget.clock.performUncounted { library.takeChanges() }
    // A simulation takes equal portions; beside a live window the time of the frame decides.
    while !budget.clock.kind.isSimulated, library.hasPendingEvents, budget.remaining > .zero {
      found.merge(library.takeChanges())
    }
    applyArrangement(found)
    sortIfRequested()
    if let item = found.wantedItem { itemToReveal = item }
    if !found.changed.isEmpty { applyChangedItems(found) }
    let failuresBefore = thumbnails.failures.count
    let arrived = budget.clock.performUncounted {
      thumbnails.collect(at: budget.clock.now(), atMost: GalleryScreen.bytesPerCollect)
    }
    rescanIfRequested()
    if found.hasEvents || thumbnails.failures.count != failuresBefore { updateTitleBar() }
    dataSource.reconfigureItems(arrived.items)
    if found.hasPreviews { reconfigureWaitingCells() }
    for bitmap in arrived.bitmaps { resources?.uploads.enqueuePrefetch(bitmap) }
    applyViewerArrivals(arrived.others)
  }

  /// What is known of photographs is different, maybe all of it.
  private func applyChangedItems(_ found: LibraryModel.Changes) {
    dataSource.reconfigureItems(found.changed)
    if !found.replaced.isEmpty, !grid.selection.items.isEmpty { recountSelection() }
    if let viewer, viewer.isOpen, found.changed.contains(viewer.item) { updateViewer() }
  }

  /// Previews of other runs are there, or pictures may be asked for: looks anew at what is on screen and has no picture.
  private func reconfigureWaitingCells() {
    dataSource.reconfigureItems(
      grid.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, cell.isWaiting else { return nil }
        return cell.item
      })
  }

  /// Puts photographs into the grid, takes them out, and tells the layout whose shape is another one.
  private func applyArrangement(_ found: LibraryModel.Changes) {
    let shown = dataSource.shownSnapshot()
    // What comes into the grid with this portion is asked for its shape anyway.
    let reshaped = zoom.kind == .justified ? found.reshaped.filter(shown.contains) : []
    if let outcome = found.rescanOutcome, !(outcome.arrived.isEmpty && outcome.removed.isEmpty) {
      dataSource.apply(outcome.snapshot)
      thumbnails.removeItems(outcome.removed)
    }
    // First, as what was found meanwhile is put into it.
    if let snapshot = found.arrangedSnapshot {
      if found.isSorted {
        showSorted(snapshot, isAnimated: false)
      } else {
        dataSource.apply(snapshot, animatingDifferences: false)
      }
    }
    if found.isArranged {
      var snapshot = dataSource.snapshot()
      // Photographs that a scan finds stream in: nobody could follow their ways.
      if library.arrangeSnapshot(&snapshot) { dataSource.apply(snapshot, animatingDifferences: false) }
    }
    if !reshaped.isEmpty { dataSource.invalidateLayout(ofItems: reshaped) }
  }

  /// Brings the photograph that was asked for into view, now that places are computed for the window's size; and puts
  /// the requests of what is on screen in another order where the content began to pass by, or came to rest.
  public func layout() {
    revealWantedItem()
    updatePace()
    guard frameContext.updateOffset() else { return }
    for case let cell as PictureCell in grid.visibleCells {
      if let item = cell.item { thumbnails.setPriority(frameContext.priority(of: cell.frame), of: item) }
    }
  }

  /// Begins no decode while the thumb takes what is seen past faster than anybody looks, and asks for what is on screen
  /// once it slows down.
  private func updatePace() {
    let isHeld = grid.scroll.isThumbHeld(at: frameContext.instant)
    guard
      pace.note(
        offset: grid.contentOffset, viewportLength: grid.viewportLength, isHeld: isHeld, at: frameContext.instant)
    else { return }
    if pace.isFast { return thumbnails.pause() }
    for bitmap in thumbnails.resume(at: frameContext.instant) { resources?.uploads.enqueuePrefetch(bitmap) }
    reconfigureWaitingCells()
  }

  /// Photographs were numbered anew in this frame: what is told of their numbers is told anew, in the next one.
  private func handleUpdates() {
    let statistics = grid.updateStatistics
    let updates = statistics.structural + statistics.reloadedAll
    guard updates != lastUpdateCount else { return }
    lastUpdateCount = updates
    updateViewedIndex()
    updateHover()
    // What comes behind all others leaves them their numbers.
    let renumberings = updates - statistics.appendOnly
    guard renumberings != lastRenumberingCount else { return }
    lastRenumberingCount = renumberings
    if !grid.selection.items.isEmpty || selectionTotal != SelectionByteCount() { recountSelection() }
  }

  /// Has the folders read again, and decoding go on where it was stopped.
  func rescanFolders() {
    pipeline.resumeDecoding()
    library.requestRescan()
    rescanIfRequested()
  }

  /// Reads the folders again if that was asked for and they are not being read.
  func rescanIfRequested() {
    if library.rescanIfRequested(from: dataSource.snapshot) { updateTitleBar() }
  }

  private func revealWantedItem() {
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    itemToReveal = nil
    if let index = grid.flatIndex(at: path) { grid.focusItem(at: index, animated: false) }
    didRevealItem = true
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Looks for the name that was typed, adds up the bytes of some selected photographs, or paints the caption of one that
  /// will be seen, if that fits before the deadline.
  public func performSlackStep(_ budget: FrameBudget) -> Bool {
    if budget.remaining > .milliseconds(1), searchInSlack() || countSelectedBytes() { return true }
    guard let resources, budget.allows(captionPrefetchQueue.expectedCost), let item = captionPrefetchQueue.next() else {
      return false
    }
    let start = budget.clock.now()
    PhotoCell.prepareCaption(library.caption(of: item), cellWidth: grid.firstItemSize.width, in: resources)
    captionPrefetchQueue.recordCost(budget.clock.now() - start)
    return true
  }

  /// Not while pictures pass by faster than anybody looks, nor under the picture in the whole window.
  public func allowsInputResampling() -> Bool { !pace.isFast && viewer == nil }

  /// Lets go of pictures that were not looked at lately.
  public func handleMemoryPressure() { pipeline.handleMemoryPressure() }

  /// Ends decoders that have nothing to do.
  public func releaseIdleResources() { pipeline.releaseIdleResources() }

  /// Counts cells that still wait for their picture.
  public func frameDidEnd(_ record: FrameRecord) {
    // Also where no frame has slack.
    _ = countSelectedBytes()
    handleUpdates()
    if didRevealItem {
      // The bar told of it after this frame's views were laid out.
      didRevealItem = false
      titleBar.setNeedsLayout()
    }
    pendingPictures.recordFrame(in: grid, record)
    // What a screen has shown is one write, when it has been shown.
    if library.previews.hasUnwrittenPreviews, pipeline.isIdle { library.previews.writePreviews() }
  }
}
