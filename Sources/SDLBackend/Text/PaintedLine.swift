/// What a line is put together from.
nonisolated struct LineComponents {
  /// Glyphs of fonts that are painted by ``GlyphSource``.
  var glyphs: [PositionedGlyph] = []
  /// Stretches that SDL_ttf has painted.
  var texts: [RenderedText] = []
}
