/// How the items of a section are placed, and what stands around them.
public struct CollectionLayoutSection: Sendable {
  /// The rules for its items.
  let content: any SectionContent
  /// Room to leave free around the items and what is at their boundary, in points.
  public var contentInsets = DirectionalInsets.zero
  /// Between groups along the flow, in points.
  public var interGroupSpacing = 0.0
  /// Whether and how it scrolls across.
  public var orthogonalScrollingBehavior = OrthogonalScrollingBehavior.none

  /// Makes a section of rules for its items.
  init(content: any SectionContent) { self.content = content }
}
