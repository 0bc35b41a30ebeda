import Rendering

/// Keys by the names that a recording has for them: `PageDown`, `F5`, and `=q` for a key by its character.
nonisolated enum KeyName {
  /// The name of a key.
  static func name(of key: Key) -> String {
    switch key {
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    case .home: "Home"
    case .end: "End"
    case .space: "Space"
    case .enter: "Enter"
    case .escape: "Escape"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .delete: "Delete"
    case .menu: "Menu"
    case .function(let number): "F\(number)"
    case .character(let character): "=\(character)"
    }
  }

  /// The key of a name; nothing where there is none.
  static func key(named text: String) -> Key? {
    if let key = namedKeys.first(where: { KeyName.name(of: $0) == text }) { return key }
    // By scalars: a mark that combines is one character with what stands before it.
    let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst()))
    if text.unicodeScalars.first == "=" { return rest.count == 1 ? rest.first.map(Key.character) : nil }
    guard text.hasPrefix("F"), let number = Int(rest), (1...12).contains(number) else { return nil }
    return .function(number)
  }

  private static let namedKeys: [Key] = [
    .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .space, .enter, .escape, .tab, .backspace, .delete,
    .menu,
  ]
}
