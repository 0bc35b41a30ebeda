public import DiffableData

/// What changed about the items whose data is wanted before they are seen.
public struct PrefetchPlan: Hashable, Sendable {
  /// Items that are wanted now, in the order in which they will be seen.
  public var prefetch: [Int] = []
  /// Items that were announced, were not on screen since, and are not expected any more.
  public var cancel = IndexRuns()
  /// Items that were on screen and are far from it now.
  public var release = IndexRuns()

  /// Nothing changed.
  public init() {}

  /// Whether nothing changed.
  public var isEmpty: Bool { prefetch.isEmpty && cancel.isEmpty && release.isEmpty }
}
