/// Where a key takes the focus, in the order of reading and by what is above and below.
public enum FocusMove: Hashable, Sendable {
  /// To the item before, across the ends of rows.
  case previous
  /// To the item behind, across the ends of rows.
  case next
  /// To the row above.
  case up
  /// To the row below.
  case down
  /// Up by a number of points, at least one row.
  case pageUp(Double)
  /// Down by a number of points, at least one row.
  case pageDown(Double)
  /// To the first item.
  case first
  /// To the last item.
  case last
}
