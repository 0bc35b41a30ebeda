import Geometry
import Rendering

/// Masks of quarter discs, white on nothing, from which rounded rectangles and rounded corners are put together.
///
/// They are few and small, and drawing that is kept names them: their textures stay.
final class ShapeCache {
  private struct Shape {
    var radius: Int
    var isInverted: Bool
    var lease = TextureLease()
  }

  private var shapes: [Shape] = []

  /// The texture of a bitmap of 2 × radius pixels a side holding a disc, or what lies around it where inverted.
  func disc(radius: Int, isInverted: Bool, in resources: RenderResources) -> TextureID? {
    for index in shapes.indices where shapes[index].radius == radius && shapes[index].isInverted == isInverted {
      return shapes[index].lease.texture(in: resources, isDemanded: true)
    }
    var shape = Shape(radius: radius, isInverted: isInverted)
    shape.lease.replace(with: ShapeCache.bitmap(radius: radius, isInverted: isInverted))
    let texture = shape.lease.texture(in: resources, isDemanded: true)
    shapes.append(shape)
    return texture
  }

  private static func bitmap(radius: Int, isInverted: Bool) -> Bitmap? {
    let side = radius * 2
    guard let size = PixelSize(width: side, height: side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
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
  }

  func removeAll() {
    for index in shapes.indices { shapes[index].lease.release() }
    shapes.removeAll()
  }
}
