/// Which of the environment's insets hold the sides of a section's content off the container's edges.
///
/// Only the sides across the scroll axis: along it the content always begins behind the environment's insets. A
/// ``LayoutEnvironment`` has one set of insets, which serves as safe area and as margins alike.
public enum ContentInsetsReference: Hashable, Sendable {
  /// For a section, that of its layout; for a layout, ``safeArea``.
  case automatic
  /// None: content reaches from edge to edge.
  case none
  /// ``LayoutEnvironment/contentInsets``.
  case safeArea
  /// ``LayoutEnvironment/contentInsets``, as there are no others.
  case layoutMargins
  /// The middle of that, no broader than ``readableBreadth``: lines of text that are longer are hard to follow.
  case readableContent

  /// How broad ``readableContent`` is at most, in points: about seventy letters of a reading size.
  public static let readableBreadth = 672.0
}
