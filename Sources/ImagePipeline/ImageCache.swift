import Glibc
import VitrineDataStructures
public import VitrineGeometry
import VitrineRendering

/// A cache of decoded images, bounded by the bytes of their pixels, that evicts the least recently used image and never
/// a pinned one.
///
/// The eviction order is exact. An image counts as used when it is inserted, when it is requested, and when its last
/// pin is removed. Pinned images are on screen and would be in memory anyway. They count towards the limit, so fewer
/// other images are cached, and they may exceed the limit by themselves. Decoded images are never written to disk from
/// here: the encoded image is on disk already, and smaller.
public struct ImageCache: Sendable {
  private var images: LRUCache<ImageKey, DecodedImage>
  private var pinned: [ImageKey: DecodedImage] = [:]
  private var pins: [ImageKey: Int] = [:]

  /// The maximum size of all images, in bytes of pixels; pinned images may exceed it.
  ///
  /// Lowering the limit evicts the least recently used images immediately.
  public var byteLimit: Int {
    didSet {
      checkPrecondition(byteLimit >= 0, "a cache of pictures cannot hold \(byteLimit) bytes")
      images.setCostLimit(max(0, byteLimit - pinnedByteCount))
    }
  }
  /// The number of pinned bytes of pixels.
  public private(set) var pinnedByteCount = 0
  /// The number of requests that found their image.
  public private(set) var hits = 0
  /// The number of requests that found no image.
  public private(set) var misses = 0

  /// Creates an empty cache.
  ///
  /// - Parameter byteLimit: The maximum size of all images, in bytes of pixels.
  /// - Precondition: `byteLimit` is not negative.
  public init(byteLimit: Int = ImageCache.defaultByteLimit) {
    checkPrecondition(byteLimit >= 0, "a cache of pictures cannot hold \(byteLimit) bytes")
    images = LRUCache(costLimit: byteLimit)
    self.byteLimit = byteLimit
  }

  /// The size of all cached images, in bytes of pixels.
  public var byteCount: Int { images.totalCost + pinnedByteCount }
  /// The number of cached images.
  public var count: Int { images.count + pinned.count }

  /// Returns the image of a key and makes it the most recently used one.
  ///
  /// Counts a hit or a miss.
  ///
  /// - Complexity: O(1) on average.
  public mutating func image(for key: ImageKey) -> DecodedImage? {
    let image = pinned[key] ?? images.value(for: key)
    if image == nil { misses += 1 } else { hits += 1 }
    return image
  }

  /// Returns the image of a key without changing the eviction order or the counts.
  /// - Complexity: O(1) on average.
  public func peek(_ key: ImageKey) -> DecodedImage? { pinned[key] ?? images.peekValue(for: key) }

  /// Caches an image, replaces the key's earlier image, and evicts others to make space.
  ///
  /// An image that does not fit into the limit next to the pinned images is not cached, unless its key is pinned.
  /// - Complexity: O(1) on average, and O(1) for each evicted image.
  public mutating func insert(_ image: DecodedImage, for key: ImageKey) {
    guard pins[key] != nil else {
      images.insert(image, for: key, cost: image.bitmap.byteCount)
      return
    }
    let earlier = pinned.updateValue(image, forKey: key)?.bitmap.byteCount ?? 0
    setPinnedBytes(pinnedByteCount + image.bitmap.byteCount - earlier)
  }

  /// Protects a key's image from eviction until ``unpin(_:)`` was called as often.
  ///
  /// The image may be inserted later.
  ///
  /// - Complexity: O(1) on average, and O(1) for each evicted image.
  public mutating func pin(_ key: ImageKey) {
    pins[key, default: 0] += 1
    guard let image = images.remove(key) else { return }
    pinned[key] = image
    setPinnedBytes(pinnedByteCount + image.bitmap.byteCount)
  }

  /// Removes one pin from a key.
  ///
  /// After the last one, the image is the most recently used of the evictable images.
  ///
  /// - Precondition: The key is pinned.
  /// - Complexity: O(1) on average, and O(1) for each evicted image.
  public mutating func unpin(_ key: ImageKey) {
    guard let count = pins[key] else { failPrecondition("a picture is unpinned more often than it was pinned: \(key)") }
    pins[key] = count > 1 ? count - 1 : nil
    guard count == 1, let image = pinned.removeValue(forKey: key) else { return }
    setPinnedBytes(pinnedByteCount - image.bitmap.byteCount)
    images.insert(image, for: key, cost: image.bitmap.byteCount)
  }

  /// Removes a key's image, pinned or not.
  ///
  /// The key's pins remain and apply to its next image.
  public mutating func remove(_ key: ImageKey) {
    images.remove(key)
    if let image = pinned.removeValue(forKey: key) { setPinnedBytes(pinnedByteCount - image.bitmap.byteCount) }
  }

  /// Evicts all images that are not pinned, and makes previews of the others, which are to be replaced.
  ///
  /// - Complexity: O(images).
  mutating func demoteAll() {
    images.setCostLimit(0)
    images.setCostLimit(max(0, byteLimit - pinnedByteCount))
    pinned = pinned.mapValues(\.markedPlaceholder)
  }

  /// Evicts the least recently used images until a share of the limit is in use, or only pinned images are left.
  ///
  /// Call this when memory is short. The limit itself does not change.
  ///
  /// - Parameter share: The share of the limit, clamped to 0...1.
  /// - Complexity: O(evicted images).
  public mutating func shrink(to share: Double) {
    images.setCostLimit(max(0, Int(Double(byteLimit) * min(1, max(0, share))) - pinnedByteCount))
    images.setCostLimit(max(0, byteLimit - pinnedByteCount))
  }

  private mutating func setPinnedBytes(_ bytes: Int) {
    pinnedByteCount = bytes
    images.setCostLimit(max(0, byteLimit - bytes))
  }
}

extension ImageCache {
  /// The number of screens of pixels to cache.
  ///
  /// Five screens that were seen, the region where a flick lands with its surroundings, and an image that is shown
  /// alone. Images farther back are read from the disk, in a fraction of a millisecond each.
  public static let cachedScreenCount = 8
  /// The minimum size of a screen, in bytes: a small window caches what its user may see after enlarging it.
  static let minimumScreenBytes = 2 << 20

  /// Returns the cache limit for a screen size, in bytes.
  ///
  /// - Parameters:
  ///   - screen: The screen size in pixels.
  ///   - maximum: The limit for any screen, in bytes.
  public static func byteLimit(screen: PixelSize, maximum: Int) -> Int {
    let (bytes, overflow) = max(minimumScreenBytes, screen.bytesAtFourPerPixel).multipliedReportingOverflow(
      by: cachedScreenCount)
    return overflow ? maximum : min(maximum, bytes)
  }

  /// The default cache limit: 15 % of the machine's memory, at most 512 MiB.
  public static var defaultByteLimit: Int { defaultByteLimit(memory: PhysicalMemory.byteCount) }

  /// Returns the default cache limit for a machine, or a group of processes, with the given memory in bytes.
  ///
  /// The limit is 64 MiB if the memory is unknown.
  public static func defaultByteLimit(memory: Int?) -> Int {
    guard let memory, memory > 0 else { return 64 << 20 }
    return min(memory / 20 * 3, 512 << 20)
  }
}

/// The machine's memory, as the system reports it.
enum PhysicalMemory {
  /// The size of the physical memory in bytes, or nil if the system does not report it.
  ///
  /// The C function is `sysconf`.
  static var byteCount: Int? {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    guard pages > 0, size > 0 else { return nil }
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
    return overflow ? nil : bytes
  }
}
