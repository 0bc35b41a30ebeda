import Rendering

/// A stretch of text as SDL_ttf has painted it, and where on the line it goes.
nonisolated final class RenderedText {
  /// The pixels.
  let surface: SurfaceHandle
  /// From the line's left edge to that of the pixels.
  let x: Int
  /// From the pixels' upper edge to the baseline.
  let ascent: Int

  /// Takes over painted pixels.
  init(_ surface: consuming SurfaceHandle, x: Int, ascent: Int) {
    self.surface = surface
    self.x = x
    self.ascent = ascent
  }
}
