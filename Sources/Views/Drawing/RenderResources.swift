public import VitrineGeometry
public import VitrineRendering

/// The resources for drawing on a display: textures, rendered text and shapes.
@MainActor
public final class RenderResources {
  /// The display.
  public let display: any Display
  /// The text rasterizer.
  public let text: any TextRasterizer
  /// The cache of textures.
  public let textures: TextureCache
  /// The queue of bitmaps to upload.
  public let uploads: UploadQueue
  /// The labels whose text is deferred to later frames.
  public let deferredLines = DeferredLineQueue()
  /// The cache of rendered lines.
  let lines: LineCache
  /// The cache of rounded corners and shadows.
  let shapes: ShapeCache
  /// The cache of paths, lines and images that views draw.
  let drawnTextures = DrawnTextureCache()
  /// A number that changes when all textures were lost or the scale changed, which makes cached drawings stale.
  public private(set) var generation = 0
  /// The number of pixels per point.
  public private(set) var scale: DisplayScale

  /// Creates the resources of a display.
  public init(display: any Display, text: any TextRasterizer) {
    self.display = display
    self.text = text
    scale = display.info.scale
    textures = TextureCache(display: display)
    uploads = UploadQueue(textures: textures)
    lines = LineCache(text: text, textures: textures)
    shapes = ShapeCache()
  }

  /// Makes the font families of a file available to `TextStyle.family`, for all text of the display.
  ///
  ///     window.resources.registerFonts(atPath: "/opt/reader/fonts/Lora.ttf")
  ///     label.style.family = "Lora"
  ///
  /// Text that is displayed already is rendered again.
  ///
  /// - Parameter path: The path of an OpenType or TrueType file or collection, which must stay where it is.
  /// - Returns: Whether the file has fonts.
  @discardableResult
  public func registerFonts(atPath path: String) -> Bool {
    guard text.registerFonts(atPath: path) else { return false }
    lines.removeAll()
    drawnTextures.removeAll()
    generation += 1
    return true
  }

  /// Renders a line and creates its texture before it is displayed, so that displaying it costs only a copy.
  ///
  /// A line that another thread renders, such as one with emoji, is only requested.
  ///
  /// - Parameters:
  ///   - text: The text of the line.
  ///   - style: The style of the text.
  ///   - width: The available width in points; a longer text is truncated.
  ///   - truncation: The position of the ellipsis.
  public func prepareLine(_ text: String, style: TextStyle, width: Double, truncation: LineBreakMode) {
    let scale = scale
    let width = Int(scale.pixel(width))
    if self.text.needsLayout(text, style: style, scale: scale) {
      let request = LineRequest(text: text, style: style, scale: scale, maximumWidth: width, truncation: truncation)
      if let line = lines.line(for: request, label: nil) { _ = textures.makeTextureIfNeeded(for: line.bitmap) }
      return
    }
    let fitted = lines.truncatedText(text, style: style, scale: scale, width: width, truncation: truncation)
    guard let bitmap = lines.bitmap(for: fitted, style: style, scale: scale) else { return }
    _ = textures.makeTextureIfNeeded(for: bitmap)
  }

  /// Renders a glyph that lines in a known style will need.
  ///
  /// - Returns: Whether there was one.
  func prepareGlyph() -> Bool { lines.prepareGlyph(scale: scale) }

  /// Evicts unused textures and rendered lines under memory pressure; views retain the lines that they display.
  ///
  /// - Returns: Whether any texture was evicted.
  func handleMemoryPressure() -> Bool {
    uploads.removePrefetches()
    lines.removeAll()
    drawnTextures.removeUnused()
    return textures.evictIdleTextures()
  }

  /// Evicts unused textures after an idle period, and trims the display's caches.
  func releaseIdleResources() {
    uploads.removePrefetches()
    _ = textures.evictIdleTextures()
    display.trimCaches()
  }

  /// Limits unused textures to the size of a few screens of the window.
  ///
  /// - Parameter size: The size of the window in points.
  func updateTextureLimit(forScreen size: Size) {
    let (width, height) = (scale.pixel(size.width), scale.pixel(size.height))
    guard let screen = PixelSize(width: Int(width), height: Int(height)) else { return }
    textures.screenByteLimit = TextureCache.idleByteLimit(screen: screen)
  }

  /// Discards all textures after the renderer lost them; they are created again from their bitmaps when drawn.
  public func texturesWereLost() {
    textures.removeAll()
    generation += 1
  }

  /// Updates the scale and discards rendered text and shapes.
  public func scaleDidChange() {
    scale = display.info.scale
    lines.scaleDidChange()
    shapes.removeAll()
    drawnTextures.removeAll()
    generation += 1
  }
}
