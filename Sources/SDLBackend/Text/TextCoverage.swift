import Geometry
import Rendering

/// How much of each pixel of a line is ink: what runs are painted into, and then a white bitmap of that opacity.
struct TextCoverage {
  /// The extent in pixels.
  let size: PixelSize
  private var alphas: [UInt8]

  /// An empty line.
  init(size: PixelSize) {
    self.size = size
    alphas = Array(repeating: 0, count: size.area)
  }

  /// Lays all of a line over what is there with its baseline on a row.
  /// - Complexity: O(pixels).
  mutating func add(_ line: PaintedLine, baseline: Int) {
    for text in line.texts { add(text, baseline: baseline) }
    for glyph in line.glyphs { add(glyph, baseline: baseline) }
  }

  /// Lays a glyph over what is there, the stronger of both; what lies outside is cut off.
  private mutating func add(_ glyph: PlacedGlyph, baseline: Int) {
    let image = glyph.image
    let (x, y) = (glyph.x, baseline - glyph.top)
    let columns = max(0, -x)..<max(max(0, -x), min(image.width, size.width - x))
    let rows = max(0, -y)..<max(max(0, -y), min(image.height, size.height - y))
    for row in rows {
      let start = (y + row) * size.width + x
      let first = row * image.width
      for column in columns {
        alphas[start + column] = max(alphas[start + column], image.coverage[first + column])
      }
    }
  }

  /// Lays painted text over what is there with its baseline on a row, the stronger of both; what lies outside is cut off.
  /// - Complexity: O(pixels).
  private mutating func add(_ text: PaintedText, baseline: Int) {
    let width = text.surface.width
    let height = text.surface.height
    text.surface.withRows { pixels, bytesPerRow in
      add(
        alphaOf: pixels, width: width, height: height, bytesPerRow: bytesPerRow, atX: text.x,
        y: baseline - text.ascent)
    }
  }

  /// Adds the alpha of pixels.
  ///
  /// - Parameter pixels: rows of 32-bit words with alpha in the highest byte.
  /// - Complexity: O(pixels).
  private mutating func add(
    alphaOf pixels: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, atX x: Int, y: Int
  ) {
    let columns = max(0, -x)..<max(max(0, -x), min(width, size.width - x))
    let rows = max(0, -y)..<max(max(0, -y), min(height, size.height - y))
    for row in rows {
      let words = pixels + row * bytesPerRow
      let start = (y + row) * size.width + x
      for column in columns {
        let alpha = UInt8(truncatingIfNeeded: words.load(fromByteOffset: column * 4, as: UInt32.self) >> 24)
        alphas[start + column] = max(alphas[start + column], alpha)
      }
    }
  }

  /// The line as a bitmap: white everywhere, so that smoothing and tinting never draw dark edges.
  /// - Throws: ``BitmapError`` when memory is out.
  func bitmap() throws -> Bitmap {
    try Bitmap(size: size, isOpaque: false) { memory in
      let words = memory.bindMemory(to: UInt32.self)
      let white = Color(red: 255, green: 255, blue: 255, alpha: 0).packed
      for (index, alpha) in alphas.enumerated() { words[index] = white | UInt32(alpha) << 24 }
    }
  }
}
