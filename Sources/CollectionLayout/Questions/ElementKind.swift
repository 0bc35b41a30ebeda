/// What a layout places.
public enum ElementKind: Hashable, Sendable {
  /// An item's cell.
  case cell
  /// A view that belongs to content, such as a header, by the name of its kind.
  case supplementary(String)
  /// A view that belongs to the layout, such as a background, by the name of its kind.
  case decoration(String)
}
