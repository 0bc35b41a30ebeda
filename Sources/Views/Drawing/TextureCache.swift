import VitrineDataStructures
import VitrineGeometry
public import VitrineRendering

/// A cache of the textures of bitmaps, bounded in bytes.
///
/// Displayed bitmaps are leased and remain; the others are evicted when space is needed, least recently used first. The
/// cache retains the bitmaps, so that lost textures can be created again.
@MainActor
public final class TextureCache {
  /// The maximum size of unleased textures in bytes; a small window has a lower limit.
  public var idleByteLimit = TextureCache.maximumIdleBytes {
    didSet { if idleByteLimit != oldValue { applyLimits() } }
  }
  /// The maximum size of unleased textures for the window's size, in bytes.
  var screenByteLimit = Int.max {
    didSet { if screenByteLimit != oldValue { applyLimits() } }
  }
  /// The default of ``idleByteLimit``, for any window.
  static let maximumIdleBytes = 48 << 20
  /// The number of screens of unleased textures for a small window, and the minimum size of a screen in bytes.
  private static let (idleScreenCount, minimumScreenBytes) = (5, 2 << 20)
  /// The number of textures created so far.
  public private(set) var uploadCount = 0
  /// The number of bytes uploaded so far.
  public private(set) var uploadedBytes = 0
  /// The number of textures that the display failed to create so far.
  package private(set) var failureCount = 0
  /// The error of the last failed upload, if any.
  public private(set) var lastError: DisplayError?

  /// A number that changes when all textures are discarded, which invalidates their leases.
  private(set) var generation = 0

  private struct Entry {
    var bitmap: Bitmap
    var texture: TextureID
    var leases: Int
  }

  private let display: any Display
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The unleased textures by size, evicted least recently used first.
  private var idle: LRUCache<ObjectIdentifier, TextureID>
  /// The bitmap of each texture, by slot.
  private var bitmaps: [ObjectIdentifier?] = []
  /// The digest of each texture's pixels, by slot, computed on demand; it names textures in the frame digest without a
  /// lookup per command.
  private var digests: [UInt64?] = []

  /// Returns the maximum size of unleased textures for a window of a size in pixels.
  static func idleByteLimit(screen: PixelSize) -> Int {
    min(maximumIdleBytes, max(minimumScreenBytes, screen.bytesAtFourPerPixel) * idleScreenCount)
  }

  init(display: any Display) {
    self.display = display
    idle = LRUCache(costLimit: idleByteLimit)
  }

  /// Returns the texture of a bitmap, or nil if it has none.
  public func texture(for bitmap: Bitmap) -> TextureID? { entries[ObjectIdentifier(bitmap)]?.texture }

  /// Returns the texture of a bitmap, creating it if necessary.
  ///
  /// For small bitmaps such as text; photographs go through the upload queue and its budget.
  public func makeTextureIfNeeded(for bitmap: Bitmap) -> TextureID? {
    texture(for: bitmap) ?? upload(bitmap)
  }

  /// Returns the bitmap of a texture, or nil if the texture no longer exists.
  func bitmap(of texture: TextureID) -> Bitmap? {
    guard texture.slot < bitmaps.count, let entry = bitmaps[texture.slot].flatMap({ entries[$0] }),
      entry.texture == texture
    else { return nil }
    return entry.bitmap
  }

  /// Creates the texture of a bitmap, or returns nil if the renderer fails.
  @discardableResult
  public func upload(_ bitmap: Bitmap) -> TextureID? {
    let key = ObjectIdentifier(bitmap)
    if let texture = entries[key]?.texture { return texture }
    do throws(DisplayError) {
      let texture = try display.makeTexture(from: bitmap)
      entries[key] = Entry(bitmap: bitmap, texture: texture, leases: 0)
      while digests.count <= texture.slot {
        digests.append(nil)
        bitmaps.append(nil)
      }
      digests[texture.slot] = nil
      bitmaps[texture.slot] = key
      uploadCount += 1
      uploadedBytes += bitmap.byteCount
      releaseEvicted(idle.insert(texture, for: key, cost: bitmap.byteCount))
      return texture
    } catch {
      lastError = error
      failureCount += 1
      return nil
    }
  }

  /// Leases the texture of a bitmap.
  ///
  /// - Returns: Whether the bitmap has a texture.
  func lease(_ bitmap: Bitmap) -> Bool {
    let key = ObjectIdentifier(bitmap)
    guard let leases = entries[key]?.leases else { return false }
    if leases == 0 { _ = idle.remove(key) }
    entries[key]?.leases = leases + 1
    return true
  }

  /// Ends a lease.
  func endLease(_ bitmap: Bitmap) {
    let key = ObjectIdentifier(bitmap)
    guard let entry = entries[key], entry.leases > 0 else { return }
    entries[key]?.leases = entry.leases - 1
    guard entry.leases == 1 else { return }
    releaseEvicted(idle.insert(entry.texture, for: key, cost: bitmap.byteCount))
    // The texture exceeds the limit for unleased textures.
    if idle.peekValue(for: key) == nil { releaseEvicted([(key, entry.texture)]) }
  }

  /// Evicts the texture of a bitmap that will not be requested again, unless it is leased.
  func evictTexture(of bitmap: Bitmap) {
    let key = ObjectIdentifier(bitmap)
    guard let texture = idle.remove(key) else { return }
    releaseEvicted([(key, texture)])
  }

  /// Releases textures that were evicted from the unleased ones.
  private func releaseEvicted(_ evicted: [(key: ObjectIdentifier, value: TextureID)]) {
    for (key, texture) in evicted {
      display.releaseTexture(texture)
      entries[key] = nil
    }
  }

  /// Evicts all unleased textures.
  ///
  /// - Returns: Whether there were any.
  func evictIdleTextures() -> Bool {
    guard idle.count > 0 else { return false }
    releaseEvicted(idle.setCostLimit(0))
    applyLimits()
    return true
  }

  private func applyLimits() { releaseEvicted(idle.setCostLimit(min(idleByteLimit, screenByteLimit))) }

  /// Returns the digest of a texture's pixels, or 0 if the texture no longer exists.
  ///
  /// - Complexity: O(n) for n pixels on the first call for a texture.
  func contentDigest(of texture: TextureID) -> UInt64 {
    let slot = texture.slot
    guard slot < digests.count else { return 0 }
    if let digest = digests[slot] { return digest }
    guard let entry = bitmaps[slot].flatMap({ entries[$0] }), entry.texture == texture else { return 0 }
    let digest = entry.bitmap.contentDigest
    digests[slot] = digest
    return digest
  }

  /// Discards all textures after the renderer lost them.
  func removeAll() {
    for entry in entries.values { display.releaseTexture(entry.texture) }
    entries.removeAll()
    idle.removeAll()
    generation += 1
  }
}

// MARK: - Lease

/// A lease of the texture of a displayed bitmap, which prevents its eviction.
///
/// A view that draws a bitmap holds a lease, because drawings may be cached for long. The owner must release it.
public struct TextureLease {
  /// The displayed bitmap.
  public private(set) var bitmap: Bitmap?
  private weak var resources: RenderResources?
  private var isLeased = false
  private var generation = -1

  /// Creates a lease without a bitmap.
  public init() {}

  /// Replaces the bitmap.
  public mutating func replace(with bitmap: Bitmap?) {
    guard bitmap !== self.bitmap else { return }
    release()
    self.bitmap = bitmap
  }

  /// Returns the leased texture, or nil while the bitmap has none.
  ///
  /// - Parameters:
  ///   - resources: The resources of the display.
  ///   - createsIfNeeded: Whether to create a missing texture immediately, for small bitmaps.
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

  /// Replaces the bitmap and evicts the texture of the former one, which will not be displayed again.
  mutating func replaceAndEvict(with bitmap: Bitmap?) {
    guard bitmap !== self.bitmap else { return }
    releaseAndEvict()
    self.bitmap = bitmap
  }

  /// Releases a texture that is not needed for now, and evicts it unless it has another lease.
  mutating func releaseAndEvict() {
    guard isLeased, let bitmap else { return }
    release()
    resources?.textures.evictTexture(of: bitmap)
  }

  /// Releases the texture.
  public mutating func release() {
    if isLeased, let bitmap, let resources, generation == resources.textures.generation {
      resources.textures.endLease(bitmap)
    }
    isLeased = false
  }
}
