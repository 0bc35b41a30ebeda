import FramePacing
import Geometry
import PhotoLibrary
import Rendering
import Views

/// One picture in the whole window: what is known of it first, then itself.
///
/// It shows what it is told; whoever opened it says which picture is next.
final class PictureViewer: View {
  /// What it shows of a picture.
  struct Content {
    /// Which one it is.
    var item: PhotoID?
    /// What it is called.
    var name = ""
    /// Which of how many it is, and its extent.
    var details = ""
    /// Its extent, where that is known.
    var size: PixelSize?
    /// Its rough forms, for a place of a size in pixels.
    var makePreview: (PixelSize) -> Bitmap? = { _ in nil }
    /// Its thumbnail: the middle of it, or all.
    var thumbnail: Bitmap?
    /// Itself; a preview until it is there.
    var picture: Bitmap?
    /// Whether that is a preview, to be stretched over the picture's place.
    var isPreview = false
    /// Why it cannot be shown.
    var failure: String?
  }

  /// Another picture is asked for: so many on, or back.
  var onStep: (Int) -> Void = { _ in }
  /// The first picture is asked for, or the last.
  var onEnd: (Bool) -> Void = { _ in }
  /// It is to be closed.
  var onClose: () -> Void = {}

  private let theme: Theme
  private let previewView = ImageView()
  private let thumbnailView = ImageView()
  private let pictureView = ImageView()
  private let brokenView: BrokenPictureView
  private let bar: ViewerBar
  private var content = Content()
  /// The size for which rough forms were painted.
  private var previewSize: PixelSize?
  private var wheel = ZoomWheel()
  /// Whether the finger that is drawn over it has turned to another picture.
  private var hasTurnedPage = false
  /// How far across a finger turns to another picture, in points.
  private static let pageTurnDistance = 48.0
  private static let barHeight = 44.0

  init(theme: Theme, brokenIcon: SharedIcon) {
    self.theme = theme
    brokenView = BrokenPictureView(theme: theme, icon: brokenIcon)
    bar = ViewerBar(theme: theme)
    super.init()
    for view in [previewView, thumbnailView, pictureView] {
      view.isInteractive = false
      addSubview(view)
    }
    addSubview(brokenView)
    addSubview(bar)
    opacity = 0
  }

  /// How much of it is seen.
  var opacity = 1.0 {
    didSet {
      backgroundColor = theme.viewer.opacity(opacity)
      for view in [previewView, thumbnailView, pictureView] { view.opacity = opacity }
      bar.opacity = opacity
      brokenView.isHidden = content.failure == nil || opacity < 1
      // Nothing shines through a picture that fades.
      if pictureView.showsImage, opacity < 1 { (previewView.isHidden, thumbnailView.isHidden) = (true, true) }
    }
  }

  /// Whether the picture itself was drawn last.
  var showsPicture: Bool { pictureView.showsImage }

  /// Shows a picture, or more of the same.
  func show(_ content: Content) {
    // Nothing of another one stands in for it.
    if content.item != self.content.item { pictureView.image = nil }
    self.content = content
    previewSize = nil
    bar.show(name: content.name, details: content.details)
    brokenView.reason = content.failure ?? ""
    brokenView.isHidden = content.failure == nil || opacity < 1
    pictureView.image = content.picture
    thumbnailView.image = content.thumbnail
    setNeedsLayout()
  }

  // MARK: Layout

  override func layoutSubviews() {
    bar.frame = Rect(
      x: 0, y: bounds.height - PictureViewer.barHeight, width: bounds.width, height: PictureViewer.barHeight)
    brokenView.frame = bounds
    guard let scale = window?.resources.scale else { return }
    let place = pictureFrame(scale)
    let exact = content.picture.map { bitmap -> Rect in
      // Pixel for pixel, unless it was decoded for a larger window.
      let size = Size(
        width: scale.length(ofPixels: Int32(bitmap.size.width)),
        height: scale.length(ofPixels: Int32(bitmap.size.height)))
      let fits = size.width <= bounds.width && size.height <= bounds.height
      return fits && !content.isPreview ? centeredRect(size, scale) : place
    }
    pictureView.frame = exact ?? place
    // What stands in for it would be seen beside it.
    let standsIn = content.failure == nil && (content.picture == nil || !pictureView.showsImage)
    // What is known of the rest of a cut thumbnail's picture are colours beside colours: worse than nothing.
    previewView.isHidden = !standsIn || content.size == nil || content.thumbnail != nil
    thumbnailView.isHidden = !standsIn || content.thumbnail == nil
    previewView.frame = place
    thumbnailView.frame = content.thumbnail.map { croppedRect(of: place, shownBy: $0.size) } ?? place
    let pixels = scale.pixelRect(place)
    let size = PixelSize(width: Int(pixels.width), height: Int(pixels.height))
    if !previewView.isHidden, let size, size != previewSize {
      previewSize = size
      previewView.placeholderImage = content.makePreview(size)
    }
  }

  /// Where the picture will be: all of it, in the middle, never enlarged beyond its pixels.
  private func pictureFrame(_ scale: DisplayScale) -> Rect {
    guard let size = content.size ?? content.picture?.size ?? content.thumbnail?.size else { return bounds }
    let own = Size(width: scale.length(ofPixels: Int32(size.width)), height: scale.length(ofPixels: Int32(size.height)))
    let share = min(1, bounds.width / own.width, bounds.height / own.height)
    return centeredRect(Size(width: own.width * share, height: own.height * share), scale)
  }

  private func centeredRect(_ size: Size, _ scale: DisplayScale) -> Rect {
    Rect(
      x: scale.snapped((bounds.width - size.width) / 2), y: scale.snapped((bounds.height - size.height) / 2),
      width: size.width, height: size.height)
  }

  /// The part of a place that a picture of another shape shows which was cut to that shape.
  private func croppedRect(of place: Rect, shownBy thumbnail: PixelSize) -> Rect {
    let shape = Double(thumbnail.width) / Double(max(1, thumbnail.height))
    let own = place.height > 0 ? place.width / place.height : shape
    let width = shape < own ? place.height * shape : place.width
    let height = shape < own ? place.height : place.width / shape
    return Rect(x: place.midX - width / 2, y: place.midY - height / 2, width: width, height: height)
  }

  override func textureDidArrive() {
    // What stood in for the picture goes when it is seen.
    setNeedsLayout()
    super.textureDidArrive()
  }

  // MARK: Input

  override func handle(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerDown(_, .primary, let clicks, _):
      if clicks == 2 { onClose() }
    case .pan(let pan): handlePan(pan)
    case .wheel(let wheel):
      let steps = self.wheel.steps(of: wheel.deltaY)
      if steps != 0 { onStep(-steps.signum()) }
    case .keyDown(let key, let modifiers, let isRepeat): return handleKey(key, modifiers, isRepeat: isRepeat)
    case .pointerDown, .pointerMoved, .pointerUp, .pointerLeft, .keyUp: break
    default: return false
    }
    return true
  }

  /// A finger that is drawn across turns to the next picture, or to the one before; which way it went says so as soon as
  /// it has gone far enough, once for each time that it is laid on.
  private func handlePan(_ pan: PanInput) {
    if pan.phase == .began { hasTurnedPage = false }
    let way = pan.location - pan.start
    guard !hasTurnedPage, way.x.magnitude >= PictureViewer.pageTurnDistance, way.x.magnitude > way.y.magnitude else {
      return
    }
    hasTurnedPage = true
    onStep(way.x < 0 ? 1 : -1)
  }

  private func handleKey(_ key: Key, _ modifiers: KeyModifiers, isRepeat: Bool) -> Bool {
    switch key {
    case .right, .down, .pageDown: onStep(1)
    case .left, .up, .pageUp, .backspace: onStep(-1)
    case .space: onStep(modifiers.contains(.shift) ? -1 : 1)
    case .home: onEnd(false)
    case .end: onEnd(true)
    case .escape: onClose()
    case .enter: if !isRepeat { onClose() }
    // What they mean beside the pictures.
    case .function, .character: return false
    default: break
    }
    return true
  }
}
