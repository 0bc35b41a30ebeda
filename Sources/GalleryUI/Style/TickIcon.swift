import Geometry
import Rendering

/// A tick, painted at any size.
enum TickIcon {
  /// Paints the tick white on nothing, to be tinted.
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

  /// The distance to the nearest edge in units of a 24th of the side; negative inside.
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
