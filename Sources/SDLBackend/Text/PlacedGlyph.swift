/// A glyph's pixels and where on the line they go.
struct PlacedGlyph {
  /// The pixels.
  let image: GlyphImage
  /// From the line's left edge to that of the pixels.
  let x: Int
  /// From the baseline up to the pixels' upper edge.
  let top: Int
}
