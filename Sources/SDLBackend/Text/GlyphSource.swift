import Rendering

/// Paints runs glyph by glyph, each of which is rasterised once for each quarter of a pixel it may begin at.
///
/// SDL_ttf rasterises every glyph of every line anew where letters stand at fractions of a pixel, and loads it twice
/// more to shape: nearly two million instructions a line, most of what a cell's caption costs.
final class GlyphSource {
  /// The most that glyphs take in bytes in each of two tables: letters, digits and signs of Latin at four phases take a
  /// fifth of it at the size of captions.
  private static let glyphBytes = 256 << 10
  /// The most glyphs of shaped runs that are kept in each of two tables: measured lines are painted soon after.
  private static let shapedGlyphs = 2_048
  /// How far from its start a run is painted, in pixels; lines are cut there.
  private static let widestRun = 8_192

  private let face: FreeTypeFace
  private let shaper: HarfBuzzShaper
  private var images = RecentTable<ImageKey, GlyphImage>(capacity: GlyphSource.glyphBytes)
  private var runs = RecentTable<RunKey, ShapedRun>(capacity: GlyphSource.shapedGlyphs)

  private struct ImageKey: Hashable {
    let glyph: UInt32
    /// In quarters of a pixel, 0 to 3.
    let phase: Int
  }

  private struct RunKey: Hashable {
    let text: String
    let script: String
    let isRightToLeft: Bool
  }

  private struct ShapedRun {
    let glyphs: [ShapedGlyph]
    /// How far the pen moves, in 64ths of a pixel.
    let advance: Int
    let width: Int
    /// How far the first glyphs reach to the left of where the pen began, in pixels.
    let overhang: Int
  }

  /// Opens a font.
  /// - Throws: ``DisplayError`` when FreeType cannot read it, it has no outlines, or memory is out.
  init(path: String, data: FontData?, pixelSize: Int, library: FreeTypeLibrary) throws(DisplayError) {
    face = try FreeTypeFace(path: path, data: data, pixelSize: pixelSize, library: library)
    shaper = try HarfBuzzShaper(face, pixelSize: pixelSize)
  }

  /// The width of a text in pixels: as far as the pen moves, rounded, or ink reaches on either side.
  func width(of text: String, script: String, isRightToLeft: Bool) -> Int {
    shaped(text, script, isRightToLeft).width
  }

  /// Paints a text and gives its width.
  func paint(
    _ text: String, script: String, isRightToLeft: Bool, atX x: Int, into line: inout [PlacedGlyph]
  ) -> Int {
    let run = shaped(text, script, isRightToLeft)
    for glyph in run.glyphs {
      guard let placed = placed(glyph, atX: x + run.overhang) else { continue }
      line.append(placed)
    }
    return run.width
  }

  private func shaped(_ text: String, _ script: String, _ isRightToLeft: Bool) -> ShapedRun {
    let key = RunKey(text: text, script: script, isRightToLeft: isRightToLeft)
    if let known = runs.value(key) { return known }
    let parts = isRightToLeft ? [text[...]] : WordBreaks.parts(of: text)
    var glyphs: [ShapedGlyph] = []
    var advance = 0
    if parts.count > 1 {
      for part in parts {
        let word = shaped(String(part), script, isRightToLeft)
        for glyph in word.glyphs { glyphs.append(ShapedGlyph(glyph: glyph.glyph, x: advance + glyph.x, y: glyph.y)) }
        advance += word.advance
      }
    } else {
      (glyphs, advance) = shaper.shape(text, script: script, isRightToLeft: isRightToLeft)
    }
    var left = 0
    var right = (advance + 32) >> 6
    for glyph in glyphs {
      guard let placed = placed(glyph, atX: 0) else { continue }
      left = min(left, placed.x)
      right = max(right, placed.x + placed.image.width)
    }
    let run = ShapedRun(glyphs: glyphs, advance: advance, width: right - left, overhang: -left)
    runs.note(run, for: key, cost: glyphs.count + 1)
    return run
  }

  /// A glyph's pixels, at the quarter of a pixel that is nearest to its place; nothing for spaces.
  private func placed(_ glyph: ShapedGlyph, atX x: Int) -> PlacedGlyph? {
    let quarters = (glyph.x + 8) >> 4
    guard quarters >> 2 < GlyphSource.widestRun else { return nil }
    let image = image(ImageKey(glyph: glyph.glyph, phase: quarters & 3))
    guard image.width > 0 else { return nil }
    return PlacedGlyph(
      image: image, x: x + (quarters >> 2) + image.left, top: image.top + ((glyph.y + 32) >> 6))
  }

  private func image(_ key: ImageKey) -> GlyphImage {
    if let known = images.value(key) { return known }
    let image = face.image(of: key.glyph, shiftedBy: key.phase * 16)
    // Some more for the entry itself: spaces take room too.
    images.note(image, for: key, cost: image.coverage.count + 64)
    return image
  }
}
