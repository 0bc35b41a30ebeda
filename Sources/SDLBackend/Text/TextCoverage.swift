import VitrineGeometry
import VitrineRendering

/// The pixels of a line of text: white everywhere, with the coverage of the glyphs as alpha.
///
/// White transparent pixels avoid dark edges when the line is smoothed or tinted.
nonisolated struct TextCoverage {
  /// The size in pixels.
  let size: PixelSize
  private let pixels: UnsafeMutableBufferPointer<UInt32>
  private let white = Color(red: 255, green: 255, blue: 255, alpha: 0).packed

  /// Creates an empty line in memory of four bytes a pixel, which must exist while the line is painted.
  init(size: PixelSize, in memory: UnsafeMutableRawBufferPointer) {
    self.size = size
    pixels = memory.bindMemory(to: UInt32.self)
    pixels.update(repeating: white)
  }

  /// Paints a line at a baseline.
  /// - Complexity: O(pixels).
  func paintLine(_ line: LineComponents, baseline: Int) {
    for text in line.texts { paintText(text, baseline: baseline) }
    for glyph in line.glyphs { paintGlyph(glyph, baseline: baseline) }
  }

  /// Paints a glyph with the maximum of both alphas, clipped to the line.
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
          // Alpha is the highest byte. The others are the same in all pixels.
          let word = white | UInt32(from[column]) &<< 24
          if word > to[column] { to[column] = word }
          column &+= 1
        }
      }
    }
  }

  /// Paints a text rendered by SDL_ttf with the maximum of both alphas, clipped to the line.
  /// - Complexity: O(pixels).
  private func paintText(_ text: RenderedText, baseline: Int) {
    let (x, y) = (text.x, baseline - text.ascent)
    let (columns, rows) = visiblePart(width: text.surface.width, height: text.surface.height, atX: x, y: y)
    text.surface.withPixels { bytes, bytesPerRow in
      for row in rows {
        // Words of 32 bits with alpha in the highest byte.
        let words = bytes + row * bytesPerRow
        let start = (y + row) * size.width + x
        for column in columns {
          let word = white | words.load(fromByteOffset: column * 4, as: UInt32.self) & 0xFF00_0000
          pixels[start + column] = max(pixels[start + column], word)
        }
      }
    }
  }

  /// Returns the columns and rows of an image that are within the line.
  private func visiblePart(width: Int, height: Int, atX x: Int, y: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let (left, top) = (max(0, -x), max(0, -y))
    return (left..<max(left, min(width, size.width - x)), top..<max(top, min(height, size.height - y)))
  }
}

/// The glyphs and rendered texts of a line.
nonisolated struct LineComponents {
  /// The glyphs rasterised by ``GlyphRasterizer``.
  var glyphs: [PositionedGlyph] = []
  /// The texts rendered by SDL_ttf.
  var texts: [RenderedText] = []
}

/// The mask of a glyph with its position on the line.
nonisolated struct PositionedGlyph {
  /// The mask.
  let image: GlyphMask
  /// The distance from the left edge of the line to that of the mask.
  var x: Int
  /// The distance from the baseline up to the top of the mask.
  let top: Int
}

/// The coverage of the pixels of a glyph.
nonisolated struct GlyphMask {
  /// The distance from the pixel of the pen to the first column.
  let left: Int
  /// The distance from the baseline up to the top of the first row.
  let top: Int
  /// The width in pixels.
  let width: Int
  /// The height in pixels.
  let height: Int
  /// The coverage of each pixel, 0 to 255, rows from the top without padding.
  let coverage: [UInt8]

  /// The mask of a space.
  static let empty = GlyphMask(left: 0, top: 0, width: 0, height: 0, coverage: [])
}

/// A text rendered by SDL_ttf with its position on the line.
nonisolated final class RenderedText {
  /// The pixels.
  let surface: SurfaceHandle
  /// The distance from the left edge of the line to that of the pixels.
  let x: Int
  /// The distance from the top of the pixels to the baseline.
  let ascent: Int

  /// Takes ownership of a rendered surface.
  init(_ surface: consuming SurfaceHandle, x: Int, ascent: Int) {
    self.surface = surface
    self.x = x
    self.ascent = ascent
  }
}
