/// How long and over how many items scrolling is to go wild.
public struct EnduranceOptions: Hashable, Sendable {
  /// Items, in ascending order.
  public var sizes = [1_000_000]
  /// Refreshes a second.
  public var refreshRates = [60]
  /// Frames of each run.
  public var frames = 100_000

  /// A million items, a hundred thousand frames.
  public init() {}
}
