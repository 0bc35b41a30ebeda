public import Rendering

/// A view's hold on the texture of the bitmap that it shows: while it is held the texture stays.
///
/// Whoever draws a bitmap holds a lease on it: drawing may be kept for long, and a texture that nobody leases goes when
/// room is needed. Its owner releases it in the end.
public struct TextureLease {
  /// The bitmap that is shown.
  public private(set) var bitmap: Bitmap?
  private weak var resources: RenderResources?
  private var isLeased = false
  private var generation = -1

  /// Makes a lease on nothing.
  public init() {}

  /// Shows another bitmap, or none.
  public mutating func replace(with bitmap: Bitmap?) {
    guard bitmap !== self.bitmap else { return }
    release()
    self.bitmap = bitmap
  }

  /// The texture, leased; nothing while the bitmap is none yet.
  ///
  /// - Parameters:
  ///   - resources: the display's.
  ///   - isDemanded: whether to make the texture now, where it is none: for small bitmaps.
  public mutating func texture(in resources: RenderResources, createsIfNeeded: Bool) -> TextureID? {
    guard let bitmap else { return nil }
    if self.resources !== resources || generation != resources.textures.generation {
      release()
      generation = resources.textures.generation
      self.resources = resources
    }
    let texture =
      createsIfNeeded ? resources.textures.makeTextureIfNeeded(for: bitmap) : resources.textures.texture(for: bitmap)
    guard let texture else { return nil }
    if !isLeased { isLeased = resources.textures.lease(bitmap) }
    return texture
  }

  /// Shows another bitmap, or none, where the one before will not be shown again: its texture goes at once.
  mutating func replaceAndEvict(with bitmap: Bitmap?) {
    guard bitmap !== self.bitmap else { return }
    releaseAndEvict()
    self.bitmap = bitmap
  }

  /// Returns the hold on a texture that is not needed for now, which goes at once unless somebody else holds it.
  mutating func releaseAndEvict() {
    guard isLeased, let bitmap else { return }
    release()
    resources?.textures.evictTexture(of: bitmap)
  }

  /// Returns the hold.
  public mutating func release() {
    if isLeased, let bitmap, let resources, generation == resources.textures.generation {
      resources.textures.endLease(bitmap)
    }
    isLeased = false
  }
}
