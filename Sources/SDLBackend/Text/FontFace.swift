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
  private let font: FontHandle
  private let height: Int
  private var knownDigitCell: Int?

  /// Opens a file.
  /// - Throws: ``DisplayError`` when the file is no font that FreeType reads.
  init(path: String, pixelSize: Int, session: borrowing FontSession) throws(DisplayError) {
    font = try FontHandle(path: path, pixelSize: pixelSize, session: session)
    self.path = path
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

  /// Paints a run into a coverage, its baseline on the row given.
  func paint(_ run: TextRun, into coverage: inout TextCoverage, atX x: Int, baseline: Int) {
    guard run.kind == .digits else {
      _ = width(of: run)  // Sets the rules of shaping.
      paint(run.text, into: &coverage, atX: x, baseline: baseline)
      return
    }
    font.setShaping(script: TextRun.Kind.commonScript, isRightToLeft: false)
    for (index, digit) in run.text.unicodeScalars.enumerated() {
      let spare = digitCell - font.advance(digit)
      paint(String(digit), into: &coverage, atX: x + index * digitCell + spare / 2, baseline: baseline)
    }
  }

  /// The width of the widest digit.
  private var digitCell: Int {
    if let knownDigitCell { return knownDigitCell }
    var cell = 0
    for digit in "0123456789".unicodeScalars { cell = max(cell, font.advance(digit)) }
    knownDigitCell = cell
    return cell
  }

  private func paint(_ text: String, into coverage: inout TextCoverage, atX x: Int, baseline: Int) {
    guard let surface = font.render(text) else { return }
    // SDL_ttf moves the baseline down by as much as the highest accent rises above the font's ascent.
    let rise = text.unicodeScalars.reduce(0) { max($0, font.top($1) - ascent) }
    let shift = min(rise, max(0, surface.height - height))
    surface.withRows { pixels, bytesPerRow in
      coverage.add(
        alphaOf: pixels, width: surface.width, height: surface.height, bytesPerRow: bytesPerRow, atX: x,
        y: baseline - ascent - shift)
    }
  }
}
