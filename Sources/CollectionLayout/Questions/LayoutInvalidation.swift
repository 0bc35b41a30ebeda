/// What a solved layout no longer may take as given.
public enum LayoutInvalidation: Hashable, Sendable {
  /// All of it: rules, room and items.
  case everything
  /// The room: it is solved for another one.
  case environment(LayoutEnvironment)
  /// Which items there are, or their facts.
  case items(LayoutUpdate)
}
