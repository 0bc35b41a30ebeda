public import Geometry

/// What a display says of itself; it can change when the window moves or is resized.
public struct DisplayInfo: Hashable, Sendable {
  /// SDL's video driver, such as `x11` or `dummy`.
  public var driver: String
  /// SDL's name of the renderer, such as `opengl`; `software` for whatever draws on the processor.
  public var renderer: String
  /// What the renderer runs on, where it says so: `llvmpipe (LLVM 15.0.6, 256 bits)`.
  public var device: String?
  /// The size of the content in points.
  public var size: Size
  /// The size of the content in pixels.
  public var pixelSize: PixelRect
  /// Pixels a point.
  public var scale: DisplayScale
  /// The display's refresh rate in hertz, where it says one.
  public var refreshHz: Double?
  /// Whether presenting was asked to wait for the refresh.
  ///
  /// What it does is another question: measure it.
  public var requestsVsync: Bool

  /// Makes a description.
  public init(
    driver: String, renderer: String, device: String? = nil, size: Size, pixelSize: PixelRect,
    scale: DisplayScale = .one, refreshHz: Double? = nil, requestsVsync: Bool = false
  ) {
    self.driver = driver
    self.renderer = renderer
    self.device = device
    self.size = size
    self.pixelSize = pixelSize
    self.scale = scale
    self.refreshHz = refreshHz
    self.requestsVsync = requestsVsync
  }
}
