/// What happens to a cell, from when it is taken for an item until it is let go.
public enum CellEvent: Hashable, Sendable {
  /// It was taken from its pool for an item.
  case reuse
  /// It is ready to be shown; forced where a commit had to do it, else in slack.
  case prepare(isForced: Bool)
  /// It was configured again for the same item.
  case reconfigure
  /// It comes on screen.
  case willDisplay
  /// It left the screen, and is still bound to its item.
  case didEndDisplaying
  /// Its item was taken from it, and it went into its pool.
  case pool
  /// It was let go.
  case discard
}
