/// An edge or a corner of a rectangle.
public enum RectAlignment: Hashable, Sendable {
  /// The top edge, in its middle.
  case top
  /// The corner at which reading begins.
  case topLeading
  /// The edge at which lines begin, in its middle.
  case leading
  /// The lower corner at which lines begin.
  case bottomLeading
  /// The bottom edge, in its middle.
  case bottom
  /// The corner at which reading ends.
  case bottomTrailing
  /// The edge at which lines end, in its middle.
  case trailing
  /// The upper corner at which lines end.
  case topTrailing
}
