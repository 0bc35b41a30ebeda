/// On which side reading begins.
public enum LayoutDirection: Hashable, Sendable {
  /// On the left: leading is left.
  case leftToRight
  /// On the right: leading is right, and everything is the mirror image.
  case rightToLeft
}
