import Geometry
import Rendering

/// Masks of quarter discs, white on nothing, from which rounded rectangles and rounded corners are put together.
final class ShapeCache {
  private struct Key: Hashable {
    var radius: Int
    var isInverted: Bool
  }

  private var corners: [Key: Bitmap] = [:]

  /// A bitmap of 2 × radius pixels a side holding a disc, or what lies around it where inverted.
  func disc(radius: Int, isInverted: Bool) -> Bitmap? {
    let key = Key(radius: radius, isInverted: isInverted)
    if let bitmap = corners[key] { return bitmap }
    let side = radius * 2
    guard let size = PixelSize(width: side, height: side) else { return nil }
    let bitmap = try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      let center = Double(radius)
      for y in 0..<side {
        for x in 0..<side {
          let dx = Double(x) + 0.5 - center
          let dy = Double(y) + 0.5 - center
          let inside = max(0, min(1, center - (dx * dx + dy * dy).squareRoot() + 0.5))
          let coverage = isInverted ? 1 - inside : inside
          words[y * side + x] = UInt32(littleEndian: Color.white.opacity(coverage).packed)
        }
      }
    }
    corners[key] = bitmap
    return bitmap
  }

  func removeAll() { corners.removeAll() }
}
