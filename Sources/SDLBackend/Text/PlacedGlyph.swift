/// A glyph's pixels and where on the line they go.
nonisolated struct PositionedGlyph {
  /// The pixels.
  let image: GlyphMask
  /// From the line's left edge to that of the pixels.
  var x: Int
  /// From the baseline up to the pixels' upper edge.
  let top: Int
}
