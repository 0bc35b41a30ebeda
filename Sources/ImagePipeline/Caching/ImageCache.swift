import DataStructures
public import Geometry
import Rendering

/// Decoded pictures by key, bounded in bytes of pixels: the least recently used leaves first, what is pinned never.
///
/// The order is exact. A picture is used when it is put in, when it is asked for, and when its last pin is taken away. What
/// is pinned, as it is on screen, would be in memory anyway: it counts, so that less is kept of the rest, and it may take
/// more than the limit by itself. What is prepared is never written to disk: the encoded picture is there, and smaller.
public struct ImageCache: Sendable {
  private var images: LRUCache<ImageKey, DecodedImage>
  private var pinned: [ImageKey: DecodedImage] = [:]
  private var pins: [ImageKey: Int] = [:]

  /// What the pictures may take, in bytes of pixels; what is pinned may exceed it.
  ///
  /// A smaller one lets the least recently used leave at once.
  public var byteLimit: Int {
    didSet {
      checkPrecondition(byteLimit >= 0, "a cache of pictures cannot hold \(byteLimit) bytes")
      images.setCostLimit(max(0, byteLimit - pinnedByteCount))
    }
  }
  /// The bytes of pixels that are pinned.
  public private(set) var pinnedByteCount = 0
  /// How often a picture was asked for that was there.
  public private(set) var hits = 0
  /// How often one was asked for that was not.
  public private(set) var misses = 0

  /// Makes an empty cache.
  ///
  /// - Parameter byteLimit: what the pictures may take, in bytes of pixels.
  /// - Precondition: the limit is not negative.
  public init(byteLimit: Int = ImageCache.defaultByteLimit) {
    checkPrecondition(byteLimit >= 0, "a cache of pictures cannot hold \(byteLimit) bytes")
    images = LRUCache(costLimit: byteLimit)
    self.byteLimit = byteLimit
  }

  /// The bytes of pixels held.
  public var byteCount: Int { images.totalCost + pinnedByteCount }
  /// The pictures held.
  public var count: Int { images.count + pinned.count }

  /// A picture, which becomes the most recently used; counted as a hit or a miss.
  /// - Complexity: O(1) on average.
  public mutating func image(for key: ImageKey) -> DecodedImage? {
    let image = pinned[key] ?? images.value(for: key)
    if image == nil { misses += 1 } else { hits += 1 }
    return image
  }

  /// A picture, of which nobody learns that it was asked for: neither the order nor the counts change.
  /// - Complexity: O(1) on average.
  public func peek(_ key: ImageKey) -> DecodedImage? { pinned[key] ?? images.peekValue(for: key) }

  /// Keeps a picture in place of the key's earlier one, and lets others leave for it.
  ///
  /// One that is larger than what is left of the limit beside the pinned ones is not kept, but where it is pinned itself.
  /// - Complexity: O(1) on average, and O(1) for each picture that leaves.
  public mutating func insert(_ image: DecodedImage, for key: ImageKey) {
    guard pins[key] != nil else {
      images.insert(image, for: key, cost: image.bitmap.byteCount)
      return
    }
    let earlier = pinned.updateValue(image, forKey: key)?.bitmap.byteCount ?? 0
    setPinnedBytes(pinnedByteCount + image.bitmap.byteCount - earlier)
  }

  /// Keeps a key's picture from leaving, the one that is there or the one that will be, until as many unpins.
  /// - Complexity: O(1) on average, and O(1) for each picture that leaves.
  public mutating func pin(_ key: ImageKey) {
    pins[key, default: 0] += 1
    guard let image = images.remove(key) else { return }
    pinned[key] = image
    setPinnedBytes(pinnedByteCount + image.bitmap.byteCount)
  }

  /// Takes one pin away; after the last one the picture is the most recently used of those that may leave.
  ///
  /// - Precondition: the key is pinned.
  /// - Complexity: O(1) on average, and O(1) for each picture that leaves.
  public mutating func unpin(_ key: ImageKey) {
    guard let count = pins[key] else { failPrecondition("a picture is unpinned more often than it was pinned: \(key)") }
    pins[key] = count > 1 ? count - 1 : nil
    guard count == 1, let image = pinned.removeValue(forKey: key) else { return }
    setPinnedBytes(pinnedByteCount - image.bitmap.byteCount)
    images.insert(image, for: key, cost: image.bitmap.byteCount)
  }

  /// Lets go of a key's picture, pinned or not; its pins stay, for the next one.
  public mutating func remove(_ key: ImageKey) {
    images.remove(key)
    if let image = pinned.removeValue(forKey: key) { setPinnedBytes(pinnedByteCount - image.bitmap.byteCount) }
  }

  /// Memory is short: lets the least recently used pictures leave until no more than a share of the limit is held, or
  /// nothing but what is pinned.
  ///
  /// Later as many are kept as before.
  ///
  /// - Parameter share: 0...1; what lies beyond counts as the nearer of these.
  /// - Complexity: O(pictures that leave).
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
  /// How many screens of pixels are worth keeping: five that were seen, the region where a flick lands with what lies around it,
  /// and a picture that is looked at alone.
  ///
  /// Whoever goes back farther is read the pictures from the disk, in a fraction of a millisecond each.
  public static let cachedScreenCount = 8
  /// What a small window keeps all the same: as much as its user may see once it is made larger.
  static let minimumScreenBytes = 2 << 20

  /// What pictures may take that are seen on a screen of so many pixels.
  ///
  /// - Parameters:
  ///   - screen: the extent in pixels.
  ///   - most: what they may take on any.
  public static func byteLimit(screen: PixelSize, maximum: Int) -> Int {
    let (bytes, overflow) = max(minimumScreenBytes, screen.bytesAtFourPerPixel).multipliedReportingOverflow(
      by: cachedScreenCount)
    return overflow ? maximum : min(maximum, bytes)
  }

  /// What the pictures may take where nothing is told: 15 % of the machine's memory, and at most 512 MiB.
  public static var defaultByteLimit: Int { defaultByteLimit(memory: PhysicalMemory.byteCount) }

  /// The same for a machine with so many bytes of memory, or for a group of processes that may take so many; 64 MiB where that
  /// is not known.
  public static func defaultByteLimit(memory: Int?) -> Int {
    guard let memory, memory > 0 else { return 64 << 20 }
    return min(memory / 20 * 3, 512 << 20)
  }
}
