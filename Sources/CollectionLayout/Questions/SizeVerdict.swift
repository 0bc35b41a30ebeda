/// What became of a size that a cell prefers.
public enum SizeVerdict: Hashable, Sendable {
  /// The layout does not ask cells, or had this size already: nothing moved.
  case unchanged
  /// Places changed.
  case changed
  /// The cell changed its mind too often: it keeps the largest size it asked for, in points along the scroll axis, and
  /// is not asked again.
  case frozen(Double)
}
