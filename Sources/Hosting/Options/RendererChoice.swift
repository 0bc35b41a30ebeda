/// Which renderer is asked for.
public enum RendererChoice: String, CaseIterable, Sendable {
  /// Hardware where there is some, else software.
  case auto
  /// In software, by this package.
  case software
  /// OpenGL, whatever it runs on.
  case opengl
  /// OpenGL ES 2, whatever it runs on.
  case opengles2
}
