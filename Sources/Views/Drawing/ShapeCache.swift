import VitrineGeometry
import VitrineRendering

/// A cache of masks of quarter discs and shadow corners, from which rounded rectangles and their shadows are composed.
///
/// The masks are few and small, and cached drawings refer to them, so their textures are never evicted.
final class ShapeCache {
  private enum Kind: Hashable {
    case disc(radius: Int, isInverted: Bool)
    case shadow(ShadowShape)
  }

  private struct Shape {
    let kind: Kind
    var lease = TextureLease()
    /// The leased texture, and the generation of textures to which it belongs.
    var texture = TextureID.none
    var generation = -1
  }

  private var shapes: [Shape] = []

  /// Returns a texture of 2 × radius pixels per side with a disc, or with the area around it if inverted.
  func disc(radius: Int, isInverted: Bool, in resources: RenderResources) -> TextureID? {
    texture(of: .disc(radius: radius, isInverted: isInverted), resources) {
      ShapeCache.discBitmap(radius: radius, isInverted: isInverted)
    }
  }

  /// Returns a texture of a shadow's corners.
  func shadow(_ shadow: ShadowShape, in resources: RenderResources) -> TextureID? {
    texture(of: .shadow(shadow), resources) { shadow.bitmap }
  }

  private func texture(of kind: Kind, _ resources: RenderResources, _ paint: () -> Bitmap?) -> TextureID? {
    var index = 0
    while index < shapes.count {
      if shapes[index].kind == kind { return texture(at: index, resources) }
      index += 1
    }
    var shape = Shape(kind: kind)
    shape.lease.replace(with: paint())
    shapes.append(shape)
    return texture(at: index, resources)
  }

  /// Returns the texture of a shape, which remains valid until textures are lost.
  private func texture(at index: Int, _ resources: RenderResources) -> TextureID? {
    let generation = resources.textures.generation
    if shapes[index].generation == generation { return shapes[index].texture }
    guard let texture = shapes[index].lease.texture(in: resources, createsIfNeeded: true) else { return nil }
    shapes[index].texture = texture
    shapes[index].generation = generation
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

/// The corners of a soft shadow in pixels, as a mask.
struct ShadowShape: Hashable {
  /// The corner radius of the rectangle that casts the shadow.
  let radius: Int
  /// The extent of the shadow.
  let reach: Int
  /// The vertical offset of the shadow.
  let verticalOffset: Int

  /// The inner extent of a corner's mask: up to where the corners of the rectangle leave the shadow visible.
  var innerLength: Int { radius + verticalOffset }
  /// The side of a corner's mask.
  var side: Int { innerLength + reach }

  /// Returns the darkness, 0 to 1, at a distance from the edge of the shifted rectangle; darkest next to its lower
  /// edge.
  func darkness(at distance: Double) -> Double {
    let share = max(0, min(1, (Double(reach) - distance) / Double(reach + verticalOffset)))
    return share * share
  }

  /// The mask of all four corners next to each other, in white.
  var bitmap: Bitmap? {
    guard let size = PixelSize(width: 2 * side, height: 2 * side) else { return nil }
    return try? Bitmap(size: size, isOpaque: false) { pixels in
      let words = pixels.bindMemory(to: UInt32.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (across, down) = (distanceFromArcCenter(of: x), distanceFromArcCenter(of: y))
          let distance = (across * across + down * down).squareRoot() - Double(radius)
          words[y * size.width + x] = UInt32(littleEndian: Color.white.opacity(darkness(at: distance)).packed)
        }
      }
    }
  }

  /// Returns the distance of the center of a row or column of pixels from the center of a corner's arc.
  private func distanceFromArcCenter(of index: Int) -> Double {
    max(0, abs(Double(index) + 0.5 - Double(side)) - Double(verticalOffset))
  }
}
