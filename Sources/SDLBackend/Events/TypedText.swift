import CSDL2
import Rendering

/// Tells text that is typed from what shortcuts leave behind.
///
/// SDL sends text for some keys also while Control or Alt is held, without saying so: what was held is what the key's
/// event before it tells.
final class TextInputFilter {
  private var modifiers = SDL_Keymod(rawValue: 0)

  /// Begins with no modifier held.
  init() {}

  /// Takes an event in.
  ///
  /// - Returns: the text that was typed; nothing where it is about something else, or belongs to a shortcut.
  func handleEvent(_ event: SDL_Event) -> InputEvent.Kind? {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_KEYDOWN, SDL_KEYUP: modifiers = SDL_Keymod(rawValue: UInt32(event.key.keysym.mod))
    case SDL_TEXTINPUT:
      // The right Alt is AltGr on most boards, which types; some systems say Control with it.
      let isAltGr = modifiers.rawValue & (KMOD_RALT.rawValue | KMOD_MODE.rawValue) != 0
      let isShortcut = modifiers.rawValue & (KMOD_CTRL.rawValue | KMOD_LALT.rawValue | KMOD_GUI.rawValue) != 0
      guard isAltGr || !isShortcut else { return nil }
      let text = SDLEventQueue.text(of: event)
      return text.isEmpty ? nil : .text(text)
    default: break
    }
    return nil
  }
}
