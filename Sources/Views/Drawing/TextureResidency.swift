import DataStructures
import Geometry
public import Rendering

/// Which bitmaps are textures now, bounded in bytes.
///
/// A bitmap that a view shows is leased and stays; one that nobody leases goes when room is needed, the longest unused
/// first. The bitmap itself is kept beside its texture, so that lost textures can be made again from memory.
public final class TextureCache {
  /// How many bytes of textures that nobody leases are kept, in any window; in a small one it is less.
  public var idleByteLimit = TextureCache.maximumIdleBytes {
    didSet { if idleByteLimit != oldValue { applyLimits() } }
  }
  /// How many bytes of them are kept for a window of its extent.
  var screenByteLimit = Int.max {
    didSet { if screenByteLimit != oldValue { applyLimits() } }
  }
  /// The most bytes of such textures in any window.
  static let maximumIdleBytes = 48 << 20
  /// How many screens of such textures are kept in a small one, and what a screen has at least.
  private static let (idleScreenCount, minimumScreenBytes) = (5, 2 << 20)
  /// Textures made so far.
  public private(set) var uploadCount = 0
  /// Their bytes.
  public private(set) var uploadedBytes = 0
  /// Why the last texture could not be made, if it could not.
  public private(set) var lastError: DisplayError?

  /// Counts the times that all textures were forgotten: leases of before are void.
  private(set) var generation = 0

  private struct Entry {
    var bitmap: Bitmap
    var texture: TextureID
    var leases: Int
  }

  private let display: any Display
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// What nobody leases, by bytes, the longest unused first to go.
  private var idle: LRUCache<ObjectIdentifier, TextureID>
  /// The bitmap behind each texture, by slot.
  private var bitmaps: [ObjectIdentifier?] = []
  /// The digest of each texture's pixels, by slot, once it was asked for: names for the frame digest without a look-up a
  /// command.
  private var digests: [UInt64?] = []

  /// How many bytes of textures that nobody leases are kept for a window of so many pixels.
  static func idleByteLimit(screen: PixelSize) -> Int {
    min(maximumIdleBytes, max(minimumScreenBytes, screen.bytesAtFourPerPixel) * idleScreenCount)
  }

  init(display: any Display) {
    self.display = display
    idle = LRUCache(costLimit: idleByteLimit)
  }

  /// The texture of a bitmap, if it is one now.
  public func texture(for bitmap: Bitmap) -> TextureID? { entries[ObjectIdentifier(bitmap)]?.texture }

  /// The texture of a bitmap, made now if it was none.
  ///
  /// For small bitmaps such as type; photographs go through the upload queue and its budget.
  public func makeTextureIfNeeded(for bitmap: Bitmap) -> TextureID? {
    texture(for: bitmap) ?? upload(bitmap)
  }

  /// Makes the texture of a bitmap; nothing when the renderer has none to give.
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
      return nil
    }
  }

  /// Keeps a bitmap's texture until the lease is returned; a bitmap without a texture has nothing to keep.
  func lease(_ bitmap: Bitmap) -> Bool {
    let key = ObjectIdentifier(bitmap)
    guard let leases = entries[key]?.leases else { return false }
    if leases == 0 { _ = idle.remove(key) }
    entries[key]?.leases = leases + 1
    return true
  }

  /// Returns a lease.
  func endLease(_ bitmap: Bitmap) {
    let key = ObjectIdentifier(bitmap)
    guard let entry = entries[key], entry.leases > 0 else { return }
    entries[key]?.leases = entry.leases - 1
    guard entry.leases == 1 else { return }
    releaseEvicted(idle.insert(entry.texture, for: key, cost: bitmap.byteCount))
    // Larger than all that is kept without a lease.
    if idle.peekValue(for: key) == nil { releaseEvicted([(key, entry.texture)]) }
  }

  /// Gives up the texture of a bitmap that will not be asked for again, unless somebody leases it.
  func evictTexture(of bitmap: Bitmap) {
    let key = ObjectIdentifier(bitmap)
    guard let texture = idle.remove(key) else { return }
    releaseEvicted([(key, texture)])
  }

  /// Gives up textures that found no room among those that nobody leases.
  private func releaseEvicted(_ evicted: [(key: ObjectIdentifier, value: TextureID)]) {
    for (key, texture) in evicted {
      display.releaseTexture(texture)
      entries[key] = nil
    }
  }

  /// Gives up all textures that nobody leases.
  ///
  /// - Returns: whether there were any.
  func evictIdleTextures() -> Bool {
    guard idle.count > 0 else { return false }
    releaseEvicted(idle.setCostLimit(0))
    applyLimits()
    return true
  }

  private func applyLimits() { releaseEvicted(idle.setCostLimit(min(idleByteLimit, screenByteLimit))) }

  /// The digest of the pixels behind a texture; 0 for one that is gone.
  ///
  /// - Complexity: O(pixels) when a texture is asked of first.
  func contentDigest(of texture: TextureID) -> UInt64 {
    let slot = texture.slot
    guard slot < digests.count else { return 0 }
    if let digest = digests[slot] { return digest }
    guard let entry = bitmaps[slot].flatMap({ entries[$0] }), entry.texture == texture else { return 0 }
    let digest = entry.bitmap.contentDigest
    digests[slot] = digest
    return digest
  }

  /// Forgets every texture: the renderer lost them.
  func removeAll() {
    for entry in entries.values { display.releaseTexture(entry.texture) }
    entries.removeAll()
    idle.removeAll()
    generation += 1
  }
}
