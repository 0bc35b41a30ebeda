/// What draws, by the name that `--renderer` has for it.
package nonisolated enum RendererDriver: String, CaseIterable {
  /// SDL's textures, copied by SDL's own software renderer.
  case sdl
  /// This package, in memory.
  case memory
  /// OpenGL, through `SDL_Renderer`.
  case opengl
  /// OpenGL ES 2, through `SDL_Renderer`.
  case opengles2

  /// SDL's name of its renderer; nil where SDL draws nothing.
  package var sdlName: String? {
    switch self {
    case .sdl: "software"
    case .memory: nil
    case .opengl, .opengles2: rawValue
    }
  }

  /// The name in words for people.
  package var title: String {
    switch self {
    case .sdl: "SDL's software renderer"
    case .memory: "painting in memory"
    case .opengl: "OpenGL"
    case .opengles2: "OpenGL ES 2"
    }
  }
}
