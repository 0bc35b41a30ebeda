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
    hasArrived || pace.isFast || search != nil || copying != nil || !selectionTotal.isComplete
      || viewing?.course.isRunning(at: moment.instant) == true
  }

  private var hasArrived: Bool {
    library.hasPending || pipeline.hasPendingArrivals || (isOpening && opener?.hasPending == true)
  }

  /// When something that is shown for a while has been, or a name is to be shown.
  public var nextFrame: FrameInstant? { [hover.due, typeAhead.expiry, notice?.expiry].compactMap { $0 }.min() }

  /// Takes the time of an event, and what goes on with what was typed.
  public func intercept(_ event: InputEvent) -> Bool {
    lastEvent = max(lastEvent, event.time)
    switch event.kind {
    case .pointerMoved(let point):
      lastPointer = convertFromWindow(point)
      if overlay == nil, viewing == nil { hover.move(at: event.time) }
    case .pointerDown, .keyDown, .wheel, .touch:
      lastAct = event.time
      hover.disturb()
      hideTip()
    case .pointerLeft:
      hover.disturb()
      hideTip()
    case .hidden:
      // No frames come that would go on with it, and what is pasted meanwhile would be something else.
      while copying != nil { copySome() }
    default: break
    }
    return interceptTyping(event) || interceptOpening(event)
  }

  /// When the next picture arrives on a simulated clock.
  public var nextArrival: FrameInstant? { pipeline.nextArrival }

  /// Whether photographs were found, or pictures are there by an instant.
  public func hasArrivals(by now: FrameInstant) -> Bool {
    hasArrived || nextArrival.map { $0 <= now } ?? false
  }

  /// Takes the frame's moment.
  public func update(at target: FrameInstant) {
    moment.instant = target
    findOn()
    if copying != nil { copySome() }
    let isForgotten = typeAhead.expire(at: target)
    if isForgotten { foundNothing = false }
    let isTold = notice.map { $0.expiry <= target } ?? false
    if isTold { notice = nil }
    if isForgotten || isTold { showTitle() }
    if isTold { showViewed() }
    if hover.advance(to: target) { showTip() }
    advanceViewer(to: target)
  }

  /// Takes in what was found and what was decoded.
  public func collect(_ budget: FrameBudget) {
    openIfReady()
    var found = budget.clock.uncounted { library.take() }
    // A simulation takes equal portions; beside a live window the time of the frame decides.
    while !budget.clock.kind.isSimulated, library.hasPending, budget.remaining > .zero { found.add(library.take()) }
    arrange(found)
    sortIfAsked()
    if let item = found.wantedArrived { itemToReveal = item }
    if !found.changed.isEmpty { takeChanged(found) }
    let failuresBefore = thumbnails.failures.count
    let arrived = budget.clock.uncounted {
      thumbnails.collect(at: budget.clock.now(), atMost: GalleryScreen.bytesPerCollect)
    }
    rescanIfAsked()
    if found.isNews || thumbnails.failures.count != failuresBefore { showTitle() }
    dataSource.reconfigureItems(arrived.items)
    if found.hasPreviews { showPreviews() }
    for bitmap in arrived.bitmaps { resources?.uploads.enqueueAhead(bitmap) }
    takeViewed(arrived.others)
  }

  /// What is known of photographs is different, maybe all of it.
  private func takeChanged(_ found: LibraryModel.News) {
    dataSource.reconfigureItems(found.changed)
    if !found.exchanged.isEmpty, !grid.selection.items.isEmpty { recountSelection() }
    if let viewing, viewing.isOpen, found.changed.contains(viewing.item) { showViewed() }
  }

  /// Previews of other runs are there, or pictures may be asked for: looks anew at what is on screen and has no picture.
  private func showPreviews() {
    dataSource.reconfigureItems(
      grid.visibleCells.compactMap { cell in
        guard let cell = cell as? PictureCell, cell.isWaiting else { return nil }
        return cell.item
      })
  }

  /// Puts photographs into the grid, takes them out, and tells the layout whose shape is another one.
  private func arrange(_ found: LibraryModel.News) {
    let shown = dataSource.shownSnapshot()
    // What comes into the grid with this portion is asked for its shape anyway.
    let reshaped = zoom.kind == .justified ? found.reshaped.filter(shown.contains) : []
    if let outcome = found.rescanned, !(outcome.arrived.isEmpty && outcome.removed.isEmpty) {
      dataSource.apply(outcome.snapshot)
      thumbnails.forget(outcome.removed)
    }
    // First, as what was found meanwhile is put into it.
    if let snapshot = found.arranged {
      if found.isSorted {
        showSorted(snapshot, isAnimated: false)
      } else {
        dataSource.apply(snapshot, animatingDifferences: false)
      }
    }
    if found.isArranged {
      var snapshot = dataSource.snapshot()
      // Photographs that a scan finds stream in: nobody could follow their ways.
      if library.arrange(&snapshot) { dataSource.apply(snapshot, animatingDifferences: false) }
    }
    if !reshaped.isEmpty { dataSource.invalidateLayout(ofItems: reshaped) }
  }

  /// Brings the photograph that was asked for into view, now that places are computed for the window's size; and puts
  /// the requests of what is on screen in another order where the content began to pass by, or came to rest.
  public func layout() {
    revealWantedItem()
    notePace()
    guard moment.noteOffset() else { return }
    for case let cell as PictureCell in grid.visibleCells {
      if let item = cell.item { thumbnails.setPlace(moment.place(of: cell.frame), of: item) }
    }
  }

  /// Begins no decode while the thumb takes what is seen past faster than anybody looks, and asks for what is on screen
  /// once it slows down.
  private func notePace() {
    let isHeld = grid.scroll.isThumbHeld(at: moment.instant)
    guard
      pace.note(
        offset: grid.contentOffset, viewportLength: grid.viewportLength, isHeld: isHeld, at: moment.instant)
    else { return }
    if pace.isFast { return thumbnails.pause() }
    for bitmap in thumbnails.resume(at: moment.instant) { resources?.uploads.enqueueAhead(bitmap) }
    showPreviews()
  }

  /// Photographs were numbered anew in this frame: what is told of their numbers is told anew, in the next one.
  private func followUpdates() {
    let statistics = grid.updateStatistics
    let updates = statistics.structural + statistics.reloadedAll
    guard updates != updatesSeen else { return }
    updatesSeen = updates
    followViewed()
    followHover()
    // What comes behind all others leaves them their numbers.
    let renumberings = updates - statistics.appendOnly
    guard renumberings != renumberingsSeen else { return }
    renumberingsSeen = renumberings
    if !grid.selection.items.isEmpty || selectionTotal != SelectionTotal() { recountSelection() }
  }

  /// Has the folders read again, and decoding go on where it was stopped.
  func readAgain() {
    pipeline.resumeDecoding()
    library.askForRescan()
    rescanIfAsked()
  }

  /// Reads the folders again if that was asked for and they are not being read.
  func rescanIfAsked() {
    if library.rescanIfAsked(from: dataSource.snapshot) { showTitle() }
  }

  private func revealWantedItem() {
    guard let item = itemToReveal, let path = dataSource.indexPath(for: item) else { return }
    itemToReveal = nil
    if let index = grid.flatIndex(at: path) { grid.focusItem(at: index, animated: false) }
    hasRevealed = true
    grid.scrollToItem(at: path, alignment: .center, animated: false)
  }

  /// Looks for the name that was typed, adds up the bytes of some selected photographs, or paints the caption of one that
  /// will be seen, if that fits before the deadline.
  public func slackStep(_ budget: FrameBudget) -> Bool {
    if budget.remaining > .milliseconds(1), findInSlack() || countSome() { return true }
    guard let resources, budget.allows(captionsAhead.expectedCost), let item = captionsAhead.next() else {
      return false
    }
    let start = budget.clock.now()
    PhotoCell.prepareCaption(library.caption(of: item), cellWidth: grid.firstItemSize.width, in: resources)
    captionsAhead.note(budget.clock.now() - start)
    return true
  }

  /// Not while pictures pass by faster than anybody looks, nor under the picture in the whole window.
  public func willAnswerLate() -> Bool { !pace.isFast && viewing == nil }

  /// Lets go of pictures that were not looked at lately.
  public func handleMemoryPressure() { pipeline.handleMemoryPressure() }

  /// Ends decoders that have nothing to do.
  public func didComeToRest() { pipeline.rest() }

  /// Counts cells that still wait for their picture.
  public func frameDidEnd(_ record: FrameRecord) {
    // Also where no frame has slack.
    _ = countSome()
    followUpdates()
    if hasRevealed {
      // The bar told of it after this frame's views were laid out.
      hasRevealed = false
      bar.setNeedsLayout()
    }
    awaitedPictures.count(in: grid, record)
    // What a screen has shown is one write, when it has been shown.
    if library.previews.isUnwritten, pipeline.isIdle { library.previews.write() }
  }
}
