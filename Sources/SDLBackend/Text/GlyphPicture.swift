import Rendering

/// A glyph in its own colours.
nonisolated struct GlyphPicture {
  /// Pixels across, at least 1.
  let width: Int
  /// Pixels down, at least 1.
  let height: Int
  /// Bytes B, G, R, A, rows from the top without padding, the colours multiplied by alpha.
  let channels: [UInt8]

  /// The picture at another size, each pixel the mean of those that it covers.
  ///
  /// - Parameters:
  ///   - width: pixels across.
  ///   - height: pixels down.
  ///   - put: takes a pixel with straight alpha, unless there is nothing of it: column, row, colour.
  /// - Complexity: O(pixels of both).
  func forEachPixel(width: Int, height: Int, _ put: (Int, Int, Color) -> Void) {
    guard width > 0, height > 0 else { return }
    let columns = GlyphPicture.spans(of: self.width, over: width)
    let rows = GlyphPicture.spans(of: self.height, over: height)
    channels.withUnsafeBufferPointer { channels in
      for (y, row) in rows.enumerated() {
        for (x, column) in columns.enumerated() {
          var (blue, green, red, alpha, area) = (0.0, 0.0, 0.0, 0.0, 0.0)
          for (sourceY, high) in row {
            for (sourceX, wide) in column {
              let pixel = 4 * (sourceY * self.width + sourceX)
              let part = high * wide
              blue += part * Double(channels[pixel])
              green += part * Double(channels[pixel + 1])
              red += part * Double(channels[pixel + 2])
              alpha += part * Double(channels[pixel + 3])
              area += part
            }
          }
          guard alpha > 0, alpha / area >= 0.5 else { continue }
          func straight(_ channel: Double) -> UInt8 { UInt8(min(255, (255 * channel / alpha).rounded())) }
          put(
            x, y,
            Color(
              red: straight(red), green: straight(green), blue: straight(blue),
              alpha: UInt8(min(255, (alpha / area).rounded()))))
        }
      }
    }
  }

  /// Which pixels of a line each pixel of another one covers, and how much of each.
  private static func spans(of count: Int, over target: Int) -> [[(place: Int, part: Double)]] {
    let step = Double(count) / Double(target)
    return (0..<target).map { index in
      let (start, end) = (Double(index) * step, Double(index + 1) * step)
      let (first, last) = (Int(start), min(count, Int(end.rounded(.up))))
      return (first..<max(first + 1, last)).map { place in
        (min(place, count - 1), max(1e-9, min(end, Double(place + 1)) - max(start, Double(place))))
      }
    }
  }
}
