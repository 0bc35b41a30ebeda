import Geometry
import Rendering

/// Textures at the size at which they are drawn, for SDL's software renderer.
///
/// That renderer weighs neighbours in steps of 1/128, moves samples by parts of a pixel where a copy is cut, and does not
/// smooth every kind of copy. So a copy that is stretched is stretched here, by the arithmetic of ``StretchPainter``, into a texture
/// that is then copied pixel for pixel. Such a texture is kept for as long as each frame draws it.
nonisolated final class StretchedTextureCache {
  /// Which pixels: a part of a texture, at a size, and of that what can be seen.
  private struct Key: Hashable {
    let texture: TextureID
    let source: PixelRect
    let width: Int32
    let height: Int32
    let part: PixelRect
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

  /// The number of textures that are kept.
  var count: Int { textures.count }

  /// Draws what is visible of a stretched copy.
  ///
  /// - Parameters:
  ///   - command: draws a texture.
  ///   - bitmap: the texture's pixels.
  ///   - isBlending: whether alpha is blended.
  ///   - visible: within the output.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  /// - Complexity: O(pixels drawn) where the last frame has not drawn the same.
  func drawStretched(
    _ command: DrawCommand, of bitmap: Bitmap, isBlending: Bool, visible: PixelRect, output: PixelRect,
    on renderer: borrowing RendererHandle
  ) throws(DisplayError) {
    // Cut to what the texture has.
    guard
      let copy = ScaledCopy(
        source: command.source, destination: command.destination, bitmap: bitmap.size, visible: command.destination)
    else { return }
    let whole = copy.destination
    let rect = visible.intersection(whole)
    guard !rect.isEmpty else { return }
    // All of it where that is no more than a screen: it is likely to move.
    let part = whole.area <= output.area ? whole : rect
    let key = Key(
      texture: command.texture, source: copy.source, width: whole.width, height: whole.height,
      part: PixelRect(x: part.x &- whole.x, y: part.y &- whole.y, width: part.width, height: part.height))
    let stretched: CachedTexture
    if let known = textures[key] {
      stretched = known
    } else {
      stretched = CachedTexture(try makeStretchedTexture(bitmap, from: copy.source, key, renderer), frame: frame)
      textures[key] = stretched
    }
    stretched.frame = frame
    stretched.handle.setCopyMode(tint: command.color, isBlending: isBlending)
    try renderer.copyTexture(
      stretched.handle,
      from: PixelRect(x: rect.x &- part.x, y: rect.y &- part.y, width: rect.width, height: rect.height), to: rect)
  }

  /// Destroys what the frame has not drawn; to be called when all of it has been.
  /// - Complexity: O(copies).
  func endFrame() {
    if textures.values.contains(where: { $0.frame != frame }) {
      textures = textures.filter { $0.value.frame == frame }
    }
    frame &+= 1
  }

  /// Destroys all, before the renderer ends.
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
        on: PixelPlane(start: memory, bytesPerRow: bytesPerRow, extent: extent, order: bitmap.order))
      withExtendedLifetime(bitmap) {}
    }
    return handle
  }
}
