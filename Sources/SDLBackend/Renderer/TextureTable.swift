package import VitrineGeometry
package import VitrineRendering

/// The textures of a display, with a pool of released textures to reuse.
///
/// The ID of a released texture is invalid immediately. The texture itself is pooled or destroyed at the end of the
/// frame, because it may still be drawn from it. Destroying takes time, so the number per frame is limited.
nonisolated final class TextureTable {
  /// The maximum number of textures destroyed at the end of a frame.
  static let maximumDestroyedPerFrame = 16
  /// The textures of all IDs, for painting.
  let slots = TextureSlots()
  /// The number of bytes of all live textures.
  private(set) var liveBytes = 0
  /// The counts of textures since the table was created.
  private(set) var statistics = TextureStatistics()
  private var pool: TexturePool
  private var pendingDestruction: ContiguousArray<TextureID> = []

  /// Creates an empty table.
  init(pool: TexturePool = TexturePool(maximumTextures: 128, maximumBytes: 24 << 20)) { self.pool = pool }

  /// The number of bytes of the pooled textures.
  var pooledBytes: Int { pool.byteCount }

  /// The number of released textures that wait for the end of the frame.
  var pendingDestructionCount: Int { pendingDestruction.count }

  /// Creates a texture from a bitmap: shares its pixels if possible, otherwise uploads it to a pooled or new texture.
  /// - Throws: ``DisplayError`` if the renderer cannot create the texture or refuses the pixels.
  func makeTexture(from bitmap: Bitmap, renderer: any FrameRenderer) throws(DisplayError) -> TextureID {
    if let order = renderer.shareableChannelOrder, let texture = Texture(of: bitmap, order: order) {
      let id = try slots.insert(texture, isOpaque: bitmap.isOpaque)
      statistics.shared += 1
      liveBytes += bitmap.byteCount
      return id
    }
    let id: TextureID
    if let pooled = pool.removeTexture(of: bitmap.size, isOpaque: bitmap.isOpaque) {
      id = pooled
      statistics.reused += 1
    } else {
      id = try insertTexture(bitmap, renderer)
      statistics.created += 1
    }
    do {
      try slots.upload(bitmap, to: id)
    } catch {
      scheduleDestruction(of: id)
      throw error
    }
    liveBytes += bitmap.byteCount
    return id
  }

  /// Releases an ID immediately, and its texture at the end of the frame.
  ///
  /// Does nothing if the ID is not live.
  func release(_ id: TextureID) {
    guard slots.isLive(id) else { return }
    liveBytes -= slots.size(of: id)?.bytesAtFourPerPixel ?? 0
    scheduleDestruction(of: id)
  }

  /// Pools or destroys the released textures, and destroys textures beyond the pool's limits.
  ///
  /// Called after the frame was presented.
  func endFrame() {
    var destroyedCount = 0
    var processedCount = 0
    for id in pendingDestruction {
      guard destroyedCount < TextureTable.maximumDestroyedPerFrame else { break }
      processedCount += 1
      if slots.isShared(id) {
        // There is no memory to reuse, and destroying costs almost nothing.
        slots.destroy(id)
        statistics.destroyed += 1
      } else if slots.isLive(id), let size = slots.size(of: id), size.bytesAtFourPerPixel <= pool.maximumBytes / 4 {
        pool.insert(id, size: size, isOpaque: slots.isOpaque(id))
      } else {
        destroy(id)
        destroyedCount += 1
      }
    }
    if processedCount > 0 { pendingDestruction.removeFirst(processedCount) }
    while pool.exceedsLimits, destroyedCount < TextureTable.maximumDestroyedPerFrame, let oldest = pool.removeOldest() {
      destroy(oldest)
      destroyedCount += 1
    }
  }

  /// Destroys all released textures, including pooled ones.
  ///
  /// Called between frames, when no frame is expected for a while.
  /// - Complexity: O(released textures).
  func trimPool() {
    for id in pendingDestruction { destroy(id) }
    pendingDestruction.removeAll(keepingCapacity: true)
    while let oldest = pool.removeOldest() { destroy(oldest) }
  }

  /// Destroys all textures and releases all IDs.
  ///
  /// Called between frames, when the renderer lost its textures or is closed.
  func removeAll() {
    slots.destroyAll()
    pool.removeAll()
    pendingDestruction.removeAll(keepingCapacity: true)
    liveBytes = 0
  }

  /// Destroys all textures and keeps their IDs live.
  ///
  /// Called between frames, when another renderer takes over.
  ///
  /// - Returns: The slots and bitmaps for ``attachTextures(_:renderer:)``.
  func detachTextures() -> [(slot: Int, bitmap: Bitmap)] {
    trimPool()
    return slots.detachTextures()
  }

  /// Creates the textures again under their IDs.
  ///
  /// A texture draws nothing if there is no memory for it.
  func attachTextures(_ bitmaps: [(slot: Int, bitmap: Bitmap)], renderer: any FrameRenderer) {
    for (slot, bitmap) in bitmaps {
      guard let texture = try? texture(of: bitmap, renderer) else { continue }
      slots.attachTexture(texture, to: slot)
    }
  }

  private func texture(of bitmap: Bitmap, _ renderer: any FrameRenderer) throws(DisplayError) -> Texture {
    if let order = renderer.shareableChannelOrder, let texture = Texture(of: bitmap, order: order) { return texture }
    var texture = try renderer.makeTexture(size: bitmap.size, isOpaque: bitmap.isOpaque)
    try texture.upload(bitmap)
    return texture
  }

  /// Counts commands whose texture was released.
  func recordStaleCommands(_ count: Int) { statistics.staleCommands += count }

  /// Creates a texture.
  ///
  /// If that fails, empties the pool and tries again.
  private func insertTexture(_ bitmap: Bitmap, _ renderer: any FrameRenderer) throws(DisplayError) -> TextureID {
    do {
      return try makeTexture(bitmap.size, isOpaque: bitmap.isOpaque, renderer)
    } catch {
      guard pool.count > 0 else { throw error }
      while let oldest = pool.removeOldest() { destroy(oldest) }
      return try makeTexture(bitmap.size, isOpaque: bitmap.isOpaque, renderer)
    }
  }

  private func makeTexture(
    _ size: PixelSize, isOpaque: Bool, _ renderer: any FrameRenderer
  ) throws(DisplayError) -> TextureID {
    try slots.insert(renderer.makeTexture(size: size, isOpaque: isOpaque), isOpaque: isOpaque)
  }

  private func scheduleDestruction(of id: TextureID) {
    slots.releaseBitmap(of: id)
    // The texture gets a new ID, so that the released one never identifies another texture.
    pendingDestruction.append(slots.renewID(id) ?? id)
  }

  private func destroy(_ id: TextureID) {
    slots.destroy(id)
    statistics.destroyed += 1
  }
}

// MARK: - Pool

/// A pool of released textures by size and opacity, limited in bytes and number.
///
/// The oldest textures are removed first. The pool contains IDs only, so its owner creates and destroys the textures.
/// It is a list rather than a dictionary because a grid needs few sizes, and searching some hundred entries costs less
/// than hashing.
package nonisolated struct TexturePool {
  private struct Entry {
    var size: PixelSize
    var isOpaque: Bool
    var id: TextureID
  }

  /// The maximum number of textures.
  package let maximumTextures: Int
  /// The maximum number of bytes.
  package let maximumBytes: Int
  private var entries: ContiguousArray<Entry> = []
  /// The number of bytes of the textures.
  package private(set) var byteCount = 0

  /// Creates an empty pool.
  package init(maximumTextures: Int, maximumBytes: Int) {
    self.maximumTextures = maximumTextures
    self.maximumBytes = maximumBytes
  }

  /// The number of textures.
  package var count: Int { entries.count }

  /// Whether the pool exceeds its limits, so that ``removeOldest()`` must be called.
  package var exceedsLimits: Bool { entries.count > maximumTextures || byteCount > maximumBytes }

  /// Adds a texture.
  ///
  /// The pool may exceed its limits afterwards.
  /// - Complexity: O(1), amortised.
  package mutating func insert(_ id: TextureID, size: PixelSize, isOpaque: Bool) {
    entries.append(Entry(size: size, isOpaque: isOpaque, id: id))
    byteCount += size.bytesAtFourPerPixel
  }

  /// Removes and returns the newest texture of a size and opacity, whose memory is the likeliest to be cached.
  /// - Complexity: O(textures).
  package mutating func removeTexture(of size: PixelSize, isOpaque: Bool) -> TextureID? {
    guard let index = entries.lastIndex(where: { $0.size == size && $0.isOpaque == isOpaque }) else { return nil }
    byteCount -= size.bytesAtFourPerPixel
    return entries.remove(at: index).id
  }

  /// Removes and returns the oldest texture.
  /// - Complexity: O(textures).
  package mutating func removeOldest() -> TextureID? {
    guard !entries.isEmpty else { return nil }
    let entry = entries.removeFirst()
    byteCount -= entry.size.bytesAtFourPerPixel
    return entry.id
  }

  /// Removes all textures.
  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}

// MARK: - Statistics

/// The counts of a display's textures since it was opened.
package nonisolated struct TextureStatistics: Hashable, Sendable {
  /// The number of textures created.
  public internal(set) var created = 0
  /// The number of bitmaps that became textures without a copy.
  public internal(set) var shared = 0
  /// The number of bitmaps uploaded to a pooled texture.
  public internal(set) var reused = 0
  /// The number of textures destroyed, except when the renderer lost its textures or the display was closed.
  public internal(set) var destroyed = 0
  /// The number of commands whose texture was released.
  ///
  /// They drew nothing.
  public internal(set) var staleCommands = 0
}
