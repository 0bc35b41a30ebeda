/// Where an item that is seen after an update was before it.
public enum ElementOrigin: Hashable, Sendable {
  /// It was not there.
  case new
  /// It was before what was seen.
  case beforeViewport
  /// It was behind what was seen.
  case afterViewport
}
