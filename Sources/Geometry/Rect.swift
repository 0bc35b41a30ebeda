/// A rectangle in points, y down and half open: its right and bottom edges lie outside it, so neighbours never overlap.
public struct Rect: Hashable, Sendable {
  /// The top left corner.
  public var origin: Point
  /// The extent.
  public var size: Size

  /// The empty rectangle at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// Makes a rectangle from its corner and extent.
  public init(origin: Point, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// Makes a rectangle from its numbers.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }

  /// The left edge.
  public var minX: Double { origin.x }
  /// The top edge.
  public var minY: Double { origin.y }
  /// The right edge, outside the rectangle.
  public var maxX: Double { origin.x + size.width }
  /// The bottom edge, outside the rectangle.
  public var maxY: Double { origin.y + size.height }
  /// Half way between left and right.
  public var midX: Double { origin.x + size.width / 2 }
  /// Half way between top and bottom.
  public var midY: Double { origin.y + size.height / 2 }
  /// Points across.
  public var width: Double { size.width }
  /// Points down.
  public var height: Double { size.height }
  /// Whether no point lies within.
  public var isEmpty: Bool { size.isEmpty }

  /// Whether a point lies within; the right and bottom edges do not.
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  /// Whether the two share a point.
  public func intersects(_ other: Rect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// What the two share; empty at this rectangle's origin when they share nothing.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return Rect(origin: origin, size: .zero) }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The rectangle moved by a vector.
  public func offset(by vector: Point) -> Rect {
    Rect(origin: origin + vector, size: size)
  }

  /// The rectangle with its edges moved inwards; never narrower than nothing.
  public func inset(by insets: Insets) -> Rect {
    Rect(
      x: minX + insets.left, y: minY + insets.top,
      width: max(0, width - insets.left - insets.right),
      height: max(0, height - insets.top - insets.bottom))
  }
}
