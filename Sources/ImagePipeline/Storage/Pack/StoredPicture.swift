import Geometry
import Rendering

/// A thumbnail as it is kept on disk.
struct StoredThumbnail: Sendable {
  /// The pixels, which are opaque.
  var bitmap: Bitmap
  /// The size of the picture that it is of, where that is known.
  var sourceSize: PixelSize?
}

extension StoredThumbnail {
  /// Whether its size is one that a request can be answered with: what is on a disk may have been written by anybody.
  func satisfies(_ request: ImageRequest) -> Bool {
    let (size, wanted) = (bitmap.size, request.key.size)
    guard size.width <= wanted.width, size.height <= wanted.height else { return false }
    return request.key.fit != .fill || size == wanted
  }
}
