/// A section that is in both snapshots but not in the same order among those that are.
public struct SectionMove: Hashable, Sendable {
  /// Its index in the old snapshot.
  public var from: Int
  /// Its index in the new snapshot.
  public var to: Int

  /// Makes a move from its indexes.
  ///
  /// - Complexity: O(1).
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}
