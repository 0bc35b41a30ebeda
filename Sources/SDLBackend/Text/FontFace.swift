import Rendering

/// A font file at a size, with what has been asked of it before.
final class FontFace {
  /// The file.
  let path: String
  /// From the baseline up, in pixels.
  let ascent: Int
  /// From the baseline down, in pixels, positive.
  let descent: Int
  /// From one baseline to the next, in pixels.
  let lineSkip: Int
  /// Whether the font draws the ellipsis of lines that are cut; ASCII every font does.
  let hasEllipsis: Bool
  private let font: FontHandle
  private let height: Int
  private let pixelSize: Int
  private let data: FontData?
  /// What glyphs are painted by, until that was tried.
  private var library: FreeTypeLibrary?
  private var glyphRasterizer: GlyphRasterizer?
  private var cachedDigitWidth: Int?

  /// Opens a file, or what was read of it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - data: its content, if that was read.
  ///   - pixelSize: the size of the type in pixels.
  ///   - session: SDL_ttf, which the measures of the font come from.
  ///   - library: what glyphs are painted by; nothing to have SDL_ttf paint.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads.
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

  /// How many of a line's scalars the font cannot draw.
  /// - Complexity: O(scalars).
  func missingCount(in scalars: [Unicode.Scalar]) -> Int {
    scalars.count { !font.hasGlyph(for: $0) && !$0.properties.isDefaultIgnorableCodePoint }
  }

  /// The width of a run in pixels.
  func width(of run: TextRun) -> Int {
    switch run.kind {
    case .digits: digitWidth * run.text.unicodeScalars.count
    case .leftToRight(let script): width(of: run.text, script: script, isRightToLeft: false)
    case .rightToLeft(let script): width(of: run.text, script: script, isRightToLeft: true)
    }
  }

  /// A line of printable ASCII, shortened where it is longer than a width in pixels; nothing where SDL_ttf paints.
  ///
  /// - Parameters:
  ///   - text: the line.
  ///   - width: what it may measure.
  ///   - most: what lines count as measuring at most.
  ///   - truncation: where it is cut.
  func truncatedText(_ text: String, width: Int, maximumWidth: Int, truncation: Truncation) -> String? {
    openGlyphRasterizer()
    guard glyphRasterizer != nil else { return nil }
    return glyphRasterizer?.truncatedText(text, width: width, maximumWidth: maximumWidth, truncation: truncation)
      ?? text
  }

  /// Paints a run and gives its width in pixels, which is that of ``width(of:)``.
  func paintRun(_ run: TextRun, atX x: Int, into line: inout LineComponents) -> Int {
    switch run.kind {
    case .digits: paintDigits(run.text, atX: x, into: &line)
    case .leftToRight(let script): paintText(run.text, script: script, isRightToLeft: false, atX: x, into: &line)
    case .rightToLeft(let script): paintText(run.text, script: script, isRightToLeft: true, atX: x, into: &line)
    }
  }

  /// Rasterises a letter for lines to come; nothing where SDL_ttf paints, which keeps none.
  func prepareGlyph(_ letter: Unicode.Scalar) {
    openGlyphRasterizer()
    glyphRasterizer?.prepareGlyph(String(letter))
  }

  private func paintDigits(_ digits: String, atX x: Int, into line: inout LineComponents) -> Int {
    var pen = x
    for digit in digits.unicodeScalars {
      let spare = digitWidth - font.advance(of: digit)
      _ = paintText(
        String(digit), script: TextRun.Kind.commonScript, isRightToLeft: false, atX: pen + spare / 2, into: &line)
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

  // MARK: - Glyphs, or SDL_ttf

  /// What paints glyph by glyph, opened when text is first asked for: many fonts are only asked what they lack.
  ///
  /// A font that it cannot open is painted by SDL_ttf: slower, and looking the same.
  private func openGlyphRasterizer() {
    guard let library else { return }
    self.library = nil
    glyphRasterizer = try? GlyphRasterizer(path: path, data: data, pixelSize: pixelSize, library: library)
  }

  private func width(of text: String, script: String, isRightToLeft: Bool) -> Int {
    openGlyphRasterizer()
    if let width = glyphRasterizer?.width(of: text, script: script, isRightToLeft: isRightToLeft) { return width }
    font.setShaping(script: script, isRightToLeft: isRightToLeft)
    return font.width(of: text)
  }

  private func paintText(
    _ text: String, script: String, isRightToLeft: Bool, atX x: Int, into line: inout LineComponents
  ) -> Int {
    openGlyphRasterizer()
    if let width = glyphRasterizer?.paintText(
      text, script: script, isRightToLeft: isRightToLeft, atX: x, into: &line.glyphs)
    {
      return width
    }
    font.setShaping(script: script, isRightToLeft: isRightToLeft)
    guard let surface = font.render(text) else { return 0 }
    // Where accents rise above the font's ascent, SDL_ttf makes the surface higher and moves the baseline down.
    let excess = max(0, surface.height - height)
    let rise = excess == 0 ? 0 : text.unicodeScalars.reduce(0) { max($0, font.ascent(of: $1) - ascent) }
    let painted = RenderedText(surface, x: x, ascent: ascent + min(rise, excess))
    line.texts.append(painted)
    return painted.surface.width
  }
}
