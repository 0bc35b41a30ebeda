import VitrineFramePacing
import VitrineGeometry
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// The owner of the viewer's pictures: of what of them is decoded, turned and animated.
///
/// Invariants:
/// - Only viewed pictures and those that may be next are requested, and while the viewer is closed none.
/// - The active picture is the only one whose animation plays.
final class ViewerPictureController {
  private let library: LibraryModel
  private let thumbnails: ThumbnailLoader
  private let loader: ViewerImageLoader
  /// The owner of the active picture's animation.
  let animation: AnimationController
  /// The owner of how pictures are turned.
  let orientation: PictureOrientationController

  /// The maximum number of pixels of a frame that is decoded in its own size.
  private static let maximumAnimatedPixels = 4 << 20

  /// A viewed picture, and where it is shown.
  struct Viewed {
    /// The photograph.
    let item: PhotoID
    /// The size of its pane, in pixels.
    let size: PixelSize
    /// The index of its pane.
    let pane: Int
  }

  /// Creates the owner.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - pipeline: The pipeline that decodes the pictures.
  ///   - thumbnails: The thumbnails that are shown until the pictures are decoded.
  init(library: LibraryModel, pipeline: ImagePipeline, thumbnails: ThumbnailLoader) {
    self.library = library
    self.thumbnails = thumbnails
    loader = ViewerImageLoader(
      pipeline: pipeline, background: Theme.checkerboard.0, secondBackground: Theme.checkerboard.1
    ) { [weak library] in library?.reference(to: $0) }
    animation = AnimationController(pipeline: pipeline)
    orientation = PictureOrientationController(thread: library.arrangementThread)
  }

  /// Cancels all requests, because the viewer closes.
  func cancel() {
    loader.cancelAll()
    animation.show(nil)
  }

  /// Cancels all requests, and forgets how pictures are turned, because the viewer is closed.
  func viewerDidClose() {
    cancel()
    orientation.viewerDidClose()
  }

  // MARK: - Requests

  /// Requests pictures and what may be next, and cancels all other requests.
  ///
  /// - Parameters:
  ///   - viewed: The viewed pictures.
  ///   - active: The index of the active one.
  ///   - neighbours: The pictures that may be next, the most likely one first.
  ///   - isPassing: Whether the pictures are passed quickly, so that the preview of a picture that has one is enough.
  ///   - view: The viewer.
  ///   - instant: The current time.
  func requestPictures(
    _ viewed: [Viewed], active: Int, neighbours: [PhotoID], isPassing: Bool, in view: PictureViewer,
    now instant: FrameInstant
  ) {
    let items = viewed.map(\.item)
    let sizes = Dictionary(viewed.map { ($0.item, $0.size) }, uniquingKeysWith: { first, _ in first })
    let ordered = [items[active]] + items.enumerated().compactMap { $0.offset == active ? nil : $0.element }
    orientation.keep(items)
    loader.requestImages(
      for: ordered, neighbours: neighbours,
      at: { self.pictureSize(of: $0, in: sizes[$0] ?? viewed[active].size) }, isPassing: isPassing, now: instant)
    // Those of pictures that are passed would be stopped at once.
    for picture in viewed where !isPassing && view.needsDetail(ofPane: picture.pane) {
      loader.requestDetail(wantedDetail(of: picture, in: view, count: viewed.count), for: picture.item)
    }
  }

  /// Requests a picture that is viewed soon, until the next request of pictures.
  ///
  /// - Parameters:
  ///   - item: The picture.
  ///   - size: The expected size of its pane, in pixels.
  func prepare(_ item: PhotoID, in size: PixelSize) {
    loader.requestImages(for: [item], neighbours: [], at: { _ in size }, isPassing: false, now: .zero)
  }

  /// Whether other pixels of an enlarged picture are wanted than those that were requested.
  func needsRequest(_ viewed: [Viewed], in view: PictureViewer) -> Bool {
    viewed.contains { picture in
      view.needsDetail(ofPane: picture.pane)
        && (!loader.hasDetailRequest(for: picture.item)
          || loader.wantedDetail(of: picture.item) != wantedDetail(of: picture, in: view, count: viewed.count))
    }
  }

  /// Returns the pixels of an enlarged picture to decode, or nil if those in its pane are enough.
  private func wantedDetail(of viewed: Viewed, in view: PictureViewer, count: Int) -> PictureDetail? {
    guard let size = library.descriptions.size(of: viewed.item) else { return nil }
    let picture = view.panes[viewed.pane].picture
    return PictureDetail.wanted(
      of: size, in: pictureSize(of: viewed.item, in: viewed.size),
      visible: orientation.orientation(of: viewed.item).picturePart(at: picture.visiblePart),
      magnification: picture.zoom.targetMagnification, atMost: loader.maximumDetailPixels(for: count),
      keeping: loader.wantedDetail(of: viewed.item))
  }

  /// Returns the size of the frames of a picture: its own if it is enlarged and not too large, or that of its pane.
  ///
  /// A picture that fits its pane always has its own size, so that it does not start again when it is enlarged.
  private func animatedSize(of viewed: Viewed, in view: PictureViewer) -> PixelSize {
    guard let size = library.descriptions.size(of: viewed.item),
      size.area <= ViewerPictureController.maximumAnimatedPixels,
      view.panes[viewed.pane].picture.zoom.isZoomed
        || size.width <= viewed.size.width && size.height <= viewed.size.height
    else { return viewed.size }
    return size
  }

  /// Returns the size in which a picture is decoded to be shown as a whole: turned pictures in that of the turned pane.
  private func pictureSize(of item: PhotoID, in pane: PixelSize) -> PixelSize {
    orientation.orientation(of: item).size(of: pane)
  }

  // MARK: - Contents

  /// Returns the state of a picture, in the size of the turned pane or until then in that of the pane.
  func state(of item: PhotoID, in pane: PixelSize) -> ViewerImageLoader.State {
    let size = pictureSize(of: item, in: pane)
    let state = loader.state(of: item, at: size)
    if case .picture = state { return state }
    guard size != pane, case .picture = loader.state(of: item, at: pane) else { return state }
    return loader.state(of: item, at: pane)
  }

  /// Returns whether a picture or its own pixels are being decoded, or wait for it.
  func isDecoding(_ viewed: Viewed) -> Bool {
    loader.isDecoding(viewed.item, at: pictureSize(of: viewed.item, in: viewed.size))
  }

  /// Whether the own pixels of a picture were requested, for tests.
  func requestsDetail(of item: PhotoID) -> Bool { loader.wantedDetail(of: item) != nil }

  /// Returns what is available of a picture, and plays its animation if it is the active one.
  ///
  /// - Parameters:
  ///   - viewed: The picture.
  ///   - isActive: Whether the picture is the active one.
  ///   - plays: Whether the animation of the active picture may start.
  ///   - details: The position among all pictures, and the size.
  ///   - view: The viewer.
  func content(
    of viewed: Viewed, isActive: Bool, plays: Bool, details: String, in view: PictureViewer
  ) -> PictureView.Content {
    let item = viewed.item
    let preview = library.tinyPreview(of: item)
    var content = PictureView.Content(
      item: item, name: library.caption(of: item), details: details, size: library.descriptions.size(of: item),
      makePreview: { size in preview?.bitmap(for: size) }, thumbnail: thumbnails.cachedPicture(of: item))
    content.failure = library.descriptions.failure(of: item)
    if isActive { animation.endUnless(of: library.reference(to: item)?.sourceID) }
    switch state(of: item, in: viewed.size) {
    case .picture(let bitmap, let isDamaged):
      if isDamaged, !details.isEmpty { content.details = "damaged   " + details }
      if isActive, plays {
        animation.show(loader.animationRequest(for: item, at: animatedSize(of: viewed, in: view)))
      }
      let detail = loader.detail(of: item)
      content.overview = bitmap
      content.picture =
        (isActive ? animation.frame : nil) ?? detail.flatMap { $0.region == nil ? $0.bitmap : nil } ?? bitmap
      content.part = detail.flatMap { detail in
        detail.region.map { PicturePartView.Part(bitmap: detail.bitmap, region: $0) }
      }
    case .preview(let bitmap): (content.picture, content.isPreview) = (bitmap, true)
    case .failure(let failure):
      if isActive { animation.show(nil) }
      content.failure = content.failure ?? library.failureText(for: failure, of: item)
    case .missing: break
    }
    if content.failure != nil { (content.thumbnail, content.picture, content.part) = (nil, nil, nil) }
    return content
  }

  /// Drops what was decoded of pictures in the colors of another display.
  func colorsDidChange(of items: [PhotoID]) {
    for item in items { loader.cancelDetail(of: item) }
    animation.restart()
  }

  /// Handles an arrival.
  ///
  /// - Returns: The item to which it belongs, or nil if it was not requested for the viewer.
  func handleArrival(_ arrival: ImageArrival) -> PhotoID? { loader.handleArrival(arrival) }

  /// Receives turned bitmaps.
  ///
  /// - Returns: Whether there are any to show.
  func collect() -> Bool { orientation.collect() }

  /// Whether ``collect()`` or the next frame has anything to receive.
  var hasPendingResult: Bool { orientation.hasPendingResult || animation.hasPendingFrame }
}
