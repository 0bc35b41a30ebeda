/// Why an item is prepared, the most urgent first.
public enum PreparationRank: UInt8, CaseIterable, Comparable, Sendable {
  /// It will be seen within a few frames.
  case soon
  /// The content will come to rest at it.
  case landing
  /// The content passes it on its way to where it will rest.
  case path
  /// It lies ahead, and will be seen if scrolling goes on.
  case ahead
  /// It lies behind, and will be seen if scrolling turns.
  case behind

  /// The more urgent one first.
  public static func < (left: PreparationRank, right: PreparationRank) -> Bool { left.rawValue < right.rawValue }
}
