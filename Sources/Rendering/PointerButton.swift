/// A button of the pointer.
public enum PointerButton: Hashable, Sendable {
  /// The main button.
  case primary
  /// The wheel's button.
  case middle
  /// The button of context menus.
  case secondary
}
