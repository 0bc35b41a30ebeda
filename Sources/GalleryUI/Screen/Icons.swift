import Geometry
import Rendering
import Views

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
  private let icon: SharedIcon
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
  ///
  /// Coverage is computed from the distances to the edges of the shapes, so that edges are smooth at every size.
  static func bitmap(side: Int, isBroken: Bool) -> Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      let unit = Double(side) / 48
      for row in 0..<side {
        for column in 0..<side {
          let point = Point(x: (Double(column) + 0.5) / unit, y: (Double(row) + 0.5) / unit)
          let distance = isBroken ? brokenDistance(point) : wholeDistance(point)
          let coverage = max(0, min(1, 0.5 - distance * unit))
          words[row * side + column] = UInt32(littleEndian: Color.white.opacity(coverage).packed)
        }
      }
    }
  }

  private static let stroke = 1.5

  /// Returns the signed distance to the nearest edge of the icon, in units of 1/48 of its side; negative inside.
  private static func wholeDistance(_ point: Point) -> Double {
    let frame =
      abs(roundedRectDistance(point, center: Point(x: 24, y: 24), half: Size(width: 18, height: 14), radius: 5))
      - stroke
    let sun = abs(distance(point, Point(x: 16, y: 19)) - 3) - stroke * 0.9
    let hills = [
      segmentDistance(point, Point(x: 8, y: 34), Point(x: 18, y: 25)),
      segmentDistance(point, Point(x: 18, y: 25), Point(x: 24, y: 31)),
      segmentDistance(point, Point(x: 24, y: 31), Point(x: 31, y: 22)),
      segmentDistance(point, Point(x: 31, y: 22), Point(x: 40, y: 31)),
    ]
    let ridge = (hills.min() ?? 99) - stroke
    return min(frame, sun, ridge)
  }

  private static func brokenDistance(_ point: Point) -> Double {
    let strike = segmentDistance(point, Point(x: 9, y: 6), Point(x: 39, y: 42))
    // A gap on both sides of the stroke keeps it visible over the frame.
    return min(max(wholeDistance(point), 3.6 - strike), strike - stroke)
  }

  private static func distance(_ first: Point, _ second: Point) -> Double {
    let vector = first - second
    return (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }

  private static func segmentDistance(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let along = end - start
    let offset = point - start
    let share = max(0, min(1, (offset.x * along.x + offset.y * along.y) / (along.x * along.x + along.y * along.y)))
    return distance(point, Point(x: start.x + along.x * share, y: start.y + along.y * share))
  }

  private static func roundedRectDistance(_ point: Point, center: Point, half: Size, radius: Double) -> Double {
    let x = abs(point.x - center.x) - half.width + radius
    let y = abs(point.y - center.y) - half.height + radius
    let outside = (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
    return outside + min(max(x, y), 0) - radius
  }
}

/// A check mark at any size.
enum TickIcon {
  /// Renders the check mark in white on transparent.
  static func bitmap(side: Int) -> Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      let unit = Double(side) / 24
      for row in 0..<side {
        for column in 0..<side {
          let point = Point(x: (Double(column) + 0.5) / unit, y: (Double(row) + 0.5) / unit)
          let coverage = max(0, min(1, 0.5 - distance(point) * unit))
          words[row * side + column] = UInt32(littleEndian: Color.white.opacity(coverage).packed)
        }
      }
    }
  }

  /// Returns the signed distance to the nearest edge, in units of 1/24 of the side; negative inside.
  private static func distance(_ point: Point) -> Double {
    let knee = Point(x: 10.5, y: 16.2)
    return min(segmentDistance(point, Point(x: 6.4, y: 12.1), knee), segmentDistance(point, knee, Point(x: 17.8, y: 8)))
      - 1.25
  }

  private static func segmentDistance(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let along = end - start
    let offset = point - start
    let share = max(0, min(1, (offset.x * along.x + offset.y * along.y) / (along.x * along.x + along.y * along.y)))
    let rest = offset - Point(x: along.x * share, y: along.y * share)
    return (rest.x * rest.x + rest.y * rest.y).squareRoot()
  }
}
