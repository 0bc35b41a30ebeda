import DataStructures
import Rendering

/// Decoded pictures by key, bounded in bytes of pixels; the least recently used leaves first.
struct ImageCache {
  private var images: LeastRecentlyUsed<ImageKey, DecodedImage>

  /// Makes an empty cache.
  init(byteLimit: Int) { images = LeastRecentlyUsed(costLimit: byteLimit) }

  /// The bytes of pixels held.
  var byteCount: Int { images.totalCost }
  /// The pictures held.
  var count: Int { images.count }

  /// Lets the least recently used pictures leave until no more than a share of the limit is held.
  mutating func shrink(to share: Double) {
    let limit = images.costLimit
    images.setCostLimit(Int(Double(limit) * min(1, max(0, share))))
    images.setCostLimit(limit)
  }

  /// A picture, which becomes the most recently used.
  mutating func image(for key: ImageKey) -> DecodedImage? { images.value(for: key) }

  /// Keeps a picture; one that is larger than the limit by itself is not kept.
  mutating func keep(_ image: DecodedImage, for key: ImageKey) {
    images.insert(image, for: key, cost: image.bitmap.byteCount)
  }
}
