/// A key by its meaning.
public enum Key: Hashable, Sendable {
  /// An arrow.
  case up, down, left, right
  /// A page or an end.
  case pageUp, pageDown, home, end
  /// Editing and confirming.
  case space, enter, escape, tab, backspace, delete
  /// The key that asks for a menu.
  case menu
  /// A function key, 1 to 12.
  case function(Int)
  /// A key that types a character: lower case, without modifiers.
  case character(Character)
}
