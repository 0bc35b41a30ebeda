/// What moves the content, if anything does.
public enum ScrollPhase: Hashable, Sendable, CaseIterable {
  /// Nothing: it rests.
  case idle
  /// A hand: fingers on a trackpad or a screen, or the thumb of the scroll bar.
  case tracking
  /// Nobody: it runs on after a flick.
  case decelerating
  /// Nobody: it comes back from beyond an end.
  case bouncing
  /// A spring towards a target, or a steady motion: wheel notches, keys, scrolling to a place.
  case animating
}
