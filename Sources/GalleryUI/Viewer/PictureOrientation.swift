import VitrineGeometry
import VitrineRendering

/// How a picture is turned for display: mirrored or not, and then rotated by quarter turns.
///
/// It is added to the orientation that the file states, with which the picture was decoded.
nonisolated struct PictureOrientation: Hashable, Sendable {
  /// As decoded.
  static let up = PictureOrientation()

  /// Whether left and right are exchanged, before the rotation.
  private(set) var isMirrored = false
  /// The number of quarter turns clockwise, 0 to 3.
  private(set) var quarterTurns = 0

  /// Whether width and height are exchanged.
  var isTransposed: Bool { quarterTurns % 2 == 1 }

  /// Rotates what is displayed by quarter turns, clockwise if the number is positive.
  mutating func rotate(byQuarterTurns turns: Int) { quarterTurns = ((quarterTurns + turns) % 4 + 4) % 4 }

  /// Exchanges left and right of what is displayed.
  mutating func flipHorizontally() {
    isMirrored.toggle()
    // A rotation before a reflection is the opposite rotation after it.
    quarterTurns = (4 - quarterTurns) % 4
  }

  /// Exchanges top and bottom of what is displayed.
  mutating func flipVertically() {
    flipHorizontally()
    rotate(byQuarterTurns: 2)
  }

  /// Returns the size of a picture when it is displayed.
  func size(of size: PixelSize) -> PixelSize { isTransposed ? size.transposed : size }

  /// Returns where a point of a picture is displayed; both are parts of the width and the height.
  func displayedPoint(of point: Point) -> Point {
    var point = isMirrored ? Point(x: 1 - point.x, y: point.y) : point
    for _ in 0..<quarterTurns { point = Point(x: 1 - point.y, y: point.x) }
    return point
  }

  /// Returns the point of a picture that is displayed at a point; both are parts of the width and the height.
  func picturePoint(at point: Point) -> Point {
    var point = point
    for _ in 0..<quarterTurns { point = Point(x: point.y, y: 1 - point.x) }
    return isMirrored ? Point(x: 1 - point.x, y: point.y) : point
  }

  /// Returns the part of a picture that is displayed in a part; both are parts of the width and the height.
  func picturePart(at part: Rect) -> Rect {
    let corners = (
      picturePoint(at: Point(x: part.minX, y: part.minY)), picturePoint(at: Point(x: part.maxX, y: part.maxY))
    )
    let (x, y) = (min(corners.0.x, corners.1.x), min(corners.0.y, corners.1.y))
    return Rect(x: x, y: y, width: max(corners.0.x, corners.1.x) - x, height: max(corners.0.y, corners.1.y) - y)
  }

  /// Returns where a region of a picture is displayed.
  ///
  /// - Parameters:
  ///   - region: The region, in pixels of the picture.
  ///   - size: The size of the picture.
  func displayedRegion(of region: PixelRect, in size: PixelSize) -> PixelRect {
    var (region, height) = (region, Int32(size.height))
    if isMirrored { region.x = Int32(size.width) - region.maxX }
    var width = Int32(size.width)
    for _ in 0..<quarterTurns {
      region = PixelRect(x: height - region.maxY, y: region.x, width: region.height, height: region.width)
      (width, height) = (height, width)
    }
    return region
  }

  /// Returns the pixel of a picture that is displayed at a pixel.
  ///
  /// - Parameters:
  ///   - x: The column of the displayed pixel.
  ///   - y: The row of the displayed pixel.
  ///   - size: The size of the picture.
  fileprivate func picturePixel(_ x: Int, _ y: Int, in size: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    let pixel =
      switch quarterTurns {
      case 1: (x: y, y: bottom - x)
      case 2: (x: right - x, y: bottom - y)
      case 3: (x: right - y, y: x)
      default: (x: x, y: y)
      }
    return isMirrored ? (right - pixel.x, pixel.y) : pixel
  }
}

extension Bitmap {
  /// The side of the squares in which pixels are copied, so that rows and columns stay in the processor's cache.
  private nonisolated static let tileSide = 32

  /// Returns a copy with another orientation, or nil if there is no memory for it.
  ///
  /// - Complexity: O(pixels): about 1 ms for 2 million pixels and 25 ms for 24 million, so they are turned on another thread.
  nonisolated func turned(to orientation: PictureOrientation) -> Bitmap? {
    let (source, target) = (size, orientation.size(of: size))
    // The steps in the source are the same for all pixels.
    let start = orientation.picturePixel(0, 0, in: source)
    func offset(_ x: Int, _ y: Int) -> Int {
      let pixel = orientation.picturePixel(x, y, in: source)
      return pixel.y * source.width + pixel.x
    }
    let first = start.y * source.width + start.x
    let (across, down) = (offset(1, 0) - first, offset(0, 1) - first)
    return try? Bitmap(size: target, isOpaque: isOpaque, order: order) { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      withPixels { sourceBytes in
        let sourcePixels = sourceBytes.bindMemory(to: UInt32.self)
        for top in stride(from: 0, to: target.height, by: Bitmap.tileSide) {
          for left in stride(from: 0, to: target.width, by: Bitmap.tileSide) {
            let columns = left..<min(left + Bitmap.tileSide, target.width)
            for y in top..<min(top + Bitmap.tileSide, target.height) {
              var from = first + y * down + left * across
              for index in (y * target.width + columns.lowerBound)..<(y * target.width + columns.upperBound) {
                pixels[index] = sourcePixels[from]
                from += across
              }
            }
          }
        }
      }
    }
  }
}
