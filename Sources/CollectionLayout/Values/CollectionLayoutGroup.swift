internal import DataStructures
internal import Geometry

/// Items and groups placed beside or below each other: what a section repeats until each of its items has a place.
///
/// Groups nest, as deep as ``deepestNesting`` and with ``mostSubitems`` in all: more is a mistake that stops the program.
/// A group has as many places as its subitems have in all, at least one and at most ``mostPlaces``.
public struct CollectionLayoutGroup: CollectionLayoutSubitem {
  /// The most cells that one group has place for; further subitems are left out.
  public static let mostPlaces = 10_000
  /// The most subitems that a group can be made of, those of nested groups counted with it.
  public static let mostSubitems = 100_000
  /// How deep groups can be nested.
  public static let deepestNesting = 100

  /// Computes the places of a custom group's cells.
  ///
  /// The environment's container is the group within its insets.
  public typealias CustomItemProvider = @Sendable (LayoutEnvironment) -> [CollectionLayoutGroupCustomItem]

  enum Arrangement: Sendable {
    /// A list that is repeated as often as it fits.
    case list(Axis, [any CollectionLayoutSubitem])
    /// A number of equally long ones.
    case repeating(Axis, any CollectionLayoutSubitem, count: Int)
    /// As a client says.
    case custom(CustomItemProvider)
  }

  /// Its sides within the group or section that contains it.
  public let layoutSize: CollectionLayoutSize
  let arrangement: Arrangement
  private let nesting: Int
  private let ruleCount: Int
  /// Room between its subitems; a flexible one grows where room is left over.
  public var interItemSpacing: CollectionLayoutSpacing?
  /// How far its subitems stay away from its edges, in points; ignored along an axis whose dimension is estimated.
  ///
  /// - Precondition: all are finite and not negative. The group keeps at least a pixel.
  public var contentInsets = DirectionalInsets.zero {
    didSet { contentInsets.demandUsable(of: "a layout group") }
  }
  /// Room to leave free outside its edges.
  public var edgeSpacing: CollectionLayoutEdgeSpacing?
  /// Views that are placed by the group as a whole.
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
      nesting <= CollectionLayoutGroup.deepestNesting,
      "Layout groups were nested \(nesting) deep. They can be \(CollectionLayoutGroup.deepestNesting) deep at most.")
    checkPrecondition(
      ruleCount <= CollectionLayoutGroup.mostSubitems,
      "A layout group was made of \(ruleCount) subitems, nested ones counted."
        + " There can be \(CollectionLayoutGroup.mostSubitems) at most.")
  }

  /// Places subitems beside each other, the list again and again, until the next would reach out of the group.
  ///
  /// - Precondition: there is a subitem. The first is placed even where it does not fit: it is cut.
  public static func horizontal(
    layoutSize: CollectionLayoutSize, subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    list(.horizontal, layoutSize, subitems)
  }

  /// Places subitems below each other, the list again and again, until the next would reach out of the group.
  ///
  /// - Precondition: that of ``horizontal(layoutSize:subitems:)``.
  public static func vertical(
    layoutSize: CollectionLayoutSize, subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    list(.vertical, layoutSize, subitems)
  }

  /// Places a number of subitems of equal width beside each other so that they fill the group.
  ///
  /// The subitem's own width does not count. Where not even a pixel would be left for each there are fewer.
  ///
  /// - Precondition: the count is positive.
  public static func horizontal(
    layoutSize: CollectionLayoutSize, repeatingSubitem subitem: any CollectionLayoutSubitem, count: Int
  ) -> CollectionLayoutGroup {
    repeating(.horizontal, layoutSize, subitem, count)
  }

  /// Places a number of subitems of equal height below each other so that they fill the group.
  ///
  /// The subitem's own height does not count, but where both it and the group's are estimated. Where not even a pixel
  /// would be left for each there are fewer.
  ///
  /// - Precondition: the count is positive.
  public static func vertical(
    layoutSize: CollectionLayoutSize, repeatingSubitem subitem: any CollectionLayoutSubitem, count: Int
  ) -> CollectionLayoutGroup {
    repeating(.vertical, layoutSize, subitem, count)
  }

  /// Places cells as the client says, asked once for the group as it is expected when its section is solved.
  ///
  /// Where cells in groups around it turn out larger or smaller, the places stay and what reaches out is cut.
  /// A provider that gives no items leaves the group with one, which fills it.
  public static func custom(
    layoutSize: CollectionLayoutSize, itemProvider: @escaping CustomItemProvider
  ) -> CollectionLayoutGroup {
    CollectionLayoutGroup(layoutSize, .custom(itemProvider))
  }

  private static func list(
    _ axis: Axis, _ layoutSize: CollectionLayoutSize, _ subitems: [any CollectionLayoutSubitem]
  ) -> CollectionLayoutGroup {
    checkPrecondition(!subitems.isEmpty, "A layout group was made of no subitems. It needs one or more.")
    return CollectionLayoutGroup(layoutSize, .list(axis, subitems))
  }

  private static func repeating(
    _ axis: Axis, _ layoutSize: CollectionLayoutSize, _ subitem: any CollectionLayoutSubitem, _ count: Int
  ) -> CollectionLayoutGroup {
    checkPrecondition(count > 0, "A layout group was made of \(count) subitems. The count must be positive.")
    return CollectionLayoutGroup(layoutSize, .repeating(axis, subitem, count: count))
  }
}
