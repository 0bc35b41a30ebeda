import CSDL2
import Rendering

/// The font library while it is running, which must outlive its fonts.
nonisolated struct FontSession: ~Copyable {
  /// Starts the library; the C function is `TTF_Init`.
  /// - Throws: ``DisplayError`` when FreeType does not start.
  init() throws(DisplayError) {
    guard TTF_Init() == 0 else { throw DisplayError.fromSDL("start the font library") }
  }

  deinit { TTF_Quit() }
}
