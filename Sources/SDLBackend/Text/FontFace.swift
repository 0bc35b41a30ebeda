import VitrineRendering

/// A font file at a size, with cached glyphs and measurements.
final class FontFace {
  /// The path of the font file.
  let path: String
  /// The ascent in pixels.
  let ascent: Int
  /// The descent in pixels, positive.
  let descent: Int
  /// The distance from one baseline to the next, in pixels.
  let lineSkip: Int
  /// Whether the font has the ellipsis of truncated lines.
  ///
  /// Every font has ASCII.
  let hasEllipsis: Bool
  private let font: FontHandle
  private let height: Int
  private let pixelSize: Int
  private let data: FontData?
  /// The library for the glyph rasteriser, until the rasteriser is opened.
  private var library: FreeTypeLibrary?
  private var glyphRasterizer: GlyphRasterizer?
  private var cachedDigitWidth: Int?

  /// Opens a font from its file or its contents.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - data: The contents of the file, or nil.
  ///   - pixelSize: The font size in pixels.
  ///   - session: The SDL_ttf session, which provides the font's metrics.
  ///   - library: The library that rasterises glyphs, or nil to use SDL_ttf.
  /// - Throws: ``DisplayError`` if FreeType cannot read the file.
  init(
    path: String, data: FontData?, pixelSize: Int, session: borrowing FontSession, library: FreeTypeLibrary?
  ) throws(DisplayError) {
    font = try FontHandle(path: path, data: data, pixelSize: pixelSize, session: session)
    self.path = path
    self.data = data
    self.pixelSize = pixelSize
    self.library = library
    hasEllipsis = font.hasGlyph(for: "…")
    ascent = font.ascent
    descent = font.descent
    lineSkip = font.lineSkip
    height = font.height
  }

  /// Whether the font has glyphs for all characters of a text; those of ASCII are taken for granted.
  /// - Complexity: O(scalars).
  func hasGlyphs(for text: String) -> Bool {
    for scalar in text.unicodeScalars where !scalar.isASCII {
      guard font.hasGlyph(for: scalar) || scalar.properties.isDefaultIgnorableCodePoint else { return false }
    }
    return true
  }

  /// Returns the width of a run in pixels.
  func width(of run: TextRun) -> Int {
    switch run.kind {
    case .digits: digitWidth * run.text.unicodeScalars.count
    case .text(let script): width(of: run.text, script: script)
    }
  }

  /// Truncates a line of printable ASCII to a width in pixels.
  ///
  /// Returns nil if the font uses SDL_ttf.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - width: The available width.
  ///   - maximumWidth: The upper limit of measured widths.
  ///   - truncation: The part of the line that is removed.
  func truncatedText(_ text: String, width: Int, maximumWidth: Int, truncation: LineBreakMode) -> String? {
    openGlyphRasterizer()
    guard glyphRasterizer != nil else { return nil }
    return glyphRasterizer?.truncatedText(text, width: width, maximumWidth: maximumWidth, truncation: truncation)
      ?? text
  }

  /// Paints a run and returns its width in pixels, as ``width(of:)`` does.
  func paintRun(_ run: TextRun, atX x: Int, into line: inout LineComponents) -> Int {
    switch run.kind {
    case .digits: paintDigits(run.text, atX: x, into: &line)
    case .text(let script): paintText(run.text, script: script, atX: x, into: &line)
    }
  }

  /// Rasterises a letter for later lines.
  ///
  /// Does nothing if the font uses SDL_ttf, which does not cache glyphs.
  func prepareGlyph(_ letter: Unicode.Scalar) {
    openGlyphRasterizer()
    glyphRasterizer?.prepareGlyph(String(letter))
  }

  private func paintDigits(_ digits: String, atX x: Int, into line: inout LineComponents) -> Int {
    var pen = x
    for digit in digits.unicodeScalars {
      let spare = digitWidth - font.advance(of: digit)
      _ = paintText(String(digit), script: TextRun.Kind.commonScript, atX: pen + spare / 2, into: &line)
      pen += digitWidth
    }
    return pen - x
  }

  /// The width of the widest digit.
  private var digitWidth: Int {
    if let cachedDigitWidth { return cachedDigitWidth }
    var cell = 0
    for digit in "0123456789".unicodeScalars { cell = max(cell, font.advance(of: digit)) }
    cachedDigitWidth = cell
    return cell
  }

  // MARK: - Glyph rasteriser or SDL_ttf

  /// Opens the glyph rasteriser for the first text.
  ///
  /// Many fonts are opened only to find missing glyphs.
  ///
  /// If the rasteriser cannot open the font, SDL_ttf paints the same text more slowly.
  private func openGlyphRasterizer() {
    guard let library else { return }
    self.library = nil
    glyphRasterizer = try? GlyphRasterizer(path: path, data: data, pixelSize: pixelSize, library: library)
  }

  private func width(of text: String, script: String) -> Int {
    openGlyphRasterizer()
    if let width = glyphRasterizer?.width(of: text, script: script) { return width }
    font.setScript(script)
    return font.width(of: text)
  }

  private func paintText(
    _ text: String, script: String, atX x: Int, into line: inout LineComponents
  ) -> Int {
    openGlyphRasterizer()
    if let width = glyphRasterizer?.paintText(text, script: script, atX: x, into: &line.glyphs) { return width }
    font.setScript(script)
    guard let surface = font.render(text) else { return 0 }
    // If accents rise above the font's ascent, SDL_ttf makes the surface higher and moves the baseline down.
    let excess = max(0, surface.height - height)
    let rise = excess == 0 ? 0 : text.unicodeScalars.reduce(0) { max($0, font.ascent(of: $1) - ascent) }
    let painted = RenderedText(surface, x: x, ascent: ascent + min(rise, excess))
    line.texts.append(painted)
    return painted.surface.width
  }
}
