/// What an event did to a scroll position, for those who have planned by it.
public struct ScrollEffects: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Makes effects from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The offset of this very instant is another one than before, apart from an adjustment that was asked for.
  public static let moved = ScrollEffects(rawValue: 1)
  /// It moved a viewport or more: nothing that was seen is seen now.
  public static let teleported = ScrollEffects(rawValue: 2)
  /// The content will come to rest elsewhere than before, apart from an adjustment that was asked for.
  public static let projectionChanged = ScrollEffects(rawValue: 4)
}
