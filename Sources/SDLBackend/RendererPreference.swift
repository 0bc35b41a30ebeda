/// Which renderer a display should use.
public nonisolated enum RendererPreference: String, CaseIterable, Hashable, Sendable {
  /// The graphics hardware where there is some, else software.
  case auto
  /// Software: the fastest way where OpenGL is software too.
  case software
  /// OpenGL, whatever it runs on.
  case opengl
  /// OpenGL ES 2, whatever it runs on.
  case opengles2
}
