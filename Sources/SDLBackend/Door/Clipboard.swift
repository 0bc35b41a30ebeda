import CSDL2
import Glibc

/// The text that programs copy and paste, of the display that is open.
nonisolated enum Clipboard {
  /// Puts text there; the C function is `SDL_SetClipboardText`, which takes text of any bytes but zero.
  ///
  /// - Parameter bytes: UTF-8, as far as the names of files are that.
  /// - Returns: whether it is there.
  static func setText(_ bytes: [UInt8]) -> Bool {
    var text = bytes
    if text.contains(0) { text.removeAll { $0 == 0 } }
    text.append(0)
    return text.withUnsafeBytes { SDL_SetClipboardText($0.assumingMemoryBound(to: CChar.self).baseAddress) == 0 }
  }

  /// The text that is there, by its bytes; nothing where there is none.
  ///
  /// The C functions are `SDL_GetClipboardText`, which may wait for the program that has it, `strlen` and `SDL_free`.
  static var text: [UInt8] {
    guard let text = SDL_GetClipboardText() else { return [] }
    defer { SDL_free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
