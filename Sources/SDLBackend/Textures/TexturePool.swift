package import Geometry
package import Rendering

/// Which released textures wait to be used again, by their size and kind; bounded in bytes and number, the oldest leaves first.
///
/// Knows names only: whoever owns the textures does what the answers say. A list and not a dictionary, because a grid
/// needs few sizes and searching some hundred entries costs less than hashing.
package nonisolated struct TexturePool {
  private struct Entry {
    var size: PixelSize
    var isOpaque: Bool
    var name: TextureID
  }

  /// The most textures that wait.
  package let maximumTextures: Int
  /// The most bytes that waiting textures take.
  package let maximumBytes: Int
  private var entries: ContiguousArray<Entry> = []
  /// The bytes that waiting textures take.
  package private(set) var byteCount = 0

  /// Makes an empty pool.
  package init(maximumTextures: Int, maximumBytes: Int) {
    self.maximumTextures = maximumTextures
    self.maximumBytes = maximumBytes
  }

  /// The number of textures that wait.
  package var count: Int { entries.count }

  /// Whether the pool holds more than it should: then take ``removeOldest()``.
  package var exceedsLimits: Bool { entries.count > maximumTextures || byteCount > maximumBytes }

  /// Adds a texture, which may leave the pool overfull.
  /// - Complexity: O(1), amortised.
  package mutating func insert(_ name: TextureID, size: PixelSize, isOpaque: Bool) {
    entries.append(Entry(size: size, isOpaque: isOpaque, name: name))
    byteCount += size.bytesAtFourPerPixel
  }

  /// Takes out a texture of exactly this size, for bitmaps with or without transparency, the newest first: its memory is the warmest.
  /// - Complexity: O(textures that wait).
  package mutating func removeTexture(of size: PixelSize, isOpaque: Bool) -> TextureID? {
    guard let index = entries.lastIndex(where: { $0.size == size && $0.isOpaque == isOpaque }) else { return nil }
    byteCount -= size.bytesAtFourPerPixel
    return entries.remove(at: index).name
  }

  /// Takes out the texture that has waited longest.
  /// - Complexity: O(textures that wait).
  package mutating func removeOldest() -> TextureID? {
    guard !entries.isEmpty else { return nil }
    let entry = entries.removeFirst()
    byteCount -= entry.size.bytesAtFourPerPixel
    return entry.name
  }

  /// Forgets all textures.
  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
