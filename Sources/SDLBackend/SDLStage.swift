import Geometry
import Rendering

/// A window with its renderer and textures: what one display is made of, and dies together in the right order.
nonisolated struct SDLStage: ~Copyable {
  // In the order of death, for a stage that is dropped while an error is under way; else close() sees to it.
  /// What texture names stand for.
  let textures = TextureTable()
  /// Draws into the window.
  let renderer: RendererHandle
  /// The window.
  let window: WindowHandle
  /// Draws frames where the renderer is software.
  let software: SoftwareDrawing?
  /// What OpenGL runs on, where it says so.
  let device: String?
  /// Why this renderer was chosen, in words for people.
  let reason: String

  /// Opens a hidden window with the renderer that a plan names.
  /// - Throws: ``DisplayError`` when either is refused.
  init(
    plan: RendererPlan, configuration: SDLDisplayConfiguration, session: borrowing SDLSession
  ) throws(DisplayError) {
    let newWindow = try WindowHandle(
      title: configuration.title, size: configuration.size, position: configuration.position,
      isForOpenGL: plan.driver != .software, session: session)
    let newRenderer = try RendererHandle(plan.driver, window: newWindow)
    device = newRenderer.openGLDevice
    reason = plan.reason
    software = plan.driver == .software ? SoftwareDrawing(configuration.redraw) : nil
    renderer = consume newRenderer
    window = consume newWindow
  }

  /// Draws a list over a colour and flushes: what differs from the last frame, or all of it.
  func draw(_ list: DisplayList, background: Color) {
    let stale =
      software?.draw(list, background: background, on: self)
      ?? renderer.paint(list.commands, background: background, textures: textures.slots)
    if stale > 0 { textures.noteStale(stale) }
  }

  /// Destroys the textures, then the renderer, then the window.
  consuming func close() {
    textures.removeAll()
    SDLStage.end(renderer)
    SDLStage.end(window)
  }

  private static func end<Handle: ~Copyable>(_ handle: consuming Handle) {}
}
