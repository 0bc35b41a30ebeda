import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// A cache of textures at the size at which they are drawn, for SDL's software renderer.
///
/// That renderer weights neighbours in steps of 1/128, shifts samples by fractions of a pixel where a copy is clipped,
/// and does not smooth every kind of copy. So ``StretchPainter`` stretches a copy into a texture, which is then copied
/// pixel for pixel. The texture is cached as long as every frame draws it.
nonisolated final class StretchedTextureCache {
  /// The part of a texture, its stretched size and the visible part of that.
  private struct Key: Hashable {
    let texture: TextureID
    let source: PixelRect
    let width: Int32
    let height: Int32
    let part: PixelRect
    let showsPixels: Bool
  }

  private final class CachedTexture {
    var handle: TextureHandle
    var frame: Int

    init(_ handle: consuming TextureHandle, frame: Int) {
      self.handle = handle
      self.frame = frame
    }
  }

  private var textures: [Key: CachedTexture] = [:]
  private var frame = 0
  private let painter = StretchPainter()

  /// The number of cached textures.
  var count: Int { textures.count }

  /// Draws the visible part of a stretched copy.
  ///
  /// - Parameters:
  ///   - command: A command that draws a texture.
  ///   - bitmap: The pixels of the texture.
  ///   - isBlending: Whether the alpha is blended.
  ///   - visible: The visible rectangle, within the output.
  ///   - renderer: The renderer to draw with.
  /// - Throws: ``DisplayError`` if the renderer refuses.
  /// - Complexity: O(pixels drawn), unless the previous frame has drawn the same copy.
  func drawStretched(
    _ command: DrawCommand, of bitmap: Bitmap, isBlending: Bool, visible: PixelRect,
    on renderer: borrowing RendererHandle
  ) throws(DisplayError) {
    // Clipped to the texture.
    guard
      let copy = ScaledCopy(
        source: command.source, destination: command.destination, bitmap: bitmap.size, visible: command.destination)
    else { return }
    let whole = copy.destination
    let rect = visible.intersection(whole)
    guard !rect.isEmpty else { return }
    // The whole copy if it is no larger than what it is clipped to, because it is likely to move.
    let part = whole.area <= visible.area ? whole : rect
    let key = Key(
      texture: command.texture, source: copy.source, width: whole.width, height: whole.height,
      part: PixelRect(x: part.x &- whole.x, y: part.y &- whole.y, width: part.width, height: part.height),
      showsPixels: command.showsPixels)
    let cached: CachedTexture
    if let known = textures[key] {
      cached = known
    } else {
      cached = CachedTexture(try makeStretchedTexture(bitmap, from: copy.source, key, renderer), frame: frame)
      textures[key] = cached
    }
    cached.frame = frame
    cached.handle.setCopyMode(tint: command.color, isBlending: isBlending)
    try renderer.copyTexture(
      cached.handle,
      from: PixelRect(x: rect.x &- part.x, y: rect.y &- part.y, width: rect.width, height: rect.height), to: rect)
  }

  /// Destroys the textures that the frame has not drawn.
  ///
  /// Called at the end of each frame.
  /// - Complexity: O(textures).
  func endFrame() {
    if textures.values.contains(where: { $0.frame != frame }) {
      textures = textures.filter { $0.value.frame == frame }
    }
    frame &+= 1
  }

  /// Destroys all textures.
  ///
  /// Called before the renderer is destroyed.
  func removeAll() { textures.removeAll() }

  private func makeStretchedTexture(
    _ bitmap: Bitmap, from source: PixelRect, _ key: Key, _ renderer: borrowing RendererHandle
  ) throws(DisplayError) -> TextureHandle {
    guard let size = PixelSize(width: Int(key.part.width), height: Int(key.part.height)) else {
      throw DisplayError(action: "stretch a texture", reason: "it is \(key.part.width) x \(key.part.height) pixels")
    }
    let handle = try TextureHandle(size: size, order: bitmap.order, isWritten: true, renderer: renderer)
    try handle.writePixels { memory, bytesPerRow in
      let texels = Texels(
        start: UnsafeMutableRawPointer(mutating: bitmap.pixelsBaseAddress), bytesPerRow: bitmap.bytesPerRow,
        size: bitmap.size, isOpaque: bitmap.isOpaque, order: bitmap.order)
      let extent = PixelRect(x: 0, y: 0, width: key.part.width, height: key.part.height)
      painter.writeStretched(
        texels, from: source,
        to: PixelRect(x: 0 &- key.part.x, y: 0 &- key.part.y, width: key.width, height: key.height), within: extent,
        on: PixelPlane(start: memory, bytesPerRow: bytesPerRow, extent: extent, order: bitmap.order),
        showsPixels: key.showsPixels)
      withExtendedLifetime(bitmap) {}
    }
    return handle
  }
}
