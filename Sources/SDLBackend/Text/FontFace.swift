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
  let hasPlainText: Bool
  private let font: FontHandle
  private let height: Int
  private var knownDigitCell: Int?

  /// Opens a file, or what was read of it.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads.
  init(path: String, data: FontData?, pixelSize: Int, session: borrowing FontSession) throws(DisplayError) {
    font = try FontHandle(path: path, data: data, pixelSize: pixelSize, session: session)
    self.path = path
    hasPlainText = font.provides("…")
    ascent = font.ascent
    descent = font.descent
    lineSkip = font.lineSkip
    height = font.height
  }

  /// How many of a line's scalars the font cannot draw.
  /// - Complexity: O(scalars).
  func missingCount(in scalars: [Unicode.Scalar]) -> Int {
    scalars.count { !font.provides($0) && !$0.properties.isDefaultIgnorableCodePoint }
  }

  /// The width of a run in pixels.
  func width(of run: TextRun) -> Int {
    switch run.kind {
    case .digits: return digitCell * run.text.unicodeScalars.count
    case .leftToRight(let script): font.setShaping(script: script, isRightToLeft: false)
    case .rightToLeft(let script): font.setShaping(script: script, isRightToLeft: true)
    }
    return font.width(of: run.text)
  }

  /// Paints a run and gives its width in pixels, which is that of ``width(of:)``: shaping once is half the cost.
  func paint(_ run: TextRun, atX x: Int, into line: inout [PaintedText]) -> Int {
    switch run.kind {
    case .digits: return paintDigits(run.text, atX: x, into: &line)
    case .leftToRight(let script): font.setShaping(script: script, isRightToLeft: false)
    case .rightToLeft(let script): font.setShaping(script: script, isRightToLeft: true)
    }
    guard let painted = paint(run.text, atX: x) else { return 0 }
    line.append(painted)
    return painted.surface.width
  }

  private func paintDigits(_ digits: String, atX x: Int, into line: inout [PaintedText]) -> Int {
    font.setShaping(script: TextRun.Kind.commonScript, isRightToLeft: false)
    var pen = x
    for digit in digits.unicodeScalars {
      let spare = digitCell - font.advance(digit)
      if let painted = paint(String(digit), atX: pen + spare / 2) { line.append(painted) }
      pen += digitCell
    }
    return pen - x
  }

  /// The width of the widest digit.
  private var digitCell: Int {
    if let knownDigitCell { return knownDigitCell }
    var cell = 0
    for digit in "0123456789".unicodeScalars { cell = max(cell, font.advance(digit)) }
    knownDigitCell = cell
    return cell
  }

  private func paint(_ text: String, atX x: Int) -> PaintedText? {
    guard let surface = font.render(text) else { return nil }
    // Where accents rise above the font's ascent, SDL_ttf makes the surface higher and moves the baseline down.
    let excess = max(0, surface.height - height)
    let rise = excess == 0 ? 0 : text.unicodeScalars.reduce(0) { max($0, font.top($1) - ascent) }
    return PaintedText(surface, x: x, ascent: ascent + min(rise, excess))
  }
}
