import Geometry
import Rendering

/// A display's textures: makes them, keeps released ones for a bitmap of the same size and kind, and destroys the rest.
///
/// A released name is dead at once; its texture goes to a graveyard that is emptied after the next present, as the frame may
/// still be drawn from it. Destroying takes time, so only so many textures die a frame.
nonisolated final class TextureTable {
  /// The most textures that are destroyed after one present.
  static let maximumDestroyedPerFrame = 16
  /// What names stand for, for painting.
  let slots = TextureSlots()
  /// The bytes of textures whose names are out.
  private(set) var liveBytes = 0
  /// Counts of what was done, since the table was made.
  private(set) var statistics = TextureStatistics()
  private var pool: TexturePool
  private var pendingDestruction: ContiguousArray<TextureID> = []

  /// Makes an empty table whose pool is bounded.
  init(pool: TexturePool = TexturePool(maximumTextures: 128, maximumBytes: 24 << 20)) { self.pool = pool }

  /// The bytes of released textures that wait to be used again.
  var pooledBytes: Int { pool.byteCount }

  /// The released textures that wait for the end of the frame.
  var pendingDestructionCount: Int { pendingDestruction.count }

  /// Makes a bitmap a texture where it can be one as it is; else puts it into one, a pooled one of its size and kind if there
  /// is one.
  /// - Throws: ``DisplayError`` when the renderer has no texture to give or refuses the pixels.
  func makeTexture(from bitmap: Bitmap, renderer: any FrameRenderer) throws(DisplayError) -> TextureID {
    if let order = renderer.shareableChannelOrder, let texture = Texture(of: bitmap, order: order) {
      let name = try slots.insert(texture, isOpaque: bitmap.isOpaque)
      statistics.shared += 1
      liveBytes += bitmap.byteCount
      return name
    }
    let name: TextureID
    if let pooled = pool.removeTexture(of: bitmap.size, isOpaque: bitmap.isOpaque) {
      name = pooled
      statistics.reused += 1
    } else {
      name = try insertTexture(bitmap, renderer)
      statistics.created += 1
    }
    do {
      try slots.upload(bitmap, to: name)
    } catch {
      scheduleDestruction(of: name)
      throw error
    }
    liveBytes += bitmap.byteCount
    return name
  }

  /// Ends a name now and its texture after the next present; a name that is not live is ignored.
  func release(_ name: TextureID) {
    guard slots.isLive(name) else { return }
    liveBytes -= slots.size(of: name)?.bytesAtFourPerPixel ?? 0
    scheduleDestruction(of: name)
  }

  /// Pools or destroys what was released, and what the pool holds too much; to be called after present.
  func endFrame() {
    var deaths = 0
    var buried = 0
    for name in pendingDestruction {
      guard deaths < TextureTable.maximumDestroyedPerFrame else { break }
      buried += 1
      if slots.isShared(name) {
        // Nothing of its own to be used again, and next to nothing to be done.
        slots.destroy(name)
        statistics.destroyed += 1
      } else if slots.isLive(name), let size = slots.size(of: name), size.bytesAtFourPerPixel <= pool.maximumBytes / 4 {
        pool.insert(name, size: size, isOpaque: slots.isOpaque(name))
      } else {
        destroy(name)
        deaths += 1
      }
    }
    if buried > 0 { pendingDestruction.removeFirst(buried) }
    while pool.exceedsLimits, deaths < TextureTable.maximumDestroyedPerFrame, let oldest = pool.removeOldest() {
      destroy(oldest)
      deaths += 1
    }
  }

  /// Destroys what was released and what waits to be used again, between frames, when none comes for a while.
  /// - Complexity: O(these textures).
  func trimPool() {
    for name in pendingDestruction { destroy(name) }
    pendingDestruction.removeAll(keepingCapacity: true)
    while let oldest = pool.removeOldest() { destroy(oldest) }
  }

  /// Destroys every texture and ends every name, between frames: after a loss of the renderer's state, and at the end.
  func removeAll() {
    slots.destroyAll()
    pool.removeAll()
    pendingDestruction.removeAll(keepingCapacity: true)
    liveBytes = 0
  }

  /// Destroys every texture and keeps the names, between frames: another renderer is to have the textures.
  ///
  /// - Returns: what ``attach(_:drawing:)`` makes them of.
  func detachTextures() -> [(slot: Int, bitmap: Bitmap)] {
    trimPool()
    return slots.detachTextures()
  }

  /// Makes textures again under the names that they had; those that there is no memory for draw nothing.
  func attachTextures(_ bitmaps: [(slot: Int, bitmap: Bitmap)], renderer: any FrameRenderer) {
    for (slot, bitmap) in bitmaps {
      guard let texture = try? texture(of: bitmap, renderer) else { continue }
      slots.attachTexture(texture, to: slot)
    }
  }

  private func texture(of bitmap: Bitmap, _ drawing: any FrameRenderer) throws(DisplayError) -> Texture {
    if let order = drawing.shareableChannelOrder, let texture = Texture(of: bitmap, order: order) { return texture }
    var texture = try drawing.makeTexture(size: bitmap.size, isOpaque: bitmap.isOpaque)
    try texture.upload(bitmap)
    return texture
  }

  /// Counts commands that named a texture which was gone.
  func recordStaleCommands(_ count: Int) { statistics.staleCommands += count }

  /// Makes a texture; where there is no memory for it, the pool is given up for a second try.
  private func insertTexture(_ bitmap: Bitmap, _ drawing: any FrameRenderer) throws(DisplayError) -> TextureID {
    do {
      return try makeTexture(bitmap.size, isOpaque: bitmap.isOpaque, drawing)
    } catch {
      guard pool.count > 0 else { throw error }
      while let oldest = pool.removeOldest() { destroy(oldest) }
      return try makeTexture(bitmap.size, isOpaque: bitmap.isOpaque, drawing)
    }
  }

  private func makeTexture(
    _ size: PixelSize, isOpaque: Bool, _ drawing: any FrameRenderer
  ) throws(DisplayError) -> TextureID {
    try slots.insert(drawing.makeTexture(size: size, isOpaque: isOpaque), isOpaque: isOpaque)
  }

  private func scheduleDestruction(of name: TextureID) {
    slots.releaseBitmap(of: name)
    // The texture lives on under a name that nobody knows, so that the old one can never mean what comes next.
    pendingDestruction.append(slots.renewID(name) ?? name)
  }

  private func destroy(_ name: TextureID) {
    slots.destroy(name)
    statistics.destroyed += 1
  }
}
