import Rendering

/// A glyph in its own colours.
nonisolated struct ColorGlyphImage {
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
  func forEachScaledPixel(width: Int, height: Int, _ put: (Int, Int, Color) -> Void) {
    guard width > 0, height > 0 else { return }
    let (columns, rows) = (CoverageSpans(of: self.width, over: width), CoverageSpans(of: self.height, over: height))
    let area = Float(self.width) / Float(width) * Float(self.height) / Float(height)
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: self.width) { line in
      for y in 0..<height {
        sumRows(rows, of: y, into: line)
        for x in 0..<width {
          var sum = SIMD4<Float>.zero
          for column in columns.starts[x]..<columns.starts[x + 1] {
            sum += columns.weights[column] * line[columns.pixels[column]]
          }
          let alpha = sum.w / area
          guard alpha >= 0.5 else { continue }
          // Rounded by a half and by cutting off, which asks no library.
          let factor = 255 / sum.w
          put(
            x, y,
            Color(
              red: UInt8(min(255, sum.z * factor + 0.5)), green: UInt8(min(255, sum.y * factor + 0.5)),
              blue: UInt8(min(255, sum.x * factor + 0.5)), alpha: UInt8(min(255, alpha + 0.5))))
        }
      }
    }
  }

  /// Sums the rows that a row of another height covers, as far as it does: first of all, as whole rows lie together.
  private func sumRows(_ rows: CoverageSpans, of y: Int, into line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    line.initialize(repeating: .zero)
    line.withMemoryRebound(to: Float.self) { sums in
      channels.withUnsafeBufferPointer { channels in
        for row in rows.starts[y]..<rows.starts[y + 1] {
          let part = rows.weights[row]
          let bytes = UnsafeBufferPointer(rebasing: channels[(4 * width * rows.pixels[row])...].prefix(4 * width))
          for index in 0..<min(sums.count, bytes.count) { sums[index] += part * Float(bytes[index]) }
        }
      }
    }
  }

  /// Which pixels of a line each pixel of another one covers, and how much of each, one after the other.
  private struct CoverageSpans {
    /// Where those of a pixel begin, and where those of the last one end.
    var starts: [Int] = [0]
    /// Pixels of the line.
    var pixels: [Int] = []
    /// How much is covered of each, at most 1.
    var weights: [Float] = []

    init(of count: Int, over target: Int) {
      let step = Double(count) / Double(target)
      for index in 0..<target {
        let (start, end) = (Double(index) * step, Double(index + 1) * step)
        var place = min(Int(start), count - 1)
        repeat {
          pixels.append(place)
          weights.append(Float(min(end, Double(place + 1)) - max(start, Double(place))))
          place += 1
        } while place < count && Double(place) < end
        starts.append(pixels.count)
      }
    }
  }
}
