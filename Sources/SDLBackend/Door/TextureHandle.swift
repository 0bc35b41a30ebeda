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
  /// Four bytes a pixel, in a bitmap's order. A texture cannot be made without a renderer. The C function is
  /// `SDL_CreateTexture`.
  /// - Throws: ``DisplayError`` when the extent is too large for the renderer or its memory is out.
  init(size: PixelSize, renderer: borrowing RendererHandle) throws(DisplayError) {
    guard
      let texture = SDL_CreateTexture(
        renderer.pointer, SDL_PIXELFORMAT_RGBA32.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue),
        Int32(size.width), Int32(size.height))
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
    let ordered = try bitmap.ordered(forSDL: "upload a texture")
    let status = ordered.withPixels { SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    guard status == 0 else { throw DisplayError.fromSDL("upload a texture") }
  }

  /// Sets how the next copies are tinted and blended, where that differs from the last ones.
  ///
  /// The C functions are `SDL_SetTextureColorMod`, `SDL_SetTextureAlphaMod` and `SDL_SetTextureBlendMode`.
  @inline(__always)
  mutating func prepare(tint newTint: Color, isBlending newBlending: Bool) {
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
