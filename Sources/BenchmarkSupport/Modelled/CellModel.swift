internal import DataStructures

/// What the cells of a list take to prepare: all the same, or a few heavy ones among cheap ones.
public struct CellModel: Hashable, Sendable {
  /// The kinds of cells, each with a registration of its own; one or two.
  public let kinds: [CellWork]
  /// One in so many items has a cell of the second kind, at places that follow no pattern.
  public let heavyEvery: Int

  /// All cells take the same.
  public init(_ work: CellWork) { (kinds, heavyEvery) = ([work], 1) }

  /// One in so many cells is heavy.
  public init(cheap: CellWork, heavy: CellWork, every count: Int) {
    (kinds, heavyEvery) = ([cheap, heavy], max(1, count))
  }

  /// Which kind of cell an item has.
  ///
  /// - Complexity: O(1).
  public func kind(of item: Int) -> Int {
    guard kinds.count > 1 else { return 0 }
    return SplitMix64.mix(UInt64(truncatingIfNeeded: item)) % UInt64(heavyEvery) == 0 ? 1 : 0
  }

  /// What the cell of an item takes.
  public func work(of item: Int) -> CellWork { kinds[kind(of: item)] }
}
