extension HostingOptions {
  /// Refuses options that contradict each other.
  ///
  /// - Throws: ``UsageError`` naming both.
  public func validate() throws(UsageError) {
    if isHeadless, clock == .vsync {
      throw UsageError("--clock vsync needs a window; with --headless accepted are auto, timer, virtual, cpu")
    }
    if isHeadless, renderer == .opengl || renderer == .opengles2 {
      throw UsageError(
        "--renderer \(renderer.rawValue) needs a window; with --headless accepted are auto, software")
    }
  }
}
