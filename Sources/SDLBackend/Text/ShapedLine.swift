import Rendering

/// The glyphs of a text, from left to right, and how far they move the pen.
nonisolated struct ShapedLine {
  /// The glyphs.
  private(set) var glyphs: [ShapedGlyph] = []
  /// How far the pen moves, in 64ths of a pixel.
  private(set) var advance = 0

  /// Nothing.
  init() {}

  /// A text that was shaped as one.
  init(glyphs: [ShapedGlyph], advance: Int) {
    self.glyphs = glyphs
    self.advance = advance
  }

  /// How far the pen moves, in whole pixels.
  var roundedAdvance: Int { (advance + 32) >> 6 }

  /// Forgets the glyphs; their memory is used again.
  mutating func removeAll() {
    glyphs.removeAll(keepingCapacity: true)
    advance = 0
  }

  /// Forgets the glyphs behind the first ones, which move the pen so far.
  mutating func truncate(to count: Int, advance: Int) {
    glyphs.removeLast(glyphs.count - count)
    self.advance = advance
  }

  /// Sets a word behind what is there.
  mutating func append(_ word: ShapedLine) {
    for glyph in word.glyphs { glyphs.append(ShapedGlyph(glyph: glyph.glyph, x: advance + glyph.x, y: glyph.y)) }
    advance += word.advance
  }

  /// How many characters may stay of the line, as far as its own shape tells: what is beside the ellipsis may move closer
  /// to it.
  ///
  /// - Parameters:
  ///   - count: the line's characters.
  ///   - width: the pixels that the shortening may take.
  ///   - ellipsis: how far an ellipsis moves the pen, in 64ths of a pixel.
  /// - Returns: nothing where not every character is a glyph of its own.
  /// - Complexity: O(log n).
  func estimatedCount(of count: Int, width: Int, ellipsis: Int, _ truncation: Truncation) -> Int? {
    guard glyphs.count == count else { return nil }
    var low = 0
    var high = count
    while high - low > 1 {
      let kept = (low + high) / 2
      let tail = truncation.tailCount(of: kept)
      let rest = tail > 0 ? advance - glyphs[count - tail].x : 0
      if (glyphs[kept - tail].x + ellipsis + rest + 32) >> 6 <= width { low = kept } else { high = kept }
    }
    return low
  }
}
