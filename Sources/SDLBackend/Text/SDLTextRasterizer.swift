package import VitrineGeometry
package import VitrineRendering
import VitrineThreads

/// A text rasteriser with FreeType, HarfBuzz and SDL2_ttf, and a fixed list of Debian's fonts.
///
/// A line is set in one font, the first that has glyphs for all characters. If none has, the font with most of them is
/// used, and the style's primary font for the rest. The baseline and height are always those of the primary font, so
/// that adjacent texts align. A line of emoji only is painted in colour on its own thread, if the emoji font is
/// installed.
///
/// Fonts are opened on first use, and the font library with the first of them, because the first frame may have no
/// text. After ``close()``, no text is painted.
package final class SDLTextRasterizer: TextRasterizer {
  /// The maximum width of a painted line in pixels, which every renderer supports as the width of a texture.
  private static let maximumLineWidth = 8_192
  private static let maximumFaces = 64
  /// The maximum font size in pixels for which letters are rasterised in advance.
  private static let maximumPreparedSize = 32

  /// A message for the user if text may be missing or look different, or nil.
  package var warning: String? { ownWarning ?? emojiFont?.warning }
  private var ownWarning: String?
  private let renderThreadCheck = RenderThreadDecodeCounter()
  private var session: FontSession?
  private var library: FreeTypeLibrary?
  private let cachesGlyphs: Bool
  private var isClosed = false
  private let catalogue: FontCatalogue
  private var filesByWeight: [TextStyle.Weight: [String]] = [:]
  private var faces: [FaceKey: FontFace?] = [:]
  private var fontData: [String: FontData] = [:]
  private var widths = MeasurementCache()
  /// The colour emoji font: nil before the first search, and `.some(nil)` if there is none.
  private var emoji: EmojiFont??

  private nonisolated struct FaceKey: Hashable {
    let path: String
    let pixelSize: Int
  }

  /// Creates a rasteriser without opening any font.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue of font files.
  ///   - cachesGlyphs: Whether glyphs are rasterised once and cached. If false, SDL_ttf paints each line from scratch.
  package init(catalogue: FontCatalogue = FontCatalogue(), cachesGlyphs: Bool = true) {
    self.catalogue = catalogue
    self.cachesGlyphs = cachesGlyphs
  }

  package func metrics(_ style: TextStyle, scale: DisplayScale) -> TextMetrics {
    let size = pixelSize(style, scale)
    guard let face = primaryFace(style, size) else {
      // The metrics of a common sans serif, so that a layout without fonts is similar to one with fonts.
      let ascent = Int((Double(size) * 0.95).rounded())
      let descent = Int((Double(size) * 0.25).rounded())
      return TextMetrics(ascent: ascent, descent: descent, lineHeight: ascent + descent)
    }
    return TextMetrics(
      ascent: face.ascent, descent: face.descent, lineHeight: max(face.lineSkip, face.ascent + face.descent))
  }

  package func width(of text: String, style: TextStyle, scale: DisplayScale) -> Int {
    let key = MeasurementCache.Key(text: text, style: style, scale: scale)
    if let width = widths.width(for: key) { return width }
    let bounded = min(measuredWidth(text, style, pixelSize(style, scale)), SDLTextRasterizer.maximumLineWidth)
    widths.insertWidth(bounded, for: key)
    return bounded
  }

  private func measuredWidth(_ text: String, _ style: TextStyle, _ size: Int) -> Int {
    if let emoji = emojiFont(for: text) { return emoji.width(of: SanitizedText(text).string, pixelSize: size) }
    return fontSpans(of: text, style, size).reduce(0) { width, piece in
      piece.runs.reduce(width) { $0 + piece.face.width(of: $1) }
    }
  }

  package func hasOwnColors(_ text: String) -> Bool { emojiFont(for: text) != nil }

  package func truncatedText(
    _ text: String, style: TextStyle, scale: DisplayScale, width: Int, truncation: LineBreakMode
  ) -> String {
    // A line that is painted unchanged in one font with known glyph positions.
    if !style.hasMonospacedDigits, text.utf8.count <= SanitizedText.maximumScalars,
      LineTruncator.canTruncate(text), let primary = primaryFace(style, pixelSize(style, scale)), primary.hasEllipsis,
      let result = primary.truncatedText(
        text, width: width, maximumWidth: SDLTextRasterizer.maximumLineWidth, truncation: truncation)
    {
      return result
    }
    if let emoji = emojiFont(for: text) {
      return emoji.truncatedLine(SanitizedText(text).string, width: width, pixelSize: pixelSize(style, scale))
    }
    return truncation.truncatedText(text, width: width) { self.width(of: $0, style: style, scale: scale) }
  }

  package func bitmap(for text: String, style: TextStyle, scale: DisplayScale) -> Bitmap? {
    guard emojiFont(for: text) == nil else { return nil }
    let pieces = fontSpans(of: text, style, pixelSize(style, scale))
    guard !pieces.isEmpty else { return nil }
    var painted = LineComponents()
    var width = 0
    for piece in pieces {
      for run in piece.runs { width += piece.face.paintRun(run, atX: width, into: &painted) }
    }
    let metrics = metrics(style, scale: scale)
    let bounded = min(width, SDLTextRasterizer.maximumLineWidth)
    guard let extent = PixelSize(width: bounded, height: metrics.ascent + metrics.descent) else { return nil }
    do {
      return try Bitmap(size: extent, isOpaque: false) {
        TextCoverage(size: extent, in: $0).paintLine(painted, baseline: metrics.ascent)
      }
    } catch {
      ownWarning = "text is missing: \(error)"
      return nil
    }
  }

  package func prepareGlyph(_ letter: Unicode.Scalar, style: TextStyle, scale: DisplayScale) {
    let size = pixelSize(style, scale)
    // Larger letters would evict those in use.
    guard size <= SDLTextRasterizer.maximumPreparedSize else { return }
    primaryFace(style, size)?.prepareGlyph(letter)
  }

  package func startRendering(
    for text: String, style: TextStyle, scale: DisplayScale, completion: @escaping @Sendable (Bitmap?) -> Void
  ) -> Bool {
    guard let font = emojiFont(for: text) else { return false }
    let line = SanitizedText(text).string
    let metrics = metrics(style, scale: scale)
    let pixelSize = pixelSize(style, scale)
    let width = min(font.width(of: line, pixelSize: pixelSize), SDLTextRasterizer.maximumLineWidth)
    if let extent = PixelSize(width: width, height: metrics.ascent + metrics.descent) {
      font.startRendering(of: line, pixelSize: pixelSize, size: extent, completion: completion)
    } else {
      completion(nil)
    }
    return true
  }

  /// The counts of decoded emoji images, or nil if the emoji font was not used.
  package var statistics: TextStatistics? { emojiFont?.statistics }

  /// The colour emoji font, if it was searched and found.
  private var emojiFont: EmojiFont? {
    guard case .some(.some(let font)) = emoji else { return nil }
    return font
  }

  /// Closes the fonts and then the font library.
  package func close() {
    isClosed = true
    faces.removeAll()
    emojiFont?.close()
    emoji = .some(nil)
    fontData.removeAll()
    widths = MeasurementCache()
    session = nil
    library = nil
  }

  // MARK: - Lines

  /// A part of a line in one font.
  private struct FontSpan {
    var face: FontFace
    var runs: [TextRun]
  }

  /// Returns the spans of a line in one font, or in two if the first lacks characters that the style's primary font
  /// has.
  private func fontSpans(of text: String, _ style: TextStyle, _ size: Int) -> [FontSpan] {
    let text = SanitizedText(text)
    let caption = text.string
    guard !caption.isEmpty else { return [] }
    if text.isPlain, !style.hasMonospacedDigits, let primary = primaryFace(style, size), primary.hasEllipsis {
      return [FontSpan(face: primary, runs: [.plain(caption)])]
    }
    guard let face = face(for: caption, style, size) else { return [] }
    let isDigital = style.hasMonospacedDigits
    guard let primary = primaryFace(style, size), primary.path != face.path,
      face.missingCount(in: Array(caption.unicodeScalars)) > 0
    else { return [FontSpan(face: face, runs: TextRun.runs(of: caption, hasMonospacedDigits: isDigital))] }
    var pieces: [FontSpan] = []
    var part = ""
    var partFace = face
    func close() {
      guard !part.isEmpty else { return }
      pieces.append(FontSpan(face: partFace, runs: TextRun.runs(of: part, hasMonospacedDigits: isDigital)))
      part = ""
    }
    for character in caption {
      let scalars = Array(character.unicodeScalars)
      let isMissing = face.missingCount(in: scalars) > 0
      let next = isMissing && primary.missingCount(in: scalars) == 0 ? primary : face
      if next.path != partFace.path { close() }
      partFace = next
      part.append(character)
    }
    close()
    return pieces
  }

  private func pixelSize(_ style: TextStyle, _ scale: DisplayScale) -> Int {
    min(512, max(1, Int(scale.pixel(style.size))))
  }

  // MARK: - Fonts

  private func primaryFace(_ style: TextStyle, _ size: Int) -> FontFace? {
    for path in fontFiles(for: style.weight) {
      if let face = face(path, size) { return face }
    }
    if ownWarning == nil {
      ownWarning =
        "no text: no font found in \(catalogue.folder); install \(FontCatalogue.packages.joined(separator: ", "))"
    }
    return nil
  }

  /// Returns the first font with all characters of a line, or else the first with the fewest missing ones.
  private func face(for line: String, _ style: TextStyle, _ size: Int) -> FontFace? {
    guard let primary = primaryFace(style, size) else { return nil }
    if line.utf8.allSatisfy({ $0 < 0x80 }) { return primary }
    let scalars = Array(line.unicodeScalars)
    var best = primary
    var fewestMissing = primary.missingCount(in: scalars)
    var tried: Set<String> = [primary.path]
    func consider(_ path: String) {
      guard fewestMissing > 0, tried.insert(path).inserted, let face = face(path, size) else { return }
      let missing = face.missingCount(in: scalars)
      if missing < fewestMissing {
        best = face
        fewestMissing = missing
      }
    }
    for path in fontFiles(for: style.weight) { consider(path) }
    for scalar in scalars where fewestMissing > 0 {
      guard let system = WritingSystem.system(for: scalar) else { continue }
      for path in catalogue.files(for: system) { consider(path) }
    }
    return best
  }

  /// Returns the colour emoji font, if the line is emoji only and the font has all of its glyphs.
  private func emojiFont(for line: String) -> EmojiFont? {
    guard EmojiDetector.isEmojiOnly(line) else { return nil }
    if emoji == nil { emoji = .some(openEmojiFont()) }
    guard case .some(.some(let font)) = emoji else { return nil }
    // Truncated or sanitised text may no longer be emoji only.
    let caption = SanitizedText(line).string
    return EmojiDetector.isEmojiOnly(caption) && font.hasGlyphs(for: caption) ? font : nil
  }

  private func openEmojiFont() -> EmojiFont? {
    guard !isClosed else { return nil }
    guard let path = catalogue.emojiFile else {
      ownWarning = ownWarning ?? "emoji are not in colour: install \(FontCatalogue.emojiPackage)"
      return nil
    }
    do {
      return try EmojiFont(path: path, library: library ?? FreeTypeLibrary(), renderThreadCheck: renderThreadCheck)
    } catch {
      ownWarning = "emoji are not in colour: \(error)"
      return nil
    }
  }

  private func fontFiles(for weight: TextStyle.Weight) -> [String] {
    if let known = filesByWeight[weight] { return known }
    let found = catalogue.files(for: weight)
    filesByWeight[weight] = found
    return found
  }

  private func face(_ path: String, _ size: Int) -> FontFace? {
    let key = FaceKey(path: path, pixelSize: size)
    if let known = faces[key] { return known }
    guard !isClosed else { return nil }
    if faces.count >= SDLTextRasterizer.maximumFaces { faces.removeAll(keepingCapacity: true) }
    let face = openFace(path, size)
    faces[key] = .some(face)
    return face
  }

  private func openFace(_ path: String, _ size: Int) -> FontFace? {
    do {
      if session == nil { session = try FontSession() }
      if cachesGlyphs, library == nil { library = try? FreeTypeLibrary() }
      if fontData[path] == nil { fontData[path] = FontData(path: path) }
      return try session?.openFace(path, fontData[path], pixelSize: size, library)
    } catch {
      ownWarning = "text may look different: \(error)"
      return nil
    }
  }
}

extension FontSession {
  fileprivate borrowing func openFace(
    _ path: String, _ data: FontData?, pixelSize: Int, _ library: FreeTypeLibrary?
  ) throws(DisplayError) -> FontFace {
    try FontFace(path: path, data: data, pixelSize: pixelSize, session: self, library: library)
  }
}
