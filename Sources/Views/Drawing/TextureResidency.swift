public import Rendering

/// Which bitmaps are textures now, bounded in bytes.
///
/// A bitmap that a view shows is leased and stays; one that nobody leases goes when room is needed, the longest unused
/// first. The bitmap itself is kept beside its texture, so that lost textures can be made again from memory.
public final class TextureResidency {
  /// How many bytes of textures that nobody leases are kept.
  public var idleByteLimit = 96 << 20
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
    var lastUse: UInt64
  }

  private let display: any Display
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var idleBytes = 0
  private var clock: UInt64 = 0
  /// The digest of each texture's pixels, by slot: names for the frame digest without a look-up a command.
  private var digests: [UInt64] = []

  init(display: any Display) { self.display = display }

  /// The texture of a bitmap, if it is one now.
  public func texture(for bitmap: Bitmap) -> TextureID? { entries[ObjectIdentifier(bitmap)]?.texture }

  /// The texture of a bitmap, made now if it was none.
  ///
  /// For small bitmaps such as type; photographs go through the upload queue and its budget.
  public func demandTexture(for bitmap: Bitmap) -> TextureID? {
    texture(for: bitmap) ?? upload(bitmap)
  }

  /// Makes the texture of a bitmap; nothing when the renderer has none to give.
  @discardableResult
  public func upload(_ bitmap: Bitmap) -> TextureID? {
    let key = ObjectIdentifier(bitmap)
    if let texture = entries[key]?.texture { return texture }
    do throws(DisplayError) {
      let texture = try display.makeTexture(from: bitmap)
      clock += 1
      entries[key] = Entry(bitmap: bitmap, texture: texture, leases: 0, lastUse: clock)
      while digests.count <= texture.slot { digests.append(0) }
      digests[texture.slot] = bitmap.contentDigest
      idleBytes += bitmap.byteCount
      uploadCount += 1
      uploadedBytes += bitmap.byteCount
      return texture
    } catch {
      lastError = error
      return nil
    }
  }

  /// Keeps a bitmap's texture until the lease is returned; a bitmap without a texture has nothing to keep.
  func lease(_ bitmap: Bitmap) -> Bool {
    guard var entry = entries[ObjectIdentifier(bitmap)] else { return false }
    if entry.leases == 0 { idleBytes -= bitmap.byteCount }
    entry.leases += 1
    entries[ObjectIdentifier(bitmap)] = entry
    return true
  }

  /// Returns a lease.
  func endLease(_ bitmap: Bitmap) {
    guard var entry = entries[ObjectIdentifier(bitmap)], entry.leases > 0 else { return }
    entry.leases -= 1
    clock += 1
    entry.lastUse = clock
    entries[ObjectIdentifier(bitmap)] = entry
    if entry.leases == 0 { idleBytes += bitmap.byteCount }
  }

  /// Gives up the longest unused textures that nobody leases until the rest fits its limit.
  ///
  /// - Complexity: O(textures) when over the limit, else O(1).
  public func trim() {
    guard idleBytes > idleByteLimit else { return }
    let idle = entries.filter { $0.value.leases == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
    for (key, entry) in idle {
      // A little below the limit, so that not every frame trims.
      guard idleBytes > idleByteLimit - idleByteLimit / 8 else { break }
      display.releaseTexture(entry.texture)
      idleBytes -= entry.bitmap.byteCount
      entries[key] = nil
    }
  }

  /// The digest of the pixels behind a texture; 0 for one that is gone.
  func contentDigest(of texture: TextureID) -> UInt64 {
    texture.slot < digests.count ? digests[texture.slot] : 0
  }

  /// Forgets every texture: the renderer lost them.
  func forgetAll() {
    for entry in entries.values { display.releaseTexture(entry.texture) }
    entries.removeAll()
    idleBytes = 0
    generation += 1
  }
}
