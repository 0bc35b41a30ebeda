import VitrineGeometry
import VitrineRendering

/// The window of a display with its renderer and its textures, which are destroyed in the right order.
nonisolated struct RenderWindow: ~Copyable {
  // The properties are in the order of destruction, for a value that is dropped because of an error. Otherwise close()
  // takes care of the order.
  /// The textures of the window.
  let textures = TextureTable()
  /// The renderer that draws into the window.
  private(set) var renderer: any FrameRenderer
  let window: WindowHandle
  /// The current renderer and the reason for choosing it.
  private(set) var plan: RendererPlan
  private let redrawPolicy: RedrawPolicy
  private let isHeadless: Bool

  /// Opens a hidden window with the renderer of a plan.
  /// - Throws: ``DisplayError`` if the window or the renderer cannot be created.
  init(
    plan: RendererPlan, configuration: SDLDisplayConfiguration, session: borrowing SDLSession
  ) throws(DisplayError) {
    let newWindow = try WindowHandle(
      title: configuration.title, size: configuration.size, position: configuration.position,
      fitsDisplay: configuration.fitsDisplay,
      isForOpenGL: plan.driver == .opengl || plan.driver == .opengles2, session: session)
    renderer = try RenderWindow.makeRenderer(
      plan, configuration.redraw, isHeadless: session.isHeadless, window: newWindow)
    redrawPolicy = configuration.redraw
    isHeadless = session.isHeadless
    self.plan = plan
    window = consume newWindow
  }

  private static func makeRenderer(
    _ plan: RendererPlan, _ redraw: RedrawPolicy, isHeadless: Bool, window: borrowing WindowHandle
  ) throws(DisplayError) -> any FrameRenderer {
    plan.driver == .memory
      ? try SoftwareFrameRenderer(redraw, window: window, isHeadless: isHeadless)
      : try SDLFrameRenderer(plan.driver, window: window)
  }

  /// Draws a list over a background colour.
  ///
  /// If the renderer fails, the next one draws the frame.
  ///
  /// - Returns: The plan of the new renderer if the renderer failed, otherwise nil.
  mutating func draw(_ list: DisplayList, background: Color) -> RendererPlan? {
    let stale = renderer.draw(list, background: background, textures: textures.slots)
    if let failure = renderer.rendererError, let next = changeRenderer(failure) {
      _ = draw(list, background: background)
      return next
    }
    if stale > 0 { textures.recordStaleCommands(stale) }
    return nil
  }

  /// Creates a texture.
  ///
  /// If the renderer fails, the next one creates it.
  ///
  /// - Returns: The ID of the texture, and the plan of the new renderer if the renderer failed.
  /// - Throws: ``DisplayError`` if the bitmap is too large for a texture, or if no renderer can create it.
  mutating func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> (TextureID, RendererPlan?) {
    do {
      return (try textures.makeTexture(from: bitmap, renderer: renderer), nil)
    } catch {
      guard renderer.supportsTexture(of: bitmap.size), let next = changeRenderer(error) else { throw error }
      return (try textures.makeTexture(from: bitmap, renderer: renderer), next)
    }
  }

  /// Replaces the renderer by the next one of the plan, and uploads every texture again under its ID.
  private mutating func changeRenderer(_ failure: DisplayError) -> RendererPlan? {
    guard let next = plan.successor(afterFailure: "\(failure)") else { return nil }
    let bitmaps = textures.detachTextures()
    renderer.close()
    do {
      renderer = try RenderWindow.makeRenderer(next, redrawPolicy, isHeadless: isHeadless, window: window)
    } catch {
      // A closed renderer draws nothing, so the IDs are released.
      textures.removeAll()
      return nil
    }
    plan = next
    textures.attachTextures(bitmaps, renderer: renderer)
    return next
  }

  /// Destroys the textures, the renderer and the window in this order.
  consuming func close() {
    textures.removeAll()
    renderer.close()
    RenderWindow.destroy(window)
  }

  private static func destroy(_ handle: consuming WindowHandle) {}
}

/// A renderer that draws frames into a window, in memory or with SDL, and creates textures for them.
nonisolated protocol FrameRenderer: AnyObject {
  /// SDL's name of the renderer, such as `opengl`, or `software` for a renderer that runs on the processor.
  var name: String { get }
  /// The device that OpenGL runs on, or nil if it is unknown.
  var device: String? { get }
  /// Whether vertical synchronisation was requested.
  var requestsVsync: Bool { get }
  /// Whether the pixels of a frame are lost when it is presented.
  var discardsFramesOnPresent: Bool { get }
  /// The current size of the window in pixels.
  var outputSize: PixelRect { get }
  /// The counts of redrawn frames.
  ///
  /// They stay zero if all frames are drawn completely.
  var statistics: RedrawStatistics { get }

  /// The error because of which another renderer must take over, or nil.
  var rendererError: DisplayError? { get }

  /// Whether the renderer supports textures of a size.
  func supportsTexture(of size: PixelSize) -> Bool

  /// The channel order in which bitmaps serve as textures without a copy, or nil if they are always copied.
  var shareableChannelOrder: ChannelOrder? { get }

  /// Creates a texture without content.
  /// - Throws: ``DisplayError`` if the size is too large or the system has no memory.
  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture

  /// Draws a list over a background colour.
  ///
  /// If drawing fails, ``rendererError`` is set.
  /// - Returns: The number of commands whose texture was released.
  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int

  /// Shows the frame that was drawn last.
  func present()

  /// Returns the pixels of the frame that was drawn last.
  /// - Throws: ``DisplayError`` if the window has no pixels or the system has no memory.
  func readPixels() throws(DisplayError) -> Bitmap

  /// Discards the previous frame, because the window may have lost its contents or changed its size.
  func invalidate()

  /// Releases the window.
  ///
  /// Called once, after the textures are destroyed and before the window is.
  func close()
}

/// The part of each frame that a display draws.
package nonisolated enum RedrawPolicy: String, CaseIterable, Hashable, Sendable {
  /// Moves the pixels that only moved, and draws the rest of what differs from the previous frame.
  ///
  /// If the renderer does not support this, each frame is drawn completely.
  case damage
  /// Draws each frame completely.
  case whole
}

/// The counts of frames drawn since a display was opened, by the extent of drawing.
package nonisolated struct RedrawStatistics: Hashable, Sendable {
  /// The number of frames drawn completely.
  public internal(set) var wholeFrames = 0
  /// The number of frames in which pixels were moved and the rest drawn.
  public internal(set) var movedFrames = 0
  /// The number of frames in which only rectangles were drawn, including frames without any difference.
  public internal(set) var partialFrames = 0
  /// The number of pixels of the redrawn rectangles.
  ///
  /// Frames drawn completely are not counted.
  public internal(set) var damagedPixels = 0
}
