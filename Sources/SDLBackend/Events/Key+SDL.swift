import CVitrineSDL2
import VitrineRendering

extension Key {
  /// Converts a key of SDL in the user's layout, or returns nil if the key is irrelevant, such as a modifier.
  ///
  /// The keypad types digits if Num Lock is on and arrows if it is off, which SDL leaves to the program. With Control
  /// pressed, the physical key counts if its character is not usable in shortcuts: digits for layouts that type them
  /// with Shift only, letters for layouts without ASCII letters.
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
    // Without this bit, a symbol is the character that the key types without modifiers. With it, it is a scancode.
    let isCharacter = symbol.rawValue & UInt32(SDLK_SCANCODE_MASK) == 0
    guard isCharacter, symbol.rawValue > 0x20, let scalar = Unicode.Scalar(symbol.rawValue) else { return nil }
    guard scalar.properties.generalCategory != .control else { return nil }
    if modifiers.rawValue & KMOD_CTRL.rawValue != 0, let shortcut = Key.shortcutCharacter(at: scancode, typing: scalar)
    {
      self = .character(shortcut)
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
    // Keypad keys that do not depend on Num Lock.
    SDLK_KP_ENTER.rawValue: .enter, SDLK_KP_PLUS.rawValue: .character("+"), SDLK_KP_MINUS.rawValue: .character("-"),
    SDLK_KP_MULTIPLY.rawValue: .character("*"), SDLK_KP_DIVIDE.rawValue: .character("/"),
    SDLK_KP_EQUALS.rawValue: .character("="),
  ]

  /// Returns the shortcut character of a physical key, or nil if the character that it types is usable itself.
  private nonisolated static func shortcutCharacter(at scancode: SDL_Scancode, typing scalar: Unicode.Scalar)
    -> Character?
  {
    let (letters, digits) = (Array("abcdefghijklmnopqrstuvwxyz"), Array("1234567890"))
    let letter = Int(scancode.rawValue) - Int(SDL_SCANCODE_A.rawValue)
    if letters.indices.contains(letter) { return scalar.isASCII ? nil : letters[letter] }
    let digit = Int(scancode.rawValue) - Int(SDL_SCANCODE_1.rawValue)
    // The characters for zooming keep their meaning in all layouts.
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
  /// Converts SDL's modifiers.
  ///
  /// Left and right keys are the same.
  nonisolated init(_ modifiers: SDL_Keymod) {
    var result: KeyModifiers = []
    if modifiers.rawValue & KMOD_SHIFT.rawValue != 0 { result.insert(.shift) }
    if modifiers.rawValue & KMOD_CTRL.rawValue != 0 { result.insert(.control) }
    if modifiers.rawValue & KMOD_ALT.rawValue != 0 { result.insert(.alt) }
    self = result
  }
}
