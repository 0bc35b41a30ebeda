import CollectionUI
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// The owner of the viewer, which shows one photograph in the whole window, or up to four side by side.
///
/// Invariants:
/// - The viewed photographs are among those in the grid. If one of several is removed, it is taken out of the comparison. If
///   the only one is removed, the one at its index is shown, or else the last one, and if there is none, the viewer is closed.
/// - While the viewer fades out, it receives no input.
final class ViewerController {
  /// The screen, which owns the controller.
  unowned let host: any ViewerHost
  private let grid: CollectionView
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  private let library: LibraryModel
  private let pipeline: ImagePipeline
  private let thumbnails: ThumbnailLoader
  private(set) var state: ViewerState?
  /// The owner of the pictures.
  private(set) lazy var pictures = ViewerPictureController(
    library: library, pipeline: pipeline, thumbnails: thumbnails)
  /// The last steps from picture to picture.
  private var series = StepSeries()
  /// The photograph that the user asked for, until its picture is available or another one is viewed.
  private var wantedItem: PhotoID?
  /// Whether what was requested last is what a series of steps needs.
  private var isPassing = false
  /// What says that decoding takes a while.
  private var decodingNotice = DecodingNotice()
  /// The owner of the panel with information.
  private(set) lazy var information = InformationController(library: library)
  /// The owner of how pictures are turned.
  var orientation: PictureOrientationController { pictures.orientation }
  /// The owner of the active picture's animation.
  var animation: AnimationController { pictures.animation }
  /// The owner of full screen.
  private(set) lazy var fullScreen = FullScreenController(host: host)
  /// The owner of the slide show.
  private(set) lazy var slideShow = SlideShowController(viewer: self)
  /// The owner of the film strip.
  private(set) lazy var filmStrip = FilmStripController(host: self, pipeline: pipeline)

  /// Creates the controller of a screen.
  ///
  /// - Parameters:
  ///   - host: The screen.
  ///   - grid: The grid, whose focus follows the viewed photograph.
  ///   - dataSource: The photographs of the grid.
  ///   - library: The model of the library.
  ///   - pipeline: The pipeline that decodes the pictures.
  ///   - thumbnails: The thumbnails that are shown until the pictures are decoded.
  init(
    host: any ViewerHost, grid: CollectionView, dataSource: DiffableDataSource<GallerySection, PhotoID>,
    library: LibraryModel, pipeline: ImagePipeline, thumbnails: ThumbnailLoader
  ) {
    self.host = host
    self.grid = grid
    self.dataSource = dataSource
    self.library = library
    self.pipeline = pipeline
    self.thumbnails = thumbnails
  }

  /// Whether the viewer is on screen, also while it fades out.
  var isShown: Bool { state != nil }

  /// Whether the viewer receives input.
  var isOpen: Bool { state?.isOpen == true }

  /// The view that receives input, or nil if the viewer is not open.
  var openView: View? { isOpen ? state?.view : nil }

  private var openPictureViewer: PictureViewer? { isOpen ? state?.view : nil }

  /// The time at which what is shown changes without input, or nil.
  var nextFrame: FrameInstant? {
    guard isOpen else { return nil }
    return [
      fullScreen.nextFrame, slideShow.nextFrame, information.nextFrame, animation.nextFrame, decodingNotice.nextFrame,
    ].compactMap(\.self).min()
  }

  /// Records what the user does, before views receive the event.
  func intercept(_ event: InputEvent) {
    if let view = openPictureViewer { fullScreen.handle(event, in: view) }
  }

  /// The photograph that is viewed, or nil if the viewer is not open.
  var openItem: PhotoID? { isOpen ? state?.item : nil }

  /// The photographs that are viewed; empty if the viewer is not open.
  var openItems: [PhotoID] { isOpen ? state?.comparison.items ?? [] : [] }

  /// Returns whether the viewer fades, or its picture moves, after an instant.
  func isAnimating(at instant: FrameInstant) -> Bool {
    guard let state else { return false }
    return state.fade.isRunning(at: instant) || state.view.isZooming || state.view.isCrossFading
      || series.isRunning(at: instant)
  }

  /// Whether the picture is moved or enlarged, so that late frames count as hitches.
  var isTracked: Bool { state?.view.isZooming == true || isOpen && series.isRunning(at: host.frameInstant) }

  // MARK: - Opening and closing

  /// Opens a photograph in the viewer, which fades in unless motion is reduced.
  func open(_ item: PhotoID) { open([item], active: item) }

  /// Opens the photograph that the user asked for, at once; it will be selected in the grid.
  func openWanted(_ item: PhotoID) {
    open([item], active: item, isAnimated: false)
    state?.selectedItem = item
    let content = state?.view.picture.content
    if content?.overview == nil, content?.failure == nil { wantedItem = openItem }
  }

  /// Whether the picture that the user asked for is not available yet, so that all else can wait.
  var awaitsOpenedPicture: Bool { wantedItem != nil }

  /// Requests the picture that the user asked for before its viewer is open.
  ///
  /// - Parameter size: The expected size of the viewer, in pixels.
  func prepareOpenedPicture(in size: PixelSize) {
    if let item = library.unlistedItem { pictures.prepare(item, in: size) }
  }

  /// Opens photographs in the viewer, side by side if there are several.
  ///
  /// - Parameters:
  ///   - items: The photographs, of which the first four are shown.
  ///   - active: The one to which steps and commands apply.
  ///   - isAnimated: Whether the viewer fades in, unless motion is reduced. Default: true.
  func open(_ items: [PhotoID], active: PhotoID, isAnimated: Bool = true) {
    let items = items.filter(canView)
    guard !items.isEmpty else { return }
    let comparison = Comparison(items, active: active)
    let index = dataSource.flatIndex(of: comparison.active)
    host.viewerWillOpen()
    if let state, state.comparison.items == items, !state.isOpen { return reopen(state.view) }
    remove()
    let view = makeView()
    let selected = grid.selection.items
    let isSelected = index.map { selected.count == 1 && selected.contains($0) } ?? false
    let fade = ViewerFade(isInstant: grid.reducesMotion, isOpen: !isAnimated)
    state = ViewerState(
      view: view, fade: fade, comparison: comparison, index: index,
      selectedItem: isSelected ? comparison.active : nil)
    view.opacity = fade.opacity(at: host.now)
    host.addSubview(view)
    view.frame = host.bounds
    host.moveKeyboardFocus(to: view)
    showContent()
  }

  /// Returns whether a photograph is in the grid, or will be when its folder has been listed.
  private func canView(_ item: PhotoID) -> Bool {
    dataSource.flatIndex(of: item) != nil || library.isUnlisted(item)
  }

  private func makeView() -> PictureViewer {
    let view = PictureViewer(theme: host.theme, brokenIcon: SharedIcon(isBroken: true))
    view.onStep = { [weak self] steps in self?.step(by: steps) }
    view.onEnd = { [weak self] isLast in
      guard let self else { return }
      slideShow.stop()
      showItem(at: isLast ? dataSource.displayedSnapshot().numberOfItems - 1 : 0)
    }
    view.onActivate = { [weak self] index in self?.changeComparison { $0.activate(index) } }
    view.onActivateNext = { [weak self] steps in self?.changeComparison { $0.activateNext(by: steps) } }
    view.onRemove = { [weak self] index in self?.changeComparison { $0.remove(at: index) } }
    view.onStepsEnd = { [weak self] in self?.endSteps() }
    view.onClose = { [weak self] in self?.close() }
    view.onEscape = { [weak self] in self?.leave() }
    view.onCompare = { [weak self] in self?.compareWithNext() }
    view.onRotate = { [weak self] in self?.rotatePicture(byQuarterTurns: 1) }
    view.onFilmStrip = { [weak self] in self?.filmStrip.isShown.toggle() }
    view.onInformation = { [weak self] in self?.information.isShown.toggle() }
    view.onSlideShow = { [weak self] in self?.slideShow.toggle() }
    view.onMenu = { [weak self] point in self?.host.showPictureMenu(at: point) }
    view.keepsZoom = keepsZoom
    view.reducesMotion = grid.reducesMotion
    return view
  }

  /// Opens the viewer again while it closes.
  private func reopen(_ view: PictureViewer) {
    state?.fade.fadeIn(at: host.now)
    view.isUserInteractionEnabled = true
    host.moveKeyboardFocus(to: view)
    showContent()
  }

  private func step(by steps: Int) {
    guard let state else { return }
    slideShow.stop()
    series.recordStep(steps < 0 ? -1 : 1, at: host.now)
    let count = photographCount
    guard let current = state.index ?? (library.isComplete ? steps > 0 ? -1 : count : nil) else { return }
    var index = min(max(0, current + steps), count - 1)
    // Pictures that are shown beside the active one are skipped.
    while (0..<count).contains(index), let item = dataSource.itemIdentifier(atFlatIndex: index),
      item != state.item, state.comparison.items.contains(item)
    {
      index += steps.signum()
    }
    showItem(at: index)
  }

  /// Ends a series of steps, because the held key was released.
  private func endSteps() {
    series.end()
    if isPassing { showContent() }
  }

  /// The index of the viewed photograph and the number of all, or nil if the viewer is not open or the index not known.
  var position: (index: Int, count: Int)? {
    guard isOpen, let index = state?.index else { return nil }
    return (index, photographCount)
  }

  /// Returns whether the photograph at an index can be shown without a preview.
  func readiness(at index: Int) -> SlideShow.Readiness {
    guard let item = dataSource.itemIdentifier(atFlatIndex: index), let size = windowSize,
      library.reference(to: item) != nil
    else { return .broken }
    return switch pictures.state(of: item, in: size) {
    case .picture: .ready
    case .failure: .broken
    case .preview, .missing: .pending
    }
  }

  /// Shows the photograph at an index.
  func showItem(at index: Int) {
    guard index != state?.index, (0..<photographCount).contains(index),
      let item = dataSource.itemIdentifier(atFlatIndex: index)
    else { return }
    decodingNotice = DecodingNotice()
    state?.comparison.show(item)
    state?.index = index
    showContent()
  }

  /// Ends the slide show, leaves full screen if it was entered in the viewer, ends a comparison that was begun in the
  /// viewer, or else closes the viewer.
  private func leave() {
    let endsSlideShow = slideShow.isRunning
    slideShow.stop()
    if fullScreen.leaveIfEntered() || endsSlideShow { return }
    if let comparison = state?.comparison, comparison.isComparing, !comparison.isOpenedFromGrid {
      changeComparison { $0.end() }
    } else {
      close()
    }
  }

  // MARK: - Comparison

  /// Whether pictures are shown side by side.
  var isComparing: Bool { isOpen && state?.comparison.isComparing == true }

  /// Whether there is room for another picture beside those that are shown.
  var canCompare: Bool { isOpen && state?.comparison.hasRoom == true && photographCount > 1 }

  /// Whether pictures side by side are enlarged and moved together.
  var isLinked: Bool {
    get { state?.view.isLinked ?? true }
    set { state?.view.isLinked = newValue }
  }

  /// Shows the next photograph that is not shown beside the active one, or if there is none the one before.
  func compareWithNext() {
    guard canCompare, let state else { return }
    let shown = state.comparison.items
    let index = state.index ?? 0
    let after = index..<index + shown.count + 1
    let before = max(0, index - shown.count - 1)..<index
    let candidates = Array(after) + before.reversed()
    guard let next = candidates.lazy.compactMap({ self.photograph(at: $0) }).first(where: { !shown.contains($0) })
    else { return }
    slideShow.stop()
    changeComparison { _ = $0.add(next) }
  }

  /// Takes the active picture out of the comparison.
  func removeFromComparison() { changeComparison { $0.remove(at: $0.activeIndex) } }

  /// Shows only the active picture.
  func endComparison() { changeComparison { $0.end() } }

  private func changeComparison(_ change: (inout Comparison) -> Void) {
    guard isOpen, let last = state?.comparison else { return }
    var comparison = last
    change(&comparison)
    guard comparison != last else { return }
    state?.comparison = comparison
    state?.index = dataSource.flatIndex(of: comparison.active)
    decodingNotice = DecodingNotice()
    showContent()
  }

  /// Closes the viewer, and moves the keyboard focus to the viewed photograph.
  ///
  /// The selection follows only if the opened photograph was the only selected one. Other selections stay as they are.
  func close() {
    guard let state, state.isOpen else { return }
    self.state?.fade.fadeOut(at: host.now)
    wantedItem = nil
    pictures.cancel()
    information.viewerDidClose()
    slideShow.stop()
    fullScreen.viewerDidClose()
    state.view.hidesControls = false
    state.view.isUserInteractionEnabled = false
    host.moveKeyboardFocus(to: grid)
    let isFollowed = state.selectedItem.map { $0 != state.item } ?? false
    if let index = state.index, index < photographCount {
      grid.focusItem(at: index, selects: isFollowed && grid.selection.items.count <= 1, animated: false)
    }
    if grid.reducesMotion { remove() }
    host.setNeedsDisplay()
  }

  /// Removes the viewer.
  func remove() {
    guard let state else { return }
    wantedItem = nil
    pictures.viewerDidClose()
    information.viewerDidClose()
    slideShow.stop()
    fullScreen.viewerDidClose()
    filmStrip.viewerDidClose()
    state.view.removeFromSuperview()
    self.state = nil
  }

  // MARK: - Magnification

  /// Whether the magnification and the place are kept when another picture is shown.
  var keepsZoom = false {
    didSet { state?.view.keepsZoom = keepsZoom }
  }

  /// The magnification that is kept when the window is resized, or nil.
  var fitting: PictureZoom.Fitting? { state?.view.zoom.fitting }

  /// Whether the picture's own pixels are shown, one in a pixel of the display.
  var showsOwnPixels: Bool { state.map { $0.view.zoom.targetMagnification == 1 } ?? false }

  /// Enlarges or shrinks the picture.
  func zoom(bySteps steps: Double) { state?.view.changeZoom { $0.zoom(bySteps: steps, around: nil, at: $1) } }

  /// Shows the whole picture, or covers the window with it.
  func zoom(to fitting: PictureZoom.Fitting) {
    state?.view.changeZoom { $0.zoom(to: fitting, around: nil, at: $1) }
  }

  /// Shows the picture's own pixels, one in a pixel of the display.
  func zoomToOwnPixels() { state?.view.changeZoom { $0.zoom(to: 1, around: nil, at: $1) } }

  // MARK: - Frames

  /// Advances the fade animation to the time of the frame.
  func update(at instant: FrameInstant) {
    guard state != nil else { return }
    state?.fade.startIfNeeded(at: instant)
    guard let fade = state?.fade else { return }
    let opacity = fade.opacity(at: instant)
    if let view = state?.view, view.opacity != opacity || fade.isRunning(at: instant) {
      view.placeInGrid = state.flatMap { host.pictureFrame(of: $0.item) } ?? view.placeInGrid
      view.opacity = opacity
    }
    slideShow.update(at: instant)
    information.update(at: instant)
    state?.view.update(at: instant)
    if decodingNotice.update(at: instant) || isPassing && !series.isRunning(at: instant) { showContent() }
    if let view = openPictureViewer { fullScreen.update(view, isSlideShow: slideShow.isRunning, at: instant) }
    if animation.update(at: instant), let state, let frame = animation.frame {
      if orientation.orientation(of: state.item) == .up { state.view.showFrame(frame) } else { showContent() }
    }
    if let state, !isPassing, pictures.needsRequest(viewed(in: state), in: state.view) { showContent() }
    if fade.isClosing, !fade.isRunning(at: instant) { remove() }
  }

  /// Pauses the picture's animation, or lets it continue.
  func toggleAnimation() {
    guard animation.isPlaying else { return }
    animation.isPaused.toggle()
    host.setNeedsDisplay()
  }

  /// Handles the arrivals that belong to the viewer.
  func apply(_ arrivals: [ImageArrival]) {
    for arrival in arrivals {
      guard let state, let item = pictures.handleArrival(arrival) else { continue }
      if state.comparison.items.contains(item) {
        showContent()
      } else if case .success(let image) = arrival.outcome {
        host.resources?.uploads.enqueuePrefetch(image.bitmap)
      }
    }
    // The next picture may have been waited for.
    if !arrivals.isEmpty { slideShow.update(at: host.frameInstant) }
  }

  /// Updates the index of the viewed photograph after updates of the grid.
  func updateIndex() {
    guard let state, state.isOpen else { return }
    defer { filmStrip.photographsDidChange() }
    let count = photographCount
    let last = state.comparison
    var comparison = last
    for (index, item) in last.items.enumerated().reversed() where !canView(item) {
      comparison.remove(at: index)
    }
    if !canView(comparison.active) {
      guard let item = photograph(at: min(state.index ?? 0, count - 1)) else { return close() }
      comparison.show(item)
    }
    let index = dataSource.flatIndex(of: comparison.active)
    guard comparison != last || index != state.index || count != state.count else { return }
    self.state?.comparison = comparison
    self.state?.index = index
    slideShow.positionDidChange()
    showContent()
  }

  /// Requests the pictures again, because those in memory have the colors of another display.
  func colorsDidChange() {
    guard let state, state.isOpen else { return }
    pictures.colorsDidChange(of: state.comparison.items)
    filmStrip.photographsDidChange()
    showContent()
  }

  /// Resizes the viewer to the screen.
  func layout() {
    guard let view = state?.view, view.frame != host.bounds else { return }
    view.frame = host.bounds
    showContent()
  }

  // MARK: - Content

  private var windowSize: PixelSize? {
    guard let resources = host.resources else { return nil }
    let pixels = resources.scale.pixelRect(host.bounds)
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))
  }

  /// Returns the viewed photographs, with the sizes of their panes.
  ///
  /// A single one is decoded for the whole window, also if a panel or the film strip leaves it less.
  private func viewed(in state: ViewerState) -> [ViewerPictureController.Viewed] {
    guard let window = windowSize else { return [] }
    let items = state.comparison.items
    return items.enumerated().map { index, item in
      let size = items.count > 1 ? state.view.pixelSize(ofPane: index) : nil
      return ViewerPictureController.Viewed(item: item, size: size ?? window, pane: index)
    }
  }

  /// Shows what is available of the viewed photographs, and requests the rest.
  func showContent() {
    guard let state, state.isOpen, windowSize != nil else { return }
    let (item, view, active) = (state.item, state.view, state.comparison.activeIndex)
    let count = photographCount
    self.state?.count = count
    let indices = slideShow.nextIndex.map { [$0] } ?? state.index.map(nextIndices) ?? []
    view.canCompare = canCompare
    view.crossFades = slideShow.isRunning && !grid.reducesMotion
    view.setPanes(state.comparison.items, active: active)
    let viewed = viewed(in: state)
    let neighbours = indices.compactMap { photograph(at: $0) }.filter { !state.comparison.items.contains($0) }
    // Of pictures that are passed quickly, previews are enough, and no animation is started.
    isPassing = series.isRunning(at: host.now)
    pictures.requestPictures(
      viewed, active: active, neighbours: neighbours, isPassing: isPassing, in: view, now: host.frameInstant)
    var contents = viewed.enumerated().map { index, picture in
      pictures.content(
        of: picture, isActive: index == active, plays: !isPassing,
        details: index == active ? details(of: item, index: state.index, of: count) : "", in: view)
    }
    decodingNotice.setPending(
      contents[active].failure == nil && pictures.isDecoding(viewed[active]), at: host.now)
    if decodingNotice.isShown { contents[active].details = "Decoding…   " + contents[active].details }
    contents = contents.map(orientation.turned)
    if item != wantedItem || contents[active].overview != nil || contents[active].failure != nil { wantedItem = nil }
    view.show(contents)
    if let index = state.index { filmStrip.photographDidChange(index, in: view) }
    information.openAddress = host.openAddress
    information.photographDidChange(item, picture: contents[active].overview, in: view, at: host.now)
  }

  /// Returns the indices of the pictures that may be next, the most likely one first: of a held key those ahead.
  private func nextIndices(after index: Int) -> [Int] {
    let direction = series.direction
    return series.isRunning(at: host.now)
      ? [index + direction, index + 2 * direction] : [index + direction, index - direction]
  }

  /// Receives what other threads have read and turned for the viewer.
  func collect() {
    // Until a picture is viewed, none of the owners exists.
    guard state != nil else { return }
    information.collect()
    if pictures.collect() { showContent() }
  }

  /// Whether ``collect()`` has anything to receive.
  var hasPendingResult: Bool {
    state != nil && (information.hasPendingResult || pictures.hasPendingResult)
  }

  /// Returns the position and size of a picture, or the current notice, because the viewer covers the title bar.
  private func details(of item: PhotoID, index: Int?, of count: Int) -> String {
    if let notice = host.noticeText { return notice }
    let bytes = library.byteCount(of: item)
    let parts = [
      index.map { "\(CountFormat.number($0 + 1)) of \(CountFormat.number(count))" }
        ?? (library.isComplete ? "" : "Reading the folder…"), library.descriptions.extentText(of: item),
      bytes > 0 ? CountFormat.bytes(bytes) : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }
}

// MARK: - Film strip

extension ViewerController: FilmStripHost {
  var photographCount: Int { dataSource.displayedSnapshot().numberOfItems }

  func photograph(at index: Int) -> PhotoID? {
    (0..<photographCount).contains(index) ? dataSource.itemIdentifier(atFlatIndex: index) : nil
  }

  func reference(to item: PhotoID) -> PhotoReference? { library.reference(to: item) }

  func caption(of item: PhotoID) -> String { library.caption(of: item) }

  func cachedThumbnail(of item: PhotoID) -> Bitmap? { thumbnails.cachedPicture(of: item) }

  func showPhotograph(at index: Int) {
    slideShow.stop()
    showItem(at: index)
  }
}
