/// A view that belongs to the layout and not to content.
public struct CollectionLayoutDecorationItem: Hashable, Sendable {
  /// The name of its kind.
  public var elementKind: String
  /// Room to leave free between the section's edges and it, in points.
  ///
  /// - Precondition: all are finite and not negative; solving the layout stops the program otherwise.
  public var contentInsets = DirectionalInsets.zero
  /// What lies over what; the section's other elements are at 1.
  public var zIndex = 0

  private init(elementKind: String) { self.elementKind = elementKind }

  /// A view behind a whole section: its items, its insets and what stands at its boundary.
  public static func background(elementKind: String) -> CollectionLayoutDecorationItem {
    CollectionLayoutDecorationItem(elementKind: elementKind)
  }
}
