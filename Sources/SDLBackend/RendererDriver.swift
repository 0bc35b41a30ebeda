/// What draws, by the name that people ask for: this package in software, or one of SDL's renderers by SDL's own name.
package nonisolated enum RendererDriver: String, CaseIterable {
  /// Pixels are made by the processor.
  case software
  /// OpenGL.
  case opengl
  /// OpenGL ES 2.
  case opengles2
}
