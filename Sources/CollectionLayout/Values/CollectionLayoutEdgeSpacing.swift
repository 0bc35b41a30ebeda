/// Room to leave free outside each edge of an item or a group.
///
/// Unlike content insets it takes room of its own: it counts when items are fitted into a group.
public struct CollectionLayoutEdgeSpacing: Hashable, Sendable {
  /// Before the edge at which lines begin, or nothing for none.
  public var leading: CollectionLayoutSpacing?
  /// Above the top edge, or nothing for none.
  public var top: CollectionLayoutSpacing?
  /// Behind the edge at which lines end, or nothing for none.
  public var trailing: CollectionLayoutSpacing?
  /// Below the bottom edge, or nothing for none.
  public var bottom: CollectionLayoutSpacing?

  /// Makes spacings from those that are wanted.
  public init(
    leading: CollectionLayoutSpacing? = nil, top: CollectionLayoutSpacing? = nil,
    trailing: CollectionLayoutSpacing? = nil, bottom: CollectionLayoutSpacing? = nil
  ) {
    self.leading = leading
    self.top = top
    self.trailing = trailing
    self.bottom = bottom
  }
}
