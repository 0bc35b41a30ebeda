internal import Geometry

extension CollectionLayoutGroup {
  /// Whether another group is known to place its cells the same way.
  ///
  /// Custom groups never are: what their providers do cannot be compared.
  ///
  /// - Complexity: O(r) for r rules, however many places they make.
  func hasSameRules(as other: CollectionLayoutGroup) -> Bool {
    guard layoutSize == other.layoutSize, interItemSpacing == other.interItemSpacing,
      contentInsets == other.contentInsets, edgeSpacing == other.edgeSpacing,
      supplementaryItems == other.supplementaryItems
    else { return false }
    switch (arrangement, other.arrangement) {
    case (.list(let axis, let subitems), .list(let otherAxis, let others)):
      return axis == otherAxis && subitems.count == others.count
        && zip(subitems, others).allSatisfy { Self.haveSameRules($0, $1) }
    case (.repeating(let axis, let subitem, let count), .repeating(let otherAxis, let other, let otherCount)):
      return axis == otherAxis && count == otherCount && Self.haveSameRules(subitem, other)
    default:
      return false
    }
  }

  private static func haveSameRules(_ one: any CollectionLayoutSubitem, _ other: any CollectionLayoutSubitem) -> Bool {
    if let one = one as? CollectionLayoutItem, let other = other as? CollectionLayoutItem { return one == other }
    if let one = one as? CollectionLayoutGroup, let other = other as? CollectionLayoutGroup {
      return one.hasSameRules(as: other)
    }
    return false
  }
}
