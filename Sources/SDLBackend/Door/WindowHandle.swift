import CSDL2
import Geometry
import Glibc
import Rendering

/// Owns one `SDL_Window`, which must outlive its renderer and die before the session.
nonisolated struct WindowHandle: ~Copyable {
  /// For the renderer and the event pump of this target only.
  let pointer: OpaquePointer
  /// How many of the units in which SDL counts windows a point has: on X, where those are pixels, as many as a point has
  /// pixels; elsewhere 1.
  let unitsPerPoint: Double

  /// Opens a hidden window, so that nothing flashes while the renderer is chosen; the C function is `SDL_CreateWindow`.
  ///
  /// - Throws: ``DisplayError`` when the window system refuses.
  init(
    title: String, size: Size, position: Point?, isForOpenGL: Bool, session: borrowing SDLSession
  ) throws(DisplayError) {
    // SDL_WINDOWPOS_UNDEFINED is a macro that Swift does not import: the window manager chooses.
    let undefined = Int32(bitPattern: 0x1FFF_0000)
    var flags =
      SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    if isForOpenGL { flags |= SDL_WINDOW_OPENGL.rawValue }
    unitsPerPoint = session.pixelsPerPoint
    let units = unitsPerPoint
    let (width, height) = (
      WindowHandle.clampedExtent(size.width * units), WindowHandle.clampedExtent(size.height * units)
    )
    let corner = position.map { Point(x: $0.x * units, y: $0.y * units) }
    let place = corner.flatMap {
      let frame = Rect(origin: $0, size: Size(width: Double(width), height: Double(height)))
      return WindowHandle.isReachable(frame) ? $0 : nil
    }
    let x = place.map { WindowHandle.clampedCoordinate($0.x) } ?? undefined
    let y = place.map { WindowHandle.clampedCoordinate($0.y) } ?? undefined
    guard let window = SDL_CreateWindow(title, x, y, width, height, flags) else {
      throw DisplayError.fromSDL("open a window")
    }
    pointer = window
  }

  deinit { SDL_DestroyWindow(pointer) }

  /// The window for those who draw into it.
  var reference: WindowReference { WindowReference(pointer: pointer) }

  /// The extent in points; the C function is `SDL_GetWindowSize`.
  var size: Size {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(pointer, &width, &height)
    return Size(width: Double(width) / unitsPerPoint, height: Double(height) / unitsPerPoint)
  }

  /// How many pixels a point has, where so many of them are drawn; the C function is `SDL_GetWindowSize`.
  func pixelsPerPoint(drawn pixels: PixelRect) -> Double {
    var width: Int32 = 0
    SDL_GetWindowSize(pointer, &width, nil)
    // A quotient of whole numbers first: the same scale at every size.
    return width > 0 ? Double(pixels.width) / Double(width) * unitsPerPoint : unitsPerPoint
  }

  /// Place and extent on the desktop in points: the corner of the border that the window manager draws, as it reads the
  /// place of a new window, and the extent within.
  ///
  /// The C functions are `SDL_GetWindowPosition` and `SDL_GetWindowSize`.
  var frame: Rect {
    var x: Int32 = 0
    var y: Int32 = 0
    SDL_GetWindowPosition(pointer, &x, &y)
    let border = border
    let corner = Point(x: Double(x - border.left) / unitsPerPoint, y: Double(y - border.top) / unitsPerPoint)
    return Rect(origin: corner, size: size)
  }

  /// The window manager's border in SDL's units, 0 where it draws none or does not say.
  ///
  /// The C function is `SDL_GetWindowBordersSize`.
  private var border: (left: Int32, top: Int32) {
    var left: Int32 = 0
    var top: Int32 = 0
    guard SDL_GetWindowBordersSize(pointer, &top, &left, nil, nil) == 0 else { return (0, 0) }
    return (left, top)
  }

  /// The refresh rate in hertz of the display that the window is on, where it says one.
  ///
  /// The C function is `SDL_GetCurrentDisplayMode`, which knows whole hertz only and 0 for "not known".
  var refreshHz: Double? {
    var mode = SDL_DisplayMode()
    let display = SDL_GetWindowDisplayIndex(pointer)
    guard display >= 0, SDL_GetCurrentDisplayMode(display, &mode) == 0, mode.refresh_rate > 0 else { return nil }
    return Double(mode.refresh_rate)
  }

  /// Whether the window covers its display; the C function is `SDL_GetWindowFlags`.
  var isFullScreen: Bool { flags & SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue == SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }

  /// Whether the window manager has made the window as large as it can; the C function is `SDL_GetWindowFlags`.
  var isMaximized: Bool { flags & SDL_WINDOW_MAXIMIZED.rawValue != 0 }

  private var flags: UInt32 { SDL_GetWindowFlags(pointer) }

  /// Names the window; the C function is `SDL_SetWindowTitle`.
  func setTitle(_ title: String) { SDL_SetWindowTitle(pointer, title) }

  /// Asks for a place and an extent; the C functions are `SDL_SetWindowPosition` and `SDL_SetWindowSize`.
  func setFrame(_ frame: Rect) {
    let border = border
    SDL_SetWindowPosition(
      pointer, WindowHandle.clampedCoordinate(frame.minX * unitsPerPoint) + border.left,
      WindowHandle.clampedCoordinate(frame.minY * unitsPerPoint) + border.top)
    setSize(frame.size)
  }

  /// Asks for an extent in points; the C function is `SDL_SetWindowSize`.
  func setSize(_ size: Size) {
    SDL_SetWindowSize(
      pointer, WindowHandle.clampedExtent(size.width * unitsPerPoint),
      WindowHandle.clampedExtent(size.height * unitsPerPoint))
  }

  /// Sets the least extent in points; the C function is `SDL_SetWindowMinimumSize`.
  func setMinimumSize(_ size: Size) {
    SDL_SetWindowMinimumSize(
      pointer, WindowHandle.clampedExtent(size.width * unitsPerPoint),
      WindowHandle.clampedExtent(size.height * unitsPerPoint))
  }

  /// Shows the window; the C function is `SDL_ShowWindow`.
  func show() { SDL_ShowWindow(pointer) }

  /// Covers the display without changing its mode, or goes back; the C function is `SDL_SetWindowFullscreen`.
  func setFullScreen(_ isFullScreen: Bool) {
    SDL_SetWindowFullscreen(pointer, isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
  }

  /// Gives the window an icon; the C function is `SDL_SetWindowIcon`.
  /// - Throws: ``DisplayError`` when there is no memory for it.
  func setIcon(_ bitmap: Bitmap) throws(DisplayError) {
    try SurfaceHandle.withSurface(over: bitmap) { surface in SDL_SetWindowIcon(pointer, surface) }
  }

  /// Whether a window at this place would have enough of its upper edge on a display to be taken hold of.
  ///
  /// The display of the last run may be gone. The C function is `SDL_GetDisplayBounds`.
  private static func isReachable(_ frame: Rect) -> Bool {
    let edge = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: min(frame.height, 64))
    for display in 0..<max(0, SDL_GetNumVideoDisplays()) {
      var bounds = SDL_Rect()
      guard SDL_GetDisplayBounds(display, &bounds) == 0 else { continue }
      let left = max(edge.minX, Double(bounds.x))
      let right = min(edge.maxX, Double(bounds.x) + Double(bounds.w))
      let top = max(edge.minY, Double(bounds.y))
      let bottom = min(edge.maxY, Double(bounds.y) + Double(bounds.h))
      if right - left >= min(128, edge.width), bottom - top >= min(32, edge.height) { return true }
    }
    return false
  }

  private static func clampedExtent(_ units: Double) -> Int32 {
    Int32(max(1, min(16_384, units.rounded())))
  }

  private static func clampedCoordinate(_ units: Double) -> Int32 {
    Int32(max(-32_768, min(32_767, units.rounded())))
  }
}
