import Rendering

/// A view's hold on the texture of the bitmap that it shows.
struct TextureLease {
  private(set) var bitmap: Bitmap?
  private weak var resources: RenderResources?
  private var isHeld = false
  private var generation = -1

  /// Shows another bitmap, or none.
  mutating func replace(with bitmap: Bitmap?) {
    guard bitmap !== self.bitmap else { return }
    release()
    self.bitmap = bitmap
  }

  /// The texture, leased; nothing while the bitmap is none yet.
  mutating func texture(in resources: RenderResources, isDemanded: Bool) -> TextureID? {
    guard let bitmap else { return nil }
    if generation != resources.generation || self.resources !== resources {
      isHeld = false
      generation = resources.generation
      self.resources = resources
    }
    let texture =
      isDemanded ? resources.textures.demandTexture(for: bitmap) : resources.textures.texture(for: bitmap)
    guard let texture else { return nil }
    if !isHeld { isHeld = resources.textures.lease(bitmap) }
    return texture
  }

  /// Returns the hold.
  mutating func release() {
    if isHeld, let bitmap, let resources, generation == resources.generation { resources.textures.endLease(bitmap) }
    isHeld = false
  }
}
