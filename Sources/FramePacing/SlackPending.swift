/// What waits and forbids work ahead.
public struct SlackBlockers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Makes a set from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Input that no frame has seen: it is to be answered first, and may change what is needed.
  public static let input = SlackBlockers(rawValue: 1)
  /// A snapshot whose layout is not committed: items ahead may be gone, and others in their place.
  public static let snapshot = SlackBlockers(rawValue: 2)
}
