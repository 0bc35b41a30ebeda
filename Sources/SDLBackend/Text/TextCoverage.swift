import Geometry
import Rendering

/// A line's pixels, into which runs are painted: white everywhere, so that smoothing and tinting never draw dark edges, and
/// as opaque as there is ink.
nonisolated struct TextCoverage {
  /// The extent in pixels.
  let size: PixelSize
  private let pixels: UnsafeMutableBufferPointer<UInt32>
  private let white = Color(red: 255, green: 255, blue: 255, alpha: 0).packed

  /// An empty line in memory of four bytes a pixel, which must stay as long as the line is painted.
  init(size: PixelSize, in memory: UnsafeMutableRawBufferPointer) {
    self.size = size
    pixels = memory.bindMemory(to: UInt32.self)
    pixels.update(repeating: white)
  }

  /// Lays all of a line over what is there with its baseline on a row.
  /// - Complexity: O(pixels).
  func paintLine(_ line: LineComponents, baseline: Int) {
    for text in line.texts { paintText(text, baseline: baseline) }
    for glyph in line.glyphs { paintGlyph(glyph, baseline: baseline) }
  }

  /// Lays a glyph over what is there, the stronger of both; what lies outside is cut off.
  private func paintGlyph(_ glyph: PositionedGlyph, baseline: Int) {
    let image = glyph.image
    let (x, y) = (glyph.x, baseline - glyph.top)
    let (columns, rows) = visiblePart(width: image.width, height: image.height, atX: x, y: y)
    guard let line = pixels.baseAddress, !columns.isEmpty else { return }
    let white = white
    image.coverage.withUnsafeBufferPointer { coverage in
      guard let ink = coverage.baseAddress else { return }
      for row in rows {
        let (from, to) = (ink + row * image.width, line + ((y + row) * size.width + x))
        var column = columns.lowerBound
        while column < columns.upperBound {
          // Alpha is the highest byte, and the others are the same everywhere.
          let word = white | UInt32(from[column]) &<< 24
          if word > to[column] { to[column] = word }
          column &+= 1
        }
      }
    }
  }

  /// Lays painted text over what is there with its baseline on a row, the stronger of both; what lies outside is cut off.
  /// - Complexity: O(pixels).
  private func paintText(_ text: RenderedText, baseline: Int) {
    let (x, y) = (text.x, baseline - text.ascent)
    let (columns, rows) = visiblePart(width: text.surface.width, height: text.surface.height, atX: x, y: y)
    text.surface.withPixels { bytes, bytesPerRow in
      for row in rows {
        // 32-bit words with alpha in the highest byte.
        let words = bytes + row * bytesPerRow
        let start = (y + row) * size.width + x
        for column in columns {
          let word = white | words.load(fromByteOffset: column * 4, as: UInt32.self) & 0xFF00_0000
          pixels[start + column] = max(pixels[start + column], word)
        }
      }
    }
  }

  /// The columns and rows of a picture that lie within the line.
  private func visiblePart(width: Int, height: Int, atX x: Int, y: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let (left, top) = (max(0, -x), max(0, -y))
    return (left..<max(left, min(width, size.width - x)), top..<max(top, min(height, size.height - y)))
  }
}
