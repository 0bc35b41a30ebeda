public import VitrineGeometry

/// The layout of a section's items and of the views around them.
///
/// Along the scroll axis a section consists of headers, the start inset, the items, the end inset and footers. An empty
/// section keeps everything but the items.
public struct CollectionLayoutSection: Sendable {
  /// Changes the appearance of the visible items and supplementary views of a section.
  ///
  /// The offset is the origin of the viewport. In a section that scrolls orthogonally, the coordinate along its scroll
  /// axis is the section's own offset.
  public typealias VisibleItemsHandler =
    @Sendable (_ items: inout [VisibleItem], _ offset: Point, _ environment: LayoutEnvironment) -> Void

  /// The rules that lay out the items.
  let content: any SectionContent
  /// Whether the section has no length and no views while it has no items.
  var isHiddenWhenEmpty = false

  /// The distances between the edges of the section and its items, in points.
  ///
  /// - Precondition: All distances are finite and not negative. This is checked when the layout is solved.
  public var contentInsets = DirectionalEdgeInsets.zero
  /// The space between groups along the flow axis, in points.
  ///
  /// Default: 0.
  ///
  /// - Precondition: The space is finite and not negative. This is checked when the layout is solved.
  public var interGroupSpacing = 0.0
  /// The insets of the environment that apply to the sides of the section.
  ///
  /// Default: `.automatic`.
  public var contentInsetsReference = ContentInsetsReference.automatic
  /// The orthogonal scrolling behavior.
  ///
  /// Default: `.none`.
  ///
  /// The groups of a section that scrolls orthogonally follow each other along the cross axis of the layout. The
  /// section spans the layout's breadth and is as long as its groups; the insets at its sides scroll with the groups.
  public var orthogonalScrollingBehavior = OrthogonalScrollingBehavior.none
  /// How the section scrolls orthogonally: its deceleration, and whether it bounces.
  ///
  /// Default: automatic.
  public var orthogonalScrollingProperties = OrthogonalScrollingProperties()
  /// The headers, footers and other views at the edges of the section.
  public var boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem] = []
  /// Whether ``contentInsets`` apply to the boundary items across the scroll axis, as they do to the items.
  ///
  /// Default: true.
  public var supplementariesFollowContentInsets = true
  /// The insets of the environment that apply to the boundary items across the scroll axis.
  ///
  /// With `.none`, for example, a header spans the whole breadth while the items stay within the safe area. The
  /// section's own ``contentInsets`` apply in addition, unless ``supplementariesFollowContentInsets`` is false.
  ///
  /// Default: `.automatic`, the reference of the items: ``contentInsetsReference``.
  public var supplementaryContentInsetsReference = ContentInsetsReference.automatic
  /// The decoration views behind the section.
  public var decorationItems: [CollectionLayoutDecorationItem] = []
  /// A closure that is called with the visible items and views of the section each time they were laid out.
  public var visibleItemsInvalidationHandler: VisibleItemsHandler?
  /// The handlers of the end of scrolling and of updates, or nil if there are none.
  var handlers: SectionHandlers?

  /// Whether a decoration is behind the items, rather than behind the whole section.
  var hasItemsBackground: Bool { !decorationItems.isEmpty && decorationItems.contains { $0.coversItems } }

  /// Creates a section with rules for its items.
  init(content: any SectionContent) { self.content = content }

  /// The number that is added to the stacking order of items and boundary items, to place them in front of a
  /// background.
  var zIndexOffset: Int { decorationItems.isEmpty ? 0 : 1 }
}

extension CollectionLayoutSection {
  /// Creates a section that repeats a group until each of its items has a slot.
  ///
  /// For a group of k slots, item i has slot i mod k of repetition i / k. The items of an incomplete last group have
  /// the same slots as those of a complete one.
  public init(group: CollectionLayoutGroup) { self.init(content: GroupContent(group: group)) }
}

/// The behavior of a section that scrolls across the layout's scroll axis.
public enum OrthogonalScrollingBehavior: Hashable, Sendable {
  /// The section does not scroll orthogonally.
  case none
  /// Scrolling stops at any offset.
  case continuous
  /// Scrolling stops at the leading edge of a group.
  case continuousGroupLeadingBoundary
  /// Scrolling stops at multiples of the section's visible length.
  case paging
  /// Scrolling stops at the leading edge of a group, one group at a time.
  case groupPaging
  /// Scrolling stops where a group is centered, one group at a time.
  case groupPagingCentered
}

/// How a section scrolls across the layout's scroll axis.
public struct OrthogonalScrollingProperties: Hashable, Sendable {
  /// The rate at which a section decelerates after a swipe.
  public enum DecelerationRate: Hashable, Sendable {
    /// The fast rate for the paging behaviors, and that of the collection view's `scrollTuning` for the others.
    case automatic
    /// The normal rate.
    case normal
    /// The fast rate.
    case fast
  }

  /// Whether a section can be dragged beyond its ends and bounces there.
  public enum Bounce: Hashable, Sendable {
    /// The section bounces if the collection view's `scrollTuning` says so.
    case automatic
    /// The section bounces, also if the collection view does not.
    ///
    /// A section whose content fits does not scroll, and does not bounce.
    case always
    /// The section does not bounce.
    case never
  }

  /// The rate at which the section decelerates after a swipe.
  ///
  /// Default: `.automatic`.
  public var decelerationRate: DecelerationRate
  /// Whether the section can be dragged beyond its ends and bounces there.
  ///
  /// Default: `.automatic`. Content never bounces if motion is reduced.
  public var bounce: Bounce

  /// Creates properties.
  public init(decelerationRate: DecelerationRate = .automatic, bounce: Bounce = .automatic) {
    self.decelerationRate = decelerationRate
    self.bounce = bounce
  }
}

/// A view that decorates the layout and does not show content.
public struct CollectionLayoutDecorationItem: Hashable, Sendable {
  /// The name of the element kind.
  public var elementKind: String
  /// The distances between the edges of the section and the view, in points.
  ///
  /// - Precondition: All distances are finite and not negative. This is checked when the layout is solved.
  public var contentInsets = DirectionalEdgeInsets.zero
  /// The stacking order.
  ///
  /// The other elements of a section with a decoration have 1.
  public var zIndex = 0
  /// Whether the view is behind the items only, without the section's insets and boundary items.
  var coversItems = false

  private init(elementKind: String) { self.elementKind = elementKind }

  /// Returns a view behind a whole section, including its insets and boundary items.
  public static func background(elementKind: String) -> CollectionLayoutDecorationItem {
    CollectionLayoutDecorationItem(elementKind: elementKind)
  }

  /// Returns a view behind the items of a section, without its insets and boundary items.
  ///
  /// There is none behind an empty section, nor behind an item that is the header of a list.
  public static func itemsBackground(elementKind: String) -> CollectionLayoutDecorationItem {
    var item = CollectionLayoutDecorationItem(elementKind: elementKind)
    item.coversItems = true
    return item
  }
}
