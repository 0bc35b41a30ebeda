/// An item that is in both snapshots but in another section, or not in the same order among those that stay.
public struct ItemMove: Hashable, Sendable {
  /// Its place in the old snapshot.
  public var from: ItemPosition
  /// Its place in the new snapshot.
  public var to: ItemPosition

  /// Makes a move from its places.
  public init(from: ItemPosition, to: ItemPosition) {
    self.from = from
    self.to = to
  }
}
