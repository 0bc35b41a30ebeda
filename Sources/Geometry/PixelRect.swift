/// A half-open rectangle of whole pixels.
public struct PixelRect: Hashable, Sendable, BitwiseCopyable {
  /// The left edge.
  public var x: Int32
  /// The top edge.
  public var y: Int32
  /// The width in pixels.
  public var width: Int32
  /// The height in pixels.
  public var height: Int32

  /// The empty rectangle at the origin.
  public static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// Creates a rectangle from its origin and extent.
  public init(x: Int32, y: Int32, width: Int32, height: Int32) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A Boolean value that indicates whether the rectangle contains no pixels.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The x-coordinate of the right edge, which lies outside the rectangle.
  public var maxX: Int32 { x &+ width }

  /// The y-coordinate of the bottom edge, which lies outside the rectangle.
  public var maxY: Int32 { y &+ height }

  /// Returns the intersection of two rectangles; empty if they share no pixel.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return PixelRect(x: left, y: top, width: 0, height: 0) }
    return PixelRect(x: left, y: top, width: right &- left, height: bottom &- top)
  }
}

extension PixelRect {
  /// The number of pixels in the rectangle.
  package var area: Int { isEmpty ? 0 : Int(width) * Int(height) }

  /// Returns the rectangle moved by an offset.
  package func offsetBy(x: Int32, y: Int32) -> PixelRect {
    PixelRect(x: self.x &+ x, y: self.y &+ y, width: width, height: height)
  }

  /// Returns whether the rectangle contains every pixel of another rectangle.
  package func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY)
  }

  /// Returns whether the two rectangles share a pixel.
  package func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// Returns the smallest rectangle that contains both rectangles.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Calls a closure with the parts of the rectangle that lie outside another rectangle, at most four rectangles.
  package func forEachRect(outside other: PixelRect, _ body: (PixelRect) -> Void) {
    guard !isEmpty else { return }
    let shared = intersection(other)
    guard !shared.isEmpty else { return body(self) }
    let parts = (
      PixelRect(x: x, y: y, width: width, height: shared.y - y),
      PixelRect(x: x, y: shared.maxY, width: width, height: maxY - shared.maxY),
      PixelRect(x: x, y: shared.y, width: shared.x - x, height: shared.height),
      PixelRect(x: shared.maxX, y: shared.y, width: maxX - shared.maxX, height: shared.height)
    )
    if !parts.0.isEmpty { body(parts.0) }
    if !parts.1.isEmpty { body(parts.1) }
    if !parts.2.isEmpty { body(parts.2) }
    if !parts.3.isEmpty { body(parts.3) }
  }
}

/// A validated extent in pixels.
///
/// Only this type multiplies the dimensions that files claim.
public struct PixelSize: Hashable, Sendable {
  /// The longest accepted side, in pixels.
  public static let maximumSide = 65_535
  /// The largest accepted size.
  public static let maximum = PixelSize(unchecked: maximumSide, maximumSide)

  /// The width in pixels, at least 1.
  public let width: Int
  /// The height in pixels, at least 1.
  public let height: Int

  /// Creates a size, or returns nil if a side is outside 1...``maximumSide``.
  public init?(width: Int, height: Int) {
    guard (1...PixelSize.maximumSide).contains(width), (1...PixelSize.maximumSide).contains(height) else {
      return nil
    }
    self.width = width
    self.height = height
  }

  /// The number of pixels; it cannot overflow, because each side is bounded.
  public var area: Int { width * height }

  /// The number of bytes that the pixels occupy at four bytes each.
  public var bytesAtFourPerPixel: Int { area * 4 }

  /// The size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(unchecked: height, width) }

  /// Returns the largest size of the same aspect ratio with at most the given number of pixels, or the size itself if
  /// it is small enough.
  public func scaled(toMaximumArea maximumArea: Int) -> PixelSize {
    guard area > maximumArea, maximumArea > 0 else { return self }
    let factor = (Double(maximumArea) / Double(area)).squareRoot()
    return PixelSize(unchecked: max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
  }

  private init(unchecked width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}
