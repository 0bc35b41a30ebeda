import VitrineGeometry
public import VitrineRendering

/// A view that displays a decoded image at its own pixel size, with a placeholder image or color until it is available.
@MainActor
public final class ImageView: View {
  /// The image.
  ///
  /// It is drawn once the upload phase of a frame has created its texture. Until then the previously drawn image
  /// remains, stretched if its size differs. Setting nil removes that one too.
  public var image: Bitmap? {
    didSet {
      guard image !== oldValue else { return }
      if image == nil {
        previousLease.replace(with: nil)
        // A cell that is reused is asked before it is drawn.
        showsImage = false
      } else if showsImage, oldValue != nil, previousLease.bitmap == nil {
        swap(&previousLease, &lease)
      }
      lease.replace(with: image)
      setNeedsDisplay()
    }
  }
  /// A small image that is stretched smoothly over the view until the image is available.
  ///
  /// Its texture is created in the first frame that draws it, outside the upload budget; a few kilobytes at most.
  public var placeholderImage: Bitmap? {
    didSet {
      guard placeholderImage !== oldValue else { return }
      placeholderLease.replaceAndEvict(with: placeholderImage)
      if placeholderImage == nil { showsPlaceholderImage = false }
      if !showsImage { setNeedsDisplay() }
    }
  }
  /// The color that fills the view while there is no image.
  public var placeholderColor: Color = .clear {
    didSet { if placeholderColor != oldValue { setNeedsDisplay() } }
  }
  /// The opacity of images, 0 to 1; placeholders are unaffected.
  public var imageOpacity = 1.0 {
    didSet { if imageOpacity != oldValue { setNeedsDisplay() } }
  }
  /// The factor of enlargement from which the image's pixels are shown as squares; by default they never are.
  public var pixelatedMagnification = Double.infinity {
    didSet { if pixelatedMagnification != oldValue { setNeedsDisplay() } }
  }
  /// The corner radius in points; the corners are painted over in the ``cornerColor``.
  ///
  /// Over anything but a plain color, use ``View/clipsToBounds`` and ``View/clipCornerRadius``.
  public var cornerRadius = 0.0
  /// The color of the corners: that of the background behind the view.
  public var cornerColor: Color = .black {
    didSet { if cornerColor != oldValue { setNeedsDisplay() } }
  }
  /// Whether the last drawing showed the image rather than a placeholder, and the image was not removed since.
  public private(set) var showsImage = false
  /// Whether the last drawing showed the placeholder image.
  public private(set) var showsPlaceholderImage = false

  /// The bytes of the image's pixels, counted twice once it is a texture.
  public override var retainedBytes: Int { (image?.byteCount ?? 0) * (showsImage ? 2 : 1) }

  var isQueuedForUpload = false
  private var lease = TextureLease()
  /// The image that was drawn last, while the current one has no texture yet.
  private var previousLease = TextureLease()
  /// The placeholder image.
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

  /// Draws the previous image if it still has a texture.
  private func drawPreviousImage(in context: DrawContext) -> Bool {
    guard let image = previousLease.bitmap,
      let texture = previousLease.texture(in: context.resources, createsIfNeeded: false)
    else {
      return false
    }
    drawImage(image, texture, in: context)
    return true
  }

  /// Draws the placeholder image, whose texture is created immediately.
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
    let isOpaque = image.isOpaque && imageOpacity >= 1
    let tint = imageOpacity >= 1 ? Color.white : Color.white.opacity(imageOpacity)
    if Int32(image.size.width) == target.width, Int32(image.size.height) == target.height {
      context.draw(texture, size: image.size, at: .zero, isOpaque: isOpaque, tint: tint)
    } else {
      let magnification = Double(target.width) / Double(image.size.width)
      context.draw(
        texture, size: image.size, stretchedOver: bounds, isOpaque: isOpaque, tint: tint,
        showsPixels: magnification >= pixelatedMagnification)
    }
  }

  isolated deinit {
    lease.release()
    previousLease.release()
    placeholderLease.release()
  }

  /// Returns whether the view is another view or its descendant.
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
