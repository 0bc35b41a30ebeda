import Geometry
public import Rendering

/// Shows a decoded picture of exactly its own pixel size, and until there is one a small picture in its place, or a calm
/// surface.
public final class ImageView: View {
  /// The picture.
  ///
  /// It is drawn once it is a texture, which the frame's upload phase makes of it. Until then the last one that was drawn
  /// stays, stretched where its size is another; nothing takes that away too.
  public var image: Bitmap? {
    didSet {
      guard image !== oldValue else { return }
      if image == nil {
        previousLease.replace(with: nil)
      } else if showsImage, oldValue != nil, previousLease.bitmap == nil {
        swap(&previousLease, &lease)
      }
      lease.replace(with: image)
      setNeedsDisplay()
    }
  }
  /// Shown in the picture's place until there is one: a small bitmap, stretched smoothly over it.
  ///
  /// It is a texture in the frame that draws it first, beside the budget for pictures; a few kilobytes at most.
  public var placeholderImage: Bitmap? {
    didSet {
      guard placeholderImage !== oldValue else { return }
      placeholderLease.replaceAndEvict(with: placeholderImage)
      if !showsImage { setNeedsDisplay() }
    }
  }
  /// Filled where there is no picture.
  public var placeholderColor: Color = .clear {
    didSet { if placeholderColor != oldValue { setNeedsDisplay() } }
  }
  /// How opaque pictures are, 0 to 1; what stands where there is none is as it is.
  public var opacity = 1.0 {
    didSet { if opacity != oldValue { setNeedsDisplay() } }
  }
  /// Corners are rounded by this many points, by painting over them.
  public var cornerRadius = 0.0
  /// What is painted over the corners: the colour behind the view.
  public var cornerColor: Color = .black {
    didSet { if cornerColor != oldValue { setNeedsDisplay() } }
  }
  /// Whether the last drawing showed the picture and not what stands there until it is there.
  public private(set) var showsImage = false
  /// Whether the last drawing showed the small bitmap in the picture's place.
  public private(set) var showsPlaceholderImage = false

  /// The picture's pixels, and as many again once it is a texture.
  public override var retainedBytes: Int { (image?.byteCount ?? 0) * (showsImage ? 2 : 1) }

  var isQueuedForUpload = false
  private var lease = TextureLease()
  /// What was drawn last, while the picture is no texture yet.
  private var previousLease = TextureLease()
  /// What is drawn in the picture's place.
  private var placeholderLease = TextureLease()

  public override func draw(in context: DrawContext) {
    if let image, let texture = lease.texture(in: context.resources, createsIfNeeded: false) {
      previousLease.replace(with: nil)
      drawImage(image, texture, in: context)
      showsImage = true
      showsPlaceholderImage = false
      placeholderLease.releaseAndEvict()
    } else {
      if image != nil { context.resources.uploads.enqueue(self) }
      showsImage = drawPreviousImage(in: context)
      showsPlaceholderImage = !showsImage && drawPlaceholderImage(in: context)
      if !showsImage, !showsPlaceholderImage { context.fill(bounds, placeholderColor) }
    }
    if cornerRadius > 0 { context.roundCorners(of: bounds, radius: cornerRadius, outside: cornerColor) }
  }

  /// Draws what was drawn last, if that is still a texture.
  private func drawPreviousImage(in context: DrawContext) -> Bool {
    guard let image = previousLease.bitmap,
      let texture = previousLease.texture(in: context.resources, createsIfNeeded: false)
    else {
      return false
    }
    drawImage(image, texture, in: context)
    return true
  }

  /// Draws the small bitmap, whose texture is made at once.
  private func drawPlaceholderImage(in context: DrawContext) -> Bool {
    guard let image = placeholderLease.bitmap,
      let texture = placeholderLease.texture(in: context.resources, createsIfNeeded: true)
    else {
      return false
    }
    drawImage(image, texture, in: context)
    return true
  }

  private func drawImage(_ image: Bitmap, _ texture: TextureID, in context: DrawContext) {
    let target = context.pixels(bounds)
    let isOpaque = image.isOpaque && opacity >= 1
    let tint = opacity >= 1 ? Color.white : Color.white.opacity(opacity)
    if Int32(image.size.width) == target.width, Int32(image.size.height) == target.height {
      context.draw(texture, size: image.size, at: .zero, isOpaque: isOpaque, tint: tint)
    } else {
      context.draw(texture, size: image.size, stretchedOver: bounds, isOpaque: isOpaque, tint: tint)
    }
  }

  isolated deinit {
    lease.release()
    previousLease.release()
    placeholderLease.release()
  }

  /// Whether it is a view, or within it.
  func isDescendant(of view: View) -> Bool {
    var next: View? = self
    while let current = next {
      if current === view { return true }
      next = current.superview
    }
    return false
  }

  func distance(to center: Point) -> Double {
    let rect = frameInWindow
    let dx = rect.midX - center.x
    let dy = rect.midY - center.y
    return dx * dx + dy * dy
  }
}
