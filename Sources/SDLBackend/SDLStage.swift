import Geometry
import Rendering

/// A window with what draws into it and its textures: what one display is made of, and dies together in the right order.
nonisolated struct SDLStage: ~Copyable {
  // In the order of death, for a stage that is dropped while an error is under way; else close() sees to it.
  /// What texture names stand for.
  let textures = TextureTable()
  /// Draws into the window.
  let drawing: any Drawing
  /// The window.
  let window: WindowHandle
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
    drawing =
      plan.driver == .software
      ? try SoftwareDrawing(configuration.redraw, window: newWindow, isHidden: session.isHeadless)
      : try RendererDrawing(plan.driver, window: newWindow)
    reason = plan.reason
    window = consume newWindow
  }

  /// Draws a list over a colour.
  func draw(_ list: DisplayList, background: Color) {
    let stale = drawing.draw(list, background: background, textures: textures.slots)
    if stale > 0 { textures.noteStale(stale) }
  }

  /// Destroys the textures, then what draws, then the window.
  consuming func close() {
    textures.removeAll()
    drawing.close()
    SDLStage.end(window)
  }

  private static func end(_ handle: consuming WindowHandle) {}
}
