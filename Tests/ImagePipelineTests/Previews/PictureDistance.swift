import Geometry
import Rendering

import func Foundation.log10

/// How far two bitmaps are from each other.
enum PictureDistance {
  /// The mean channels of a bitmap, 0 to 1.
  static func average(_ bitmap: Bitmap) -> SIMD3<Double> {
    channels(bitmap).reduce(SIMD3<Double>.zero, +) / Double(bitmap.size.area) / 255
  }

  /// The peak ratio of signal to noise, in decibels.
  ///
  /// - Precondition: both are of one size.
  static func decibels(_ left: Bitmap, _ right: Bitmap) -> Double {
    let squares = zip(channels(left), channels(right)).reduce(0.0) { sum, pair in
      let difference = (pair.0 - pair.1) / 255
      return sum + (difference * difference).sum()
    }
    return -10 * log10(max(squares / Double(left.size.area * 3), 1e-12))
  }

  /// The largest difference of a channel, in parts of 1.
  static func largest(_ left: Color, _ right: SIMD3<Double>) -> Double {
    let color = SIMD3(Double(left.red), Double(left.green), Double(left.blue)) / 255
    let difference = color - right
    return max(abs(difference.x), abs(difference.y), abs(difference.z))
  }

  static func channels(_ bitmap: Bitmap) -> [SIMD3<Double>] {
    bitmap.withPixels { pixels in
      (0..<bitmap.size.area).map { place in
        SIMD3(
          Double(pixels[place * 4]), Double(pixels[place * 4 + 1]), Double(pixels[place * 4 + 2]))
      }
    }
  }
}
