import CSDL2
import Glibc
import Rendering

/// SDL while it is running: hints before, `SDL_Init` at the start, `SDL_Quit` at the end.
///
/// The order of death is textures, renderer, window, fonts, session: in SDL 2.26 a texture or window that outlives its
/// owner is a use after free. Whoever holds them ends them in that order and the session last.
nonisolated struct SDLSession: ~Copyable {
  /// What the program asks of SDL before it starts.
  struct Options {
    /// Whether to use the dummy video driver, which shows nothing.
    var isHeadless: Bool
    /// What window managers group windows by, and desktop files name.
    var applicationIdentifier: String?
    /// Whether Wayland was tried, and no window could be opened.
    var avoidsWayland = false
  }

  /// SDL's video driver, such as `x11`.
  private(set) var driver: String
  private let options: Options

  /// Whether there is no screen: the dummy driver.
  var isHeadless: Bool { driver == "dummy" }

  /// Starts SDL with video and events and nothing else, as a joystick would make waiting a loop of polling.
  ///
  /// The C functions are `SDL_SetMainReady`, `SDL_SetHintWithPriority`, `setenv` and `SDL_Init`.
  /// - Throws: ``DisplayError`` when a session is running already, or when there is no display.
  init(_ options: Options) throws(DisplayError) {
    self.options = options
    driver = try SDLSession.start(options)
  }

  /// Ends SDL and starts it anew on X; nothing of it may be left.
  ///
  /// The C function is `SDL_Quit`.
  /// - Throws: ``DisplayError`` when there is no such display; the session can only end then.
  mutating func restartOnX() throws(DisplayError) {
    SDL_Quit()
    var options = options
    options.avoidsWayland = true
    driver = try SDLSession.start(options)
  }

  private static func start(_ options: Options) throws(DisplayError) -> String {
    guard SDL_WasInit(SDL_INIT_VIDEO) == 0 else {
      throw DisplayError(action: "open a display", reason: "this program has one already; close it first")
    }
    let drivers = VideoDrivers(isHeadless: options.isHeadless, avoidsWayland: options.avoidsWayland) {
      SDLSession.environmentVariable($0)
    }
    if drivers == .none {
      throw DisplayError(action: "open a display", reason: "no display: \(SDLSession.noDisplayAdvice)")
    }
    SDL_SetMainReady()
    for (name, value) in SDLSession.hints { SDL_SetHint(name, value) }
    if !options.isHeadless, let identifier = options.applicationIdentifier {
      SDL_SetHint(SDL_HINT_APP_NAME, identifier)
      // SDL 2.26 reads the window class from the environment alone; what the user has set there stays.
      setenv("SDL_VIDEO_X11_WMCLASS", identifier, 0)
      setenv("SDL_VIDEO_WAYLAND_WMCLASS", identifier, 0)
    }
    if SDLSession.avoidsMessageBus(isHeadless: options.isHeadless) {
      // Every SDL asks for the session's message bus, and libdbus starts one where there is none. It stays set: SDL
      // asks again later. SDL 2.26 has no hint for it.
      setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
    }
    if case .list(let names) = drivers { SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, names, SDL_HINT_OVERRIDE) }
    guard SDL_Init(SDL_INIT_VIDEO | SDL_INIT_EVENTS) == 0 else {
      let error = DisplayError.fromSDL("open a display")
      SDL_Quit()
      throw DisplayError(action: error.action, reason: "\(error.reason); \(SDLSession.noDisplayAdvice)")
    }
    let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "unknown"
    // Neither a keyboard on the screen nor a box of candidates: most keys are commands here. Text comes all the same.
    SDL_StopTextInput()
    SDLEventQueue.configureEventKinds()
    // Else a window's surface goes through OpenGL: +140 ms at launch. On Wayland there is no other way.
    if driver != "wayland" { SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0") }
    if driver == "x11" { XErrorHandler.ignoreErrors() }
    return driver
  }

  deinit { SDL_Quit() }

  private static let noDisplayAdvice = "set DISPLAY or WAYLAND_DISPLAY, or run with --headless"

  /// Whether there is a server of X to go to where no window can be opened on Wayland.
  var mayFallBackToX: Bool {
    driver == "wayland"
      && VideoDrivers(isHeadless: false, avoidsWayland: true) { SDLSession.environmentVariable($0) } != .none
  }

  /// How many pixels a point has on X; 1 elsewhere, as window systems that scale say so themselves.
  ///
  /// The C function is `getenv`.
  var pixelsPerPoint: Double {
    guard driver == "x11" else { return 1 }
    return DesktopScale.pixelsPerPoint(
      environment: { SDLSession.environmentVariable($0) }, resources: XCBConnection()?.resourceDatabase)
  }

  private static func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether SDL is to be kept from the session's message bus: it has nothing to say without a window, and a window
  /// uses a bus that is there (for the desktop's pointer) but starts none.
  ///
  /// Looks where libdbus looks. The C function is `access`.
  private static func avoidsMessageBus(isHeadless: Bool) -> Bool {
    if isHeadless { return true }
    if environmentVariable("DBUS_SESSION_BUS_ADDRESS")?.isEmpty == false { return false }
    guard let folder = getenv("XDG_RUNTIME_DIR") else { return true }
    return access(String(cString: folder) + "/bus", F_OK) != 0
  }

  /// Settings that must stand before SDL starts, with their reasons.
  private static let hints: [(String, String)] = [
    (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),  // An interrupt is the host's: it still writes its report.
    (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"),  // This is a window, not a game.
    (SDL_HINT_RENDER_SCALE_QUALITY, "linear"),
    (SDL_HINT_TOUCH_MOUSE_EVENTS, "0"),  // A finger is a finger, and no pointer beside that.
    (SDL_HINT_MOUSE_TOUCH_EVENTS, "0"),
    (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),  // The window's own close event says it; once is enough.
    (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"),
  ]
}
