import VitrineRendering

/// A rasteriser of text that caches each glyph at each quarter of a pixel.
///
/// With subpixel positions, SDL_ttf rasterises every glyph of every line again, and loads it twice more for shaping:
/// nearly two million instructions a line, most of the cost of a cell's caption.
///
/// It is a struct with one owner, so that a line takes one access to shared memory, rather than one per letter.
nonisolated struct GlyphRasterizer {
  /// The maximum number of bytes of masks in each of the two generations.
  ///
  /// The letters, digits and signs of Latin at four phases take a fifth of it at the size of captions.
  private static let maximumMaskBytes = 256 << 10
  /// The maximum number of glyphs of shaped words in each of the two generations.
  ///
  /// Measured lines are painted soon after.
  private static let maximumShapedGlyphs = 2_048
  /// The maximum width of a run in pixels, at which lines are cut off.
  private static let maximumRunWidth = 8_192

  private let face: FreeTypeFace
  private let shaper: HarfBuzzShaper
  private var masks = GenerationalCache<ImageKey, GlyphMask>(capacity: GlyphRasterizer.maximumMaskBytes)
  private var words = GenerationalCache<WordKey, ShapedLine>(capacity: GlyphRasterizer.maximumShapedGlyphs)
  /// The current run, in memory that is reused.
  private var run = ShapedLine()
  private var shapedPrefix = ShapedPrefixCache()

  private struct ImageKey: Hashable {
    let glyph: UInt32
    /// The subpixel position in quarters of a pixel, 0 to 3.
    let phase: UInt32

    func hash(into hasher: inout Hasher) { hasher.combine(UInt64(glyph) << 2 | UInt64(phase)) }
  }

  private struct WordKey: Hashable {
    let text: BytewiseText
    let script: String

    // A word usually has one script, so hashing the text is sufficient.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// Opens a font.
  /// - Throws: ``DisplayError`` if FreeType cannot read it, if it has no outlines, or if the system has no memory.
  init(path: String, data: FontData?, pixelSize: Int, library: FreeTypeLibrary) throws(DisplayError) {
    face = try FreeTypeFace(path: path, data: data, pixelSize: pixelSize, library: library)
    shaper = try HarfBuzzShaper(face.pointer, of: face, pixelSize: pixelSize)
  }

  /// Returns the width of a text in pixels: the extent of its rounded advance and its ink on both sides.
  mutating func width(of text: String, script: String) -> Int {
    var text = text
    text.withUTF8 { shapeRun($0, script) }
    return width
  }

  /// Paints a text and returns its width.
  mutating func paintText(
    _ text: String, script: String, atX x: Int, into line: inout [PositionedGlyph]
  ) -> Int {
    var text = text
    text.withUTF8 { shapeRun($0, script) }
    var (left, right) = (0, run.roundedAdvance)
    let first = line.count
    // Most lines have one run.
    if first == 0 { line.reserveCapacity(run.glyphs.count) }
    for glyph in run.glyphs {
      guard let positioned = positionedGlyph(for: glyph) else { continue }
      left = min(left, positioned.x)
      right = max(right, positioned.x + positioned.image.width)
      line.append(positioned)
    }
    // If ink extends to the left of the pen's start, the painted text starts with the ink.
    let shift = x - left
    if shift != 0 { for index in first..<line.count { line[index].x += shift } }
    return right - left
  }

  /// Rasterises a letter at each of its subpixel positions.
  mutating func prepareGlyph(_ letter: String) {
    var letter = letter
    letter.withUTF8 { shapeASCII($0) }
    for glyph in run.glyphs {
      for phase in UInt32(0)..<4 { _ = mask(for: ImageKey(glyph: glyph.glyph, phase: phase)) }
    }
  }

  /// Truncates a line to a width in pixels, as ``LineBreakMode/truncatedText(_:width:measure:)`` does.
  ///
  /// - Parameters:
  ///   - text: The line, which must be printable ASCII.
  ///   - width: The available width.
  ///   - maximumWidth: The upper limit of measured widths.
  ///   - truncation: The part of the line that is removed.
  /// - Returns: The truncated line, or nil if the whole line fits.
  /// - Complexity: O(log n) measurements. Usually three, because the first one predicts the result.
  mutating func truncatedText(_ text: String, width: Int, maximumWidth: Int, truncation: LineBreakMode) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      shapeASCII(bytes)
      let whole = min(self.width, maximumWidth)
      guard whole > width else { return nil }
      var truncator = LineTruncator(of: bytes, truncation)
      let guess = run.estimatedCount(of: bytes.count, width: width, ellipsis: ellipsisAdvance, truncation)
      let fittingCount = truncation.longestFittingCount(
        of: bytes.count, whole: whole, width: width, guess: guess
      ) { count in
        truncator.truncated(keeping: count).withUnsafeBufferPointer { shapeASCII($0) }
        return min(self.width, maximumWidth)
      }
      return String(decoding: truncator.truncated(keeping: fittingCount), as: UTF8.self)
    }
  }

  // MARK: - Shaping

  private mutating func shapeASCII(_ text: UnsafeBufferPointer<UInt8>) {
    shapeRun(text, TextRun.Kind.commonScript)
  }

  /// Shapes a text as the current run.
  private mutating func shapeRun(_ text: UnsafeBufferPointer<UInt8>, _ script: String) {
    let known = shapedPrefix.beginLine(text, script: script)
    run.truncate(to: known.glyphCount, advance: known.advance)
    var start = known.end
    while start < text.count {
      let end = WordBreaks.endOfSegment(from: start, in: text)
      run.append(shapedWord(UnsafeBufferPointer(rebasing: text[start..<end]), script))
      shapedPrefix.append(ShapedPrefixCache.Part(end: end, glyphCount: run.glyphs.count, advance: run.advance))
      start = end
    }
  }

  private mutating func shapedWord(_ text: UnsafeBufferPointer<UInt8>, _ script: String) -> ShapedLine {
    let key = WordKey(text: BytewiseText(text), script: script)
    if let known = words.value(for: key) { return known }
    let word = shaper.shape(text, script: script)
    words.insert(word, for: key, cost: word.glyphs.count + 1)
    return word
  }

  /// The advance of an ellipsis, in 64ths of a pixel.
  private var ellipsisAdvance: Int {
    mutating get {
      LineTruncator.ellipsis.withUnsafeBufferPointer { shapedWord($0, TextRun.Kind.commonScript).advance }
    }
  }

  // MARK: - Ink

  /// The width of the current run in pixels.
  private var width: Int {
    mutating get {
      var (left, right) = (0, run.roundedAdvance)
      for glyph in run.glyphs {
        // Most glyphs are too far inside to extend beyond an edge.
        let pen = (glyph.x + 8) >> 6
        guard pen + face.glyphBounds.lowerBound < left || pen + face.glyphBounds.upperBound > right else { continue }
        guard let positioned = positionedGlyph(for: glyph) else { continue }
        left = min(left, positioned.x)
        right = max(right, positioned.x + positioned.image.width)
      }
      return right - left
    }
  }

  /// Returns the mask of a glyph at the nearest quarter of a pixel, or nil for spaces.
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
    // The additional cost accounts for the entry itself, because spaces take memory too.
    masks.insert(image, for: key, cost: image.coverage.count + 64)
    return image
  }
}

// MARK: - Prefix cache

/// The segments of the line that was shaped last, because the next line often has the same prefix.
///
/// A caption is measured as a whole, measured again with characters removed, and finally painted.
private nonisolated struct ShapedPrefixCache {
  /// The end of a segment of a line.
  struct Part {
    /// The end in bytes.
    var end = 0
    /// The number of glyphs up to the end.
    var glyphCount = 0
    /// The advance up to the end, in 64ths of a pixel.
    var advance = 0
  }

  private var line: [UInt8] = []
  private var script = ""
  private var parts: [Part] = []

  /// Starts another line and removes the segments that are not a prefix of it.
  ///
  /// The end of a segment depends on its own bytes and the one that follows (see ``WordBreaks``), so these must be
  /// equal.
  /// - Returns: The end of the common segments.
  /// - Complexity: O(bytes).
  mutating func beginLine(_ next: UnsafeBufferPointer<UInt8>, script: String) -> Part {
    var commonCount = 0
    if script == self.script {
      let limit = min(line.count, next.count)
      line.withUnsafeBufferPointer { line in
        while commonCount < limit, line[commonCount] == next[commonCount] { commonCount += 1 }
      }
    }
    while let last = parts.last, last.end >= commonCount { parts.removeLast() }
    self.script = script
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: next)
    return parts.last ?? Part()
  }

  /// Appends a shaped segment.
  mutating func append(_ part: Part) { parts.append(part) }
}

// MARK: - Truncation

/// A line of ASCII that is truncated repeatedly, in UTF-8 and in memory that is reused.
nonisolated struct LineTruncator {
  /// The ellipsis in place of the removed characters.
  static let ellipsis = Array("…".utf8)

  /// Whether a line is printable ASCII, in which characters are bytes.
  static func canTruncate(_ line: String) -> Bool {
    for byte in line.utf8 where byte < 0x20 || byte > 0x7E { return false }
    return true
  }

  private let line: UnsafeBufferPointer<UInt8>
  private let truncation: LineBreakMode
  private var bytes: [UInt8] = []

  /// Creates a truncator of a line, which must stay in memory.
  init(of line: UnsafeBufferPointer<UInt8>, _ truncation: LineBreakMode) {
    self.line = line
    self.truncation = truncation
    bytes.reserveCapacity(line.count + LineTruncator.ellipsis.count)
  }

  /// Returns the line truncated to a number of characters, without a space before the ellipsis.
  mutating func truncated(keeping count: Int) -> [UInt8] {
    let tail = truncation.tailCount(of: count)
    var head = count - tail
    while head > 0, line[head - 1] == UInt8(ascii: " ") { head -= 1 }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[..<head]))
    bytes.append(contentsOf: LineTruncator.ellipsis)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[(line.count - tail)...]))
    return bytes
  }
}
