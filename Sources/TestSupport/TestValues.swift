import VitrineDataStructures
import VitrineGeometry
public import VitrineRendering

/// A random number generator that returns the same sequence for the same seed on every machine.
///
/// It wraps `SplitMix64`.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Creates a generator.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 { generator.next() }

  /// Returns true with a probability of one in `count`.
  public mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<Swift.max(1, count), using: &self) == 0 }
}

/// Extreme numbers that a driver, a file or a caller may pass.
///
/// Tests use them to check for traps and NaN.
public enum EdgeCaseNumbers {
  /// Zeros, and tiny, huge, infinite and NaN values.
  public static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e-300, -1e-300, .leastNonzeroMagnitude, 1e9, -1e9, 1e18, -1e18, 1e300, -1e300,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  /// Zero, small numbers, and numbers that overflow when they are multiplied.
  public static let integers: [Int] = [0, 1, -1, 2, 1_000, 10_000_000, -10_000_000, .max, .min, .max - 1]
}

extension Bitmap {
  /// Returns a square bitmap of one color.
  ///
  /// - Throws: `BitmapError` if there is not enough memory, or an error if the side is not a valid size.
  public static func square(_ side: Int, _ color: Color) throws -> Bitmap {
    guard let size = PixelSize(width: side, height: side) else { throw InvalidSizeError(side: side) }
    return try Bitmap(size: size, isOpaque: color.alpha == 255) { pixels in
      pixels.bindMemory(to: UInt32.self).update(repeating: UInt32(littleEndian: color.packed))
    }
  }

  /// Returns a bitmap whose red channel increases to the right and whose green channel increases downwards.
  ///
  /// - Precondition: The width and the height are positive.
  /// - Throws: `BitmapError` if there is not enough memory.
  public static func gradient(_ width: Int, _ height: Int, blue: UInt8 = 0) throws -> Bitmap {
    try Bitmap(size: pixels(width, height), isOpaque: true) { bytes in
      for row in 0..<height {
        for column in 0..<width {
          let offset = (row * width + column) * 4
          bytes[offset] = UInt8(column * 255 / max(1, width - 1))
          bytes[offset + 1] = UInt8(row * 255 / max(1, height - 1))
          bytes[offset + 2] = blue
          bytes[offset + 3] = 255
        }
      }
    }
  }
}

/// An error that is thrown for an invalid side of a bitmap.
private struct InvalidSizeError: Error {
  let side: Int
}
