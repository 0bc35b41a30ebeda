import FramePacing
import Geometry
import PhotoLibrary
import Rendering
import Views

/// A view that shows one picture in the whole window, starting with a preview.
///
/// The view only displays its content. Its owner decides which picture is next. It is dark in every theme.
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

  /// The colors, those of ``Theme/ofViewer``.
  var theme: Theme {
    didSet {
      theme = theme.ofViewer
      backgroundColor = theme.viewer.opacity(opacity)
    }
  }
  private let previewView = ImageView()
  private let thumbnailView = ImageView()
  private let pictureView = ImageView()
  private let brokenView: BrokenPictureView
  private let bar: ViewerBar
  private var content = Content()
  /// The size at which the tiny preview was rendered.
  private var previewSize: PixelSize?
  private var wheel = ZoomWheel()
  /// Whether the current pan has already turned the page.
  private var hasTurnedPage = false
  /// The horizontal distance of a pan that turns the page, in points.
  private static let pageTurnDistance = 48.0
  private static let barHeight = 44.0

  init(theme: Theme, brokenIcon: SharedIcon) {
    let theme = theme.ofViewer
    self.theme = theme
    brokenView = BrokenPictureView(theme: theme, icon: brokenIcon)
    bar = ViewerBar(theme: theme)
    super.init()
    for view in [previewView, thumbnailView, pictureView] {
      view.isUserInteractionEnabled = false
      addSubview(view)
    }
    addSubview(brokenView)
    addSubview(bar)
    opacity = 0
  }

  /// The opacity of the viewer, 0 to 1.
  var opacity = 1.0 {
    didSet {
      backgroundColor = theme.viewer.opacity(opacity)
      for view in [previewView, thumbnailView, pictureView] { view.alpha = opacity }
      bar.opacity = opacity
      brokenView.isHidden = content.failure == nil || opacity < 1
      // Nothing may be visible behind a picture that fades.
      if pictureView.showsImage, opacity < 1 { (previewView.isHidden, thumbnailView.isHidden) = (true, true) }
    }
  }

  /// Whether the picture itself was drawn last.
  var showsPicture: Bool { pictureView.showsImage }

  /// Shows the content of a picture, or an update of it.
  func show(_ content: Content) {
    // The last picture must not stand in for another one.
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
    let target = pictureFrame(scale)
    let exactFrame = content.picture.map { bitmap -> Rect in
      // Pixel for pixel, unless it was decoded for a larger window.
      let size = Size(
        width: scale.length(ofPixels: Int32(bitmap.size.width)),
        height: scale.length(ofPixels: Int32(bitmap.size.height)))
      let fits = size.width <= bounds.width && size.height <= bounds.height
      return fits && !content.isPreview ? centeredRect(size, scale) : target
    }
    pictureView.frame = exactFrame ?? target
    // A stand-in would be visible next to the picture.
    let showsStandIn = content.failure == nil && (content.picture == nil || !pictureView.showsImage)
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

  /// Returns the frame of the whole picture, centered and never enlarged beyond its pixels.
  private func pictureFrame(_ scale: DisplayScale) -> Rect {
    guard let size = content.size ?? content.picture?.size ?? content.thumbnail?.size else { return bounds }
    let imageSize = Size(
      width: scale.length(ofPixels: Int32(size.width)), height: scale.length(ofPixels: Int32(size.height)))
    let share = min(1, bounds.width / imageSize.width, bounds.height / imageSize.height)
    return centeredRect(Size(width: imageSize.width * share, height: imageSize.height * share), scale)
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

  override func textureDidArrive() {
    // The stand-in is removed when the picture is visible.
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

  /// Turns the page once per pan, as soon as the finger has moved far enough to the left or the right.
  private func handlePan(_ pan: PanInput) {
    if pan.phase == .began { hasTurnedPage = false }
    let translation = pan.location - pan.start
    guard !hasTurnedPage, translation.x.magnitude >= PictureViewer.pageTurnDistance,
      translation.x.magnitude > translation.y.magnitude
    else {
      return
    }
    hasTurnedPage = true
    onStep(translation.x < 0 ? 1 : -1)
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
    // These keys work as in the grid.
    case .function, .character: return false
    default: break
    }
    return true
  }
}

// MARK: - Viewer bar

/// A bar at the lower edge of the viewer with the name, the position and the size of the picture.
private final class ViewerBar: View, ThemedView {
  private let nameLabel: Label
  private let detailsLabel: Label
  var theme: Theme {
    didSet { updateColors() }
  }
  /// The opacity of the bar, 0 to 1.
  var opacity = 1.0 {
    didSet { updateColors() }
  }

  init(theme: Theme) {
    self.theme = theme
    nameLabel = Label(style: Theme.titleStyle, color: .white)
    detailsLabel = Label(style: Theme.detailStyle, color: .white, alignment: .trailing)
    super.init()
    isUserInteractionEnabled = false
    nameLabel.lineBreakMode = .byTruncatingMiddle
    addSubview(nameLabel)
    addSubview(detailsLabel)
    updateColors()
  }

  private func updateColors() {
    nameLabel.textColor = theme.primaryText.opacity(opacity)
    detailsLabel.textColor = theme.secondaryText.opacity(opacity)
    backgroundColor = theme.viewerBar.opacity(opacity)
  }

  /// Sets both texts.
  func show(name: String, details: String) {
    guard name != self.nameLabel.text || details != self.detailsLabel.text else { return }
    self.nameLabel.text = name
    self.detailsLabel.text = details
    setNeedsLayout()
  }

  override func layoutSubviews() {
    let inner = max(0, bounds.width - 2 * Metrics.margin)
    let preferredWidth = window.map { detailsLabel.measuredWidth(in: $0.resources) + 1 } ?? 0
    // In a narrow window the name has precedence.
    let detailsWidth = preferredWidth <= inner * 0.6 ? preferredWidth : 0
    detailsLabel.isHidden = detailsWidth == 0
    detailsLabel.frame = Rect(
      x: bounds.width - Metrics.margin - detailsWidth, y: 0, width: detailsWidth, height: bounds.height)
    nameLabel.frame = Rect(
      x: Metrics.margin, y: 0, width: max(0, inner - detailsWidth - (detailsWidth > 0 ? 16 : 0)), height: bounds.height)
  }
}
