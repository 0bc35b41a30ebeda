/// A type of identifiers to measure with, by its name on the command line.
public enum IdentifierKind: String, CaseIterable, Sendable {
  /// 64-bit numbers.
  case int
  /// Universally unique identifiers of 16 bytes.
  case uuid
  /// Text of 32 bytes, too long to stand in the value itself.
  case string
}
