public import VitrineGeometry

extension Path {
  /// Returns whether a point is in the area that the path encloses.
  ///
  /// A subpath that is not closed is treated as if it were. A point on the left or upper edge is inside, one on the right
  /// or lower edge is not, so that areas beside each other share no point. Curves are followed to a twentieth of a point.
  ///
  /// - Parameters:
  ///   - point: The point, in the coordinates of the path.
  ///   - rule: Which points are inside a path that overlaps itself. Default: `winding`.
  /// - Complexity: O(elements), and for a curve the square root of its length.
  public func contains(_ point: Point, rule: FillRule = .winding) -> Bool {
    guard point.x.isFinite, point.y.isFinite else { return false }
    var count = WindingCount(around: point)
    for element in elements {
      switch element {
      case .move(let point): count.move(to: point)
      case .line(let point): count.addLine(to: point)
      case .quadCurve(let point, let control):
        // The same curve as a cubic one.
        let start = count.current
        count.addCurve(to: point, start + (control - start) * (2 / 3), point + (control - point) * (2 / 3))
      case .curve(let point, let control1, let control2): count.addCurve(to: point, control1, control2)
      case .close: count.close()
      }
    }
    count.close()
    return rule == .winding ? count.value != 0 : count.value % 2 != 0
  }
}

/// The number of times that a path winds around a point (Sunday, Inclusion of a Point in a Polygon).
private struct WindingCount {
  private let point: Point
  private var start = Point.zero
  private(set) var current = Point.zero
  private(set) var value = 0

  /// The greatest distance between a curve and the lines that stand for it, in points.
  private static let tolerance = 0.05

  init(around point: Point) { self.point = point }

  mutating func move(to next: Point) {
    close()
    (start, current) = (next, next)
  }

  mutating func close() { addLine(to: start) }

  mutating func addLine(to next: Point) {
    let (first, last) = (current, next)
    current = next
    guard (first.y <= point.y) != (last.y <= point.y) else { return }
    let side = (last.x - first.x) * (point.y - first.y) - (point.x - first.x) * (last.y - first.y)
    if last.y > first.y, side > 0 { value += 1 } else if last.y < first.y, side < 0 { value -= 1 }
  }

  mutating func addCurve(to last: Point, _ control1: Point, _ control2: Point) {
    let first = current
    let ys = [first.y, control1.y, control2.y, last.y]
    // A curve is within its control points.
    guard let low = ys.min(), let high = ys.max(), low <= point.y, high >= point.y else { return addLine(to: last) }
    // The number of equal parts that are as straight (Wang 1984, in Goldman, Pyramid Algorithms, 5.6.3).
    let bends = [first - control1 * 2 + control2, control1 - control2 * 2 + last]
    let bend = bends.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }.max() ?? 0
    let parts = (6 * bend / (8 * WindingCount.tolerance)).squareRoot().rounded(.up)
    guard parts.isFinite, parts > 1 else { return addLine(to: last) }
    let count = Int(min(parts, 1_000))
    for index in 1..<count {
      let t = Double(index) / Double(count)
      let s = 1 - t
      addLine(
        to: first * (s * s * s) + control1 * (3 * s * s * t) + control2 * (3 * s * t * t) + last * (t * t * t))
    }
    addLine(to: last)
  }
}

extension Point {
  fileprivate static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }
}
