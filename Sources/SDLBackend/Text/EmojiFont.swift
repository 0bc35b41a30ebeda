import Geometry
import Rendering
import Threads

/// A font of emoji in colour: which pictures a line is and how wide, and a painter that unpacks them on its own thread.
final class EmojiFont {
  /// The most glyphs of lines that are kept in each of two tables.
  private static let maximumShapedGlyphs = 1_024

  /// Read for its tables alone; the painter has a face of its own.
  private let face: FreeTypeColorFace
  /// At the size of the font's pictures, whatever the line's: the pictures are scaled, and places with them.
  private let shaper: HarfBuzzShaper
  private var lines = GenerationalCache<BytewiseText, ShapedLine>(capacity: EmojiFont.maximumShapedGlyphs)
  private let painter: EmojiPainter

  /// Opens a font.
  ///
  /// - Parameter witness: counts pictures that are unpacked on the thread that draws.
  /// - Throws: ``DisplayError`` when FreeType cannot read it, it has no pictures in colour, or memory is out.
  init(path: String, library: FreeTypeLibrary, renderThreadCheck: RenderThreadDecodeCounter) throws(DisplayError) {
    face = try FreeTypeColorFace(path: path, library: library, renderThreadCheck: renderThreadCheck)
    shaper = try HarfBuzzShaper(face.pointer, of: face, pixelSize: face.pixelsPerEm)
    painter = EmojiPainter(path: path, renderThreadCheck: renderThreadCheck)
  }

  deinit { painter.close() }

  /// Whether the font has a picture for all of a line.
  func hasGlyphs(for line: String) -> Bool {
    let shaped = shapedLine(line)
    return !shaped.glyphs.isEmpty && shaped.glyphs.allSatisfy { $0.glyph != 0 }
  }

  /// The width of a line in pixels.
  ///
  /// - Parameters:
  ///   - line: what the font ``covers(_:)``.
  ///   - pixelSize: the size of the type in pixels.
  func width(of line: String, pixelSize: Int) -> Int {
    max(1, Int((Double(shapedLine(line).advance) / 64 * scale(forPixelSize: pixelSize)).rounded()))
  }

  /// As many of a line's first emoji as fit a width in pixels, and no mark for the others: none of the font's would do.
  ///
  /// - Complexity: O(log n) measurements of n characters.
  func truncatedLine(_ line: String, width: Int, pixelSize: Int) -> String {
    guard self.width(of: line, pixelSize: pixelSize) > width else { return line }
    let characters = Array(line)
    // So many fit, so many do not.
    var (low, high) = (0, characters.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      let fits = self.width(of: String(characters[..<middle]), pixelSize: pixelSize) <= width
      if fits { low = middle } else { high = middle }
    }
    while low > 0, characters[low - 1] == " " { low -= 1 }
    return String(characters[..<low])
  }

  /// Starts to paint a line on the painter's thread.
  ///
  /// - Parameters:
  ///   - line: what the font ``covers(_:)``.
  ///   - pixelSize: the size of the type in pixels.
  ///   - size: the line's extent; pictures that are higher are made smaller.
  ///   - completion: called once on that thread with the line, or nil where it cannot be painted.
  func startRendering(
    of line: String, pixelSize: Int, size: PixelSize, completion: @escaping @Sendable (Bitmap?) -> Void
  ) {
    painter.startPainting(
      EmojiPainter.Line(glyphs: shapedLine(line).glyphs, scale: scale(forPixelSize: pixelSize), size: size),
      completion: completion)
  }

  /// What was done so far.
  var statistics: TextStatistics { painter.statistics }

  /// Why lines may be missing, in words for people; nil while all is well.
  var warning: String? { painter.warning }

  /// Ends the painter's thread; no completion is called any more.
  func close() { painter.close() }

  private func scale(forPixelSize pixelSize: Int) -> Double { Double(pixelSize) / Double(face.pixelsPerEm) }

  private func shapedLine(_ line: String) -> ShapedLine {
    let key = BytewiseText(line)
    if let known = lines.value(for: key) { return known }
    var text = line
    // Emoji have no script of their own: any rules do.
    let shaped = text.withUTF8 { shaper.shape($0, script: TextRun.Kind.commonScript, isRightToLeft: false) }
    lines.insert(shaped, for: key, cost: shaped.glyphs.count + 1)
    return shaped
  }
}
