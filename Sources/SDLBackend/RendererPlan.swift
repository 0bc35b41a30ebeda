/// Which renderer to start and why: the decision apart from the starting.
///
/// Painting in memory beats OpenGL that is itself software by a factor of ten and more, and finding out by making an
/// OpenGL context costs the launch some 140 ms. So cheap signs are read first, and the context's own word after that.
package nonisolated struct RendererPlan: Hashable {
  /// The renderer to start.
  package let driver: RendererDriver
  /// Why, in words for people.
  package let reason: String
  /// Whether painting in memory may take over when this renderer does not start or turns out to be software itself.
  package let allowsFallback: Bool

  /// Names in OpenGL's `GL_RENDERER` of implementations that run on the processor.
  private static let softwareDevices = ["llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"]

  /// Decides before anything is started.
  package init(preference: RendererPreference, isHeadless: Bool, hardware: GraphicsHardware) {
    switch preference {
    case .sdl: self.init(.sdl, "asked for")
    case .memory: self.init(.memory, "asked for")
    case .opengl: self.init(.opengl, "asked for")
    case .opengles2: self.init(.opengles2, "asked for")
    case .auto where isHeadless: self.init(.sdl, "no window", mayFallBack: true)
    case .auto:
      switch hardware {
      case .none(let sign): self.init(.memory, "no graphics hardware: \(sign)")
      case .likely(let sign): self.init(.opengl, "graphics hardware: \(sign)", mayFallBack: true)
      }
    }
  }

  /// Returns what to do instead now that the renderer has started and named its device; nil means keep it.
  package func fallback(device: String?) -> RendererPlan? {
    guard allowsFallback, let device else { return nil }
    let name = device.lowercased()
    guard RendererPlan.softwareDevices.contains(where: name.contains) else { return nil }
    return RendererPlan(.memory, "OpenGL is software here: \(device)")
  }

  /// Returns what to do instead now that the renderer did not start; nil means give up.
  package func fallback(failure: String) -> RendererPlan? { allowsFallback ? successor(afterFailure: failure) : nil }

  /// Returns the renderer that goes on where this one has failed in the middle of a run, whether it was asked for or not;
  /// nil where there is none.
  package func successor(afterFailure: String) -> RendererPlan? {
    driver == .memory ? nil : RendererPlan(.memory, "\(driver.title) failed: \(afterFailure)")
  }

  private init(_ driver: RendererDriver, _ reason: String, mayFallBack: Bool = false) {
    self.driver = driver
    self.reason = reason
    self.allowsFallback = mayFallBack
  }
}
