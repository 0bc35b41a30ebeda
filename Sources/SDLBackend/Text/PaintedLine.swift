/// What a line is put together from.
nonisolated struct PaintedLine {
  /// Glyphs of fonts that are painted by ``GlyphSource``.
  var glyphs: [PlacedGlyph] = []
  /// Stretches that SDL_ttf has painted.
  var texts: [PaintedText] = []
}
