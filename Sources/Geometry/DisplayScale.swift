/// How many pixels a point has, and the one place where points become pixels.
///
/// Edges are rounded, never extents: two rectangles that share an edge in points share it in pixels, so neighbours
/// neither overlap nor leave a gap.
public struct DisplayScale: Hashable, Sendable, BitwiseCopyable {
  /// Pixels a point; finite and positive.
  public let pixelsPerPoint: Double

  /// One pixel a point.
  public static let one = DisplayScale(pixelsPerPoint: 1)

  /// Makes a scale.
  ///
  /// A factor that is not finite and positive counts as 1: it comes from a driver, not from a caller.
  public init(pixelsPerPoint: Double) {
    self.pixelsPerPoint = pixelsPerPoint.isFinite && pixelsPerPoint > 0 ? pixelsPerPoint : 1
  }

  /// The pixel nearest to a coordinate in points.
  ///
  /// Coordinates outside what a screen can hold are clamped: such a rectangle is off screen either way.
  public func pixel(_ coordinate: Double) -> Int32 {
    let scaled = coordinate * pixelsPerPoint
    guard scaled > -1_000_000_000 else { return -1_000_000_000 }
    guard scaled < 1_000_000_000 else { return 1_000_000_000 }
    // The nearest, halves away from zero: `rounded()` calls the C library, and every cell's corner comes by here.
    let whole = Int32(scaled)
    let rest = scaled - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }

  /// The pixel of content nearest to a coordinate in points; content may be far longer than a screen.
  ///
  /// Coordinates of more than 2^52 pixels are clamped; what is no number counts as 0.
  public func contentPixel(_ coordinate: Double) -> Int {
    let scaled = (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    let most = Double(1 << 52)
    return scaled.isNaN ? 0 : Int(max(-most, min(most, scaled)))
  }

  /// The rectangle of pixels whose edges are nearest to those of a rectangle in points.
  public func pixelRect(_ rect: Rect) -> PixelRect {
    let left = pixel(rect.minX)
    let top = pixel(rect.minY)
    return PixelRect(x: left, y: top, width: pixel(rect.maxX) &- left, height: pixel(rect.maxY) &- top)
  }

  /// A coordinate moved to the nearest whole pixel, in points.
  public func snapped(_ coordinate: Double) -> Double {
    (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero) / pixelsPerPoint
  }

  /// A length in points for a number of pixels.
  public func length(ofPixels pixels: Int32) -> Double { Double(pixels) / pixelsPerPoint }
}
