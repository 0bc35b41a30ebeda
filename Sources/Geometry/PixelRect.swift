/// A rectangle of whole pixels, half open.
public struct PixelRect: Hashable, Sendable, BitwiseCopyable {
  /// The left edge.
  public var x: Int32
  /// The top edge.
  public var y: Int32
  /// Pixels across.
  public var width: Int32
  /// Pixels down.
  public var height: Int32

  /// The empty rectangle at the origin.
  public static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// Makes a rectangle from its numbers.
  public init(x: Int32, y: Int32, width: Int32, height: Int32) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether no pixel lies within.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The right edge, outside the rectangle.
  public var maxX: Int32 { x &+ width }

  /// The bottom edge, outside the rectangle.
  public var maxY: Int32 { y &+ height }

  /// What the two share; empty when they share nothing.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return PixelRect(x: left, y: top, width: 0, height: 0) }
    return PixelRect(x: left, y: top, width: right &- left, height: bottom &- top)
  }
}
