import Geometry
import ImageMetadata
import Rendering

/// Turns upright pictures into the way that a file stores them.
enum StoredBitmap {
  /// The side of the squares that are copied at once, so that both pictures stay in a processor's cache.
  private static let square = 32

  /// The pixels to store so that an orientation turns them upright again.
  ///
  /// - Throws: `BitmapError` where the memory is not to be had.
  /// - Complexity: O(pixels); none for ``Orientation/up``.
  static func turned(_ upright: Bitmap, for orientation: Orientation) throws -> Bitmap {
    guard orientation != .up else { return upright }
    let size = orientation.isTransposed ? upright.size.transposed : upright.size
    let (width, height) = (upright.size.width, upright.size.height)
    return try Bitmap(size: size, isOpaque: upright.isOpaque) { bytes in
      let target = bytes.bindMemory(to: UInt32.self)
      upright.withPixels { pixels in
        let source = pixels.bindMemory(to: UInt32.self)
        for top in stride(from: 0, to: size.height, by: square) {
          for left in stride(from: 0, to: size.width, by: square) {
            for row in top..<min(top + square, size.height) {
              for column in left..<min(left + square, size.width) {
                let (x, y) = place(column: column, row: row, width: width, height: height, orientation)
                target[row * size.width + column] = source[y * width + x]
              }
            }
          }
        }
      }
    }
  }

  /// Where in the upright picture a stored pixel comes from.
  @inline(__always)
  private static func place(
    column: Int, row: Int, width: Int, height: Int, _ orientation: Orientation
  ) -> (x: Int, y: Int) {
    switch orientation {
    case .up: (column, row)
    case .upMirrored: (width - 1 - column, row)
    case .down: (width - 1 - column, height - 1 - row)
    case .downMirrored: (column, height - 1 - row)
    case .leftMirrored: (row, column)
    case .right: (width - 1 - row, column)
    case .rightMirrored: (width - 1 - row, height - 1 - column)
    case .left: (row, height - 1 - column)
    }
  }

  /// A small copy for a file's preview: the mean of the pixels under each of its own.
  ///
  /// - Parameter longSide: the longer side in pixels.
  /// - Throws: `BitmapError` where the memory is not to be had.
  static func preview(of bitmap: Bitmap, longSide: Int) throws -> Bitmap {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    let most = max(width, height, longSide)
    guard
      let size = PixelSize(
        width: max(1, width * longSide / most), height: max(1, height * longSide / most))
    else { return bitmap }
    return try Bitmap(size: size, isOpaque: bitmap.isOpaque) { target in
      bitmap.withPixels { source in
        for row in 0..<size.height {
          let rows = row * height / size.height..<max(row * height / size.height + 1, (row + 1) * height / size.height)
          for column in 0..<size.width {
            let first = column * width / size.width
            let columns = first..<max(first + 1, (column + 1) * width / size.width)
            var sum = SIMD4<UInt32>.zero
            for y in rows {
              for x in columns {
                let pixel = source.loadUnaligned(fromByteOffset: (y * width + x) * 4, as: SIMD4<UInt8>.self)
                sum &+= SIMD4<UInt32>(truncatingIfNeeded: pixel)
              }
            }
            let mean = sum / UInt32(rows.count * columns.count)
            target.storeBytes(
              of: SIMD4<UInt8>(truncatingIfNeeded: mean), toByteOffset: (row * size.width + column) * 4,
              as: SIMD4<UInt8>.self)
          }
        }
      }
    }
  }
}
