import FramePacing
import Geometry
import Glibc
import PhotoLibrary
import Rendering
import ScrollPhysics
import Views

/// A view that shows one picture in the whole window, starting with a preview, and enlarges and moves it.
///
/// The view only displays its content. Its owner decides which picture is next, and decodes it. It is dark in every theme.
final class PictureViewer: View, ThemedView {
  /// The content of the viewer.
  struct Content {
    /// The photograph.
    var item: PhotoID?
    /// The name.
    var name = ""
    /// The position among all pictures, and the size.
    var details = ""
    /// The size of the picture in pixels, or nil if it is unknown.
    var size: PixelSize?
    /// Returns the tiny preview, enlarged to a size in pixels.
    var makePreview: (PixelSize) -> Bitmap? = { _ in nil }
    /// The thumbnail, which may be cropped to the center.
    var thumbnail: Bitmap?
    /// The picture, or its preview until it is available.
    var picture: Bitmap?
    /// The picture in the size of the window, or nil if it is not available.
    var overview: Bitmap?
    /// The visible part of the enlarged picture with more pixels than ``picture``, or nil if there is none.
    var part: PicturePartView.Part?
    /// How the picture is turned.
    ///
    /// All bitmaps and ``size`` are those of the turned picture.
    var orientation = PictureOrientation.up
    /// Whether ``picture`` is a preview, which is stretched to the frame of the picture.
    var isPreview = false
    /// Why the picture cannot be shown.
    var failure: String?
  }

  /// Called to show another picture, with the number of steps.
  var onStep: (Int) -> Void = { _ in }
  /// Called to show the first (false) or the last (true) picture.
  var onEnd: (Bool) -> Void = { _ in }
  /// Called to close the viewer.
  var onClose: () -> Void = {}
  /// Called when Escape is pressed.
  var onEscape: () -> Void = {}
  /// Whether the film strip covers the lower edge of the picture, instead of leaving it less room.
  var overlaysControls = false {
    didSet { if overlaysControls != oldValue { setNeedsLayout() } }
  }
  /// Whether the bar and the navigator are hidden, because the picture is shown in full screen.
  var hidesControls = false {
    didSet { if hidesControls != oldValue { setNeedsLayout() } }
  }
  /// Called to show the menu of the picture, with a point in the window.
  var onMenu: (Point) -> Void = { _ in }
  /// Called for the buttons of the bar.
  var onRotate: () -> Void = {}
  var onFilmStrip: () -> Void = {}
  var onInformation: () -> Void = {}
  var onSlideShow: () -> Void = {}
  /// Whether the magnification and the place are kept when another picture is shown.
  var keepsZoom = false

  /// The colors, those of ``Theme/ofViewer``.
  var theme: Theme {
    didSet {
      theme = theme.ofViewer
      backgroundColor = theme.viewer.opacity(opacity)
    }
  }
  private let previewView = ImageView()
  private let thumbnailView = ImageView()
  /// The last picture, while the next one fades in over it.
  private let lastPictureView = ImageView()
  private let pictureView = ImageView()
  private let partView = PicturePartView(pixelatedMagnification: PictureViewer.pixelatedMagnification)
  private var crossFade: CrossFade?
  /// Whether the next picture fades in over the last one.
  var crossFades = false
  private let brokenView: BrokenPictureView
  private let navigator: PictureNavigator
  private let bar: ViewerBar
  private var content = Content()
  /// A panel beside the picture, or below it in a narrow viewer, or nil.
  var panel: InformationPanel? {
    didSet {
      oldValue?.removeFromSuperview()
      if let panel { addSubview(panel) }
      setNeedsLayout()
    }
  }
  /// The thumbnails below the picture, or nil.
  var filmStrip: FilmStripView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let filmStrip { addSubview(filmStrip) }
      setNeedsLayout()
    }
  }
  /// The picture in the size of the window, or nil if it is not available.
  var overview: Bitmap? { content.overview }
  /// The size at which the tiny preview was rendered.
  private var previewSize: PixelSize?
  /// The magnification and the place of the picture.
  private(set) var zoom = PictureZoom()
  /// The point of a picture that was just turned which is moved to the center, of its width and its height, or nil.
  private var centerAfterTurn: Point?
  /// The time of the last frame.
  private var lastInstant = FrameInstant.zero
  private lazy var input = PictureInputController(viewer: self)
  /// The magnification from which pixels are squares, so that they can be seen.
  private static let pixelatedMagnification = 4.0
  private static let barHeight = 44.0

  init(theme: Theme, brokenIcon: SharedIcon) {
    let theme = theme.ofViewer
    self.theme = theme
    brokenView = BrokenPictureView(theme: theme, icon: brokenIcon)
    navigator = PictureNavigator(theme: theme)
    bar = ViewerBar(theme: theme)
    super.init()
    for view in [previewView, thumbnailView, lastPictureView, pictureView] {
      view.isUserInteractionEnabled = false
      addSubview(view)
    }
    pictureView.pixelatedMagnification = PictureViewer.pixelatedMagnification
    addSubview(partView)
    addSubview(brokenView)
    addSubview(navigator)
    addSubview(bar)
    navigator.onMove = { [weak self] part in self?.changeZoom { $0.center(on: part, at: $1) } }
    bar.backButton.action = { [weak self] in self?.onClose() }
    bar.previousButton.action = { [weak self] in self?.onStep(-1) }
    bar.nextButton.action = { [weak self] in self?.onStep(1) }
    bar.rotateButton.action = { [weak self] in self?.onRotate() }
    bar.filmStripButton.action = { [weak self] in self?.onFilmStrip() }
    bar.informationButton.action = { [weak self] in self?.onInformation() }
    bar.slideShowButton.action = { [weak self] in self?.onSlideShow() }
    bar.menuButton.action = { [weak self] in
      guard let self else { return }
      let frame = bar.menuButton.frameInWindow
      onMenu(Point(x: frame.minX, y: frame.minY))
    }
    bar.slider.onChange = { [weak self] step in self?.zoom(toSliderStep: step) }
    opacity = 0
  }

  /// The place of the picture in the grid, from which it grows and to which it shrinks, or nil if it only fades.
  var placeInGrid: Rect?

  /// The opacity of the viewer, 0 to 1, which is also how far the picture has grown.
  var opacity = 1.0 {
    didSet {
      guard opacity != oldValue else { return }
      endCrossFade()
      backgroundColor = theme.viewer.opacity(opacity)
      let alpha = placeInGrid == nil ? opacity : 1
      for view in [previewView, thumbnailView, pictureView] { view.alpha = alpha }
      bar.opacity = opacity
      brokenView.isHidden = content.failure == nil || opacity < 1
      // Nothing may be visible behind a picture that fades.
      if pictureView.showsImage, opacity < 1 { (previewView.isHidden, thumbnailView.isHidden) = (true, true) }
      setNeedsLayout()
    }
  }

  /// Whether the picture itself was drawn last.
  var showsPicture: Bool { pictureView.showsImage }

  /// Shows the content of a picture, or an update of it.
  func show(_ content: Content) {
    if content.item != self.content.item {
      beginCrossFade(to: content)
      // The last picture must not stand in for another one.
      pictureView.image = nil
      partView.show(nil, of: nil)
      if !keepsZoom { zoom.reset() }
      // The next picture has another place.
      placeInGrid = nil
      centerAfterTurn = nil
    } else if content.orientation != self.content.orientation, zoom.isZoomed {
      // What is in the center stays there.
      let center = zoom.center(at: lastInstant)
      centerAfterTurn = content.orientation.displayedPoint(of: self.content.orientation.picturePoint(at: center))
    }
    self.content = content
    previewSize = nil
    bar.show(name: content.name, details: content.details)
    navigator.image = content.overview
    brokenView.reason = content.failure ?? ""
    brokenView.isHidden = content.failure == nil || opacity < 1
    pictureView.image = content.picture
    partView.show(content.part, of: content.size)
    thumbnailView.image = content.thumbnail
    setNeedsLayout()
  }

  /// Shows another frame of the picture's animation.
  func showFrame(_ frame: Bitmap) {
    let isSameSize = content.picture?.size == frame.size
    content.picture = frame
    content.isPreview = false
    pictureView.image = frame
    if !isSameSize { setNeedsLayout() }
  }

  // MARK: Cross-fade

  /// Whether a picture fades in over the last one.
  var isCrossFading: Bool { crossFade != nil }

  private func beginCrossFade(to content: Content) {
    endCrossFade()
    guard crossFades, pictureView.showsImage, opacity == 1, content.picture != nil, !content.isPreview else { return }
    lastPictureView.image = pictureView.image
    lastPictureView.frame = pictureView.frame
    crossFade = CrossFade()
    pictureView.alpha = 0
  }

  private func updateCrossFade(at instant: FrameInstant) {
    guard crossFade != nil else { return }
    crossFade?.startIfNeeded(at: instant)
    guard let crossFade, !crossFade.isComplete(at: instant) else { return endCrossFade() }
    pictureView.alpha = crossFade.nextOpacity(at: instant)
    lastPictureView.alpha = crossFade.lastOpacity(at: instant)
  }

  private func endCrossFade() {
    guard crossFade != nil else { return }
    crossFade = nil
    lastPictureView.image = nil
    (pictureView.alpha, lastPictureView.alpha) = (1, 1)
    setNeedsLayout()
  }

  // MARK: Layout

  /// The part of the viewer that shows the picture: all of it, or what a panel leaves.
  private var pictureArea: Rect {
    var area = bounds
    if showsFilmStrip, !overlaysControls { area = Rect(x: 0, y: 0, width: area.width, height: max(0, controlsTop)) }
    guard panel != nil else { return area }
    let panel = panelFrame
    return panel.minX > 0
      ? Rect(x: 0, y: 0, width: panel.minX, height: area.height)
      : Rect(x: 0, y: 0, width: area.width, height: panel.minY)
  }

  private var showsFilmStrip: Bool { filmStrip != nil && !hidesControls }

  /// The upper edge of the bar and the film strip.
  private var controlsTop: Double {
    guard !hidesControls else { return bounds.height }
    return bounds.height - PictureViewer.barHeight - (showsFilmStrip ? FilmStripView.height : 0)
  }

  /// The frame of a panel: at the right edge, or in a narrow viewer the lower half.
  private var panelFrame: Rect {
    let height = max(0, controlsTop)
    guard bounds.width < InformationPanel.minimumViewerWidth else {
      return Rect(x: bounds.width - InformationPanel.width, y: 0, width: InformationPanel.width, height: height)
    }
    let top = (height / 2).rounded()
    return Rect(x: 0, y: top, width: bounds.width, height: height - top)
  }

  override func layoutSubviews() {
    bar.frame = Rect(
      x: 0, y: bounds.height - PictureViewer.barHeight, width: bounds.width, height: PictureViewer.barHeight)
    bar.isHidden = hidesControls
    filmStrip?.frame = Rect(
      x: 0, y: controlsTop, width: bounds.width, height: FilmStripView.height)
    filmStrip?.isHidden = !showsFilmStrip || opacity < 1
    panel?.frame = panelFrame
    panel?.isHidden = opacity < 1
    brokenView.frame = pictureArea
    guard let scale = window?.resources.scale else { return }
    zoom.setSizes(viewport: pictureArea.size, picture: pictureSize(scale), at: lastInstant)
    if let part = centerAfterTurn {
      centerAfterTurn = nil
      zoom.center(on: part, at: lastInstant)
    }
    let target = pictureFrame(scale)
    layoutControls()
    let exactFrame = content.picture.map { bitmap -> Rect in
      // Pixel for pixel, unless it was decoded for a larger window.
      let size = Size(
        width: scale.length(ofPixels: Int32(bitmap.size.width)),
        height: scale.length(ofPixels: Int32(bitmap.size.height)))
      let fits = size.width <= pictureArea.width && size.height <= pictureArea.height
      // A turned one may have been decoded for the window before it was turned.
      let isOfFrame = content.orientation == .up || (size.width - target.width).magnitude < 2
      let isAtRest = !zoom.isZoomed && !isZooming && opacity == 1 && isOfFrame
      return fits && !content.isPreview && isAtRest ? centeredRect(size, scale) : target
    }
    pictureView.frame = exactFrame ?? target
    partView.frame = target
    partView.isHidden = !partView.hasPart || opacity < 1
    partView.setNeedsLayout()
    // A stand-in would be visible next to the picture.
    let showsStandIn = content.failure == nil && crossFade == nil && (content.picture == nil || !pictureView.showsImage)
    // Around a cropped thumbnail, the blurred preview looks worse than an empty area.
    previewView.isHidden = !showsStandIn || content.size == nil || content.thumbnail != nil
    thumbnailView.isHidden = !showsStandIn || content.thumbnail == nil
    previewView.frame = target
    thumbnailView.frame = content.thumbnail.map { croppedRect(of: target, shownBy: $0.size) } ?? target
    let pixels = scale.pixelRect(target)
    let size = PixelSize(width: Int(pixels.width), height: Int(pixels.height))
    if !previewView.isHidden, let size, size != previewSize {
      previewSize = size
      previewView.placeholderImage = content.makePreview(size)
    }
  }

  /// Returns whether there is a control at a point.
  func hasControl(at point: Point) -> Bool {
    [bar, navigator, filmStrip].compactMap(\.self).contains { !$0.isHidden && $0.frame.contains(point) }
  }

  /// Returns the size at which each pixel of the picture is one of the display.
  private func pictureSize(_ scale: DisplayScale) -> Size {
    guard let size = content.size ?? content.picture?.size ?? content.thumbnail?.size else { return bounds.size }
    return Size(width: scale.length(ofPixels: Int32(size.width)), height: scale.length(ofPixels: Int32(size.height)))
  }

  /// Returns the frame of the whole picture, with its corner on a pixel.
  private func pictureFrame(_ scale: DisplayScale) -> Rect {
    var frame = zoom.frame(at: lastInstant)
    if opacity < 1, let placeInGrid { frame = frame.covering(placeInGrid).interpolated(to: frame, opacity) }
    return Rect(x: scale.snapped(frame.minX), y: scale.snapped(frame.minY), width: frame.width, height: frame.height)
  }

  /// Shows the magnification, and where the visible part is.
  private func layoutControls() {
    let magnification = zoom.magnification(at: lastInstant)
    bar.showMagnification(
      percent: content.failure == nil ? Int((magnification * 100).rounded()) : nil,
      step: sliderStep(of: zoom.targetMagnification))
    let part = content.failure == nil ? zoom.visiblePart(at: lastInstant) : nil
    let size = PictureNavigator.size(for: zoom.pictureSize)
    let area = pictureArea
    navigator.isHidden =
      part == nil || size == nil || content.overview == nil || opacity < 1 || area.width < 340
      || hidesControls
    guard let part, let size, !navigator.isHidden else { return }
    navigator.visiblePart = part
    navigator.frame = Rect(
      x: area.width - Metrics.margin - size.width,
      y: min(area.height, controlsTop) - Metrics.margin - size.height, width: size.width,
      height: size.height)
  }

  private func centeredRect(_ size: Size, _ scale: DisplayScale) -> Rect {
    Rect(
      x: scale.snapped((pictureArea.width - size.width) / 2), y: scale.snapped((pictureArea.height - size.height) / 2),
      width: size.width, height: size.height)
  }

  /// Returns the part of a frame that a cropped thumbnail shows.
  private func croppedRect(of target: Rect, shownBy thumbnail: PixelSize) -> Rect {
    let ratio = Double(thumbnail.width) / Double(max(1, thumbnail.height))
    let targetRatio = target.height > 0 ? target.width / target.height : ratio
    let width = ratio < targetRatio ? target.height * ratio : target.width
    let height = ratio < targetRatio ? target.height : target.width / ratio
    return Rect(x: target.midX - width / 2, y: target.midY - height / 2, width: width, height: height)
  }

  override func textureDidArrive() {
    // The stand-in is removed when the picture is visible.
    setNeedsLayout()
    super.textureDidArrive()
  }

  // MARK: Zoom

  /// Whether magnifications change without animation.
  var reducesMotion: Bool {
    get { zoom.reducesMotion }
    set { zoom.reducesMotion = newValue }
  }

  /// The part of the picture that is visible, of its width and its height.
  var visiblePart: Rect { zoom.visiblePart(at: lastInstant) ?? Rect(x: 0, y: 0, width: 1, height: 1) }

  /// Whether the magnification or the place changes in the next frames.
  var isZooming: Bool { zoom.isMoving(at: lastInstant) }

  /// Whether more of the picture's pixels are needed than its size in the window has.
  ///
  /// They are not decoded while the picture moves, because the workers would take the processor from its frames.
  var needsDetail: Bool { zoom.isZoomed && !isZooming }

  /// Moves the picture to where it is at the time of a frame.
  func update(at instant: FrameInstant) {
    updateCrossFade(at: instant)
    let wasMoving = isZooming
    zoom.prepareFrame(at: instant)
    lastInstant = instant
    if wasMoving { setNeedsLayout() }
  }

  /// Changes the magnification or the place, at the time of the last frame if none is given.
  func changeZoom(at time: FrameInstant? = nil, _ change: (inout PictureZoom, FrameInstant) -> Void) {
    guard content.failure == nil else { return }
    change(&zoom, max(time ?? lastInstant, lastInstant))
    setNeedsLayout()
  }

  private func zoom(toSliderStep step: Int) {
    let (lowest, highest) = (zoom.wholeMagnification, zoom.maximumMagnification)
    let share = Double(step) / Double(ViewerBar.stepCount - 1)
    changeZoom { $0.zoom(to: lowest * pow(highest / lowest, share), around: nil, at: $1) }
  }

  private func sliderStep(of magnification: Double) -> Int {
    let (lowest, highest) = (zoom.wholeMagnification, zoom.maximumMagnification)
    guard highest > lowest else { return 0 }
    let share = log(max(1, magnification / lowest)) / log(highest / lowest)
    return Int((share * Double(ViewerBar.stepCount - 1)).rounded())
  }

  override func handle(_ event: InputEvent) -> Bool { input.handle(event) }
}

extension Rect {
  /// Returns the rectangle of the same shape that covers another one, around its center.
  fileprivate func covering(_ other: Rect) -> Rect {
    let share = max(other.width / max(1, width), other.height / max(1, height))
    let size = Size(width: width * share, height: height * share)
    return Rect(x: other.midX - size.width / 2, y: other.midY - size.height / 2, width: size.width, height: size.height)
  }

  /// Returns the rectangle between this and another one.
  fileprivate func interpolated(to other: Rect, _ share: Double) -> Rect {
    func mix(_ start: Double, _ end: Double) -> Double { start + (end - start) * share }
    return Rect(
      x: mix(minX, other.minX), y: mix(minY, other.minY), width: mix(width, other.width),
      height: mix(height, other.height))
  }
}
