public import Geometry
public import Rendering

/// What a display should be when it is opened.
public nonisolated struct SDLDisplayConfiguration: Sendable {
  /// The window's title.
  public var title: String
  /// The extent of the content in points.
  public var size: Size
  /// The place on the desktop in points, or nothing to leave it to the window manager.
  public var position: Point?
  /// The least extent that the user may give the window, in points.
  public var minimumSize: Size?
  /// Whether there is no window: SDL's dummy driver.
  public var isHeadless: Bool
  /// Which renderer.
  public var renderer: RendererPreference
  /// What of a frame is drawn.
  public var redraw: RedrawPolicy
  /// The window's icon.
  public var icon: Bitmap?
  /// Whether the window covers its display from the start.
  public var startsFullScreen: Bool
  /// Whether the window stays hidden until ``SDLDisplay/show()``.
  public var startsHidden: Bool
  /// The name by which window managers group windows and find a desktop file.
  public var applicationIdentifier: String?

  /// Makes a configuration of an ordinary window.
  public init(
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
