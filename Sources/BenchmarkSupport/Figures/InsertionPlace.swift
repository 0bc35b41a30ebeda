/// Where one item is inserted.
public enum InsertionPlace: String, CaseIterable, Sendable {
  /// Before the first item.
  case head
  /// In the middle.
  case middle
  /// Behind the last item.
  case end
}
