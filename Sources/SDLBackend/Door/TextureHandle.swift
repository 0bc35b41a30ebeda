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

  /// The pixels, where they are in memory that the renderer draws from.
  private(set) var texels: Texels?

  /// Makes a texture without content.
  ///
  /// Four bytes a pixel, in a bitmap's order or, where they are copied as they are, the window's: SDL blends in the window's
  /// own order by a quicker loop that rounds otherwise than OpenGL. A texture cannot be made without a renderer. The C
  /// functions are `SDL_CreateTexture`, and `SDL_LockTexture` where the pixels are in memory: there they stay, which is
  /// tried before anything is drawn from there.
  /// - Throws: ``DisplayError`` when the extent is too large for the renderer or its memory is out.
  init(size: PixelSize, isOpaque: Bool, renderer: borrowing RendererHandle) throws(DisplayError) {
    let order = renderer.channelOrder.map { isOpaque ? $0 : .redFirst }
    let format = order?.textureFormat(hasAlpha: !isOpaque) ?? SDL_PIXELFORMAT_RGBA32.rawValue
    // A static texture without alpha would be packed in runs, which photographs have none of.
    let access = order == nil ? SDL_TEXTUREACCESS_STATIC : SDL_TEXTUREACCESS_STREAMING
    guard
      let texture = SDL_CreateTexture(
        renderer.pointer, format, Int32(access.rawValue), Int32(size.width), Int32(size.height))
    else { throw DisplayError.fromSDL("make a texture of \(size.width) x \(size.height) pixels") }
    if let order {
      do throws(DisplayError) {
        texels = try TextureHandle.lock(texture, size: size, isOpaque: isOpaque, order: order)
      } catch {
        SDL_DestroyTexture(texture)
        throw error
      }
      SDL_UnlockTexture(texture)
    } else {
      texels = nil
    }
    self.size = size
    pointer = texture
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE)
  }

  deinit { SDL_DestroyTexture(pointer) }

  /// The bytes that the pixels take, at four a pixel.
  var byteCount: Int { size.bytesAtFourPerPixel }

  /// Replaces the pixels.
  ///
  /// The C function is `SDL_UpdateTexture` where the pixels are not in memory, and `SDL_LockTexture` where they are: should
  /// the renderer draw from elsewhere after all, it is told.
  /// - Precondition: the bitmap has the texture's size.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  mutating func upload(_ bitmap: Bitmap) throws(DisplayError) {
    if let texels {
      var memory = try TextureHandle.lock(pointer, size: size, isOpaque: texels.isOpaque, order: texels.order)
      memory.take(bitmap)
      SDL_UnlockTexture(pointer)
      self.texels = memory
    } else {
      let status = bitmap.withPixels { SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
      guard status == 0 else { throw DisplayError.fromSDL("upload a texture") }
    }
  }

  /// Begins to write a texture's pixels; to be followed by `SDL_UnlockTexture`.
  private static func lock(
    _ texture: OpaquePointer, size: PixelSize, isOpaque: Bool, order: ChannelOrder
  ) throws(DisplayError) -> Texels {
    var start: UnsafeMutableRawPointer?
    var bytesPerRow: Int32 = 0
    guard SDL_LockTexture(texture, nil, &start, &bytesPerRow) == 0, let start else {
      throw DisplayError.fromSDL("find a texture's memory")
    }
    return Texels(start: start, bytesPerRow: Int(bytesPerRow), size: size, isOpaque: isOpaque, order: order)
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
