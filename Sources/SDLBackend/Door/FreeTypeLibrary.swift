import CType
import Rendering

/// FreeType while it is running; its faces keep it.
nonisolated final class FreeTypeLibrary {
  /// What faces are opened in.
  let pointer: FT_Library

  /// Starts the library; the C function is `FT_Init_FreeType`.
  /// - Throws: ``DisplayError`` when memory is out.
  init() throws(DisplayError) {
    var library: FT_Library?
    let code = FT_Init_FreeType(&library)
    guard code == 0, let library else { throw DisplayError.fromFreeType(code, "start FreeType") }
    pointer = library
  }

  deinit { FT_Done_FreeType(pointer) }
}

extension DisplayError {
  /// What a code of FreeType's means, as far as the library says: its sentences are not built into Debian's.
  nonisolated static func fromFreeType(_ code: FT_Error, _ action: String) -> DisplayError {
    DisplayError(action: action, reason: "FreeType's error \(code)")
  }
}
