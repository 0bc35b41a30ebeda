internal import VitrineGeometry

/// A rectangle of whole pixels in the content, with edges as exact 64-bit integers.
///
/// Layouts compute in pixels, so that adjacent rectangles share an edge and rounding errors do not accumulate. Frames
/// are converted to points once, when they are returned to the client.
struct PixelFrame: Hashable, Sendable {
  var minX: Int
  var minY: Int
  /// The right edge, exclusive.
  var maxX: Int
  /// The bottom edge, exclusive.
  var maxY: Int

  static let zero = PixelFrame(minX: 0, minY: 0, maxX: 0, maxY: 0)

  var width: Int { maxX - minX }
  var height: Int { maxY - minY }
  var isEmpty: Bool { maxX <= minX || maxY <= minY }

  /// Returns the start edge along an axis.
  func start(_ axis: Axis) -> Int { axis == .horizontal ? minX : minY }
  /// Returns the end edge along an axis.
  func end(_ axis: Axis) -> Int { axis == .horizontal ? maxX : maxY }
  /// Returns the length along an axis.
  func length(_ axis: Axis) -> Int { axis == .horizontal ? maxX - minX : maxY - minY }

  /// Returns whether the rectangles share a pixel.
  func intersects(_ other: PixelFrame) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// Returns the rectangle moved by the given distances.
  func offset(x: Int, y: Int) -> PixelFrame {
    PixelFrame(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
  }

  /// Returns the rectangle with all edges moved outward.
  func grown(by distance: Int) -> PixelFrame {
    PixelFrame(minX: minX - distance, minY: minY - distance, maxX: maxX + distance, maxY: maxY + distance)
  }

  /// Returns the rectangle with each edge clamped to a distance from 0.
  func clamped(to distance: Int) -> PixelFrame {
    PixelFrame(
      minX: max(-distance, minX), minY: max(-distance, minY), maxX: min(distance, maxX), maxY: min(distance, maxY))
  }

  /// Returns the rectangle moved along an axis.
  func offset(_ distance: Int, along axis: Axis) -> PixelFrame {
    axis == .horizontal ? offset(x: distance, y: 0) : offset(x: 0, y: distance)
  }
}

/// Rounding of computed edges to pixels.
enum PixelEdge {
  /// Returns the nearest pixel; halves are rounded up, including those that rounding errors moved below the half.
  ///
  /// Therefore two edges that are a whole number of pixels apart stay that far apart, and gaps are equal.
  static func nearest(_ edge: Double) -> Int {
    Int((edge + 0.5 + 0x1p-16).rounded(.down))
  }
}

/// The conversion between pixels and points, and between reading direction and left-to-right coordinates.
///
/// Inside a layout, all lengths are whole pixels in reading direction.
struct ContentSpace: Hashable, Sendable {
  /// The number of pixels per point.
  let pixelsPerPoint: Double
  /// The width in pixels in which frames are mirrored, or nil in left-to-right layouts.
  var mirrorWidth: Int?

  /// The maximum absolute value of an edge in a query.
  static let maximumEdge = 1 << 60

  /// Returns an edge in points.
  @inline(__always)
  func points(_ pixels: Int) -> Double { Double(pixels) / pixelsPerPoint }

  /// Returns the rectangle in points.
  ///
  /// Origins are exact. Equal widths in pixels have equal widths in points, unless the right edge would exceed the left
  /// edge of an adjacent rectangle; then the width is reduced by a rounding error, so that adjacent rectangles never
  /// overlap.
  @inline(__always)
  func rect(_ frame: PixelFrame) -> Rect {
    let frame = mirrored(frame)
    let left = points(frame.minX)
    let top = points(frame.minY)
    let right = points(frame.maxX)
    let bottom = points(frame.maxY)
    var width = points(frame.width)
    var height = points(frame.height)
    if left + width != right, right > left { width = ContentSpace.extent(from: left, to: right) }
    if top + height != bottom, bottom > top { height = ContentSpace.extent(from: top, to: bottom) }
    return Rect(x: left, y: top, width: width, height: height)
  }

  /// Returns the largest extent from a start that does not exceed an end.
  private static func extent(from start: Double, to end: Double) -> Double {
    let extent = end - start
    return start + extent > end ? extent.nextDown : extent
  }

  /// Returns the pixels that a rectangle intersects, or nil if it is empty or has an edge that is NaN.
  @inline(__always)
  func pixels(touching rect: Rect) -> PixelFrame? {
    guard !rect.isEmpty, !rect.minX.isNaN, !rect.maxX.isNaN, !rect.minY.isNaN, !rect.maxY.isNaN else { return nil }
    return mirrored(
      PixelFrame(
        minX: lastEdge(atOrBefore: rect.minX), minY: lastEdge(atOrBefore: rect.minY),
        maxX: firstEdge(atOrAfter: rect.maxX), maxY: firstEdge(atOrAfter: rect.maxY)))
  }

  /// Returns the pixel edge nearest to a coordinate, limited to the range that can be computed with.
  @inline(__always)
  func nearestEdge(_ coordinate: Double) -> Int {
    let limit = Double(ContentSpace.maximumEdge)
    let edge = (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    return edge > -limit ? Int(min(edge, limit)) : -ContentSpace.maximumEdge
  }

  /// Returns the mirrored rectangle in right-to-left layouts.
  @inline(__always)
  func mirrored(_ frame: PixelFrame) -> PixelFrame {
    guard let mirrorWidth else { return frame }
    return PixelFrame(
      minX: mirrorWidth &- frame.maxX, minY: frame.minY, maxX: mirrorWidth &- frame.minX, maxY: frame.maxY)
  }

  /// Returns the last pixel edge that is not after a coordinate, within rounding errors.
  ///
  /// An item that ends there does not intersect a rectangle that starts at the coordinate. The end of a frame is the
  /// sum of an origin and an extent, and a coordinate computed that way may have a rounding error.
  private func lastEdge(atOrBefore coordinate: Double) -> Int {
    let edge = nearestEdge(coordinate)
    guard edge.magnitude < ContentSpace.maximumEdge else { return edge }
    return points(edge) > coordinate + coordinate.magnitude * 0x1p-51 ? edge - 1 : edge
  }

  /// Returns the first pixel edge that is not before a coordinate.
  ///
  /// The start of a frame is exact.
  private func firstEdge(atOrAfter coordinate: Double) -> Int {
    let edge = nearestEdge(coordinate)
    guard edge.magnitude < ContentSpace.maximumEdge else { return edge }
    return points(edge) < coordinate ? edge + 1 : edge
  }
}
