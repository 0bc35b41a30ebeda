import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A colour emoji font that shapes and measures lines, with a painter that decodes the images on its own thread.
final class EmojiFont {
  /// The maximum number of cached glyphs in each of the two generations.
  private static let maximumShapedGlyphs = 1_024

  /// The face for shaping.
  ///
  /// The painter has its own face.
  private let face: FreeTypeColorFace
  /// A shaper at the size of the font's images.
  ///
  /// The images and their positions are scaled to the size of the line.
  private let shaper: HarfBuzzShaper
  private var lines = GenerationalCache<BytewiseText, ShapedLine>(capacity: EmojiFont.maximumShapedGlyphs)
  private let painter: EmojiPainter

  /// Opens a font.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - library: The library that opens the face.
  ///   - renderThreadCheck: The counter of images decoded on the render thread.
  /// - Throws: ``DisplayError`` if FreeType cannot read the font, if it has no colour images, or if the system has no
  ///   memory.
  init(path: String, library: FreeTypeLibrary, renderThreadCheck: RenderThreadDecodeCounter) throws(DisplayError) {
    face = try FreeTypeColorFace(path: path, library: library, renderThreadCheck: renderThreadCheck)
    shaper = try HarfBuzzShaper(face.pointer, of: face, pixelSize: face.pixelsPerEm)
    painter = EmojiPainter(path: path, renderThreadCheck: renderThreadCheck)
  }

  deinit { painter.close() }

  /// Whether the font has glyphs for all of a line.
  func hasGlyphs(for line: String) -> Bool {
    let shaped = shapedLine(line)
    return !shaped.glyphs.isEmpty && shaped.glyphs.allSatisfy { $0.glyph != 0 }
  }

  /// Returns the width of a line in pixels.
  ///
  /// - Parameters:
  ///   - line: A line for which ``hasGlyphs(for:)`` is true.
  ///   - pixelSize: The font size in pixels.
  func width(of line: String, pixelSize: Int) -> Int {
    max(1, Int((Double(shapedLine(line).advance) / 64 * scale(forPixelSize: pixelSize)).rounded()))
  }

  /// Truncates a line to a width, without an ellipsis, because the font has none.
  ///
  /// - Complexity: O(log n) measurements of n characters.
  func truncatedLine(_ line: String, width: Int, pixelSize: Int) -> String {
    guard self.width(of: line, pixelSize: pixelSize) > width else { return line }
    let characters = Array(line)
    // Invariant: `low` characters fit, `high` do not.
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
  ///   - line: A line for which ``hasGlyphs(for:)`` is true.
  ///   - pixelSize: The font size in pixels.
  ///   - size: The size of the line in pixels. Images that are higher are scaled down.
  ///   - completion: Called once on that thread with the line, or with nil if it cannot be painted.
  func startRendering(
    of line: String, pixelSize: Int, size: PixelSize, completion: @escaping @Sendable (Bitmap?) -> Void
  ) {
    painter.startPainting(
      EmojiPainter.Line(glyphs: shapedLine(line).glyphs, scale: scale(forPixelSize: pixelSize), size: size),
      completion: completion)
  }

  /// The counts of decoded images.
  var statistics: TextStatistics { painter.statistics }

  /// A message for the user if lines may be missing, or nil.
  var warning: String? { painter.warning }

  /// Ends the painter's thread.
  ///
  /// No completion is called afterwards.
  func close() { painter.close() }

  private func scale(forPixelSize pixelSize: Int) -> Double { Double(pixelSize) / Double(face.pixelsPerEm) }

  private func shapedLine(_ line: String) -> ShapedLine {
    let key = BytewiseText(line)
    if let known = lines.value(for: key) { return known }
    var text = line
    // Emoji have no script, so any shaping rules will do.
    let shaped = text.withUTF8 { shaper.shape($0, script: TextRun.Kind.commonScript, isRightToLeft: false) }
    lines.insert(shaped, for: key, cost: shaped.glyphs.count + 1)
    return shaped
  }
}

/// A test for lines of emoji only, which are displayed in colour.
package enum EmojiDetector {
  /// Whether a line contains only emoji and spaces.
  ///
  /// As specified in UTS #51: characters with emoji presentation, and characters followed by U+FE0F or a skin tone, but
  /// not those followed by U+FE0E. Keycaps count as text.
  /// - Complexity: O(1) for text in Latin, Greek and Cyrillic, otherwise O(scalars).
  package static func isEmojiOnly(_ line: String) -> Bool {
    // The first byte of U+2000 and above.
    guard let first = line.utf8.first, first >= 0xE2 else { return false }
    return line.allSatisfy { $0 == " " || isEmoji($0) }
  }

  private static func isEmoji(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.properties.isEmoji else { return false }
    let second = scalars.dropFirst().first
    if first.properties.isEmojiPresentation { return second != "\u{FE0E}" }
    return second == "\u{FE0F}" || second?.properties.isEmojiModifier == true
  }
}
