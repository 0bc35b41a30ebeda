internal import VitrineDataStructures
public import VitrineGeometry

/// A container for items and nested groups, which a section repeats until all of its items have a slot.
///
/// A group has as many slots as its subitems together, at least 1 and at most ``maximumSlotCount``.
///
/// - Precondition: Groups are nested at most ``maximumNestingDepth`` levels deep and have at most
///   ``maximumSubitemCount`` subitems, including those of nested groups.
public struct CollectionLayoutGroup: CollectionLayoutSubitem {
  /// The maximum number of slots of a group; further subitems are dropped.
  public static let maximumSlotCount = 10_000
  /// The maximum number of subitems of a group, including those of nested groups.
  public static let maximumSubitemCount = 100_000
  /// The maximum nesting depth of groups.
  public static let maximumNestingDepth = 100

  /// Computes the frames of a custom group's cells.
  ///
  /// The environment's container is the group inside its content insets.
  public typealias CustomItemProvider = @Sendable (LayoutEnvironment) -> [CollectionLayoutGroupCustomItem]

  enum Arrangement: Sendable {
    /// Subitems that are repeated as often as they fit.
    case list(Axis, [any CollectionLayoutSubitem])
    /// A number of subitems of equal length.
    case repeating(Axis, any CollectionLayoutSubitem, count: Int)
    /// Frames that the client computes.
    case custom(CustomItemProvider)
  }

  /// The size within the containing group or section.
  public let layoutSize: CollectionLayoutSize
  let arrangement: Arrangement
  private let nesting: Int
  private let ruleCount: Int
  /// The space between subitems.
  ///
  /// Flexible spacing grows with the remaining space.
  public var interItemSpacing: CollectionLayoutSpacing?
  /// The distances between the edges of the group and its subitems, in points.
  ///
  /// Ignored along an axis whose dimension is estimated. The group keeps a length of at least one pixel.
  ///
  /// - Precondition: All distances are finite and not negative.
  public var contentInsets = DirectionalEdgeInsets.zero {
    didSet { contentInsets.checkValid(of: "a layout group") }
  }
  /// The space outside the edges of the group.
  public var edgeSpacing: CollectionLayoutEdgeSpacing?
  /// The supplementary views that are anchored to the whole group.
  public var supplementaryItems: [CollectionLayoutSupplementaryItem] = []

  private init(_ layoutSize: CollectionLayoutSize, _ arrangement: Arrangement) {
    self.layoutSize = layoutSize
    self.arrangement = arrangement
    let subitems: [any CollectionLayoutSubitem] =
      switch arrangement {
      case .list(_, let subitems): subitems
      case .repeating(_, let subitem, _): [subitem]
      case .custom: []
      }
    let groups = subitems.compactMap { $0 as? CollectionLayoutGroup }
    nesting = 1 + (groups.map(\.nesting).max() ?? 0)
    ruleCount = groups.reduce(subitems.count) { $0 + $1.ruleCount }
    checkPrecondition(
      nesting <= CollectionLayoutGroup.maximumNestingDepth,
      "Layout groups were nested \(nesting) deep. They can be \(CollectionLayoutGroup.maximumNestingDepth) deep at most."
    )
    checkPrecondition(
      ruleCount <= CollectionLayoutGroup.maximumSubitemCount,
      "A layout group was created with \(ruleCount) subitems, nested ones counted."
        + " There can be \(CollectionLayoutGroup.maximumSubitemCount) at most.")
  }

  /// Creates a group that lays out subitems horizontally and repeats them until the next one does not fit.
  ///
  /// The first subitem is always included. It is clipped if it does not fit.
  ///
  /// - Precondition: There is at least one subitem.
  public static func horizontal(
    layoutSize: CollectionLayoutSize, subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    list(.horizontal, layoutSize, subitems)
  }

  /// Creates a group that lays out subitems vertically and repeats them until the next one does not fit.
  ///
  /// The first subitem is always included. It is clipped if it does not fit.
  ///
  /// - Precondition: There is at least one subitem.
  public static func vertical(
    layoutSize: CollectionLayoutSize, subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    list(.vertical, layoutSize, subitems)
  }

  /// Creates a group that repeats a subitem horizontally with equal widths that fill the group.
  ///
  /// The subitem's own width is ignored. The count is reduced if there is less than a pixel for each subitem.
  ///
  /// - Precondition: The count is positive.
  public static func horizontal(
    layoutSize: CollectionLayoutSize, repeatingSubitem subitem: any CollectionLayoutSubitem, count: Int
  ) -> CollectionLayoutGroup {
    repeating(.horizontal, layoutSize, subitem, count)
  }

  /// Creates a group that repeats a subitem vertically with equal heights that fill the group.
  ///
  /// The subitem's own height is ignored, unless both it and the group's height are estimated. The count is reduced if
  /// there is less than a pixel for each subitem.
  ///
  /// - Precondition: The count is positive.
  public static func vertical(
    layoutSize: CollectionLayoutSize, repeatingSubitem subitem: any CollectionLayoutSubitem, count: Int
  ) -> CollectionLayoutGroup {
    repeating(.vertical, layoutSize, subitem, count)
  }

  /// Creates a group whose client computes the frames of the cells.
  ///
  /// The provider is called once, with the estimated size of the group, when the section is solved. If self-sizing
  /// cells change the size of a containing group, the frames are not recomputed but clipped. If the provider returns no
  /// items, the group has one item that fills it.
  public static func custom(
    layoutSize: CollectionLayoutSize, itemProvider: @escaping CustomItemProvider
  ) -> CollectionLayoutGroup {
    CollectionLayoutGroup(layoutSize, .custom(itemProvider))
  }

  private static func list(
    _ axis: Axis, _ layoutSize: CollectionLayoutSize, _ subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    checkPrecondition(!subitems.isEmpty, "A layout group was created with no subitems. It needs one or more.")
    return CollectionLayoutGroup(layoutSize, .list(axis, subitems))
  }

  private static func repeating(
    _ axis: Axis, _ layoutSize: CollectionLayoutSize, _ subitem: any CollectionLayoutSubitem, _ count: Int
  ) -> CollectionLayoutGroup {
    checkPrecondition(count > 0, "A layout group was created with \(count) subitems. The count must be positive.")
    return CollectionLayoutGroup(layoutSize, .repeating(axis, subitem, count: count))
  }
}

extension CollectionLayoutGroup {
  /// Returns whether another group is known to lay out its cells in the same way.
  ///
  /// Returns false for custom groups, because their providers cannot be compared.
  ///
  /// - Complexity: O(r) for r rules, independent of the number of slots.
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

/// The frame of a cell in a custom group.
public struct CollectionLayoutGroupCustomItem: Hashable, Sendable {
  /// The frame in points, relative to the top left corner of the group inside its insets.
  ///
  /// It is clipped to the group.
  public let frame: Rect
  /// The stacking order; cells with larger numbers are in front.
  public let zIndex: Int

  /// Creates an item with the given frame.
  ///
  /// - Precondition: The numbers of the frame are finite, and its width and height are not negative.
  public init(frame: Rect, zIndex: Int = 0) {
    checkPrecondition(
      frame.minX.isFinite && frame.minY.isFinite && frame.width.isFinite && frame.height.isFinite
        && frame.width >= 0 && frame.height >= 0,
      "A custom layout item was placed at \(frame.minX), \(frame.minY) with an extent of \(frame.width) by"
        + " \(frame.height). All must be finite numbers, and the extents not negative.")
    self.frame = frame
    self.zIndex = zIndex
  }
}
