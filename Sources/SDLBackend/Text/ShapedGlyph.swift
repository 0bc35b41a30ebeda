/// A glyph of a shaped text, in 64ths of a pixel from where the pen began.
nonisolated struct ShapedGlyph: Sendable {
  /// Its number in the font.
  let glyph: UInt32
  /// To the right.
  let x: Int
  /// Up from the baseline.
  let y: Int
}
