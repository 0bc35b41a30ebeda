import VitrineDataStructures
package import VitrineGeometry
package import VitrineRendering

/// A display in a window on the user's screen, or without a window if it is headless.
///
/// It is the package's only access to SDL.
///
/// A process can have one display at a time, and must use it on its main thread, as window systems require. Call
/// ``close()`` when it is no longer needed. Other threads may keep the event source's waker.
package final class SDLDisplay: Display {
  /// Whether there is no window, only SDL's dummy driver and input from ``injectEvent(_:)``.
  package let isHeadless: Bool
  /// Called with a message for the user when a renderer has failed during a run and the next one takes over.
  ///
  /// Textures and frames are unaffected, but ``rendererName`` changes. Default: nil.
  package var onRendererFailure: ((String) -> Void)?

  private let driver: String
  private let rasterizer = SDLTextRasterizer()
  private let source: any DisplayEventSource
  private let headlessSource: HeadlessEventSource?
  private var session: SDLSession?
  private var renderWindow: RenderWindow?
  private var refreshHz: Double?
  private var frameBeforeFullScreen: Rect?
  /// A copy of the last frame, for renderers that lose its pixels on present.
  private let lastFrame = DisplayList()
  private var lastBackground = Color.black
  private var isPresented = false
  private var discardsFramesOnPresent: Bool { renderWindow?.renderer.discardsFramesOnPresent == true }

  /// Opens a display.
  ///
  /// - Throws: ``DisplayError`` if no display is available, if this process has one already, or if the requested
  ///   renderer is not available.
  package init(configuration: SDLDisplayConfiguration) throws(DisplayError) {
    var newSession = try SDLSession(
      SDLSession.Options(
        isHeadless: configuration.isHeadless, applicationIdentifier: configuration.applicationIdentifier))
    let isWindowless = newSession.isHeadless
    let first = RendererPlan(
      preference: configuration.renderer, isHeadless: isWindowless, hardware: GraphicsHardware.probe())
    let newHeadlessSource = isWindowless ? try HeadlessEventSource() : nil
    let newRenderWindow = try SDLDisplay.openFallingBackToX(first, configuration, session: &newSession)
    driver = newSession.driver
    isHeadless = isWindowless
    headlessSource = newHeadlessSource
    source = newHeadlessSource ?? WindowEventSource(unitsPerPoint: newRenderWindow.window.unitsPerPoint)
    refreshHz = newRenderWindow.window.refreshHz
    renderWindow = consume newRenderWindow
    session = consume newSession
    source.observer = { [unowned self] kind in handleEvent(kind) }
    try showWindow(configuration)
  }

  isolated deinit { close() }

  /// Destroys the textures, the renderer, the window and the fonts in this order, and quits SDL.
  ///
  /// Later calls do nothing.
  package func close() {
    source.close()
    renderWindow.take()?.close()
    rasterizer.close()
    session = nil
  }

  // MARK: - Display

  /// The current properties of the display.
  ///
  /// The size is read from the window.
  /// - Complexity: O(1).
  package var info: DisplayInfo {
    let size = renderWindow?.window.size ?? .zero
    let pixelSize = renderWindow?.renderer.outputSize ?? .zero
    let scale = renderWindow?.window.pixelsPerPoint(outputSize: pixelSize) ?? 1
    return DisplayInfo(
      driver: driver, renderer: renderWindow?.renderer.name ?? "none", device: renderWindow?.renderer.device,
      size: size,
      pixelSize: pixelSize, scale: DisplayScale(pixelsPerPoint: scale), refreshHz: refreshHz,
      requestsVsync: renderWindow?.renderer.requestsVsync ?? false)
  }

  /// Uploads a bitmap into a new texture or a released one of the same size.
  /// - Throws: ``DisplayError`` if no renderer can create the texture, or if the display is closed.
  package func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    guard let (texture, next) = try renderWindow?.makeTexture(from: bitmap) else {
      throw DisplayError(action: "make a texture", reason: "the display is closed")
    }
    if let next { reportFallback(next) }
    return texture
  }

  /// Sets the environment variables that SDL reads, unless they are set.
  ///
  /// Call it before other threads are started, which may read the environment. A display sets them otherwise.
  ///
  /// - Parameters:
  ///   - isHeadless: Whether there is no window.
  ///   - identifier: The name of the program's desktop file without its extension, or nil.
  package static func prepareEnvironment(isHeadless: Bool, identifier: String?) {
    SDLSession.prepareEnvironment(isHeadless: isHeadless, identifier: identifier)
  }

  /// Releases a texture, which is reused or destroyed at the end of the frame.
  package func releaseTexture(_ texture: TextureID) { renderWindow?.textures.release(texture) }

  /// Draws a list over a background colour and flushes.
  ///
  /// In memory, only what differs from the previous frame is drawn. If the renderer fails, the next one draws the
  /// frame, and ``onRendererFailure`` is called.
  ///
  /// Drawing allocates nothing once the lists have grown to the size of a frame.
  package func draw(_ list: DisplayList, background: Color) {
    drawFrame(list, background)
    isPresented = false
    guard discardsFramesOnPresent else { return }
    lastFrame.removeAll()
    lastFrame.append(list, movedByX: 0, y: 0)
    lastBackground = background
  }

  /// Shows the frame that was drawn last.
  package func present() {
    renderWindow?.renderer.present()
    isPresented = true
  }

  /// Destroys the textures that were released before the frame was presented, a limited number at a time.
  package func endFrame() { renderWindow?.textures.endFrame() }

  /// Returns the pixels of the frame that was drawn last, before or after ``present()``.
  ///
  /// OpenGL loses a frame when it is presented, so it is drawn again, without the textures released since. Other
  /// renderers keep the frame until the window is resized.
  /// - Throws: ``DisplayError`` if the window has no pixels, if the system has no memory, or if the display is closed.
  package func readPixels() throws(DisplayError) -> Bitmap {
    if discardsFramesOnPresent, isPresented { drawFrame(lastFrame, lastBackground) }
    guard let bitmap = try renderWindow?.renderer.readPixels() else {
      throw DisplayError(action: "read pixels", reason: "the display is closed")
    }
    return bitmap
  }

  /// Blue first when painting in memory, so that bitmaps serve as textures.
  ///
  /// Red first for SDL's renderers.
  package var preferredChannelOrder: ChannelOrder { renderWindow?.renderer.shareableChannelOrder ?? .redFirst }

  /// Destroys all released textures, including pooled ones.
  package func trimCaches() { renderWindow?.textures.trimPool() }

  /// The number of bytes of all live textures, including those that share the memory of their bitmaps.
  package var textureBytes: Int { renderWindow?.textures.liveBytes ?? 0 }

  private func drawFrame(_ list: DisplayList, _ background: Color) {
    if let next = renderWindow?.draw(list, background: background) { reportFallback(next) }
  }

  private func reportFallback(_ next: RendererPlan) {
    onRendererFailure?("\(next.reason); \(next.driver.title) goes on")
  }

  // MARK: - Statistics and input

  /// The name of the renderer in the option `--renderer`: `sdl`, `memory`, `opengl` or `opengles2`.
  ///
  /// `none` if the display is closed.
  package var rendererName: String { renderWindow?.plan.driver.rawValue ?? "none" }

  /// The reason for the choice of the renderer, for display to users.
  package var rendererReason: String { renderWindow?.plan.reason ?? "" }

  /// The event source of the display.
  package var events: any EventSource { source }

  /// Makes each signal of an event file descriptor of another owner, such as that of the main queue, end a wait for
  /// ``events``, until the display is closed.
  package func wakeLoop(whenSignalled descriptor: Int32) { source.wakeLoop(whenSignalled: descriptor) }

  /// The text rasteriser of the display.
  package var textRasterizer: any TextRasterizer { rasterizer }

  /// A message for the user if text is missing or looks different, or nil.
  ///
  /// It is known once text has been drawn.
  package var textWarning: String? { rasterizer.warning }

  /// The counts of decoded colour emoji, or nil if there were none.
  package var textStatistics: TextStatistics? { rasterizer.statistics }

  /// The number of bytes of the released textures that are pooled for bitmaps of the same size.
  package var pooledTextureBytes: Int { renderWindow?.textures.pooledBytes ?? 0 }

  /// The counts of textures created and destroyed.
  package var textureStatistics: TextureStatistics { renderWindow?.textures.statistics ?? TextureStatistics() }

  /// The counts of frames painted in memory.
  ///
  /// They stay zero for other renderers.
  package var redrawStatistics: RedrawStatistics { renderWindow?.renderer.statistics ?? RedrawStatistics() }

  /// Appends an event to the queue as if it came from the user.
  ///
  /// It gets its time when it is read.
  /// - Precondition: The display is headless.
  package func injectEvent(_ kind: InputEvent.Kind) {
    checkPrecondition(headlessSource != nil, "injectEvent(_:) is for headless displays; a window's input is its user's")
    headlessSource?.injectEvent(kind)
  }

  /// Writes a bitmap to a PNG file atomically.
  /// - Throws: ``DisplayError`` with the path, if the folder is not writable or the disk is full.
  package func savePNG(_ bitmap: Bitmap, to path: String) throws(DisplayError) { try PNGFile.write(bitmap, to: path) }

  // MARK: - Window

  /// Sets the title of the window.
  package func setTitle(_ title: String) { renderWindow?.window.setTitle(title) }

  /// Sets the text of the clipboard from UTF-8 bytes.
  ///
  /// - Returns: Whether the text was set. False if the display is closed or the window system refuses.
  package func setClipboardText(_ bytes: [UInt8]) -> Bool { renderWindow != nil && Clipboard.setText(bytes) }

  /// Starts text input at a caret in points of the window, moves it there, or ends it if the caret is nil.
  ///
  /// Has no effect on a headless or closed display.
  package func setTextInputArea(_ caret: Rect?) {
    guard renderWindow != nil, headlessSource == nil else { return }
    SDLTextInput.setArea(caret.flatMap { renderWindow?.window.units(of: $0) })
  }

  /// The color profile that the desktop set for the window's display, or nil if there is none.
  ///
  /// A headless or closed display has none. When it changes, ``events`` report `InputEvent.Kind.colorProfileChanged`.
  ///
  /// - Complexity: O(bytes), and a request to the window system.
  package var colorProfile: ColorProfile? { isHeadless ? nil : renderWindow?.window.colorProfile }

  /// The text of the clipboard as UTF-8 bytes, empty if there is none or the display is closed.
  package var clipboardText: [UInt8] { renderWindow != nil ? Clipboard.text : [] }

  /// The position and size of the window on the desktop, in points.
  ///
  /// In full screen, the frame from before.
  ///
  /// The window manager may refuse a change or make it later. ``info`` has the actual size.
  package var windowFrame: Rect {
    get { frameBeforeFullScreen ?? renderWindow?.window.frame ?? .zero }
    set {
      renderWindow?.renderer.invalidate()
      if isFullScreen { frameBeforeFullScreen = newValue } else { renderWindow?.window.setFrame(newValue) }
    }
  }

  /// Whether the window is full screen.
  package var isFullScreen: Bool { renderWindow?.window.isFullScreen ?? false }

  /// Whether the window is maximised.
  package var isMaximized: Bool { renderWindow?.window.isMaximized ?? false }

  /// Enters full screen without changing the display's mode, or restores the window.
  package func toggleFullScreen() {
    renderWindow?.renderer.invalidate()
    if isFullScreen {
      renderWindow?.window.setFullScreen(false)
      frameBeforeFullScreen = nil
    } else {
      frameBeforeFullScreen = renderWindow?.window.frame
      renderWindow?.window.setFullScreen(true)
    }
  }

  /// Hides the pointer while it is over the window, or shows it again.
  ///
  /// Has no effect on a headless or closed display.
  package func setPointerHidden(_ isHidden: Bool) {
    if renderWindow != nil, headlessSource == nil { PointerVisibility.setHidden(isHidden) }
  }

  /// Keeps the screen on, or permits the desktop to turn it off again, as it may by default.
  ///
  /// Has no effect on a headless or closed display.
  package func setScreenSaverDisabled(_ isDisabled: Bool) {
    if renderWindow != nil, headlessSource == nil { ScreenSaver.setDisabled(isDisabled) }
  }

  /// Changes the size of the window, in points, and keeps its position.
  package func resize(to size: Size) {
    renderWindow?.renderer.invalidate()
    renderWindow?.window.setSize(size)
  }

  /// Shows a window that was opened hidden.
  package func show() { renderWindow?.window.show() }

  // MARK: - Opening

  /// Opens a window for a plan, on X if none can be opened on Wayland.
  private static func openFallingBackToX(
    _ plan: RendererPlan, _ configuration: SDLDisplayConfiguration, session: inout SDLSession
  ) throws(DisplayError) -> RenderWindow {
    do {
      return try open(plan, configuration, session)
    } catch {
      guard session.canFallBackToX else { throw error }
      try session.restartOnX()
      return try open(plan, configuration, session)
    }
  }

  /// Opens a window for a plan or its fallback.
  private static func open(
    _ plan: RendererPlan, _ configuration: SDLDisplayConfiguration, _ session: borrowing SDLSession
  ) throws(DisplayError) -> RenderWindow {
    let renderWindow: RenderWindow
    do {
      renderWindow = try RenderWindow(plan: plan, configuration: configuration, session: session)
    } catch {
      guard let fallback = plan.fallback(failure: error.reason) else { throw error }
      return try open(fallback, configuration, session)
    }
    guard let fallback = plan.fallback(device: renderWindow.renderer.device) else { return renderWindow }
    renderWindow.close()
    return try open(fallback, configuration, session)
  }

  private func showWindow(_ configuration: SDLDisplayConfiguration) throws(DisplayError) {
    if let minimum = configuration.minimumSize { renderWindow?.window.setMinimumSize(minimum) }
    if let icon = configuration.icon { try renderWindow?.window.setIcon(icon) }
    if !configuration.startsHidden { show() }
    if configuration.startsFullScreen { toggleFullScreen() }
    // Without a window system these events are redundant, as only the program injects events.
    if isHeadless { SDLEventQueue.flush() }
  }

  /// Handles an event for the display itself, before it is delivered.
  private func handleEvent(_ kind: InputEvent.Kind) {
    switch kind {
    case .texturesLost:
      renderWindow?.textures.removeAll()
      renderWindow?.renderer.invalidate()
    case .displayChanged, .shown:
      refreshHz = renderWindow?.window.refreshHz
      renderWindow?.renderer.invalidate()
    case .resized, .exposed, .hidden: renderWindow?.renderer.invalidate()
    default: break
    }
  }
}

// MARK: - Configuration

/// The configuration of a display.
package nonisolated struct SDLDisplayConfiguration: Sendable {
  /// The title of the window.
  package var title: String
  /// The size of the content in points.
  package var size: Size
  /// The position on the desktop in points, or nil to let the window manager choose it.
  package var position: Point?
  /// Whether the window is made to fit the part of a display without panels; false by default.
  package var fitsDisplay = false
  /// The minimum size of the window in points, or nil.
  package var minimumSize: Size?
  /// Whether the display has no window and uses SDL's dummy driver.
  package var isHeadless: Bool
  /// The choice of the renderer.
  package var renderer: RendererPreference
  /// The part of each frame that is drawn.
  package var redraw: RedrawPolicy
  /// The icon of the window, or nil.
  package var icon: Bitmap?
  /// Whether the window starts in full screen.
  package var startsFullScreen: Bool
  /// Whether the window stays hidden until ``SDLDisplay/show()`` is called.
  package var startsHidden: Bool
  /// The identifier that window managers use to group windows and to find the desktop file, or nil.
  package var applicationIdentifier: String?

  /// Creates a configuration with the defaults of an ordinary window.
  package init(
    title: String, size: Size = Size(width: 1280, height: 800), position: Point? = nil, minimumSize: Size? = nil,
    isHeadless: Bool = false, renderer: RendererPreference = .auto, redraw: RedrawPolicy = .damage,
    icon: Bitmap? = nil, startsFullScreen: Bool = false, startsHidden: Bool = false,
    applicationIdentifier: String? = nil
  ) {
    self.title = title
    self.size = size
    self.position = position
    self.minimumSize = minimumSize
    self.isHeadless = isHeadless
    self.renderer = renderer
    self.redraw = redraw
    self.icon = icon
    self.startsFullScreen = startsFullScreen
    self.startsHidden = startsHidden
    self.applicationIdentifier = applicationIdentifier
  }
}
