import CSDL2
import Geometry
import Rendering

/// Owns one `SDL_Renderer`, which must outlive its textures and die before its window.
nonisolated struct RendererHandle: ~Copyable {
  /// For textures of this target only.
  let pointer: OpaquePointer
  /// SDL's name of the renderer, such as `opengl`.
  let name: String

  /// Makes a renderer; the C function is `SDL_CreateRenderer`.
  ///
  /// One on hardware is asked to wait for the refresh. SDL's software renderer is not: it says that it waits and does not.
  /// - Throws: ``DisplayError`` when SDL has no such renderer or it cannot start.
  init(_ driver: RendererDriver, window: borrowing WindowHandle) throws(DisplayError) {
    let wanted = driver.sdlName ?? driver.rawValue
    guard let index = RendererHandle.driverIndex(of: wanted) else {
      throw DisplayError(action: "start the \(wanted) renderer", reason: "this SDL was built without it")
    }
    // SDL collects draw calls only for a renderer that it chose itself, unless told.
    SDL_SetHintWithPriority(SDL_HINT_RENDER_BATCHING, "1", SDL_HINT_OVERRIDE)
    let flags =
      driver == .sdl
      ? SDL_RENDERER_SOFTWARE.rawValue
      : SDL_RENDERER_ACCELERATED.rawValue | SDL_RENDERER_PRESENTVSYNC.rawValue
    guard let renderer = SDL_CreateRenderer(window.pointer, index, flags) else {
      throw DisplayError.fromSDL("start the \(wanted) renderer")
    }
    pointer = renderer
    name = wanted
  }

  deinit { SDL_DestroyRenderer(pointer) }

  /// The extent in pixels; the C function is `SDL_GetRendererOutputSize`.
  var outputSize: PixelRect {
    var width: Int32 = 0
    var height: Int32 = 0
    guard SDL_GetRendererOutputSize(pointer, &width, &height) == 0 else { return .zero }
    return PixelRect(x: 0, y: 0, width: max(0, width), height: max(0, height))
  }

  /// What OpenGL runs on, such as `llvmpipe (LLVM 15.0.6, 256 bits)`; nothing for other renderers.
  ///
  /// The C functions are `SDL_GL_GetProcAddress` and `glGetString(GL_RENDERER)`.
  var openGLDevice: String? {
    guard name.hasPrefix("opengl"), let address = SDL_GL_GetProcAddress("glGetString") else { return nil }
    typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
    let glGetString = unsafeBitCast(address, to: GetString.self)
    return glGetString(0x1F01).map { String(cString: $0) }
  }

  /// Whether a texture may have an extent; the C function is `SDL_GetRendererInfo`, which says 0 for "any".
  func supportsTexture(of size: PixelSize) -> Bool {
    var info = SDL_RendererInfo()
    guard SDL_GetRendererInfo(pointer, &info) == 0 else { return false }
    func fits(_ length: Int, _ most: Int32) -> Bool { most <= 0 || length <= Int(most) }
    return fits(size.width, info.max_texture_width) && fits(size.height, info.max_texture_height)
  }

  /// Shows what was drawn.
  ///
  /// The C functions are `SDL_RenderPresent`, which returns no status, and `SDL_GetError`.
  /// - Returns: what SDL said meanwhile; nil when all went well.
  func present() -> DisplayError? {
    SDL_ClearError()
    SDL_RenderPresent(pointer)
    return SDL_GetError().pointee == 0 ? nil : DisplayError.fromSDL("show what was drawn")
  }

  /// Reads what was drawn; the C function is `SDL_RenderReadPixels`.
  /// - Throws: ``DisplayError`` when the window has no pixels, memory is out, or the renderer refuses.
  func readPixels() throws(DisplayError) -> Bitmap {
    let action = "read pixels"
    let output = outputSize
    guard let size = PixelSize(width: Int(output.width), height: Int(output.height)) else {
      throw DisplayError(action: action, reason: "the window is \(output.width) x \(output.height) pixels")
    }
    SDL_RenderSetClipRect(pointer, nil)
    do {
      return try Bitmap(size: size, isOpaque: true) { pixels in
        let status = SDL_RenderReadPixels(
          pointer, nil, SDL_PIXELFORMAT_RGBA32.rawValue, pixels.baseAddress, Int32(size.width * 4))
        guard status == 0 else { throw DisplayError.fromSDL(action) }
        // A window may have no alpha; what is on a screen is opaque.
        for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
      }
    } catch let error as DisplayError {
      throw error
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }

  private static func driverIndex(of name: String) -> Int32? {
    for index in 0..<max(0, SDL_GetNumRenderDrivers()) {
      var info = SDL_RendererInfo()
      guard SDL_GetRenderDriverInfo(index, &info) == 0, let driver = info.name else { continue }
      if String(cString: driver) == name { return index }
    }
    return nil
  }
}
