import CSDL2
import Geometry

/// A window of SDL's that somebody else owns, and who draws into it must let go of first.
nonisolated struct WindowReference {
  /// For this target only.
  let pointer: OpaquePointer

  /// The extent in pixels, now; the C function is `SDL_GetWindowSizeInPixels`.
  var pixelExtent: PixelRect {
    var width: Int32 = 0
    var height: Int32 = 0
    SDL_GetWindowSizeInPixels(pointer, &width, &height)
    return PixelRect(x: 0, y: 0, width: max(0, width), height: max(0, height))
  }

  /// The window's number where X has it.
  ///
  /// The C function is `SDL_GetWindowWMInfo`.
  var xWindow: UInt32? {
    var information = SDL_SysWMinfo()
    information.version = SDL_version(
      major: UInt8(SDL_MAJOR_VERSION), minor: UInt8(SDL_MINOR_VERSION), patch: UInt8(SDL_PATCHLEVEL))
    guard SDL_GetWindowWMInfo(pointer, &information) == SDL_TRUE, information.subsystem == SDL_SYSWM_X11 else {
      return nil
    }
    return UInt32(truncatingIfNeeded: information.info.x11.window)
  }
}
