/// Which renderer is asked for.
public enum RendererChoice: String, CaseIterable, Sendable {
  /// OpenGL on graphics hardware, SDL's textures without a window, painting in memory in a window without hardware.
  case auto
  /// SDL's textures, by SDL's own software renderer.
  case sdl
  /// Painting in memory, by this package.
  case memory
  /// OpenGL, whatever it runs on.
  case opengl
  /// OpenGL ES 2, whatever it runs on.
  case opengles2
  /// ``memory`` in a window, ``sdl`` without one.
  case software
}
