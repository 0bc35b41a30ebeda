/// A direction of layout or of scrolling.
public enum Axis: Hashable, Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical

  /// The axis across this one.
  public var cross: Axis { self == .horizontal ? .vertical : .horizontal }
}
