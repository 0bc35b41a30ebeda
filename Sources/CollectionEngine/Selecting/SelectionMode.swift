/// How many items can be selected.
public enum SelectionMode: UInt8, Hashable, Sendable {
  /// None.
  case none
  /// One.
  case single
  /// Any number.
  case multiple
}
