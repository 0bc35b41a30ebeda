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
  /// A key by the character that it types without modifiers, in lower case: for shortcuts. What is typed is
  /// ``InputEvent/Kind/text(_:)``.
  case character(Character)
}
