public import Geometry

/// How the items of a section are placed, and what stands around them.
///
/// Along the scroll axis a section is, from its beginning: headers, the inset, the items, the inset, footers. A section
/// without items keeps all but the items.
public struct CollectionLayoutSection: Sendable {
  /// Changes how what is seen of a section is shown: its elements, how far the content is scrolled, and the room.
  ///
  /// The offset is the viewport's corner; in a section that scrolls across, along that axis its own offset.
  public typealias VisibleItemsHandler =
    @Sendable (_ items: inout [VisibleItem], _ offset: Point, _ environment: LayoutEnvironment) -> Void

  /// The rules for its items.
  let content: any SectionContent
  /// Whether nothing of it is there while it has no items.
  var isHiddenWhenEmpty = false

  /// Room to leave free around the items, in points.
  ///
  /// - Precondition: all are finite and not negative; solving the layout stops the program otherwise.
  public var contentInsets = DirectionalInsets.zero
  /// Between groups along the flow, in points.
  ///
  /// - Precondition: that of ``contentInsets``.
  public var interGroupSpacing = 0.0
  /// Which of the environment's insets hold its sides off the container's edges.
  public var contentInsetsReference = ContentInsetsReference.automatic
  /// Whether and how it scrolls across.
  ///
  /// Then its groups follow each other across the layout's axis, in a strip from side to side that is as deep as they
  /// are; the insets at the sides scroll with them.
  public var orthogonalScrollingBehavior = OrthogonalScrollingBehavior.none
  /// Headers, footers and other views at its edges.
  public var boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem] = []
  /// Whether what is at its edges is held off the sides by ``contentInsets`` as items are.
  public var supplementariesFollowContentInsets = true
  /// Views behind it.
  public var decorationItems: [CollectionLayoutDecorationItem] = []
  /// What is done to all that is seen of it, each time it was placed.
  public var visibleItemsInvalidationHandler: VisibleItemsHandler?

  /// Makes a section of rules for its items.
  init(content: any SectionContent) { self.content = content }

  /// How much nearer to the front its items and boundary items are than a background.
  var promotion: Int { decorationItems.isEmpty ? 0 : 1 }
}
