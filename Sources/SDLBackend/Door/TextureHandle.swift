import CSDL2
import Geometry
import Rendering

/// Owns one `SDL_Texture`, which must die before its renderer and never inside a frame.
nonisolated struct TextureHandle: ~Copyable {
  /// The extent in pixels.
  let size: PixelSize
  /// For the renderer of this target only.
  let pointer: OpaquePointer
  // What the texture was last told.
  private var tint = Color.white
  private var isBlending = false

  /// Makes a texture without content.
  ///
  /// Four bytes a pixel. A texture cannot be made without a renderer. The C function is `SDL_CreateTexture`.
  ///
  /// - Parameters:
  ///   - order: the order of a pixel's channels. Default: red first, which hardware takes as it is.
  ///   - isWritten: whether the pixels come by ``write(_:)`` and not by ``upload(_:)``. Default: false.
  /// - Throws: ``DisplayError`` when the extent is too large for the renderer or its memory is out.
  init(
    size: PixelSize, order: ChannelOrder = .redFirst, isWritten: Bool = false, renderer: borrowing RendererHandle
  ) throws(DisplayError) {
    let format = order == .redFirst ? SDL_PIXELFORMAT_RGBA32 : SDL_PIXELFORMAT_BGRA32
    let access = isWritten ? SDL_TEXTUREACCESS_STREAMING : SDL_TEXTUREACCESS_STATIC
    guard
      let texture = SDL_CreateTexture(
        renderer.pointer, format.rawValue, Int32(access.rawValue), Int32(size.width), Int32(size.height))
    else { throw DisplayError.fromSDL("make a texture of \(size.width) x \(size.height) pixels") }
    self.size = size
    pointer = texture
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE)
  }

  deinit { SDL_DestroyTexture(pointer) }

  /// Replaces the pixels; the C function is `SDL_UpdateTexture`.
  /// - Precondition: the bitmap has the texture's size.
  /// - Throws: ``DisplayError`` when the renderer refuses, or when there is no memory to put channels in order.
  func upload(_ bitmap: Bitmap) throws(DisplayError) {
    let ordered = try bitmap.converted(forSDL: "upload a texture")
    let status = ordered.withPixels { SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    guard status == 0 else { throw DisplayError.fromSDL("upload a texture") }
  }

  /// Lets a body write all pixels; the C functions are `SDL_LockTexture` and `SDL_UnlockTexture`.
  /// - Precondition: the texture was made to be written.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  func writePixels(_ body: (_ pixels: UnsafeMutableRawPointer, _ bytesPerRow: Int) -> Void) throws(DisplayError) {
    var pixels: UnsafeMutableRawPointer?
    var bytesPerRow: Int32 = 0
    guard SDL_LockTexture(pointer, nil, &pixels, &bytesPerRow) == 0, let pixels else {
      throw DisplayError.fromSDL("write a texture")
    }
    body(pixels, Int(bytesPerRow))
    SDL_UnlockTexture(pointer)
  }

  /// Sets how the next copies are tinted and blended, where that differs from the last ones.
  ///
  /// The C functions are `SDL_SetTextureColorMod`, `SDL_SetTextureAlphaMod` and `SDL_SetTextureBlendMode`.
  @inline(__always)
  mutating func setCopyMode(tint newTint: Color, isBlending newBlending: Bool) {
    if newTint != tint {
      SDL_SetTextureColorMod(pointer, newTint.red, newTint.green, newTint.blue)
      SDL_SetTextureAlphaMod(pointer, newTint.alpha)
      tint = newTint
    }
    if newBlending != isBlending {
      SDL_SetTextureBlendMode(pointer, newBlending ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
      isBlending = newBlending
    }
  }
}
