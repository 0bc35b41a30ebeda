import Geometry
import Glibc
import Rendering

/// A texture's pixels, where its drawing has them: in memory, a bitmap's own, or in a renderer of SDL's.
nonisolated struct Texture: ~Copyable {
  /// The extent in pixels.
  let size: PixelSize
  /// The pixels, where they are in memory.
  private(set) var texels: Texels?
  /// The bitmap that the pixels are, where they are one's, and the one that was uploaded into a renderer's texture: kept for
  /// as long as anything may be drawn from them.
  private(set) var bitmap: Bitmap?
  private var handle: TextureHandle?

  /// A texture of a renderer.
  init(_ handle: consuming TextureHandle) {
    size = handle.size
    texels = nil
    bitmap = nil
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
    bitmap = nil
    texels = Texels(start: start, bytesPerRow: bytesPerRow, size: size, isOpaque: isOpaque, order: order)
  }

  /// A texture that is a bitmap, where its pixels can be drawn from as they are; nothing where they cannot.
  ///
  /// They can in this order of channels, or where all are white and told apart by their alpha alone, as painted type is.
  /// - Complexity: O(1), O(pixels) for bitmaps with transparency, which are read once.
  init?(of bitmap: Bitmap, order: ChannelOrder) {
    guard let texels = Texels(of: bitmap, order: order) else { return nil }
    size = bitmap.size
    self.bitmap = bitmap
    self.texels = texels
    handle = nil
  }

  deinit { if !isShared { texels?.deallocate() } }

  /// Whether the pixels are a bitmap's own, which no other bitmap can take the place of.
  var isShared: Bool { texels != nil && bitmap != nil }

  /// Replaces the pixels.
  /// - Precondition: the bitmap has the texture's size, and the pixels are the texture's own.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  mutating func upload(_ bitmap: Bitmap) throws(DisplayError) {
    guard texels == nil else { return texels?.copyPixels(from: bitmap) ?? () }
    try handle?.upload(bitmap)
    self.bitmap = bitmap
  }

  /// Lets go of the bitmap that was uploaded: its name has ended.
  mutating func releaseBitmap() { if handle != nil { bitmap = nil } }

  /// Sets how a renderer tints and blends the next copies, and lets a body use its texture, where there is one.
  @inline(__always)
  mutating func withHandle(
    tint: Color, isBlending: Bool, _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    handle?.setCopyMode(tint: tint, isBlending: isBlending)
    try handle?.withTexture(body)
  }
}

extension TextureHandle {
  @inline(__always)
  fileprivate nonisolated borrowing func withTexture(
    _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) { try body(self) }
}
