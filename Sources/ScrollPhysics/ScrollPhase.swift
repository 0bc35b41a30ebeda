/// What moves the content, if anything does.
public enum ScrollPhase: Hashable, Sendable {
  /// Nothing: it rests.
  case idle
  /// A hand, one to one: a trackpad or the thumb of the scroll bar.
  case tracking
  /// Nobody: it runs on after a flick.
  case decelerating
  /// A spring towards a target, or a steady motion: wheel notches, keys, scrolling to a place.
  case animating
}
