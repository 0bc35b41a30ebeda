import CSDL2
import Geometry
import Rendering

/// Owns one `SDL_Surface`.
nonisolated struct SurfaceHandle: ~Copyable {
  private let pointer: UnsafeMutablePointer<SDL_Surface>

  /// Takes over a surface that a C function has made.
  init(owning pointer: UnsafeMutablePointer<SDL_Surface>) { self.pointer = pointer }

  deinit { SDL_FreeSurface(pointer) }

  /// Pixels across.
  var width: Int { Int(pointer.pointee.w) }

  /// Pixels down.
  var height: Int { Int(pointer.pointee.h) }

  /// Lets a body read the pixels, and how many bytes a row takes; for surfaces of four bytes a pixel.
  func withPixels(_ body: (_ pixels: UnsafeRawPointer, _ bytesPerRow: Int) -> Void) {
    guard let pixels = pointer.pointee.pixels, pointer.pointee.format.pointee.BytesPerPixel == 4 else { return }
    body(pixels, Int(pointer.pointee.pitch))
  }

  /// Lets a body use a bitmap's pixels as a surface, without copying them.
  ///
  /// The C function is `SDL_CreateRGBSurfaceWithFormatFrom`. The body must not write to the surface.
  /// - Throws: ``DisplayError`` when there is no memory for the surface's head, or what the body throws.
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
  /// The same pixels as SDL is told that they stand: red first.
  /// - Throws: ``DisplayError`` when there is no memory for them.
  func converted(forSDL action: String) throws(DisplayError) -> Bitmap {
    do {
      return try converted(to: .redFirst)
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }
}
