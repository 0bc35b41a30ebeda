public import Geometry
import Glibc

/// Red, green and blue of a picture made small by Lanczos' kernel with three lobes in double precision, not rounded: what
/// thumbnails are held against.
public struct ReferencePixels: Sendable {
  /// The extent.
  public let size: PixelSize
  /// Three numbers a pixel, 0 to 255, rows from the top.
  public let values: [Double]

  /// Resamples a picture.
  ///
  /// - Parameters:
  ///   - pixels: four bytes a pixel, of which the last does not count, rows from the top without padding.
  ///   - source: the picture's extent.
  ///   - size: the extent of the result, of the same shape.
  /// - Complexity: O(pixels of the source, times six).
  public init(_ pixels: UnsafeRawBufferPointer, source: PixelSize, size: PixelSize) {
    let across = ReferencePixels.line(from: source.width, to: size.width)
    let down = ReferencePixels.line(from: source.height, to: size.height)
    var rows = [Double](repeating: 0, count: size.width * source.height * 3)
    for y in 0..<source.height {
      for (x, span) in across.enumerated() {
        var sum = (0.0, 0.0, 0.0)
        for (index, weight) in span.weights.enumerated() {
          let place = (y * source.width + span.first + index) * 4
          sum.0 += weight * Double(pixels[place])
          sum.1 += weight * Double(pixels[place + 1])
          sum.2 += weight * Double(pixels[place + 2])
        }
        let place = (y * size.width + x) * 3
        (rows[place], rows[place + 1], rows[place + 2]) = sum
      }
    }
    var values = [Double](repeating: 0, count: size.area * 3)
    let bytesPerRow = size.width * 3
    for (y, span) in down.enumerated() {
      for column in 0..<bytesPerRow {
        var sum = 0.0
        for (index, weight) in span.weights.enumerated() {
          sum += weight * rows[(span.first + index) * bytesPerRow + column]
        }
        values[y * bytesPerRow + column] = min(255, max(0, sum))
      }
    }
    self.size = size
    self.values = values
  }

  /// How near pixels of the same extent are, in decibels: the peak's power over that of the difference.
  ///
  /// - Returns: infinity where there is no difference.
  public func quality(of pixels: UnsafeRawBufferPointer) -> Double {
    var squares = 0.0
    for index in values.indices {
      let difference = values[index] - Double(pixels[index / 3 * 4 + index % 3])
      squares += difference * difference
    }
    return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(values.count) / squares)
  }

  private struct Span {
    var first: Int
    var weights: [Double]
  }

  private static func line(from count: Int, to length: Int) -> [Span] {
    let ratio = Double(count) / Double(length)
    let stretch = max(1, ratio)
    return (0..<length).map { index in
      let center = (Double(index) + 0.5) * ratio
      let first = max(0, Int((center - 3 * stretch).rounded(.down)))
      let end = max(first + 1, min(count, Int((center + 3 * stretch).rounded(.up))))
      let weights = (first..<end).map { kernel((Double($0) + 0.5 - center) / stretch) }
      let sum = weights.reduce(0, +)
      return Span(first: first, weights: weights.map { $0 / sum })
    }
  }

  private static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= 3 { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}
