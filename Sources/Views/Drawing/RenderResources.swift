public import Geometry
public import Rendering

/// What drawing needs beside commands: textures of bitmaps, painted type, shapes.
///
/// One for each display.
public final class RenderResources {
  /// Where it is drawn.
  public let display: any Display
  /// The port to type.
  public let text: any TextRasterizer
  /// Which bitmaps are textures.
  public let textures: TextureCache
  /// What is to become a texture.
  public let uploads: UploadQueue
  /// Labels whose lines come after the frame that shows the rest.
  public let deferredLines = DeferredLineQueue()
  /// Painted lines of type.
  let lines: LineCache
  /// Rounded corners.
  let shapes: ShapeCache
  /// Counts the times that all textures were lost or the scale changed: drawing kept from before is stale.
  public private(set) var generation = 0
  /// Pixels a point.
  public private(set) var scale: DisplayScale

  /// Makes the resources of a display.
  public init(display: any Display, text: any TextRasterizer) {
    self.display = display
    self.text = text
    scale = display.info.scale
    textures = TextureCache(display: display)
    uploads = UploadQueue(textures: textures)
    lines = LineCache(text: text, textures: textures)
    shapes = ShapeCache()
  }

  /// Paints a line and makes its texture before anything shows it, so that showing it costs a copy.
  ///
  /// A line that another thread paints, as of emoji, is only asked for.
  ///
  /// - Parameter width: the points that the line has; a longer one is cut.
  public func prepareLine(_ text: String, style: TextStyle, width: Double, truncation: Truncation) {
    let scale = scale
    let fitted = lines.truncatedText(
      text, style: style, scale: scale, width: Int(scale.pixel(width)), truncation: truncation)
    guard let bitmap = lines.bitmap(for: fitted, style: style, scale: scale, label: nil) else { return }
    _ = textures.makeTextureIfNeeded(for: bitmap)
  }

  /// Paints one of the letters that lines in a style seen before will need.
  ///
  /// - Returns: whether there was one to paint.
  func prepareGlyph() -> Bool { lines.prepareGlyph(scale: scale) }

  /// Memory is short: lets go of textures that nobody shows, and of painted lines, which views keep where they show them.
  ///
  /// - Returns: whether there were such textures.
  func handleMemoryPressure() -> Bool {
    uploads.removePrefetches()
    lines.removeAll()
    return textures.evictIdleTextures()
  }

  /// No frame came for a while: lets go of textures that nobody shows, and has the display do the same.
  func releaseIdleResources() {
    uploads.removePrefetches()
    _ = textures.evictIdleTextures()
    display.trimCaches()
  }

  /// Keeps no more textures that nobody shows than fill some screens of a window.
  ///
  /// - Parameter size: the window's extent in points.
  func updateTextureLimit(forScreen size: Size) {
    let (width, height) = (scale.pixel(size.width), scale.pixel(size.height))
    guard let screen = PixelSize(width: Int(width), height: Int(height)) else { return }
    textures.screenByteLimit = TextureCache.idleByteLimit(screen: screen)
  }

  /// The renderer lost its textures: all are made again from their bitmaps as they are drawn.
  public func texturesWereLost() {
    textures.removeAll()
    generation += 1
  }

  /// The display has another scale: type and shapes are painted anew.
  public func scaleDidChange() {
    scale = display.info.scale
    lines.scaleDidChange()
    shapes.removeAll()
    generation += 1
  }
}
