/// How much of each pixel a glyph covers.
nonisolated struct GlyphMask {
  /// From the pixel of the pen to the first column.
  let left: Int
  /// From the baseline up to the first row's upper edge.
  let top: Int
  /// Pixels across.
  let width: Int
  /// Pixels down.
  let height: Int
  /// The rows from the top, without padding.
  let coverage: [UInt8]

  /// What a space looks like.
  static let empty = GlyphMask(left: 0, top: 0, width: 0, height: 0, coverage: [])
}
