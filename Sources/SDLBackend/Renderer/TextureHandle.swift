import CVitrineSDL2
import VitrineGeometry
import VitrineRendering

/// An owner of an `SDL_Texture`, which must be destroyed before its renderer, and not within a frame.
nonisolated struct TextureHandle: ~Copyable {
  /// The size in pixels.
  let size: PixelSize
  /// The texture, for this target's renderer only.
  let pointer: OpaquePointer
  // The modes that were set last.
  private var tint = Color.white
  private var isBlending = false
  private var showsPixels = false

  /// Creates a texture of four bytes a pixel without content, using `SDL_CreateTexture`.
  ///
  /// - Parameters:
  ///   - size: The size in pixels.
  ///   - order: The channel order. Default: red first, which hardware uses.
  ///   - isWritten: Whether pixels are written by ``writePixels(_:)`` rather than ``upload(_:)``. Default: false.
  ///   - renderer: The renderer of the texture.
  /// - Throws: ``DisplayError`` if the size is too large for the renderer or its memory.
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

  /// Replaces the pixels, using `SDL_UpdateTexture`.
  /// - Precondition: The bitmap has the texture's size.
  /// - Throws: ``DisplayError`` if the renderer refuses, or if there is no memory to convert the channel order.
  func upload(_ bitmap: Bitmap) throws(DisplayError) {
    let ordered = try bitmap.converted(forSDL: "upload a texture")
    let status = ordered.withPixels { SDL_UpdateTexture(pointer, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    guard status == 0 else { throw DisplayError.fromSDL("upload a texture") }
  }

  /// Calls a closure that writes all pixels, using `SDL_LockTexture` and `SDL_UnlockTexture`.
  /// - Precondition: The texture was created with `isWritten`.
  /// - Throws: ``DisplayError`` if the renderer refuses.
  func writePixels(_ body: (_ pixels: UnsafeMutableRawPointer, _ bytesPerRow: Int) -> Void) throws(DisplayError) {
    var pixels: UnsafeMutableRawPointer?
    var bytesPerRow: Int32 = 0
    guard SDL_LockTexture(pointer, nil, &pixels, &bytesPerRow) == 0, let pixels else {
      throw DisplayError.fromSDL("write a texture")
    }
    body(pixels, Int(bytesPerRow))
    SDL_UnlockTexture(pointer)
  }

  /// Sets the tint, blending and smoothing of the next copies, if they differ from the current ones.
  ///
  /// The C functions are `SDL_SetTextureColorMod`, `SDL_SetTextureAlphaMod`, `SDL_SetTextureBlendMode` and
  /// `SDL_SetTextureScaleMode`.
  @inline(__always)
  mutating func setCopyMode(tint newTint: Color, isBlending newBlending: Bool, showsPixels newPixels: Bool = false) {
    if newTint != tint {
      SDL_SetTextureColorMod(pointer, newTint.red, newTint.green, newTint.blue)
      SDL_SetTextureAlphaMod(pointer, newTint.alpha)
      tint = newTint
    }
    if newBlending != isBlending {
      SDL_SetTextureBlendMode(pointer, newBlending ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
      isBlending = newBlending
    }
    if newPixels != showsPixels {
      SDL_SetTextureScaleMode(pointer, newPixels ? SDL_ScaleModeNearest : SDL_ScaleModeLinear)
      showsPixels = newPixels
    }
  }
}

/// An owner of an `SDL_Surface`.
nonisolated struct SurfaceHandle: ~Copyable {
  private let pointer: UnsafeMutablePointer<SDL_Surface>

  /// Takes ownership of a surface that was created by a C function.
  init(owning pointer: UnsafeMutablePointer<SDL_Surface>) { self.pointer = pointer }

  deinit { SDL_FreeSurface(pointer) }

  /// The width in pixels.
  var width: Int { Int(pointer.pointee.w) }

  /// The height in pixels.
  var height: Int { Int(pointer.pointee.h) }

  /// Calls a closure with the pixels and the number of bytes per row, if the surface has four bytes a pixel.
  func withPixels(_ body: (_ pixels: UnsafeRawPointer, _ bytesPerRow: Int) -> Void) {
    guard let pixels = pointer.pointee.pixels, pointer.pointee.format.pointee.BytesPerPixel == 4 else { return }
    body(pixels, Int(pointer.pointee.pitch))
  }

  /// Calls a closure with a surface that shares a bitmap's pixels.
  ///
  /// The closure must not write to the surface. The C function is `SDL_CreateRGBSurfaceWithFormatFrom`.
  /// - Throws: ``DisplayError`` if there is no memory for the surface, or an error of the closure.
  static func withSurface(
    over bitmap: Bitmap, _ body: (UnsafeMutablePointer<SDL_Surface>) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    let ordered = try bitmap.converted(forSDL: "make a surface")
    let memory = ordered.withPixels { UnsafeMutableRawPointer(mutating: $0.baseAddress) }
    defer { withExtendedLifetime(ordered) {} }
    guard
      let surface = SDL_CreateRGBSurfaceWithFormatFrom(
        memory, Int32(bitmap.size.width), Int32(bitmap.size.height), 32, Int32(bitmap.bytesPerRow),
        SDL_PIXELFORMAT_RGBA32.rawValue)
    else { throw DisplayError.fromSDL("make a surface") }
    let handle = SurfaceHandle(owning: surface)
    try body(handle.pointer)
  }
}

nonisolated extension Bitmap {
  /// Returns the bitmap in the channel order that SDL's surfaces and textures use here, red first.
  /// - Throws: ``DisplayError`` if the system has no memory.
  func converted(forSDL action: String) throws(DisplayError) -> Bitmap {
    do {
      return try converted(to: .redFirst)
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }
}
