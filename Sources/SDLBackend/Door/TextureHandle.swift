import CSDL2
import Geometry
import Rendering

/// Owns one `SDL_Texture`, which must die before its renderer and never inside a frame.
nonisolated struct TextureHandle: ~Copyable {
  /// The extent in pixels.
  let size: PixelSize
  /// For the renderer of this target only.
  let pointer: OpaquePointer
  // What the texture was last told, as each change makes the software renderer choose its copying loop anew.
  private var tint = Color.white
  private var isBlending = false

  /// The format of its pixels.
  private let format: UInt32

  /// Makes a texture without content; the C function is `SDL_CreateTexture`.
  ///
  /// Four bytes a pixel, in a bitmap's order or, for opaque pixels, in the renderer's. A texture cannot be made without a
  /// renderer.
  /// - Throws: ``DisplayError`` when the extent is too large for the renderer or its memory is out.
  init(size: PixelSize, isOpaque: Bool, renderer: borrowing RendererHandle) throws(DisplayError) {
    let format = isOpaque ? renderer.opaqueFormat : SDL_PIXELFORMAT_RGBA32.rawValue
    // A static texture without alpha would be packed in runs, which photographs have none of.
    let access = format == SDL_PIXELFORMAT_RGBA32.rawValue ? SDL_TEXTUREACCESS_STATIC : SDL_TEXTUREACCESS_STREAMING
    guard
      let texture = SDL_CreateTexture(
        renderer.pointer, format, Int32(access.rawValue), Int32(size.width), Int32(size.height))
    else { throw DisplayError.fromSDL("make a texture of \(size.width) x \(size.height) pixels") }
    self.size = size
    self.format = format
    pointer = texture
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE)
  }

  deinit { SDL_DestroyTexture(pointer) }

  /// The bytes that the pixels take, at four a pixel.
  var byteCount: Int { size.bytesAtFourPerPixel }

  /// Replaces the pixels.
  ///
  /// The C functions are `SDL_UpdateTexture`, or `SDL_LockTexture`, `SDL_ConvertPixels` and `SDL_UnlockTexture` where the
  /// format is another than a bitmap's.
  /// - Precondition: the bitmap has the texture's size.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  func upload(_ bitmap: Bitmap) throws(DisplayError) {
    let action = "upload a texture"
    let status: Int32
    if format == SDL_PIXELFORMAT_RGBA32.rawValue {
      status = bitmap.withPixels { SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    } else {
      var target: UnsafeMutableRawPointer?
      var bytesPerRow: Int32 = 0
      guard SDL_LockTexture(pointer, nil, &target, &bytesPerRow) == 0 else { throw DisplayError.fromSDL(action) }
      status = bitmap.withPixels { pixels in
        SDL_ConvertPixels(
          Int32(size.width), Int32(size.height), SDL_PIXELFORMAT_RGBA32.rawValue, pixels.baseAddress,
          Int32(bitmap.bytesPerRow), format, target, bytesPerRow)
      }
      SDL_UnlockTexture(pointer)
    }
    guard status == 0 else { throw DisplayError.fromSDL(action) }
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
