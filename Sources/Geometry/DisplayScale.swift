/// The number of pixels per point, and the only conversion from points to pixels.
///
/// The conversion rounds edges, never extents: two rectangles that share an edge in points share it in pixels, so
/// neighbors neither overlap nor leave a gap.
public struct DisplayScale: Hashable, Sendable, BitwiseCopyable {
  /// The number of pixels per point; finite and positive.
  public let pixelsPerPoint: Double

  /// The scale with one pixel per point.
  public static let one = DisplayScale(pixelsPerPoint: 1)

  /// Creates a scale.
  ///
  /// A factor that is not finite and positive becomes 1, because the value comes from a driver, not from client code.
  public init(pixelsPerPoint: Double) {
    self.pixelsPerPoint = pixelsPerPoint.isFinite && pixelsPerPoint > 0 ? pixelsPerPoint : 1
  }

  /// Returns the pixel nearest to a coordinate in points.
  ///
  /// Clamps coordinates beyond ±10^9 pixels; such a rectangle is off screen either way.
  public func pixel(_ coordinate: Double) -> Int32 {
    let scaled = coordinate * pixelsPerPoint
    guard scaled > -1_000_000_000 else { return -1_000_000_000 }
    guard scaled < 1_000_000_000 else { return 1_000_000_000 }
    // Rounds halves away from zero without `rounded()`, which calls the C library: this runs for every corner of every
    // cell.
    let whole = Int32(scaled)
    let rest = scaled - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }

  /// Returns the pixel nearest to a coordinate of content, which can be far longer than a screen.
  ///
  /// Clamps the result to ±2^52 pixels. NaN becomes 0.
  public func contentPixel(_ coordinate: Double) -> Int {
    let scaled = (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    let limit = Double(1 << 52)
    return scaled.isNaN ? 0 : Int(max(-limit, min(limit, scaled)))
  }

  /// Returns the pixel rectangle whose edges are nearest to those of a rectangle in points.
  public func pixelRect(_ rect: Rect) -> PixelRect {
    let left = pixel(rect.minX)
    let top = pixel(rect.minY)
    return PixelRect(x: left, y: top, width: pixel(rect.maxX) &- left, height: pixel(rect.maxY) &- top)
  }

  /// Returns the coordinate, in points, rounded to the nearest whole pixel.
  public func snapped(_ coordinate: Double) -> Double {
    (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero) / pixelsPerPoint
  }

  /// Returns the length of a number of pixels, in points.
  public func length(ofPixels pixels: Int32) -> Double { Double(pixels) / pixelsPerPoint }
}
