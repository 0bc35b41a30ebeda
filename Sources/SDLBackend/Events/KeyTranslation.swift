import CSDL2
import Rendering

extension Key {
  /// The meaning of SDL's key on the user's layout, or nothing where a key has none here, such as a modifier.
  ///
  /// The keypad counts as digits while Num Lock is on and as arrows while it is off; SDL leaves that to the program. With
  /// Control held a place on the board counts where its character is no shortcut's: digits where a layout types others
  /// without Shift, letters where it types none of ASCII's.
  nonisolated init?(symbol: SDL_KeyCode, scancode: SDL_Scancode, modifiers: SDL_Keymod) {
    let isNumLocked = modifiers.rawValue & KMOD_NUM.rawValue != 0
    if let key = Key.namedKeys[symbol.rawValue] ?? Key.keypadKey(symbol, isNumLocked: isNumLocked) {
      self = key
      return
    }
    let firstFunction = SDLK_F1.rawValue
    if (firstFunction...SDLK_F12.rawValue).contains(symbol.rawValue) {
      self = .function(Int(symbol.rawValue - firstFunction) + 1)
      return
    }
    // Below this bit a symbol is the character that the key types without modifiers; above, it is a place on the board.
    let isCharacter = symbol.rawValue & UInt32(SDLK_SCANCODE_MASK) == 0
    guard isCharacter, symbol.rawValue > 0x20, let scalar = Unicode.Scalar(symbol.rawValue) else { return nil }
    guard scalar.properties.generalCategory != .control else { return nil }
    if modifiers.rawValue & KMOD_CTRL.rawValue != 0, let usual = Key.shortcutCharacter(at: scancode, typing: scalar) {
      self = .character(usual)
      return
    }
    let lower = scalar.properties.lowercaseMapping
    self = .character(lower.count == 1 ? Character(lower) : Character(scalar))
  }

  private nonisolated static let namedKeys: [UInt32: Key] = [
    SDLK_UP.rawValue: .up, SDLK_DOWN.rawValue: .down, SDLK_LEFT.rawValue: .left, SDLK_RIGHT.rawValue: .right,
    SDLK_PAGEUP.rawValue: .pageUp, SDLK_PAGEDOWN.rawValue: .pageDown, SDLK_HOME.rawValue: .home,
    SDLK_END.rawValue: .end, SDLK_SPACE.rawValue: .space, SDLK_RETURN.rawValue: .enter, SDLK_RETURN2.rawValue: .enter,
    SDLK_ESCAPE.rawValue: .escape, SDLK_TAB.rawValue: .tab, SDLK_BACKSPACE.rawValue: .backspace,
    SDLK_DELETE.rawValue: .delete, SDLK_APPLICATION.rawValue: .menu, SDLK_MENU.rawValue: .menu,
    // The keypad's keys that mean the same either way.
    SDLK_KP_ENTER.rawValue: .enter, SDLK_KP_PLUS.rawValue: .character("+"), SDLK_KP_MINUS.rawValue: .character("-"),
    SDLK_KP_MULTIPLY.rawValue: .character("*"), SDLK_KP_DIVIDE.rawValue: .character("/"),
    SDLK_KP_EQUALS.rawValue: .character("="),
  ]

  /// What a place on the board means with Control where what it types means nothing; nothing where that is meant itself.
  private nonisolated static func shortcutCharacter(at place: SDL_Scancode, typing scalar: Unicode.Scalar) -> Character?
  {
    let (letters, digits) = (Array("abcdefghijklmnopqrstuvwxyz"), Array("1234567890"))
    let letter = Int(place.rawValue) - Int(SDL_SCANCODE_A.rawValue)
    if letters.indices.contains(letter) { return scalar.isASCII ? nil : letters[letter] }
    let digit = Int(place.rawValue) - Int(SDL_SCANCODE_1.rawValue)
    // Signs that make things larger and smaller stay what they are, wherever a layout has them.
    guard digits.indices.contains(digit), !("0"..."9").contains(scalar), !"+-=".unicodeScalars.contains(scalar) else {
      return nil
    }
    return digits[digit]
  }

  private nonisolated static func keypadKey(_ symbol: SDL_KeyCode, isNumLocked: Bool) -> Key? {
    switch symbol {
    case SDLK_KP_0: isNumLocked ? .character("0") : nil
    case SDLK_KP_1: isNumLocked ? .character("1") : .end
    case SDLK_KP_2: isNumLocked ? .character("2") : .down
    case SDLK_KP_3: isNumLocked ? .character("3") : .pageDown
    case SDLK_KP_4: isNumLocked ? .character("4") : .left
    case SDLK_KP_5: isNumLocked ? .character("5") : nil
    case SDLK_KP_6: isNumLocked ? .character("6") : .right
    case SDLK_KP_7: isNumLocked ? .character("7") : .home
    case SDLK_KP_8: isNumLocked ? .character("8") : .up
    case SDLK_KP_9: isNumLocked ? .character("9") : .pageUp
    case SDLK_KP_PERIOD: isNumLocked ? .character(".") : .delete
    default: nil
    }
  }
}

extension KeyModifiers {
  /// The modifiers among SDL's, left and right alike.
  nonisolated init(_ modifiers: SDL_Keymod) {
    var result: KeyModifiers = []
    if modifiers.rawValue & KMOD_SHIFT.rawValue != 0 { result.insert(.shift) }
    if modifiers.rawValue & KMOD_CTRL.rawValue != 0 { result.insert(.control) }
    if modifiers.rawValue & KMOD_ALT.rawValue != 0 { result.insert(.alt) }
    self = result
  }
}
