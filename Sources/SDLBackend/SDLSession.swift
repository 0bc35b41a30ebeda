import CVitrineSDL2
import Glibc
import VitrineGeometry
import VitrineRendering

/// A running SDL: sets hints, calls `SDL_Init` at the start and `SDL_Quit` at the end.
///
/// The owner must destroy textures, renderer, window, fonts and session in this order: in SDL 2.26, a texture or window
/// that outlives its owner is a use after free.
nonisolated struct SDLSession: ~Copyable {
  /// The options of a session.
  struct Options {
    /// Whether to use the dummy video driver, which shows nothing.
    var isHeadless: Bool
    /// The name of the desktop file, by which window managers group windows, or nil.
    var applicationIdentifier: String?
    /// Whether to skip Wayland because no window could be opened there.
    var avoidsWayland = false
  }

  /// The name of SDL's video driver, such as `x11`.
  private(set) var driver: String
  private let options: Options

  /// Whether the driver is the dummy driver, without a screen.
  var isHeadless: Bool { driver == "dummy" }

  /// Starts SDL with video and events only, because with joysticks waiting would poll.
  ///
  /// The C functions are `SDL_SetMainReady`, `SDL_SetHintWithPriority`, `setenv` and `SDL_Init`.
  /// - Throws: ``DisplayError`` if a session is running already, or if no display is available.
  init(_ options: Options) throws(DisplayError) {
    self.options = options
    driver = try SDLSession.start(options)
  }

  /// Quits SDL with `SDL_Quit` and starts it again on X.
  ///
  /// No SDL object may exist.
  ///
  /// - Throws: ``DisplayError`` if no X display is available. The session must then be ended.
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
    }
    SDLSession.prepareEnvironment(isHeadless: options.isHeadless, identifier: options.applicationIdentifier)
    if case .list(let names) = drivers { SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, names, SDL_HINT_OVERRIDE) }
    guard SDL_Init(SDL_INIT_VIDEO | SDL_INIT_EVENTS) == 0 else {
      let error = DisplayError.fromSDL("open a display")
      SDL_Quit()
      throw DisplayError(action: error.action, reason: "\(error.reason); \(SDLSession.noDisplayAdvice)")
    }
    let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "unknown"
    // No on-screen keyboard and no candidate window, because most keys are commands. Text events arrive anyway.
    SDL_StopTextInput()
    SDLEventQueue.configureEventKinds()
    // Otherwise a window's surface uses OpenGL, which adds 140 ms to the launch. On Wayland there is no alternative.
    if driver != "wayland" { SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0") }
    if driver == "x11" { XErrorHandler.ignoreErrors() }
    return driver
  }

  deinit { SDL_Quit() }

  private static let noDisplayAdvice = "set DISPLAY or WAYLAND_DISPLAY, or run with --headless"

  /// Whether an X server is available if no window can be opened on Wayland.
  var canFallBackToX: Bool {
    driver == "wayland"
      && VideoDrivers(isHeadless: false, avoidsWayland: true) { SDLSession.environmentVariable($0) } != .none
  }

  /// The number of pixels per point on X, read with `getenv`.
  ///
  /// Otherwise 1, because other window systems report their scale.
  var pixelsPerPoint: Double {
    guard driver == "x11" else { return 1 }
    return DesktopScale.pixelsPerPoint(
      environment: { SDLSession.environmentVariable($0) }, resources: XCBConnection()?.resourceDatabase)
  }

  private static func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether to keep SDL from the session's message bus.
  ///
  /// Without a window SDL does not need it. With a window SDL uses an existing bus, for the desktop's pointer, but must
  /// not start one. The bus is searched for as libdbus does, using `access`.
  private static func avoidsMessageBus(isHeadless: Bool) -> Bool {
    if isHeadless { return true }
    if environmentVariable("DBUS_SESSION_BUS_ADDRESS")?.isEmpty == false { return false }
    guard let folder = getenv("XDG_RUNTIME_DIR") else { return true }
    return access(String(cString: folder) + "/bus", F_OK) != 0
  }

  /// Sets the environment variables that SDL reads, unless they are set.
  ///
  /// Call it before other threads are started: the C library frees the old environment while they may read it. The C
  /// function is `setenv`.
  static func prepareEnvironment(isHeadless: Bool, identifier: String?) {
    if !isHeadless, let identifier {
      // SDL 2.26 reads the window class only from the environment. Values that the user has set are kept.
      setenv("SDL_VIDEO_X11_WMCLASS", identifier, 0)
      setenv("SDL_VIDEO_WAYLAND_WMCLASS", identifier, 0)
    }
    if environmentVariable("DBUS_SESSION_BUS_ADDRESS") != "disabled:", avoidsMessageBus(isHeadless: isHeadless) {
      // SDL connects to the session's message bus, and libdbus starts one if there is none. SDL 2.26 has no hint to
      // prevent this. The variable stays set because SDL connects again later.
      setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
    }
  }

  /// The hints that must be set before SDL starts.
  private static let hints: [(String, String)] = [
    (SDL_HINT_NO_SIGNAL_HANDLERS, "1"),  // The host handles interrupts, to write its report.
    (SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"),  // This is a window, not a game.
    (SDL_HINT_RENDER_SCALE_QUALITY, "linear"),
    (SDL_HINT_TOUCH_MOUSE_EVENTS, "0"),  // Touches must not arrive as mouse events too.
    (SDL_HINT_MOUSE_TOUCH_EVENTS, "0"),
    (SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0"),  // The window's close event is sufficient.
    (SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"),
    (SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1"),  // Otherwise a composition is cut after 31 bytes.
    (SDL_HINT_IME_SHOW_UI, "1"),
  ]
}

// MARK: - Video drivers

/// The SDL video drivers to try, chosen from the environment before any driver is started.
///
/// In a Wayland session, Wayland comes first, which SDL 2.26 would try last, and X second. In an X session, X comes
/// first.
package nonisolated enum VideoDrivers: Hashable, Sendable {
  /// The driver that the user chose in `SDL_VIDEODRIVER`, which SDL reads itself.
  case userChoice
  /// A comma-separated list of drivers to try in order.
  ///
  /// Only window systems, because SDL would otherwise take over a text console.
  case list(String)
  /// There is no display.
  case none

  /// Chooses the drivers.
  ///
  /// - Parameters:
  ///   - isHeadless: Whether to use the dummy driver.
  ///   - avoidsWayland: Whether to skip Wayland because no window could be opened there. Default: false.
  ///   - value: Returns the value of an environment variable.
  package init(isHeadless: Bool, avoidsWayland: Bool = false, environment value: (String) -> String?) {
    func isSet(_ name: String) -> Bool { value(name).map { !$0.isEmpty } ?? false }
    if avoidsWayland {
      self = isSet("DISPLAY") && !isSet("SDL_VIDEODRIVER") ? .list("x11") : .none
    } else if isHeadless {
      self = .list("dummy")
    } else if isSet("SDL_VIDEODRIVER") {
      self = .userChoice
    } else if isSet("WAYLAND_DISPLAY") || isSet("WAYLAND_SOCKET") {
      self = .list("wayland,x11")
    } else if isSet("DISPLAY") {
      self = .list("x11,wayland")
    } else {
      self = .none
    }
  }
}

// MARK: - Scale

/// The scale of an X desktop, read from the settings that toolkits have in common.
///
/// The scale is `GDK_SCALE`, else `QT_SCALE_FACTOR`, else the resource `Xft.dpi` divided by 96. It is rounded to
/// quarters, as 98 dots per inch mean 96, and limited to 1 to 4.
package nonisolated enum DesktopScale {
  /// Returns the number of pixels per point.
  ///
  /// - Parameters:
  ///   - value: Returns the value of an environment variable.
  ///   - resources: The X server's resource database, one resource a line, or nil if there is none.
  package static func pixelsPerPoint(environment value: (String) -> String?, resources: String?) -> Double {
    let named = value("GDK_SCALE").flatMap(positiveNumber) ?? value("QT_SCALE_FACTOR").flatMap(positiveNumber)
    return roundedToQuarters(named ?? resources.flatMap(dotsPerInch).map { $0 / 96 } ?? 1)
  }

  /// Returns the resource `Xft.dpi`, the last one if there are several.
  private static func dotsPerInch(in resources: String) -> Double? {
    var found: Double?
    for line in resources.split(separator: "\n") {
      let pieces = line.split(separator: ":", maxSplits: 1)
      guard pieces.count == 2, trimmed(pieces[0]) == "Xft.dpi" else { continue }
      found = positiveNumber(trimmed(pieces[1])) ?? found
    }
    return found
  }

  private static func positiveNumber(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  private static func roundedToQuarters(_ scale: Double) -> Double { max(1, min(4, (scale * 4).rounded() / 4)) }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
  }
}

// MARK: - Errors

extension DisplayError {
  /// Returns an error with SDL's reason for the last failed call, using `SDL_GetError`.
  ///
  /// Call it in the same expression as the failed call, because SDL keeps one message per thread and overwrites it.
  nonisolated static func fromSDL(_ action: String) -> DisplayError {
    let reason = String(cString: SDL_GetError())
    return DisplayError(action: action, reason: reason.isEmpty ? "SDL gave no reason" : reason)
  }
}

// MARK: - System services

/// The version of the SDL library at run time, which may differ from the one at build time.
package enum SDLVersion {
  /// The version, such as `2.26.5`, from `SDL_GetVersion`.
  package static var linked: String {
    var version = SDL_version()
    SDL_GetVersion(&version)
    return "\(version.major).\(version.minor).\(version.patch)"
  }
}

/// The clipboard of the open display.
nonisolated enum Clipboard {
  /// Sets the text, using `SDL_SetClipboardText`.
  ///
  /// Zero bytes are removed.
  ///
  /// - Parameter bytes: The text, in UTF-8 as far as file names are.
  /// - Returns: Whether the text was set.
  static func setText(_ bytes: [UInt8]) -> Bool {
    var text = bytes
    if text.contains(0) { text.removeAll { $0 == 0 } }
    text.append(0)
    return text.withUnsafeBytes { SDL_SetClipboardText($0.assumingMemoryBound(to: CChar.self).baseAddress) == 0 }
  }

  /// The text as bytes, empty if there is none.
  ///
  /// The C functions are `SDL_GetClipboardText`, which may wait for the program that owns the text, `strlen` and
  /// `SDL_free`.
  static var text: [UInt8] {
    guard let text = SDL_GetClipboardText() else { return [] }
    defer { SDL_free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// Text input by input methods in the window of the open display.
nonisolated enum SDLTextInput {
  /// Starts text input at an area in the window's units, moves it there, or ends it if the area is nil.
  ///
  /// The C functions are `SDL_StartTextInput`, `SDL_SetTextInputRect` and `SDL_StopTextInput`. Text events arrive in any
  /// case, for the keys of commands.
  static func setArea(_ area: PixelRect?) {
    guard let area else {
      if SDL_IsTextInputActive() == SDL_TRUE {
        SDL_ClearComposition()
        SDL_StopTextInput()
        SDLEventQueue.configureEventKinds()
      }
      return
    }
    var rect = SDL_Rect(x: area.x, y: area.y, w: area.width, h: area.height)
    SDL_SetTextInputRect(&rect)
    if SDL_IsTextInputActive() != SDL_TRUE {
      SDL_StartTextInput()
      SDLEventQueue.configureEventKinds()
    }
  }
}

/// The visibility of the pointer over the window of the open display.
nonisolated enum PointerVisibility {
  /// Hides the pointer, or shows it again, using `SDL_ShowCursor`.
  static func setHidden(_ isHidden: Bool) { SDL_ShowCursor(isHidden ? SDL_DISABLE : SDL_ENABLE) }
}

/// The screen saver of the desktop.
nonisolated enum ScreenSaver {
  /// Keeps the screen on, or permits the desktop to turn it off again.
  ///
  /// The C functions are `SDL_DisableScreenSaver` and `SDL_EnableScreenSaver`, which may wait for the desktop.
  static func setDisabled(_ isDisabled: Bool) {
    if isDisabled { SDL_DisableScreenSaver() } else { SDL_EnableScreenSaver() }
  }
}

/// The scheduling priority of threads.
package enum ThreadPriority {
  /// Raises the priority of a thread of this process.
  ///
  /// The request goes to the kernel if the process is privileged, otherwise to RealtimeKit over D-Bus, if the desktop
  /// has it. It waits for another process, so it must not be called on the render thread. The C function is
  /// `SDL_LinuxSetThreadPriority`.
  ///
  /// - Parameters:
  ///   - niceness: The niceness, below 0 for a higher priority than the default. RealtimeKit grants -15 at most.
  ///   - thread: The kernel's ID of the thread.
  /// - Returns: Whether the priority was granted.
  package nonisolated static func raisePriority(to niceness: Int32, thread: Int32) -> Bool {
    SDL_LinuxSetThreadPriority(Int64(thread), niceness) == 0
  }
}
