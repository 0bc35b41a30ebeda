import Geometry
import Rendering

/// A window with what draws into it and its textures: what one display is made of, and dies together in the right order.
nonisolated struct RenderWindow: ~Copyable {
  // In the order of death, for a stage that is dropped while an error is under way; else close() sees to it.
  /// What texture names stand for.
  let textures = TextureTable()
  /// Draws into the window.
  private(set) var renderer: any FrameRenderer
  /// The window.
  let window: WindowHandle
  /// Which renderer draws, and why.
  private(set) var plan: RendererPlan
  private let redrawPolicy: RedrawPolicy
  private let isHidden: Bool

  /// Opens a hidden window with the renderer that a plan names.
  /// - Throws: ``DisplayError`` when either is refused.
  init(
    plan: RendererPlan, configuration: SDLDisplayConfiguration, session: borrowing SDLSession
  ) throws(DisplayError) {
    let newWindow = try WindowHandle(
      title: configuration.title, size: configuration.size, position: configuration.position,
      isForOpenGL: plan.driver == .opengl || plan.driver == .opengles2, session: session)
    renderer = try RenderWindow.makeRenderer(
      plan, configuration.redraw, isHidden: session.isHeadless, window: newWindow)
    redrawPolicy = configuration.redraw
    isHidden = session.isHeadless
    self.plan = plan
    window = consume newWindow
  }

  private static func makeRenderer(
    _ plan: RendererPlan, _ redraw: RedrawPolicy, isHidden: Bool, window: borrowing WindowHandle
  ) throws(DisplayError) -> any FrameRenderer {
    plan.driver == .memory
      ? try SoftwareFrameRenderer(redraw, window: window, isHidden: isHidden)
      : try SDLFrameRenderer(plan.driver, window: window)
  }

  /// Draws a list over a colour, by the next renderer where this one has failed.
  ///
  /// - Returns: the renderer that goes on and why, where the one before has failed; nil otherwise.
  mutating func draw(_ list: DisplayList, background: Color) -> RendererPlan? {
    let stale = renderer.draw(list, background: background, textures: textures.slots)
    if let failure = renderer.rendererError, let next = changeRenderer(failure) {
      _ = draw(list, background: background)
      return next
    }
    if stale > 0 { textures.recordStaleCommands(stale) }
    return nil
  }

  /// Makes a texture, by the next renderer where this one has failed.
  ///
  /// - Returns: the texture's name, and the renderer that goes on where the one before has failed.
  /// - Throws: ``DisplayError`` when the bitmap is too large for a texture, or no renderer has one to give.
  mutating func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> (TextureID, RendererPlan?) {
    do {
      return (try textures.makeTexture(from: bitmap, renderer: renderer), nil)
    } catch {
      guard renderer.supportsTexture(of: bitmap.size), let next = changeRenderer(error) else { throw error }
      return (try textures.makeTexture(from: bitmap, renderer: renderer), next)
    }
  }

  /// Goes on with the next renderer of the plan in the same window: every texture is uploaded again under its name.
  private mutating func changeRenderer(_ failure: DisplayError) -> RendererPlan? {
    guard let next = plan.successor(afterFailure: "\(failure)") else { return nil }
    let bitmaps = textures.detachTextures()
    renderer.close()
    do {
      renderer = try RenderWindow.makeRenderer(next, redrawPolicy, isHidden: isHidden, window: window)
    } catch {
      // What is closed draws nothing; the names have ended.
      textures.removeAll()
      return nil
    }
    plan = next
    textures.attachTextures(bitmaps, renderer: renderer)
    return next
  }

  /// Destroys the textures, then what draws, then the window.
  consuming func close() {
    textures.removeAll()
    renderer.close()
    RenderWindow.destroy(window)
  }

  private static func destroy(_ handle: consuming WindowHandle) {}
}
