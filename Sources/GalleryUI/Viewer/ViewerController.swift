import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import Views

/// What ``ViewerController`` needs from the screen.
protocol ViewerHost: AnyObject {
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { get }
  /// The time of the frame.
  var frameInstant: FrameInstant { get }
  /// The bounds of the screen.
  var bounds: Rect { get }
  /// The rendering resources of the window, or nil if there is no window.
  var resources: RenderResources? { get }
  /// The colors.
  var theme: Theme { get }
  /// The text that is shown for a few seconds, or nil.
  var noticeText: String? { get }
  /// Opens an address in the program that the desktop has for it, or nil if that is not possible.
  var openAddress: ((String) -> Void)? { get }
  /// Whether the window is full screen.
  var isFullScreen: Bool { get }
  /// Whether a menu or another view covers the viewer.
  var coversViewer: Bool { get }

  /// Enters or leaves full screen, if the window can.
  func toggleFullScreen()
  /// Keeps the screen on, or permits the desktop to turn it off again.
  func setScreenSaverDisabled(_ isDisabled: Bool)
  /// Hides the pointer, or shows it again.
  func setPointerHidden(_ isHidden: Bool)
  /// Closes menus, ends a search and hides the tool tip.
  func viewerWillOpen()
  /// Adds a view in front of the others.
  func addSubview(_ view: View)
  /// Moves the keyboard focus to a view.
  func moveKeyboardFocus(to view: View)
  /// Returns the frame of a photograph's picture in the grid, in the screen's coordinates, or nil if it is not visible.
  func pictureFrame(of item: PhotoID) -> Rect?
  /// Shows the menu of the picture at a point of the screen.
  func showPictureMenu(at point: Point)
  /// Requests a frame.
  func setNeedsDisplay()
}

/// The owner of the viewer, which shows one photograph in the whole window.
///
/// Invariants:
/// - The viewed photograph is one of those in the grid. If it is removed, the one at its index is shown, or else the
///   last one, and if there is none, the viewer is closed.
/// - While the viewer fades out, it receives no input.
final class ViewerController {
  /// The screen, which owns the controller.
  unowned let host: any ViewerHost
  private let grid: CollectionView
  private let dataSource: DiffableDataSource<GallerySection, PhotoID>
  private let library: LibraryModel
  private let pipeline: ImagePipeline
  private let thumbnails: ThumbnailLoader
  /// The owner of the picture's animation.
  let animation: AnimationController
  private(set) var state: ViewerState?
  /// The last steps from picture to picture.
  private var series = StepSeries()
  /// Whether the animation of the viewed picture starts when the series of steps has ended.
  private var defersAnimation = false
  /// What says that decoding takes a while.
  private var decodingNotice = DecodingNotice()
  /// The owner of the panel with information.
  private(set) lazy var information = InformationController(library: library)
  /// The owner of how pictures are turned.
  private(set) lazy var orientation = PictureOrientationController(thread: library.arrangementThread)
  /// The owner of full screen.
  private(set) lazy var fullScreen = FullScreenController(host: host)
  /// The owner of the slide show.
  private(set) lazy var slideShow = SlideShowController(viewer: self)
  /// The owner of the film strip.
  private(set) lazy var filmStrip = FilmStripController(host: self, pipeline: pipeline)

  /// The maximum number of pixels of a frame that is decoded in its own size.
  private static let maximumAnimatedPixels = 4 << 20

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
    animation = AnimationController(pipeline: pipeline)
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

  /// Returns whether the viewer fades, or its picture moves, after an instant.
  func isAnimating(at instant: FrameInstant) -> Bool {
    guard let state else { return false }
    return state.fade.isRunning(at: instant) || state.view.isZooming || state.view.isCrossFading
      || series.isRunning(at: instant)
  }

  /// Whether the picture is moved or enlarged, so that late frames count as hitches.
  var isTracked: Bool { state?.view.isZooming == true || isOpen && series.isRunning(at: host.frameInstant) }

  // MARK: - Opening and closing

  /// Opens a photograph in the viewer.
  ///
  /// - Parameters:
  ///   - item: The photograph.
  ///   - isAnimated: Whether the viewer fades in, unless motion is reduced.
  func open(_ item: PhotoID, isAnimated: Bool = true) {
    guard let index = dataSource.flatIndex(of: item) else { return }
    host.viewerWillOpen()
    if let state, state.item == item, !state.isOpen { return reopen(state.view) }
    remove()
    let view = PictureViewer(theme: host.theme, brokenIcon: SharedIcon(isBroken: true))
    view.onStep = { [weak self] steps in self?.step(by: steps) }
    view.onEnd = { [weak self] isLast in
      guard let self else { return }
      slideShow.stop()
      showItem(at: isLast ? dataSource.displayedSnapshot().numberOfItems - 1 : 0)
    }
    view.onClose = { [weak self] in self?.close() }
    view.onEscape = { [weak self] in self?.leave() }
    view.onRotate = { [weak self] in self?.rotatePicture(byQuarterTurns: 1) }
    view.onFilmStrip = { [weak self] in self?.filmStrip.isShown.toggle() }
    view.onInformation = { [weak self] in self?.information.isShown.toggle() }
    view.onSlideShow = { [weak self] in self?.slideShow.toggle() }
    view.onMenu = { [weak self] point in self?.host.showPictureMenu(at: point) }
    view.keepsZoom = keepsZoom
    let library = library
    let selected = grid.selection.items
    let fade = ViewerFade(isInstant: grid.reducesMotion, isOpen: !isAnimated)
    state = ViewerState(
      view: view,
      imageLoader: ViewerImageLoader(
        pipeline: pipeline, background: Theme.checkerboard.0, secondBackground: Theme.checkerboard.1
      ) { library.reference(to: $0) },
      fade: fade, item: item, index: index,
      selectedItem: selected.count == 1 && selected.contains(index) ? item : nil)
    view.opacity = fade.opacity(at: host.now)
    view.reducesMotion = grid.reducesMotion
    host.addSubview(view)
    view.frame = host.bounds
    host.moveKeyboardFocus(to: view)
    showContent()
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
    showItem(at: min(max(0, state.index + steps), dataSource.displayedSnapshot().numberOfItems - 1))
  }

  /// The index of the viewed photograph and the number of all, or nil if the viewer is not open.
  var position: (index: Int, count: Int)? {
    isOpen ? state.map { ($0.index, dataSource.displayedSnapshot().numberOfItems) } : nil
  }

  /// Returns whether the photograph at an index can be shown without a preview.
  func readiness(at index: Int) -> SlideShow.Readiness {
    guard let item = dataSource.itemIdentifier(atFlatIndex: index), let size = windowSize,
      library.reference(to: item) != nil
    else { return .broken }
    return switch pictureState(of: item, in: size) {
    case .picture: .ready
    case .failure: .broken
    case .preview, .missing: .pending
    }
  }

  /// Shows the photograph at an index.
  func showItem(at index: Int) {
    guard index != state?.index, let item = dataSource.itemIdentifier(atFlatIndex: index) else { return }
    decodingNotice = DecodingNotice()
    state?.item = item
    state?.index = index
    showContent()
  }

  /// Ends the slide show, leaves full screen if it was entered in the viewer, or else closes the viewer.
  private func leave() {
    let endsSlideShow = slideShow.isRunning
    slideShow.stop()
    if !fullScreen.leaveIfEntered(), !endsSlideShow { close() }
  }

  /// Closes the viewer, and moves the keyboard focus to the viewed photograph.
  ///
  /// The selection follows only if the opened photograph was the only selected one. Other selections stay as they are.
  func close() {
    guard let state, state.isOpen else { return }
    self.state?.fade.fadeOut(at: host.now)
    state.imageLoader.cancelAll()
    animation.show(nil)
    information.viewerDidClose()
    slideShow.stop()
    fullScreen.viewerDidClose()
    state.view.hidesControls = false
    state.view.isUserInteractionEnabled = false
    host.moveKeyboardFocus(to: grid)
    let isFollowed = state.selectedItem.map { $0 != state.item } ?? false
    grid.focusItem(
      at: state.index, selects: isFollowed && grid.selection.items.count <= 1, animated: false)
    if grid.reducesMotion { remove() }
    host.setNeedsDisplay()
  }

  /// Removes the viewer.
  func remove() {
    guard let state else { return }
    state.imageLoader.cancelAll()
    animation.show(nil)
    information.viewerDidClose()
    orientation.viewerDidClose()
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
    if decodingNotice.update(at: instant) || defersAnimation && !series.isRunning(at: instant) { showContent() }
    if let view = openPictureViewer { fullScreen.update(view, isSlideShow: slideShow.isRunning, at: instant) }
    if animation.update(at: instant), let state, let frame = animation.frame {
      if orientation.orientation(of: state.item) == .up { state.view.showFrame(frame) } else { showContent() }
    }
    if let state, state.view.needsDetail,
      state.imageLoader.detailItem != state.item || state.imageLoader.wantedDetail != wantedDetail(of: state)
    {
      showContent()
    }
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
      guard let state, let item = state.imageLoader.handleArrival(arrival) else { continue }
      if item == state.item {
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
    if let index = dataSource.flatIndex(of: state.item) {
      guard index != state.index || dataSource.displayedSnapshot().numberOfItems != state.count else { return }
      self.state?.index = index
    } else {
      let count = dataSource.displayedSnapshot().numberOfItems
      guard count > 0, let item = dataSource.itemIdentifier(atFlatIndex: min(state.index, count - 1)) else {
        return close()
      }
      self.state?.item = item
      self.state?.index = min(state.index, count - 1)
    }
    slideShow.positionDidChange()
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

  /// Shows what is available of the viewed photograph, and requests the rest.
  func showContent() {
    guard let state, state.isOpen, let size = windowSize else { return }
    let item = state.item
    let count = dataSource.displayedSnapshot().numberOfItems
    self.state?.count = count
    let indices = slideShow.nextIndex.map { [$0] } ?? nextIndices(after: state.index)
    state.view.crossFades = slideShow.isRunning && !grid.reducesMotion
    let neighbours = indices.compactMap { index in
      (0..<count).contains(index) ? dataSource.itemIdentifier(atFlatIndex: index) : nil
    }
    state.imageLoader.requestImages(
      for: item, neighbours: neighbours, at: { self.pictureSize(of: $0, in: size) }, now: host.frameInstant)
    if state.view.needsDetail {
      state.imageLoader.requestDetail(wantedDetail(of: state), for: item)
    } else if state.imageLoader.detailItem != item {
      state.imageLoader.cancelDetail()
    }
    let preview = library.tinyPreview(of: item)
    var content = PictureViewer.Content(
      item: item, name: library.caption(of: item),
      details: details(of: item, index: state.index, of: count), size: library.descriptions.size(of: item),
      makePreview: { size in preview?.bitmap(for: size) }, thumbnail: thumbnails.cachedPicture(of: item))
    content.failure = library.descriptions.failure(of: item)
    animation.endUnless(of: library.reference(to: item)?.sourceID)
    defersAnimation = false
    switch pictureState(of: item, in: size) {
    case .picture(let bitmap):
      // Of pictures that only fly past, none is started.
      defersAnimation = series.isRunning(at: host.now)
      if !defersAnimation {
        animation.show(state.imageLoader.animationRequest(for: item, at: animatedSize(of: item, in: size)))
      }
      let detail = state.imageLoader.detail(of: item)
      content.overview = bitmap
      content.picture = animation.frame ?? detail.flatMap { $0.region == nil ? $0.bitmap : nil } ?? bitmap
      content.part = detail.flatMap { detail in
        detail.region.map { PicturePartView.Part(bitmap: detail.bitmap, region: $0) }
      }
    case .preview(let bitmap): (content.picture, content.isPreview) = (bitmap, true)
    case .failure(let failure):
      animation.show(nil)
      content.failure = content.failure ?? library.failureText(for: failure, of: item)
    case .missing: break
    }
    if content.failure != nil { (content.thumbnail, content.picture, content.part) = (nil, nil, nil) }
    let isDecoding = state.imageLoader.isDecoding(item, at: pictureSize(of: item, in: size))
    decodingNotice.setPending(content.failure == nil && isDecoding, at: host.now)
    if decodingNotice.isShown { content.details = "Decoding…   " + content.details }
    content = orientation.turned(content)
    state.view.show(content)
    filmStrip.photographDidChange(state.index, in: state.view)
    information.openAddress = host.openAddress
    information.photographDidChange(item, picture: content.overview, in: state.view, at: host.now)
  }

  /// Returns the indices of the pictures that may be next, the most likely one first: of a held key those ahead.
  private func nextIndices(after index: Int) -> [Int] {
    let direction = series.direction
    return series.isRunning(at: host.now)
      ? [index + direction, index + 2 * direction] : [index + direction, index - direction]
  }

  /// Returns the pixels of the enlarged picture to decode, or nil if those in the window are enough.
  private func wantedDetail(of state: ViewerState) -> PictureDetail? {
    guard let window = windowSize, let picture = library.descriptions.size(of: state.item) else { return nil }
    let loader = state.imageLoader
    let visible = orientation.orientation(of: state.item).picturePart(at: state.view.visiblePart)
    return PictureDetail.wanted(
      of: picture, in: pictureSize(of: state.item, in: window), visible: visible,
      magnification: state.view.zoom.targetMagnification,
      atMost: loader.maximumDetailPixels, keeping: loader.detailItem == state.item ? loader.wantedDetail : nil)
  }

  /// Returns the size of the frames of a picture: its own if it is enlarged and not too large, or that of the window.
  ///
  /// A picture that fits the window always has its own size, so that it does not start again when it is enlarged.
  private func animatedSize(of item: PhotoID, in window: PixelSize) -> PixelSize {
    guard let size = library.descriptions.size(of: item), size.area <= ViewerController.maximumAnimatedPixels,
      state?.view.zoom.isZoomed == true || size.width <= window.width && size.height <= window.height
    else { return window }
    return size
  }

  /// Returns the size in which a picture is decoded to be shown as a whole: turned pictures in that of the turned window.
  private func pictureSize(of item: PhotoID, in window: PixelSize) -> PixelSize {
    orientation.orientation(of: item).size(of: window)
  }

  /// Returns the state of a picture, in the size of the turned window or until then in that of the window.
  private func pictureState(of item: PhotoID, in window: PixelSize) -> ViewerImageLoader.State {
    guard let loader = state?.imageLoader else { return .missing }
    let size = pictureSize(of: item, in: window)
    let state = loader.state(of: item, at: size)
    if case .picture = state { return state }
    guard size != window, case .picture(let bitmap) = loader.state(of: item, at: window) else { return state }
    return .picture(bitmap)
  }

  /// Receives what other threads have read and turned for the viewer.
  func collect() {
    // Until a picture is viewed, none of the owners exists.
    guard state != nil else { return }
    information.collect()
    if orientation.collect() { showContent() }
  }

  /// Whether ``collect()`` has anything to receive.
  var hasPendingResult: Bool {
    state != nil
      && (information.hasPendingResult || orientation.hasPendingResult || animation.hasPendingFrame)
  }

  /// Returns the position and size of a picture, or the current notice, because the viewer covers the title bar.
  private func details(of item: PhotoID, index: Int, of count: Int) -> String {
    if let notice = host.noticeText { return notice }
    let bytes = library.byteCount(of: item)
    let parts = [
      "\(CountFormat.number(index + 1)) of \(CountFormat.number(count))", library.descriptions.extentText(of: item),
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
