import VitrineGeometry
import VitrineRendering
import VitrineViews

/// An icon that is shared by all views that show it, so that there is one bitmap and one texture.
///
/// The bitmap of the size that was drawn last is cached.
final class SharedIcon {
  private let render: (Int) -> Bitmap?
  private var cachedBitmap: Bitmap?

  /// Creates an icon.
  ///
  /// - Parameter render: Renders the icon in white on transparent, with the given side length in pixels.
  init(render: @escaping (Int) -> Bitmap?) { self.render = render }

  /// Creates the picture icon, optionally struck through.
  convenience init(isBroken: Bool) {
    self.init { PictureIcon.bitmap(side: $0, isBroken: isBroken) }
  }

  /// Returns the icon with the given side length in pixels, or nil if there is not enough memory.
  func bitmap(side: Int) -> Bitmap? {
    if cachedBitmap?.size.width != side { cachedBitmap = render(side) }
    return cachedBitmap
  }
}

/// A view that shows an icon in a tint color, centered.
final class IconView: View {
  /// The tint color.
  var tint: Color {
    didSet { if tint != oldValue { setNeedsDisplay() } }
  }
  /// The icon.
  var icon: SharedIcon {
    didSet { if icon !== oldValue { setNeedsDisplay() } }
  }
  private var lease = TextureLease()

  init(icon: SharedIcon, tint: Color) {
    self.icon = icon
    self.tint = tint
    super.init()
    isUserInteractionEnabled = false
  }

  isolated deinit { lease.release() }

  override func draw(in context: DrawContext) {
    let side = Int(min(context.pixels(bounds).width, context.pixels(bounds).height))
    guard side > 0 else { return }
    lease.replace(with: icon.bitmap(side: side))
    guard let bitmap = lease.bitmap, let texture = lease.texture(in: context.resources, createsIfNeeded: true) else {
      return
    }
    let extent = context.scale.length(ofPixels: Int32(side))
    let corner = Point(x: (frame.width - extent) / 2, y: (frame.height - extent) / 2)
    context.draw(texture, size: bitmap.size, at: corner, isOpaque: false, tint: tint)
  }
}

/// An icon of a framed picture with hills and a sun, optionally struck through, at any size.
private enum PictureIcon {
  /// Renders the icon in white on transparent.
  static func bitmap(side: Int, isBroken: Bool) -> Bitmap? {
    Bitmap.shape(side: side, units: 48, distance: isBroken ? brokenDistance : wholeDistance)
  }

  private static let stroke = 1.5

  /// Returns the signed distance to the nearest edge of the icon, in units of 1/48 of its side; negative inside.
  private static func wholeDistance(_ point: Point) -> Double {
    let frame = abs(Distance.toBox(point, Rect(x: 6, y: 10, width: 36, height: 28), radius: 5)) - stroke
    let sun = abs(Distance.between(point, Point(x: 16, y: 19)) - 3) - stroke * 0.9
    let hills = [
      Distance.toSegment(point, Point(x: 8, y: 34), Point(x: 18, y: 25)),
      Distance.toSegment(point, Point(x: 18, y: 25), Point(x: 24, y: 31)),
      Distance.toSegment(point, Point(x: 24, y: 31), Point(x: 31, y: 22)),
      Distance.toSegment(point, Point(x: 31, y: 22), Point(x: 40, y: 31)),
    ]
    let ridge = (hills.min() ?? 99) - stroke
    return min(frame, sun, ridge)
  }

  private static func brokenDistance(_ point: Point) -> Double {
    let strike = Distance.toSegment(point, Point(x: 9, y: 6), Point(x: 39, y: 42))
    // A gap on both sides of the stroke keeps it visible over the frame.
    return min(max(wholeDistance(point), 3.6 - strike), strike - stroke)
  }
}
