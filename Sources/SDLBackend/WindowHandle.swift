import CVitrineSDL2
import Glibc
import VitrineGeometry
import VitrineRendering

/// An owner of an `SDL_Window`, which must outlive its renderer and be destroyed before the session.
nonisolated struct WindowHandle: ~Copyable {
  /// The window, for this target's renderer and event pump only.
  let pointer: OpaquePointer
  /// The number of SDL's window units per point.
  ///
  /// On X the units are pixels, elsewhere they are points and this is 1.
  let unitsPerPoint: Double

  /// Opens a hidden window with `SDL_CreateWindow`.
  ///
  /// It is hidden so that it does not flash while the renderer is chosen.
  ///
  /// - Parameters:
  ///   - size: The size in points.
  ///   - position: The position on the desktop in points, or nil for one that the window manager chooses.
  ///   - fitsDisplay: Whether the window is at most as large as the part of a display without panels, and within it.
  /// - Throws: ``DisplayError`` if the window system refuses.
  init(
    title: String, size: Size, position: Point?, fitsDisplay: Bool, isForOpenGL: Bool, session: borrowing SDLSession
  ) throws(DisplayError) {
    // SDL_WINDOWPOS_UNDEFINED, a macro that Swift does not import: the window manager chooses the position.
    let undefined = Int32(bitPattern: 0x1FFF_0000)
    var flags =
      SDL_WINDOW_HIDDEN.rawValue | SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue
    if isForOpenGL { flags |= SDL_WINDOW_OPENGL.rawValue }
    unitsPerPoint = session.pixelsPerPoint
    let units = unitsPerPoint
    var extent = Size(width: size.width * units, height: size.height * units)
    let corner = position.map { Point(x: $0.x * units, y: $0.y * units) }
    var origin = corner.flatMap { WindowHandle.isReachable(Rect(origin: $0, size: extent)) ? $0 : nil }
    if fitsDisplay, let area = WindowHandle.usableArea(at: origin) {
      extent = Size(width: min(extent.width, area.width), height: min(extent.height, area.height))
      origin = origin.map {
        Point(
          x: max(area.minX, min($0.x, area.maxX - extent.width)),
          y: max(area.minY, min($0.y, area.maxY - extent.height)))
      }
    }
    let (width, height) = (WindowHandle.clampedExtent(extent.width), WindowHandle.clampedExtent(extent.height))
    let x = origin.map { WindowHandle.clampedCoordinate($0.x) } ?? undefined
    let y = origin.map { WindowHandle.clampedCoordinate($0.y) } ?? undefined
    guard let window = SDL_CreateWindow(title, x, y, width, height, flags) else {
      throw DisplayError.fromSDL("open a window")
    }
    pointer = window
  }

  deinit { SDL_DestroyWindow(pointer) }

  /// A reference to the window, for renderers and presenters.
  var reference: WindowReference { WindowReference(pointer: pointer) }

  /// The size in points, from `SDL_GetWindowSize`.
  var size: Size {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSize(pointer, &width, &height)
    return Size(width: Double(width) / unitsPerPoint, height: Double(height) / unitsPerPoint)
  }

  /// Returns the number of pixels per point for an output size in pixels, using `SDL_GetWindowSize`.
  func pixelsPerPoint(outputSize: PixelRect) -> Double {
    var width: Int32 = 0
    SDL_GetWindowSize(pointer, &width, nil)
    // The quotient of whole numbers comes first, so that the scale is the same at every size.
    return width > 0 ? Double(outputSize.width) / Double(width) * unitsPerPoint : unitsPerPoint
  }

  /// The position and size on the desktop in points.
  ///
  /// The position is that of the window manager's border, as for a new window. The size excludes the border. The C
  /// functions are `SDL_GetWindowPosition` and `SDL_GetWindowSize`.
  var frame: Rect {
    var x: Int32 = 0
    var y: Int32 = 0
    SDL_GetWindowPosition(pointer, &x, &y)
    let border = border
    let corner = Point(x: Double(x - border.left) / unitsPerPoint, y: Double(y - border.top) / unitsPerPoint)
    return Rect(origin: corner, size: size)
  }

  /// The width of the window manager's border in SDL's units, or 0 if it is unknown, from `SDL_GetWindowBordersSize`.
  private var border: (left: Int32, top: Int32) {
    var left: Int32 = 0
    var top: Int32 = 0
    guard SDL_GetWindowBordersSize(pointer, &top, &left, nil, nil) == 0 else { return (0, 0) }
    return (left, top)
  }

  /// The refresh rate in hertz of the window's display, or nil if it is unknown.
  ///
  /// The C function is `SDL_GetCurrentDisplayMode`, which returns whole hertz, or 0 if the rate is unknown.
  var refreshHz: Double? {
    var mode = SDL_DisplayMode()
    let display = SDL_GetWindowDisplayIndex(pointer)
    guard display >= 0, SDL_GetCurrentDisplayMode(display, &mode) == 0, mode.refresh_rate > 0 else { return nil }
    return Double(mode.refresh_rate)
  }

  /// The color profile that the desktop set for the window's display, or nil if there is none or it is too large.
  ///
  /// The C functions are `SDL_GetWindowICCProfile` and `SDL_free`. On X it is that of the screen, the property
  /// `_ICC_PROFILE` of the root window. On Wayland, SDL 2.26 knows none.
  var colorProfile: ColorProfile? {
    var count = 0
    guard let bytes = SDL_GetWindowICCProfile(pointer, &count) else { return nil }
    defer { SDL_free(bytes) }
    return ColorProfile(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Whether the window is full screen, from `SDL_GetWindowFlags`.
  var isFullScreen: Bool { flags & SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue == SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue }

  /// Whether the window is maximised, from `SDL_GetWindowFlags`.
  var isMaximized: Bool { flags & SDL_WINDOW_MAXIMIZED.rawValue != 0 }

  private var flags: UInt32 { SDL_GetWindowFlags(pointer) }

  /// Sets the title, using `SDL_SetWindowTitle`.
  func setTitle(_ title: String) {
    SDL_SetWindowTitle(pointer, title)
    // SDL 2.26 drops a title for X with characters that the locale lacks, and a program starts in one without any script
    // but Latin.
    guard !title.utf8.allSatisfy({ $0 < 0x80 }), let window = reference.xWindow, let connection = XCBConnection() else {
      return
    }
    connection.setTitle(title, of: window)
  }

  /// Requests a position and a size in points, using `SDL_SetWindowPosition` and `SDL_SetWindowSize`.
  func setFrame(_ frame: Rect) {
    let border = border
    SDL_SetWindowPosition(
      pointer, WindowHandle.clampedCoordinate(frame.minX * unitsPerPoint) + border.left,
      WindowHandle.clampedCoordinate(frame.minY * unitsPerPoint) + border.top)
    setSize(frame.size)
  }

  /// Returns an area in points of the window in SDL's units.
  func units(of area: Rect) -> PixelRect {
    func unit(_ length: Double) -> Int32 { WindowHandle.clampedCoordinate(length * unitsPerPoint) }
    return PixelRect(x: unit(area.minX), y: unit(area.minY), width: max(1, unit(area.width)), height: unit(area.height))
  }

  /// Requests a size in points, using `SDL_SetWindowSize`.
  func setSize(_ size: Size) {
    SDL_SetWindowSize(
      pointer, WindowHandle.clampedExtent(size.width * unitsPerPoint),
      WindowHandle.clampedExtent(size.height * unitsPerPoint))
  }

  /// Sets the minimum size in points, using `SDL_SetWindowMinimumSize`.
  func setMinimumSize(_ size: Size) {
    SDL_SetWindowMinimumSize(
      pointer, WindowHandle.clampedExtent(size.width * unitsPerPoint),
      WindowHandle.clampedExtent(size.height * unitsPerPoint))
  }

  /// Shows the window, using `SDL_ShowWindow`.
  func show() { SDL_ShowWindow(pointer) }

  /// Enters full screen without changing the display's mode, or leaves it, using `SDL_SetWindowFullscreen`.
  func setFullScreen(_ isFullScreen: Bool) {
    SDL_SetWindowFullscreen(pointer, isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
  }

  /// Sets the icon, using `SDL_SetWindowIcon`.
  /// - Throws: ``DisplayError`` if the system has no memory.
  func setIcon(_ bitmap: Bitmap) throws(DisplayError) {
    try SurfaceHandle.withSurface(over: bitmap) { surface in SDL_SetWindowIcon(pointer, surface) }
  }

  /// The parts of the displays without the desktop's panels, from `SDL_GetDisplayUsableBounds`.
  private static var usableAreas: [Rect] {
    (0..<max(0, SDL_GetNumVideoDisplays())).compactMap { display in
      var bounds = SDL_Rect()
      guard SDL_GetDisplayUsableBounds(display, &bounds) == 0 else { return nil }
      return Rect(x: Double(bounds.x), y: Double(bounds.y), width: Double(bounds.w), height: Double(bounds.h))
    }
  }

  /// Returns the usable area of the display at a point, by default of the first display, or nil if there is none.
  private static func usableArea(at point: Point?) -> Rect? {
    let areas = usableAreas
    return point.flatMap { point in areas.first { $0.contains(point) } } ?? areas.first
  }

  /// Whether enough of the upper edge of a window would be on a display for the user to drag it.
  ///
  /// The display of the last run may be disconnected.
  private static func isReachable(_ frame: Rect) -> Bool {
    let edge = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: min(frame.height, 64))
    return usableAreas.contains { area in
      min(edge.maxX, area.maxX) - max(edge.minX, area.minX) >= min(128, edge.width)
        && min(edge.maxY, area.maxY) - max(edge.minY, area.minY) >= min(32, edge.height)
    }
  }

  private static func clampedExtent(_ units: Double) -> Int32 {
    Int32(max(1, min(16_384, units.rounded())))
  }

  private static func clampedCoordinate(_ units: Double) -> Int32 {
    Int32(max(-32_768, min(32_767, units.rounded())))
  }
}

/// An unowned reference to an SDL window.
///
/// Its users must release it before the window is destroyed.
nonisolated struct WindowReference {
  /// The window, for this target only.
  let pointer: OpaquePointer

  /// The current size in pixels, from `SDL_GetWindowSizeInPixels`.
  var pixelExtent: PixelRect {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSizeInPixels(pointer, &width, &height)
    return PixelRect(x: 0, y: 0, width: max(0, width), height: max(0, height))
  }

  /// The window's ID on the X server, or nil on other window systems, from `SDL_GetWindowWMInfo`.
  var xWindow: UInt32? {
    var information = SDL_SysWMinfo()
    information.version = SDL_version(
      major: UInt8(SDL_MAJOR_VERSION), minor: UInt8(SDL_MINOR_VERSION), patch: UInt8(SDL_PATCHLEVEL))
    guard SDL_GetWindowWMInfo(pointer, &information) == SDL_TRUE, information.subsystem == SDL_SYSWM_X11 else {
      return nil
    }
    return UInt32(truncatingIfNeeded: information.info.x11.window)
  }
}
