/// A half-open rectangle in points, with the y-axis pointing down.
///
/// The right and bottom edges lie outside the rectangle, so neighbors never overlap.
public struct Rect: Hashable, Sendable {
  /// The top-left corner.
  public var origin: Point
  /// The width and height.
  public var size: Size

  /// The empty rectangle at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Creates a rectangle from its origin and size.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from its coordinates and extent.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The x-coordinate of the left edge.
  public var minX: Double { origin.x }
  /// The y-coordinate of the top edge.
  public var minY: Double { origin.y }
  /// The x-coordinate of the right edge, which lies outside the rectangle.
  public var maxX: Double { origin.x + size.width }
  /// The y-coordinate of the bottom edge, which lies outside the rectangle.
  public var maxY: Double { origin.y + size.height }
  /// The x-coordinate of the center.
  public var midX: Double { origin.x + size.width / 2 }
  /// The y-coordinate of the center.
  public var midY: Double { origin.y + size.height / 2 }
  /// The width in points.
  public var width: Double { size.width }
  /// The height in points.
  public var height: Double { size.height }
  /// A Boolean value that indicates whether the rectangle contains no point.
  public var isEmpty: Bool { size.isEmpty }

  /// Returns whether the rectangle contains a point; points on the right and bottom edges are outside.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Returns whether the two rectangles share a point.
  public func intersects(_ other: Rect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// Returns the intersection of two rectangles; empty, at this rectangle's origin, if they share no point.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return Rect(origin: origin, size: .zero) }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Returns the rectangle moved by a vector.
  public func offset(by vector: Point) -> Rect {
    Rect(origin: origin + vector, size: size)
  }

  /// Returns the rectangle with its edges moved inward; its extent never becomes negative.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}

/// A point or vector in points, with the y-axis pointing down.
public struct Point: Hashable, Sendable, BitwiseCopyable {
  /// The x-coordinate; it increases to the right.
  public var x: Double
  /// The y-coordinate; it increases downward.
  public var y: Double

  /// The origin.
  public static let zero = Point(x: 0, y: 0)

  /// Creates a point from its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Returns the point moved by a vector.
  public static func + (point: Point, vector: Point) -> Point {
    Point(x: point.x + vector.x, y: point.y + vector.y)
  }

  /// Returns the vector from one point to another.
  public static func - (end: Point, start: Point) -> Point {
    Point(x: end.x - start.x, y: end.y - start.y)
  }

  /// The coordinate along an axis.
  public subscript(axis: Axis) -> Double {
    get { axis == .horizontal ? x : y }
    set { if axis == .horizontal { x = newValue } else { y = newValue } }
  }
}

/// A width and height in points.
public struct Size: Hashable, Sendable {
  /// The width in points.
  public var width: Double
  /// The height in points.
  public var height: Double

  /// The size with no extent.
  public static let zero = Size(width: 0, height: 0)

  /// Creates a size from its width and height.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// A Boolean value that indicates whether the width or the height is not positive.
  public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// The extent along an axis.
  public subscript(axis: Axis) -> Double {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }
}

/// Inward distances from the four edges of a rectangle, in points.
public struct Insets: Hashable, Sendable {
  /// The distance from the top edge.
  public var top: Double
  /// The distance from the left edge.
  public var left: Double
  /// The distance from the bottom edge.
  public var bottom: Double
  /// The distance from the right edge.
  public var right: Double

  /// The insets with all distances 0.
  public static let zero = Insets(uniform: 0)

  /// Creates insets from their distances.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Creates insets with the same distance from each edge.
  public init(uniform distance: Double) {
    self.init(top: distance, left: distance, bottom: distance, right: distance)
  }
}

/// A direction of layout or of scrolling.
public enum Axis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical

  /// The perpendicular axis.
  public var cross: Axis { self == .horizontal ? .vertical : .horizontal }
}
