/// A renderer of SDL's, by SDL's own name.
package nonisolated enum RendererDriver: String, CaseIterable {
  /// Pixels are made by the processor.
  case software
  /// OpenGL.
  case opengl
  /// OpenGL ES 2.
  case opengles2
}
