import VitrineGeometry
import VitrineRendering

/// An icon of lines of equal width, described on a grid of 24 by 24 units.
///
/// It is rendered at any size, and no file is needed.
nonisolated struct LineIcon: Hashable, Sendable {
  /// A line of the icon.
  enum Stroke: Hashable, Sendable {
    /// Connected segments.
    case path([Point])
    /// A circle.
    case circle(Point, radius: Double)
    /// A filled circle.
    case disc(Point, radius: Double)
    /// A rectangle with rounded corners.
    case box(Rect, radius: Double)
  }

  /// The lines.
  let strokes: [Stroke]
  /// The width of the lines, in units.
  let lineWidth: Double

  /// Creates an icon.
  init(lineWidth: Double = 1.7, _ strokes: [Stroke]) {
    self.strokes = strokes
    self.lineWidth = lineWidth
  }

  /// Renders the icon in white on transparent.
  ///
  /// - Parameter side: The side length in pixels.
  /// - Returns: The bitmap, or nil if there is not enough memory.
  func bitmap(side: Int) -> Bitmap? { Bitmap.shape(side: side, units: 24, distance: distance) }

  /// Returns the signed distance of a point to the nearest edge, in units; negative inside.
  func distance(to point: Point) -> Double {
    var least = Double.greatestFiniteMagnitude
    for stroke in strokes {
      switch stroke {
      case .path(let points):
        for (start, end) in zip(points, points.dropFirst()) {
          least = min(least, Distance.toSegment(point, start, end) - lineWidth / 2)
        }
      case .circle(let center, let radius):
        least = min(least, abs(Distance.between(point, center) - radius) - lineWidth / 2)
      case .disc(let center, let radius): least = min(least, Distance.between(point, center) - radius)
      case .box(let rect, let radius):
        least = min(least, abs(Distance.toBox(point, rect, radius: radius)) - lineWidth / 2)
      }
    }
    return least
  }
}

extension Bitmap {
  /// Renders a shape in white on transparent.
  ///
  /// Coverage is computed from the distances to the edges of the shape, so that edges are smooth at every size.
  ///
  /// - Parameters:
  ///   - side: The side length in pixels.
  ///   - units: The side length in the units of the shape.
  ///   - distance: Returns the signed distance of a point to the nearest edge, in units; negative inside.
  /// - Returns: The bitmap, or nil if there is not enough memory.
  nonisolated static func shape(side: Int, units: Double, distance: (Point) -> Double) -> Bitmap? {
    guard let size = PixelSize(width: side, height: side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      let unit = Double(side) / units
      for row in 0..<side {
        for column in 0..<side {
          let point = Point(x: (Double(column) + 0.5) / unit, y: (Double(row) + 0.5) / unit)
          let coverage = max(0, min(1, 0.5 - distance(point) * unit))
          words[row * side + column] = UInt32(littleEndian: Color.white.opacity(coverage).packed)
        }
      }
    }
  }
}

/// Distances of points to shapes.
nonisolated enum Distance {
  /// Returns the distance between two points.
  static func between(_ first: Point, _ second: Point) -> Double {
    let vector = first - second
    return (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }

  /// Returns the distance of a point to a segment.
  static func toSegment(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let along = end - start
    let offset = point - start
    let square = along.x * along.x + along.y * along.y
    let share = square > 0 ? max(0, min(1, (offset.x * along.x + offset.y * along.y) / square)) : 0
    return between(point, Point(x: start.x + along.x * share, y: start.y + along.y * share))
  }

  /// Returns the signed distance of a point to the edge of a rectangle with rounded corners; negative inside.
  static func toBox(_ point: Point, _ rect: Rect, radius: Double) -> Double {
    let x = abs(point.x - rect.midX) - rect.width / 2 + radius
    let y = abs(point.y - rect.midY) - rect.height / 2 + radius
    let outside = (max(x, 0) * max(x, 0) + max(y, 0) * max(y, 0)).squareRoot()
    return outside + min(max(x, y), 0) - radius
  }
}

// MARK: - Icons

nonisolated extension LineIcon {
  private static func point(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ radius: Double = 1.2) -> Stroke
  { .box(Rect(x: x, y: y, width: width, height: height), radius: radius) }
  private static func line(_ points: (Double, Double)...) -> Stroke { .path(points.map { Point(x: $0.0, y: $0.1) }) }

  /// An arrow to the left.
  static let back = LineIcon([line((13, 6), (7, 12), (13, 18)), line((7.5, 12), (18, 12))])
  /// Arrow heads to the left and to the right, for the previous and the next picture.
  static let previous = LineIcon([line((14, 6.5), (8.5, 12), (14, 17.5))])
  static let next = LineIcon([line((10, 6.5), (15.5, 12), (10, 17.5))])
  /// Two pictures side by side.
  static let compare = LineIcon([box(3.5, 6, 7.5, 12), box(13, 6, 7.5, 12)])
  /// An arrow that turns clockwise.
  static let rotate = LineIcon([
    line((17.5, 9), (15.2, 6.9), (12, 6), (8.2, 7.4), (6.2, 10.6), (6.4, 14.4), (8.8, 17.2), (12.2, 18), (15.6, 16.8)),
    line((17.8, 4.6), (17.8, 9.2), (13.2, 9.2)),
  ])
  /// Pictures in a row.
  static let filmStrip = LineIcon([box(2.5, 8.5, 5, 7), box(9.5, 8.5, 5, 7), box(16.5, 8.5, 5, 7)])
  /// A letter i in a circle.
  static let information = LineIcon([
    .circle(point(12, 12), radius: 8), line((12, 11.2), (12, 16)), .disc(point(12, 8.2), radius: 1.1),
  ])
  /// A triangle, for playing.
  static let play = LineIcon([line((8.5, 6), (17.5, 12), (8.5, 18), (8.5, 6))])
  /// A magnifying glass.
  static let search = LineIcon([.circle(point(10.5, 10.5), radius: 5.5), line((14.6, 14.6), (19.5, 19.5))])
  /// A cross.
  static let close = LineIcon([line((7, 7), (17, 17)), line((17, 7), (7, 17))])
  /// Three lines.
  static let menu = LineIcon([line((5, 7), (19, 7)), line((5, 12), (19, 12)), line((5, 17), (19, 17))])
  /// A window with a column at the left.
  static let sideBar = LineIcon([box(4, 5, 16, 14, 2), line((9.5, 5), (9.5, 19))])
  /// Equal squares.
  static let grid = LineIcon([
    box(5, 5, 5.5, 5.5), box(13.5, 5, 5.5, 5.5), box(5, 13.5, 5.5, 5.5), box(13.5, 13.5, 5.5, 5.5),
  ])
  /// Rectangles of different widths in rows.
  static let justified = LineIcon([box(4, 5, 9, 5.5), box(16, 5, 4, 5.5), box(4, 13.5, 4, 5.5), box(11, 13.5, 9, 5.5)])
  /// A large square among small ones.
  static let mosaic = LineIcon([box(4, 5, 9, 14), box(16, 5, 4, 5.5), box(16, 13.5, 4, 5.5)])
  /// Lines with dots in front.
  static let list = LineIcon([
    .disc(point(5.5, 7), radius: 1.2), .disc(point(5.5, 12), radius: 1.2), .disc(point(5.5, 17), radius: 1.2),
    line((9.5, 7), (19.5, 7)), line((9.5, 12), (19.5, 12)), line((9.5, 17), (19.5, 17)),
  ])
  /// Lines of decreasing length.
  static let arrange = LineIcon([line((5, 7), (19, 7)), line((7.5, 12), (16.5, 12)), line((10, 17), (14, 17))])
  /// A folder.
  static let folder = LineIcon([
    line((4, 18), (4, 6), (9.5, 6), (11.5, 8.5), (20, 8.5), (20, 18), (4, 18))
  ])
  /// A clock.
  static let recent = LineIcon([.circle(point(12, 12), radius: 8), line((12, 7.5), (12, 12.2), (15.2, 14))])
  /// A page of a calendar.
  static let calendar = LineIcon([
    box(4.5, 6, 15, 13, 2), line((4.5, 10.5), (19.5, 10.5)), line((8.5, 4), (8.5, 7)), line((15.5, 4), (15.5, 7)),
  ])
  /// An arrow head to the right, between the parts of a path.
  static let chevron = LineIcon([line((10, 7.5), (14.5, 12), (10, 16.5))])
  /// A check mark.
  static let tick = LineIcon(lineWidth: 2.5, [line((6.4, 12.1), (10.5, 16.2), (17.8, 8))])
}

extension SharedIcon {
  /// Creates an icon of lines.
  convenience init(_ icon: LineIcon) { self.init { icon.bitmap(side: $0) } }
}
