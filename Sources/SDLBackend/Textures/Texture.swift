import Geometry
import Glibc
import Rendering

/// A texture's pixels, where its drawing has them: in memory, or in a renderer of SDL's.
nonisolated struct Texture: ~Copyable {
  /// The extent in pixels.
  let size: PixelSize
  /// The pixels, where they are in memory.
  private(set) var texels: Texels?
  private var handle: TextureHandle?

  /// A texture of a renderer.
  init(_ handle: consuming TextureHandle) {
    size = handle.size
    texels = nil
    self.handle = consume handle
  }

  /// A texture in memory of its own, in an order of channels; its pixels are undefined at first.
  ///
  /// The C function is `posix_memalign`.
  /// - Throws: ``DisplayError`` when there is no memory for it.
  init(size: PixelSize, isOpaque: Bool, order: ChannelOrder) throws(DisplayError) {
    // Rows begin where vectors of four pixels do.
    let bytesPerRow = (size.width * 4 + 15) & ~15
    var start: UnsafeMutableRawPointer?
    guard posix_memalign(&start, 64, bytesPerRow * size.height) == 0, let start else {
      throw DisplayError(
        action: "make a texture of \(size.width) x \(size.height) pixels", reason: "there is no memory for it")
    }
    self.size = size
    handle = nil
    texels = Texels(start: start, bytesPerRow: bytesPerRow, size: size, isOpaque: isOpaque, order: order)
  }

  deinit { texels?.deallocate() }

  /// Replaces the pixels.
  /// - Precondition: the bitmap has the texture's size.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  mutating func upload(_ bitmap: Bitmap) throws(DisplayError) {
    if texels != nil { texels?.take(bitmap) } else { try handle?.upload(bitmap) }
  }

  /// Sets how a renderer tints and blends the next copies, and gives its texture; nothing where there is none.
  @inline(__always)
  mutating func prepare(tint: Color, isBlending: Bool) -> OpaquePointer? {
    handle?.prepare(tint: tint, isBlending: isBlending)
    return handle?.pointer
  }
}
