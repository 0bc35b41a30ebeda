import VitrineDataStructures
import VitrineGeometry
import VitrinePathRasterization
import VitrineRendering

/// A texture that views draw through a context: a path, a line of text or an image, with its position.
///
/// A recorded drawing retains the textures that it draws, so that they are not evicted.
final class DrawnTexture {
  /// The rectangle to draw to, in pixels from the point at which the texture is drawn.
  let frame: PixelRect
  /// The size of the bitmap; zero if nothing is drawn.
  let size: PixelRect
  /// Whether every pixel is opaque.
  let isOpaque: Bool
  /// The contents of a line of text; a mask for everything else.
  let layers: RenderedLine.Layers
  /// The size in bytes.
  let byteCount: Int
  /// The number of the last frame that drew it.
  fileprivate(set) var lastFrame = 0
  /// The pixels, or nil if nothing is drawn.
  var bitmap: Bitmap? { lease.bitmap }
  private var lease = TextureLease()
  private var texture = TextureID.none
  /// The generation of textures to which the texture belongs.
  private var generation = -1

  /// Creates a texture of a bitmap; nil draws nothing.
  init(_ bitmap: Bitmap?, frame: PixelRect, layers: RenderedLine.Layers = .mask) {
    self.frame = frame
    size = PixelRect(x: 0, y: 0, width: Int32(bitmap?.size.width ?? 0), height: Int32(bitmap?.size.height ?? 0))
    isOpaque = bitmap?.isOpaque == true
    self.layers = layers
    byteCount = bitmap?.byteCount ?? 0
    lease.replace(with: bitmap)
  }

  isolated deinit { lease.releaseAndEvict() }

  /// Returns the texture, which remains valid until textures are lost.
  func texture(in resources: RenderResources) -> TextureID? {
    let current = resources.textures.generation
    if generation == current { return texture }
    guard let texture = lease.texture(in: resources, createsIfNeeded: true) else { return nil }
    self.texture = texture
    generation = current
    return texture
  }
}

/// A cache of the paths, lines and images that views draw, bounded in bytes.
///
/// What the current frame draws, and what recorded drawings retain, is never evicted.
final class DrawnTextureCache {
  /// What a texture shows.
  nonisolated enum Key: Hashable {
    /// A path, whose position is that of its origin.
    case path(PathShape)
    /// A stroked line, so that drawing it again creates no path.
    case line(from: Point, to: Point, style: StrokeStyle)
    /// A line of text.
    case text(TextLayout)
    /// A bitmap, which the texture retains.
    case bitmap(ObjectIdentifier)
    /// The image of commands.
    case image(Content)
    /// The transformed image of commands, with the corner of the image in pixels from the view's origin.
    case transformed(Content, Transform, corner: Point)
  }

  /// Commands, by their digest.
  nonisolated struct Content: Hashable {
    var digest: Int
    var count: Int
    var width: Int32
    var height: Int32
  }

  /// A line of text in a rectangle.
  nonisolated struct TextLayout: Hashable {
    var text: BytewiseText
    var style: TextStyle
    var size: Size
    /// The part of the free width that is to the left of the line, or nil if the line's direction decides.
    var leadingShare: Double?
    var lineBreakMode: LineBreakMode
    var angle: Double
  }

  /// The maximum size of unretained textures, in bytes.
  static let maximumBytes = 12 << 20

  /// The number of attempts to create a texture that is not available yet, such as emoji, before nothing is drawn for it.
  static let maximumAttempts = 240

  private var textures: [Key: DrawnTexture] = [:]
  /// The number of failed attempts to create a texture.
  private var attempts: [Key: Int] = [:]
  private var frame = 0
  /// The size of all textures in bytes.
  private(set) var byteCount = 0
  /// The number of textures that were created.
  private(set) var createdCount = 0

  /// The number of textures.
  var count: Int { textures.count }

  /// Begins a frame, whose textures are not evicted until the next one.
  func beginFrame() { frame &+= 1 }

  /// Returns a texture, which a closure creates if there is none.
  ///
  /// - Returns: The texture, or nil if the closure returns nil, which is not stored.
  func texture(for key: Key, _ create: () -> DrawnTexture?) -> DrawnTexture? {
    if let texture = textures[key] {
      texture.lastFrame = frame
      return texture
    }
    guard let texture = create() ?? emptyTexture(afterFailureOf: key) else { return nil }
    if !attempts.isEmpty { attempts[key] = nil }
    texture.lastFrame = frame
    textures[key] = texture
    byteCount += texture.byteCount
    createdCount += 1
    if byteCount > DrawnTextureCache.maximumBytes || textures.count > 4_096 { evict() }
    return texture
  }

  /// Returns a texture that draws nothing if it could not be created for too long, because it never will be.
  private func emptyTexture(afterFailureOf key: Key) -> DrawnTexture? {
    if attempts.count >= 4_096 { attempts.removeAll() }
    attempts[key, default: 0] += 1
    return attempts[key, default: 0] > DrawnTextureCache.maximumAttempts ? DrawnTexture(nil, frame: .zero) : nil
  }

  /// Evicts textures that were not used for longest, until a quarter of the limit is free.
  private func evict() {
    let order = textures.indices.filter { textures.values[$0].lastFrame != frame }
      .sorted { textures.values[$0].lastFrame < textures.values[$1].lastFrame }
    var evicted: [Key] = []
    var remaining = byteCount
    for index in order where remaining > DrawnTextureCache.maximumBytes * 3 / 4 || evicted.count < 1_024 {
      guard isKnownUniquelyReferenced(&textures.values[index]) else { continue }
      remaining -= textures.values[index].byteCount
      evicted.append(textures.keys[index])
    }
    for key in evicted { textures[key] = nil }
    byteCount = remaining
  }

  /// Removes the textures that the current frame does not draw.
  func removeUnused() {
    textures = textures.filter { $0.value.lastFrame == frame }
    byteCount = textures.values.reduce(0) { $0 + $1.byteCount }
  }

  /// Removes all textures, after a change of the display scale.
  func removeAll() {
    textures.removeAll()
    attempts.removeAll()
    byteCount = 0
  }
}
