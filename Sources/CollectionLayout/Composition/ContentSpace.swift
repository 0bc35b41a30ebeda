internal import Geometry

/// The one place where pixels of the content become points and points become pixels, and where left becomes right.
///
/// Within a layout everything is counted in whole pixels from where reading begins.
struct ContentSpace: Hashable, Sendable {
  /// Pixels a point.
  let pixelsPerPoint: Double
  /// The width in pixels about whose middle everything is mirrored, or nothing where one reads to the right.
  var mirrorWidth: Int?

  /// The farthest edge of a rectangle that is asked about.
  static let farthest = 1 << 60

  /// An edge in points.
  @inline(__always)
  func points(_ pixels: Int) -> Double { Double(pixels) / pixelsPerPoint }

  /// The rectangle in points.
  ///
  /// Origins are exact. A width that is as many pixels as another is the same number of points, unless that would lead
  /// beyond the edge at which a neighbour begins: then it is less by a rounding error, so that neighbours never overlap.
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

  /// The extent that leads to an edge, or to the last number before it.
  private static func extent(from start: Double, to end: Double) -> Double {
    let extent = end - start
    return start + extent > end ? extent.nextDown : extent
  }

  /// The whole pixels with which a rectangle shares a point; nothing for one that is empty or has an edge that is no
  /// number.
  @inline(__always)
  func pixels(touching rect: Rect) -> PixelFrame? {
    guard !rect.isEmpty, !rect.minX.isNaN, !rect.maxX.isNaN, !rect.minY.isNaN, !rect.maxY.isNaN else { return nil }
    return mirrored(
      PixelFrame(
        minX: lastEdge(atOrBefore: rect.minX), minY: lastEdge(atOrBefore: rect.minY),
        maxX: firstEdge(atOrBehind: rect.maxX), maxY: firstEdge(atOrBehind: rect.maxY)))
  }

  /// The whole pixel nearest to a coordinate, and nothing that cannot be computed with.
  @inline(__always)
  func nearestEdge(_ coordinate: Double) -> Int {
    let far = Double(ContentSpace.farthest)
    let edge = (coordinate * pixelsPerPoint).rounded(.toNearestOrAwayFromZero)
    return edge > -far ? Int(min(edge, far)) : -ContentSpace.farthest
  }

  /// The rectangle as seen in a mirror, where there is one.
  @inline(__always)
  func mirrored(_ frame: PixelFrame) -> PixelFrame {
    guard let mirrorWidth else { return frame }
    return PixelFrame(
      minX: mirrorWidth &- frame.maxX, minY: frame.minY, maxX: mirrorWidth &- frame.minX, maxY: frame.maxY)
  }

  /// The last edge of a pixel that is not behind a coordinate: what ends there shares nothing with what begins at the
  /// coordinate.
  ///
  /// By a rounding error it may be: where a frame ends is an extent added to an origin, and so may be that coordinate.
  private func lastEdge(atOrBefore coordinate: Double) -> Int {
    let edge = nearestEdge(coordinate)
    guard edge.magnitude < ContentSpace.farthest else { return edge }
    return points(edge) > coordinate + coordinate.magnitude * 0x1p-51 ? edge - 1 : edge
  }

  /// The first edge of a pixel that is not before a coordinate: where a frame begins is exact.
  private func firstEdge(atOrBehind coordinate: Double) -> Int {
    let edge = nearestEdge(coordinate)
    guard edge.magnitude < ContentSpace.farthest else { return edge }
    return points(edge) < coordinate ? edge + 1 : edge
  }
}
