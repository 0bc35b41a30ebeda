import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// A view that shows one picture, starting with a preview, and enlarges and moves it.
///
/// The view only displays its content. Events are handled by the ``PictureViewer`` that contains it.
final class PictureView: View, ThemedView {
  /// What is known of a picture.
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
    /// The picture in the size of the view, or nil if it is not available.
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

  /// The colors.
  var theme: Theme {
    didSet { brokenView.theme = theme }
  }
  private(set) var content = Content()
  private let previewView = ImageView()
  private let thumbnailView = ImageView()
  /// The last picture, while the next one fades in over it.
  private let lastPictureView = ImageView()
  private let pictureView = ImageView()
  private let partView = PicturePartView(pixelatedMagnification: PictureView.pixelatedMagnification)
  private let brokenView: BrokenPictureView
  private var crossFade: CrossFade?
  /// Whether the next picture fades in over the last one.
  var crossFades = false
  /// Whether the magnification and the place are kept when another picture is shown.
  var keepsZoom = false
  /// Whether nothing is drawn outside of the view, because there is another picture beside it.
  var clipsPicture = false {
    didSet { if clipsPicture != oldValue { setNeedsDisplay() } }
  }
  /// The size at which the tiny preview was rendered.
  private var previewSize: PixelSize?
  /// The magnification and the place of the picture.
  private(set) var zoom = PictureZoom()
  /// The point of a picture that was just turned which is moved to the center, of its width and its height, or nil.
  private var centerAfterTurn: Point?
  /// Whether the next layout moves a point of a picture that was just turned to the center.
  var centersAfterTurn: Bool { centerAfterTurn != nil }
  /// The time of the last frame.
  private(set) var lastInstant = FrameInstant.zero
  /// The magnification from which pixels are squares, so that they can be seen.
  private static let pixelatedMagnification = 4.0

  /// Creates a view without content.
  ///
  /// - Parameters:
  ///   - theme: The colors.
  ///   - brokenIcon: The icon of a picture that cannot be shown.
  init(theme: Theme, brokenIcon: SharedIcon) {
    self.theme = theme
    brokenView = BrokenPictureView(theme: theme, icon: brokenIcon)
    super.init()
    isUserInteractionEnabled = false
    for view in [previewView, thumbnailView, lastPictureView, pictureView] {
      view.isUserInteractionEnabled = false
      addSubview(view)
    }
    pictureView.pixelatedMagnification = PictureView.pixelatedMagnification
    addSubview(partView)
    addSubview(brokenView)
  }

  /// The place of the picture in the grid, from which it grows and to which it shrinks, or nil if it only fades.
  var placeInGrid: Rect?

  /// The opacity, 0 to 1, which is also how far the picture has grown.
  var opacity = 1.0 {
    didSet {
      guard opacity != oldValue else { return }
      endCrossFade()
      let alpha = placeInGrid == nil ? opacity : 1
      for view in [previewView, thumbnailView, pictureView] { view.imageOpacity = alpha }
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
    pictureView.imageOpacity = 0
  }

  private func updateCrossFade(at instant: FrameInstant) {
    guard crossFade != nil else { return }
    crossFade?.startIfNeeded(at: instant)
    guard let crossFade, !crossFade.isComplete(at: instant) else { return endCrossFade() }
    pictureView.imageOpacity = crossFade.nextOpacity(at: instant)
    lastPictureView.imageOpacity = crossFade.lastOpacity(at: instant)
  }

  private func endCrossFade() {
    guard crossFade != nil else { return }
    crossFade = nil
    lastPictureView.image = nil
    (pictureView.imageOpacity, lastPictureView.imageOpacity) = (1, 1)
    setNeedsLayout()
  }

  // MARK: Layout

  override func layoutSubviews() {
    brokenView.frame = bounds
    guard let scale = window?.resources.scale else { return }
    updateSizes()
    let target = pictureFrame(scale)
    let exactFrame = content.picture.map { bitmap -> Rect in
      // Pixel for pixel, unless it was decoded for a larger view.
      let size = Size(
        width: scale.length(ofPixels: Int32(bitmap.size.width)),
        height: scale.length(ofPixels: Int32(bitmap.size.height)))
      let fits = size.width <= bounds.width && size.height <= bounds.height
      // A turned one may have been decoded for the view before it was turned.
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

  /// Applies the size of the view and of the picture to the magnification.
  func updateSizes() {
    guard let scale = window?.resources.scale else { return }
    zoom.setSizes(viewport: bounds.size, picture: pictureSize(scale), at: lastInstant)
    if let part = centerAfterTurn {
      centerAfterTurn = nil
      zoom.center(on: part, at: lastInstant)
    }
  }

  private func centeredRect(_ size: Size, _ scale: DisplayScale) -> Rect {
    Rect(
      x: scale.snapped((bounds.width - size.width) / 2), y: scale.snapped((bounds.height - size.height) / 2),
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

  /// Returns the size at which each pixel of the picture is one of the display.
  private func pictureSize(_ scale: DisplayScale) -> Size {
    guard let size = content.size ?? content.picture?.size ?? content.thumbnail?.size else {
      return superview?.bounds.size ?? bounds.size
    }
    return Size(width: scale.length(ofPixels: Int32(size.width)), height: scale.length(ofPixels: Int32(size.height)))
  }

  /// Returns the frame of the whole picture, with its corner on a pixel.
  private func pictureFrame(_ scale: DisplayScale) -> Rect {
    var frame = zoom.frame(at: lastInstant)
    if opacity < 1, let placeInGrid {
      let start = placeInGrid.offset(by: Point(x: -self.frame.minX, y: -self.frame.minY))
      frame = frame.covering(start).interpolated(to: frame, opacity)
    }
    return Rect(x: scale.snapped(frame.minX), y: scale.snapped(frame.minY), width: frame.width, height: frame.height)
  }

  override func renderSubviews(in context: DrawContext) {
    guard clipsPicture else { return super.renderSubviews(in: context) }
    context.clipped(to: bounds) { super.renderSubviews(in: $0) }
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
