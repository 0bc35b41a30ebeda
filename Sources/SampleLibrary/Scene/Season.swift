/// A season of the temperate north.
public enum Season: Int, CaseIterable, Hashable, Sendable {
  /// March to May.
  case spring
  /// June to August.
  case summer
  /// September to November.
  case autumn
  /// December to February.
  case winter
}
