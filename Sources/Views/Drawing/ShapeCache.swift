import Geometry
import Rendering

/// Masks of quarter discs and of shadows' corners, white on nothing, from which rounded rectangles and their shadows are put
/// together.
///
/// They are few and small, and drawing that is kept names them: their textures stay.
final class ShapeCache {
  private enum Kind: Hashable {
    case disc(radius: Int, isInverted: Bool)
    case shadow(ShadowShape)
  }

  private struct Shape {
    let kind: Kind
    var lease = TextureLease()
    /// The leased texture, and of which textures it is one.
    var texture = TextureID.none
    var generation = -1
  }

  private var shapes: [Shape] = []

  /// The texture of a bitmap of 2 × radius pixels a side holding a disc, or what lies around it where inverted.
  func disc(radius: Int, isInverted: Bool, in resources: RenderResources) -> TextureID? {
    texture(of: .disc(radius: radius, isInverted: isInverted), resources) {
      ShapeCache.discBitmap(radius: radius, isInverted: isInverted)
    }
  }

  /// The texture of a shadow's corners.
  func shadow(_ shadow: ShadowShape, in resources: RenderResources) -> TextureID? {
    texture(of: .shadow(shadow), resources) { shadow.bitmap }
  }

  private func texture(of kind: Kind, _ resources: RenderResources, _ paint: () -> Bitmap?) -> TextureID? {
    var place = 0
    while place < shapes.count {
      if shapes[place].kind == kind { return texture(at: place, resources) }
      place += 1
    }
    var shape = Shape(kind: kind)
    shape.lease.replace(with: paint())
    shapes.append(shape)
    return texture(at: place, resources)
  }

  /// The texture of a shape, which stays as long as textures are not lost.
  private func texture(at place: Int, _ resources: RenderResources) -> TextureID? {
    let generation = resources.textures.generation
    if shapes[place].generation == generation { return shapes[place].texture }
    guard let texture = shapes[place].lease.texture(in: resources, createsIfNeeded: true) else { return nil }
    shapes[place].texture = texture
    shapes[place].generation = generation
    return texture
  }

  private static func discBitmap(radius: Int, isInverted: Bool) -> Bitmap? {
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
