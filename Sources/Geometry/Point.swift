/// A place in points, y down.
public struct Point: Hashable, Sendable, BitwiseCopyable {
  /// Points to the right of the origin.
  public var x: Double
  /// Points below the origin.
  public var y: Double

  /// The origin.
  public static let zero = Point(x: 0, y: 0)

  /// Makes a point from its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The point moved by a vector.
  public static func + (point: Point, vector: Point) -> Point {
    Point(x: point.x + vector.x, y: point.y + vector.y)
  }

  /// The vector from one point to another.
  public static func - (end: Point, start: Point) -> Point {
    Point(x: end.x - start.x, y: end.y - start.y)
  }

  /// The coordinate along an axis.
  public subscript(axis: Axis) -> Double {
    get { axis == .horizontal ? x : y }
    set { if axis == .horizontal { x = newValue } else { y = newValue } }
  }
}
