import Rendering

/// Paints runs glyph by glyph, each of which is rasterised once for each quarter of a pixel it may begin at.
///
/// SDL_ttf rasterises every glyph of every line anew where letters stand at fractions of a pixel, and loads it twice
/// more to shape: nearly two million instructions a line, most of what a cell's caption costs.
///
/// A value with one owner, so that asking it for a line is one access to memory that is shared, and not one a letter.
nonisolated struct GlyphRasterizer {
  /// The most that glyphs take in bytes in each of two tables: letters, digits and signs of Latin at four phases take a
  /// fifth of it at the size of captions.
  private static let maximumMaskBytes = 256 << 10
  /// The most glyphs of shaped words that are kept in each of two tables: measured lines are painted soon after.
  private static let maximumShapedGlyphs = 2_048
  /// How far from its start a run is painted, in pixels; lines are cut there.
  private static let maximumRunWidth = 8_192

  private let face: FreeTypeFace
  private let shaper: HarfBuzzShaper
  private var masks = GenerationalCache<ImageKey, GlyphMask>(capacity: GlyphRasterizer.maximumMaskBytes)
  private var words = GenerationalCache<WordKey, ShapedLine>(capacity: GlyphRasterizer.maximumShapedGlyphs)
  /// The run that is asked about, in memory that is used again.
  private var run = ShapedLine()
  private var shapedPrefix = ShapedPrefixCache()

  private struct ImageKey: Hashable {
    let glyph: UInt32
    /// In quarters of a pixel, 0 to 3.
    let phase: UInt32

    func hash(into hasher: inout Hasher) { hasher.combine(UInt64(glyph) << 2 | UInt64(phase)) }
  }

  private struct WordKey: Hashable {
    let text: BytewiseText
    let script: String
    let isRightToLeft: Bool

    // The same word has one script as a rule: the text alone finds its place.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Opens a font.
  /// - Throws: ``DisplayError`` when FreeType cannot read it, it has no outlines, or memory is out.
  init(path: String, data: FontData?, pixelSize: Int, library: FreeTypeLibrary) throws(DisplayError) {
    face = try FreeTypeFace(path: path, data: data, pixelSize: pixelSize, library: library)
    shaper = try HarfBuzzShaper(face.pointer, of: face, pixelSize: pixelSize)
  }

  /// The width of a text in pixels: as far as the pen moves, rounded, or ink reaches on either side.
  mutating func width(of text: String, script: String, isRightToLeft: Bool) -> Int {
    var text = text
    text.withUTF8 { shapeRun($0, script, isRightToLeft) }
    return width
  }

  /// Paints a text and gives its width.
  mutating func paintText(
    _ text: String, script: String, isRightToLeft: Bool, atX x: Int, into line: inout [PositionedGlyph]
  ) -> Int {
    var text = text
    text.withUTF8 { shapeRun($0, script, isRightToLeft) }
    var (left, right) = (0, run.roundedAdvance)
    let first = line.count
    // Most lines are one run.
    if first == 0 { line.reserveCapacity(run.glyphs.count) }
    for glyph in run.glyphs {
      guard let placed = positionedGlyph(for: glyph) else { continue }
      left = min(left, placed.x)
      right = max(right, placed.x + placed.image.width)
      line.append(placed)
    }
    // The first glyphs may reach to the left of where the pen began: what is painted begins with the ink.
    let shift = x - left
    if shift != 0 { for index in first..<line.count { line[index].x += shift } }
    return right - left
  }

  /// Rasterises a letter at each of the places within a pixel that it may begin at.
  mutating func prepareGlyph(_ letter: String) {
    var letter = letter
    letter.withUTF8 { shapeASCII($0) }
    for glyph in run.glyphs {
      for phase in UInt32(0)..<4 { _ = mask(for: ImageKey(glyph: glyph.glyph, phase: phase)) }
    }
  }

  /// The longest shortening of a line that fits a width in pixels, as ``Truncation/fit(_:width:measure:)`` finds it.
  ///
  /// - Parameters:
  ///   - text: printable ASCII.
  ///   - width: what the line may measure.
  ///   - most: what lines count as measuring at most.
  /// - Returns: nothing where the whole line fits.
  /// - Complexity: O(log n) measurements; three as a rule, of which the first tells what the others will find.
  mutating func truncatedText(_ text: String, width: Int, maximumWidth: Int, truncation: Truncation) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      shapeASCII(bytes)
      let whole = min(self.width, maximumWidth)
      guard whole > width else { return nil }
      var shortening = LineTruncator(of: bytes, truncation)
      let guess = run.estimatedCount(of: bytes.count, width: width, ellipsis: ellipsisAdvance, truncation)
      let kept = truncation.longestFittingCount(of: bytes.count, whole: whole, width: width, guess: guess) { kept in
        shortening.truncated(keeping: kept).withUnsafeBufferPointer { shapeASCII($0) }
        return min(self.width, maximumWidth)
      }
      return String(decoding: shortening.truncated(keeping: kept), as: UTF8.self)
    }
  }

  // MARK: - Shaping

  private mutating func shapeASCII(_ text: UnsafeBufferPointer<UInt8>) {
    shapeRun(text, TextRun.Kind.commonScript, false)
  }

  /// Takes a text as the run that is asked about.
  private mutating func shapeRun(_ text: UnsafeBufferPointer<UInt8>, _ script: String, _ isRightToLeft: Bool) {
    guard !isRightToLeft else {
      shapedPrefix.removeAll()
      run.removeAll()
      if !text.isEmpty { run.append(shapedWord(text, script, isRightToLeft)) }
      return
    }
    let known = shapedPrefix.beginLine(text, script: script)
    run.truncate(to: known.glyphCount, advance: known.advance)
    var start = known.end
    while start < text.count {
      let end = WordBreaks.endOfSegment(from: start, in: text)
      run.append(shapedWord(UnsafeBufferPointer(rebasing: text[start..<end]), script, isRightToLeft))
      shapedPrefix.append(ShapedPrefixCache.Part(end: end, glyphCount: run.glyphs.count, advance: run.advance))
      start = end
    }
  }

  private mutating func shapedWord(_ text: UnsafeBufferPointer<UInt8>, _ script: String, _ isRightToLeft: Bool)
    -> ShapedLine
  {
    let key = WordKey(text: BytewiseText(text), script: script, isRightToLeft: isRightToLeft)
    if let known = words.value(for: key) { return known }
    let word = shaper.shape(text, script: script, isRightToLeft: isRightToLeft)
    words.insert(word, for: key, cost: word.glyphs.count + 1)
    return word
  }

  /// How far an ellipsis moves the pen, in 64ths of a pixel.
  private var ellipsisAdvance: Int {
    mutating get {
      LineTruncator.ellipsis.withUnsafeBufferPointer { shapedWord($0, TextRun.Kind.commonScript, false).advance }
    }
  }

  // MARK: - Ink

  /// The width of the run in pixels.
  private var width: Int {
    mutating get {
      var (left, right) = (0, run.roundedAdvance)
      for glyph in run.glyphs {
        // Glyphs that are too far within to reach an edge, as most are, need not be looked at.
        let pen = (glyph.x + 8) >> 6
        guard pen + face.glyphBounds.lowerBound < left || pen + face.glyphBounds.upperBound > right else { continue }
        guard let placed = positionedGlyph(for: glyph) else { continue }
        left = min(left, placed.x)
        right = max(right, placed.x + placed.image.width)
      }
      return right - left
    }
  }

  /// A glyph's pixels, at the quarter of a pixel that is nearest to its place; nothing for spaces.
  private mutating func positionedGlyph(for glyph: ShapedGlyph) -> PositionedGlyph? {
    let quarters = (glyph.x + 8) >> 4
    guard quarters >> 2 < GlyphRasterizer.maximumRunWidth else { return nil }
    let image = mask(for: ImageKey(glyph: glyph.glyph, phase: UInt32(quarters & 3)))
    guard image.width > 0 else { return nil }
    return PositionedGlyph(image: image, x: (quarters >> 2) + image.left, top: image.top + ((glyph.y + 32) >> 6))
  }

  private mutating func mask(for key: ImageKey) -> GlyphMask {
    if let known = masks.value(for: key) { return known }
    let image = face.image(of: key.glyph, shiftedBy: Int(key.phase) * 16)
    // Some more for the entry itself: spaces take room too.
    masks.insert(image, for: key, cost: image.coverage.count + 64)
    return image
  }
}
