import Geometry
import Rendering

/// A thumbnail as it is kept on disk.
struct StoredPicture: Sendable {
  /// The pixels, which are opaque.
  var bitmap: Bitmap
  /// The size of the picture that it is of, where that is known.
  var sourceSize: PixelSize?
}
