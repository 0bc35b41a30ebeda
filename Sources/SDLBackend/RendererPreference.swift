/// Which renderer a display should use.
public nonisolated enum RendererPreference: String, CaseIterable, Hashable, Sendable {
  /// OpenGL on graphics hardware, SDL's software renderer without a window, and painting in memory in a window without
  /// hardware.
  case auto
  /// SDL's textures, drawn by SDL's software renderer.
  case sdl
  /// Painting in memory: the fastest where OpenGL is software too.
  case memory
  /// OpenGL, whatever it runs on.
  case opengl
  /// OpenGL ES 2, whatever it runs on.
  case opengles2
}
