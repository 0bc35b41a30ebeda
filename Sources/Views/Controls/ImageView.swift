import Geometry
public import Rendering

/// Shows a decoded picture of exactly its own pixel size, or a calm surface until there is one.
public final class ImageView: View {
  /// The picture.
  ///
  /// It is drawn once it is a texture, which the frame's upload phase makes of it.
  public var image: Bitmap? {
    didSet {
      guard image !== oldValue else { return }
      lease.replace(with: image)
      setNeedsDisplay()
    }
  }
  /// Filled where there is no picture.
  public var placeholderColor: Color = .clear {
    didSet { if placeholderColor != oldValue { setNeedsDisplay() } }
  }
  /// Corners are rounded by this many points, by painting over them.
  public var cornerRadius = 0.0
  /// What is painted over the corners: the colour behind the view.
  public var cornerColor: Color = .black {
    didSet { if cornerColor != oldValue { setNeedsDisplay() } }
  }
  /// Whether the last drawing showed the picture and not the surface.
  public private(set) var showsImage = false

  var isQueuedForUpload = false
  private var lease = TextureLease()

  public override func draw(in context: DrawContext) {
    let texture = lease.texture(in: context.resources, isDemanded: false)
    showsImage = texture != nil
    if let image, let texture {
      draw(image, texture, in: context)
    } else {
      context.fill(bounds, placeholderColor)
      if image != nil { context.resources.uploads.enqueue(self) }
    }
    if cornerRadius > 0 { context.roundCorners(of: bounds, radius: cornerRadius, outside: cornerColor) }
  }

  private func draw(_ image: Bitmap, _ texture: TextureID, in context: DrawContext) {
    let target = context.pixels(bounds)
    if Int32(image.size.width) == target.width, Int32(image.size.height) == target.height {
      context.draw(texture, size: image.size, at: .zero, isOpaque: image.isOpaque)
    } else {
      context.draw(texture, size: image.size, stretchedOver: bounds, isOpaque: image.isOpaque)
    }
  }

  isolated deinit { lease.release() }

  func distance(to center: Point) -> Double {
    let rect = frameInWindow
    let dx = rect.midX - center.x
    let dy = rect.midY - center.y
    return dx * dx + dy * dy
  }
}
