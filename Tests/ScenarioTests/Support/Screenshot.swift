import Foundation
import Geometry
import ImageDecoding
import Rendering

/// A PNG file that the program wrote.
enum Screenshot {
  /// Reads one in its own size.
  static func read(_ path: String, width: Int, height: Int) throws -> Bitmap {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let size = PixelSize(width: width, height: height) else { throw CocoaError(.fileReadCorruptFile) }
    return try data.withUnsafeBytes {
      let (bitmap, image) = try ImageDecoder().bitmap($0, target: DecodingTarget(size: size))
      // Of another size it would be stretched, and differ for no reason of its own.
      guard image.sourceSize == size else { throw CocoaError(.fileReadCorruptFile) }
      return bitmap
    }
  }

  /// The largest difference of two, over all channels of all pixels, and how many pixels differ at all.
  static func difference(_ first: Bitmap, _ second: Bitmap) -> (largest: Int, pixels: Int) {
    first.withPixels { left in
      second.withPixels { right in
        var largest = 0
        var pixels = 0
        for pixel in stride(from: 0, to: min(left.count, right.count), by: 4) {
          let difference = (0..<3).reduce(0) { max($0, abs(Int(left[pixel + $1]) - Int(right[pixel + $1]))) }
          largest = max(largest, difference)
          pixels += difference > 0 ? 1 : 0
        }
        return (largest, pixels)
      }
    }
  }
}
