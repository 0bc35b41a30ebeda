import CSDL2
import Rendering

extension DisplayError {
  /// What SDL said about the call that has just failed; the C function is `SDL_GetError`.
  ///
  /// To be made in the same expression as the failing call: SDL keeps one sentence a thread and overwrites it.
  nonisolated static func fromSDL(_ action: String) -> DisplayError {
    let reason = String(cString: SDL_GetError())
    return DisplayError(action: action, reason: reason.isEmpty ? "SDL gave no reason" : reason)
  }
}
