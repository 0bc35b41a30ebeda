import DataStructures
public import Geometry
public import Rendering

/// A window on the user's screen, or with the dummy driver none at all, and the only way from this package to SDL.
///
/// One at a time in a process, and all of it on the process's first thread, which is where window systems want it.
/// Call ``close()`` at the end; threads that hold the event source's waker may keep it.
public final class SDLDisplay: Display {
  /// Whether there is no window: SDL's dummy driver, input by ``injectEvent(_:)``.
  public let isHeadless: Bool
  /// Called when a renderer has failed in the middle of a run and the next one goes on, with a line for people.
  ///
  /// Textures and frames go on as if nothing had happened; ``drawnBy`` is another one. Default: nil.
  public var onRendererFailure: ((String) -> Void)?

  private let driver: String
  private let rasterizer = SDLTextRasterizer()
  private let source: any DisplayEventSource
  private let headlessSource: HeadlessEventSource?
  private var session: SDLSession?
  private var renderWindow: RenderWindow?
  private var refreshHz: Double?
  private var frameBeforeFullScreen: Rect?
  /// A copy of the last frame, kept where the hardware forgets it on present.
  private let lastFrame = DisplayList()
  private var lastBackground = Color.black
  private var isPresented = false
  private var discardsFramesOnPresent: Bool { renderWindow?.renderer.discardsFramesOnPresent == true }

  /// Opens a display.
  ///
  /// - Throws: ``DisplayError`` when there is no display, when this process has one already, or when the renderer that
  ///   was asked for cannot be had.
  public init(configuration: SDLDisplayConfiguration) throws(DisplayError) {
    var newSession = try SDLSession(
      SDLSession.Options(
        isHeadless: configuration.isHeadless, applicationIdentifier: configuration.applicationIdentifier))
    let isWindowless = newSession.isHeadless
    let first = RendererPlan(
      preference: configuration.renderer, isHeadless: isWindowless, hardware: GraphicsHardware.probe())
    let newHeadlessSource = isWindowless ? try HeadlessEventSource() : nil
    let newStage = try SDLDisplay.open(first, configuration, onWhateverOpens: &newSession)
    driver = newSession.driver
    isHeadless = isWindowless
    headlessSource = newHeadlessSource
    source = newHeadlessSource ?? WindowEventSource(unitsPerPoint: newStage.window.unitsPerPoint)
    refreshHz = newStage.window.refreshHz
    renderWindow = consume newStage
    session = consume newSession
    source.observer = { [unowned self] kind in handleEvent(kind) }
    try showWindow(configuration)
  }

  isolated deinit { close() }

  /// Destroys the textures, what draws, the window and the fonts in this order, and ends SDL; once, later calls do
  /// nothing.
  public func close() {
    source.close()
    renderWindow.take()?.close()
    rasterizer.close()
    session = nil
  }

  // MARK: - Display

  /// What the display is now: the size is the window's own, at this moment.
  /// - Complexity: O(1).
  public var info: DisplayInfo {
    let size = renderWindow?.window.size ?? .zero
    let pixelSize = renderWindow?.renderer.outputSize ?? .zero
    let scale = renderWindow?.window.pixelsPerPoint(drawn: pixelSize) ?? 1
    return DisplayInfo(
      driver: driver, renderer: renderWindow?.renderer.name ?? "none", device: renderWindow?.renderer.device,
      size: size,
      pixelSize: pixelSize, scale: DisplayScale(pixelsPerPoint: scale), refreshHz: refreshHz,
      requestsVsync: renderWindow?.renderer.requestsVsync ?? false)
  }

  /// Uploads a bitmap into a new texture, or into a released one of the same size.
  /// - Throws: ``DisplayError`` when no renderer has a texture to give, or when the display is closed.
  public func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID {
    guard let (name, next) = try renderWindow?.makeTexture(from: bitmap) else {
      throw DisplayError(action: "make a texture", reason: "the display is closed")
    }
    if let next { reportFallback(next) }
    return name
  }

  /// Ends a name; its texture is used again or dies after the next ``present()``.
  public func releaseTexture(_ texture: TextureID) { renderWindow?.textures.release(texture) }

  /// Draws a list over a colour and flushes: in memory what differs from the last frame, else all of it.
  ///
  /// Where the renderer fails the next one draws the frame, and ``onRendererFailure`` is called.
  ///
  /// Nothing is allocated here once the lists have grown to a frame's size.
  public func draw(_ list: DisplayList, background: Color) {
    drawFrame(list, background)
    isPresented = false
    guard discardsFramesOnPresent else { return }
    lastFrame.removeAll()
    lastFrame.append(list, movedByX: 0, y: 0)
    lastBackground = background
  }

  /// Shows what was drawn, and lets released textures go.
  public func present() {
    renderWindow?.renderer.present()
    renderWindow?.textures.endFrame()
    isPresented = true
  }

  /// The pixels that were drawn last, before or after ``present()``.
  ///
  /// OpenGL forgets a frame when it is presented, so that it is drawn again here; textures released since are missing
  /// in it. Others keep the frame until the window is resized.
  /// - Throws: ``DisplayError`` when the window has no pixels, memory is out, or the display is closed.
  public func readPixels() throws(DisplayError) -> Bitmap {
    if discardsFramesOnPresent, isPresented { drawFrame(lastFrame, lastBackground) }
    guard let bitmap = try renderWindow?.renderer.readPixels() else {
      throw DisplayError(action: "read pixels", reason: "the display is closed")
    }
    return bitmap
  }

  /// Blue first where this package paints, as most screens have it: bitmaps in that order are textures as they are.
  ///
  /// Red first for SDL's renderers.
  public var preferredChannelOrder: ChannelOrder { renderWindow?.renderer.shareableChannelOrder ?? .redFirst }

  /// Destroys released textures, also those that wait to be used again.
  public func trimCaches() { renderWindow?.textures.trimPool() }

  /// The bytes of the textures whose names are out, also where a texture is its bitmap and takes none of its own.
  public var textureBytes: Int { renderWindow?.textures.liveBytes ?? 0 }

  private func drawFrame(_ list: DisplayList, _ background: Color) {
    if let next = renderWindow?.draw(list, background: background) { reportFallback(next) }
  }

  private func reportFallback(_ next: RendererPlan) {
    onRendererFailure?("\(next.reason); \(next.driver.title) goes on")
  }

  // MARK: - Beside the port

  /// What draws, by the name that asks for it: `sdl`, `memory`, `opengl` or `opengles2`; `none` once closed.
  public var rendererName: String { renderWindow?.plan.driver.rawValue ?? "none" }

  /// Why that one draws, in words for people.
  public var rendererReason: String { renderWindow?.plan.reason ?? "" }

  /// The input that belongs to this display.
  public var events: any EventSource { source }

  /// The type that belongs to this display.
  public var textRasterizer: any TextRasterizer { rasterizer }

  /// Why text may be missing or look different, once it has been drawn; nothing while all is well.
  public var textWarning: String? { rasterizer.warning }

  /// What was done for emoji in colour so far; nothing where there were none.
  public var textStatistics: TextStatistics? { rasterizer.statistics }

  /// The bytes of released textures that are kept for bitmaps of the same size.
  public var pooledTextureBytes: Int { renderWindow?.textures.pooledBytes ?? 0 }

  /// What was done with textures so far.
  public var textureStatistics: TextureStatistics { renderWindow?.textures.statistics ?? TextureStatistics() }

  /// How frames were painted in memory so far; of other renderers' nothing is counted.
  public var redrawStatistics: RedrawStatistics { renderWindow?.renderer.statistics ?? RedrawStatistics() }

  /// Puts an event behind those that wait, as if it had come from the user; stamped when it is read.
  /// - Precondition: the display is headless.
  public func injectEvent(_ kind: InputEvent.Kind) {
    checkPrecondition(headlessSource != nil, "injectEvent(_:) is for headless displays; a window's input is its user's")
    headlessSource?.injectEvent(kind)
  }

  /// Writes a bitmap as a PNG file, whole or not at all.
  /// - Throws: ``DisplayError`` that names the path, when the folder cannot be written to or the disk is full.
  public func savePNG(_ bitmap: Bitmap, to path: String) throws(DisplayError) { try PNGFile.write(bitmap, to: path) }

  // MARK: - The window

  /// Names the window.
  public func setTitle(_ title: String) { renderWindow?.window.setTitle(title) }

  /// Puts text where other programs paste from, by its bytes.
  ///
  /// - Returns: whether it is there; not where the display is closed or the window system refuses.
  public func setClipboardText(_ bytes: [UInt8]) -> Bool { renderWindow != nil && Clipboard.setText(bytes) }

  /// The text that programs have copied, by its bytes; none where there is none, or the display is closed.
  public var clipboardText: [UInt8] { renderWindow != nil ? Clipboard.text : [] }

  /// The window's place and extent on the desktop, in points; while it is full screen, what it was before.
  ///
  /// A window manager may refuse what is set, or grant it a little later: ``info`` says what is.
  public var windowFrame: Rect {
    get { frameBeforeFullScreen ?? renderWindow?.window.frame ?? .zero }
    set {
      renderWindow?.renderer.invalidate()
      if isFullScreen { frameBeforeFullScreen = newValue } else { renderWindow?.window.setFrame(newValue) }
    }
  }

  /// Whether the window covers its display.
  public var isFullScreen: Bool { renderWindow?.window.isFullScreen ?? false }

  /// Whether the window manager has made the window as large as it can.
  public var isMaximized: Bool { renderWindow?.window.isMaximized ?? false }

  /// Covers the window's display without changing its mode, or goes back to the window as it was.
  public func toggleFullScreen() {
    renderWindow?.renderer.invalidate()
    if isFullScreen {
      renderWindow?.window.setFullScreen(false)
      frameBeforeFullScreen = nil
    } else {
      frameBeforeFullScreen = renderWindow?.window.frame
      renderWindow?.window.setFullScreen(true)
    }
  }

  /// Gives the window another size in points, where it stands.
  public func resize(to size: Size) {
    renderWindow?.renderer.invalidate()
    renderWindow?.window.setSize(size)
  }

  /// Shows a window that was opened hidden.
  public func show() { renderWindow?.window.show() }

  // MARK: - Opening

  /// Opens a stage, on X where none can be opened on Wayland.
  private static func open(
    _ plan: RendererPlan, _ configuration: SDLDisplayConfiguration, onWhateverOpens session: inout SDLSession
  ) throws(DisplayError) -> RenderWindow {
    do {
      return try open(plan, configuration, session)
    } catch {
      guard session.mayFallBackToX else { throw error }
      try session.restartOnX()
      return try open(plan, configuration, session)
    }
  }

  /// Opens the stage that a plan names, or the one that it falls back to.
  private static func open(
    _ plan: RendererPlan, _ configuration: SDLDisplayConfiguration, _ session: borrowing SDLSession
  ) throws(DisplayError) -> RenderWindow {
    let stage: RenderWindow
    do {
      stage = try RenderWindow(plan: plan, configuration: configuration, session: session)
    } catch {
      guard let fallback = plan.fallback(failure: error.reason) else { throw error }
      return try open(fallback, configuration, session)
    }
    guard let fallback = plan.fallback(device: stage.renderer.device) else { return stage }
    stage.close()
    return try open(fallback, configuration, session)
  }

  private func showWindow(_ configuration: SDLDisplayConfiguration) throws(DisplayError) {
    if let minimum = configuration.minimumSize { renderWindow?.window.setMinimumSize(minimum) }
    if let icon = configuration.icon { try renderWindow?.window.setIcon(icon) }
    if !configuration.startsHidden { show() }
    if configuration.startsFullScreen { toggleFullScreen() }
    // Without a window system all that is known already; nothing comes in but what the program injects.
    if isHeadless { SDLEventQueue.flush() }
  }

  /// What the display itself must do about an event, before anybody else sees it.
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
