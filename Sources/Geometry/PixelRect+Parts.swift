extension PixelRect {
  /// The number of pixels.
  package var area: Int { isEmpty ? 0 : Int(width) * Int(height) }

  /// The same rectangle at another place.
  package func offsetBy(x: Int32, y: Int32) -> PixelRect {
    PixelRect(x: self.x &+ x, y: self.y &+ y, width: width, height: height)
  }

  /// Whether every pixel of another rectangle lies within.
  package func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || (other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY)
  }

  /// Whether the two share a pixel.
  package func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// The least rectangle around both.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Hands out the pixels that lie outside another rectangle, as at most four rectangles.
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
