import Geometry
import Rendering

/// A framed picture of hills and a sun, struck through where it stands for a broken one; painted at any size.
enum PictureIcon {
  /// Paints the icon white on nothing, to be tinted.
  ///
  /// Coverage comes from distances to the shapes' edges, so that edges are smooth at every size.
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

  /// The distance to the nearest edge of the whole icon in units of a 48th of its side; negative inside.
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
    // A gap on both sides of the strike keeps it legible over the frame.
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
