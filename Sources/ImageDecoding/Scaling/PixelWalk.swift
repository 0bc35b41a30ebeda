import Geometry
import ImageMetadata

/// Where a stored pixel stands once the picture is turned: index = origin + x * right + y * down.
struct PixelWalk: Hashable {
  /// The index of the stored picture's first pixel.
  let origin: Int
  /// From a pixel to its stored right neighbour.
  let right: Int
  /// From a pixel to the stored one below.
  let down: Int

  /// For a picture of this stored size.
  init(stored: PixelSize, orientation: Orientation) {
    let lastX = stored.width - 1
    let lastY = stored.height - 1
    // Pixels in a row of the turned picture.
    let across = orientation.isTransposed ? stored.height : stored.width
    switch orientation {
    case .up: (origin, right, down) = (0, 1, across)
    case .upMirrored: (origin, right, down) = (lastX, -1, across)
    case .down: (origin, right, down) = (lastY * across + lastX, -1, -across)
    case .downMirrored: (origin, right, down) = (lastY * across, 1, -across)
    case .leftMirrored: (origin, right, down) = (0, across, 1)
    case .right: (origin, right, down) = (lastY, across, -1)
    case .rightMirrored: (origin, right, down) = (lastX * across + lastY, -across, -1)
    case .left: (origin, right, down) = (lastX * across, -across, 1)
    }
  }
}
