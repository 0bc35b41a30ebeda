public import CollectionLayout

/// What can move to its place.
public enum AnimatedElement: Hashable, Sendable {
  /// The cell of an item, by its flat index.
  case item(Int)
  /// A supplementary or decoration view.
  case element(ElementIdentity)
  /// What is on screen no more as far as the model goes, by a number of its own.
  case disappearing(Int)
}
