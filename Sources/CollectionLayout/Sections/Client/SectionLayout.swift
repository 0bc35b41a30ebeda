public import VitrineGeometry

/// A client's layout of the items of one section.
///
/// A layout has four requirements: ``prepare(itemCount:in:)``, ``contentLength``, ``frame(ofItem:)`` and
/// ``items(in:)``. The others have default implementations. Create a section with
/// ``CollectionLayoutSection/init(layout:breadth:)``: headers, footers, insets, backgrounds, orthogonal scrolling,
/// scroll anchors and the right-to-left reading direction come from the compositional layout.
///
/// Items are identified by their index in the section. Frames are in points from the top left corner of the section's
/// items, without insets, left to right. They are rounded to pixels edge by edge, so frames that share an edge have no
/// gap.
///
/// Answers may only change when ``prepare(itemCount:in:)``, ``update(_:adopting:)``, ``resize(to:adopting:)`` or
/// ``setPreferredSize(_:ofItem:)`` is called. An answer that violates a ``SectionLayoutRule`` is counted, reported once
/// and replaced by the nearest valid answer.
public protocol SectionLayout: Sendable {
  /// The type of the items in a rectangle.
  associatedtype Items: Sequence<Int> = [Int]

  /// Prepares the layout for a number of items.
  ///
  /// The method is called on a copy of the layout with which the section was created, before any query.
  ///
  /// - Parameters:
  ///   - itemCount: The number of items.
  ///   - environment: The space for the items.
  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment)

  /// The length of all items along the flow axis, in points.
  ///
  /// It is read after each change and must be finite and not negative.
  var contentLength: Double { get }

  /// Returns the frame of an item, in points.
  ///
  /// The frame is within ``contentLength`` along the flow axis and within the environment's breadth across it. Frames
  /// may overlap.
  func frame(ofItem item: Int) -> Rect

  /// Returns the items whose frames intersect a rectangle, each once and in any order.
  ///
  /// Items outside of the rectangle are ignored. At most 10,000 items are read for each screen that the rectangle covers,
  /// including those outside. For a long section, do not visit all items: the method is called for each new part of the
  /// viewport.
  func items(in rect: Rect) -> Items

  // MARK: - Requirements with default implementations

  /// Whether the sizes that cells prefer affect the layout.
  ///
  /// Default: false.
  var usesPreferredSizes: Bool { get }

  /// Changes the size of an item to the one that its cell prefers, in points.
  ///
  /// The method is called only if ``usesPreferredSizes`` is true. The sizes are stored, and passed again after the
  /// layout was prepared again for the same width. A size that changes a third time between two updates is fixed at the
  /// largest one.
  ///
  /// - Returns: Whether a frame or ``contentLength`` changed. By default, false.
  mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool

  /// Applies insertions, removals and data changes of items.
  ///
  /// - Parameters:
  ///   - edits: The edits, which may be empty.
  ///   - rules: The layout that the section provider returned for the new items, which is not prepared. Compare its
  ///     rules with those of this layout, and adopt the data of its items.
  /// - Returns: Whether the edits were applied. If not, the layout must not have changed, and `rules` is prepared for
  ///   the new items instead. By default, false.
  mutating func update(_ edits: SectionEdits, adopting rules: Self) -> Bool

  /// Adapts the layout to another environment with the same items.
  ///
  /// Implement it if not every frame changes with the size of the container, for example if a change of the visible
  /// length moves nothing.
  ///
  /// - Parameters:
  ///   - environment: The new space for the items.
  ///   - rules: The layout that the section provider returned for the new environment, which is not prepared.
  /// - Returns: Whether the layout was adapted and preferred sizes are kept. If not, `rules` is prepared for the new
  ///   environment and the visible cells are measured again. By default, false.
  mutating func resize(to environment: SectionLayoutEnvironment, adopting rules: Self) -> Bool

  /// Returns the item to which a key moves the focus, or nil to find the nearest item in that direction by its frame.
  ///
  /// Return the item itself if the focus must not move. By default, nil.
  ///
  /// - Parameters:
  ///   - item: The focused item.
  ///   - heading: The direction: up, down, or a page up or down.
  func item(from item: Int, _ heading: FocusHeading) -> Int?

  /// Returns the offset at which scrolling ends after a drag or a fling, for example one at which an item is centered.
  ///
  /// Offsets are in points along the flow axis, in reading direction. They are those of the environment's container: at
  /// 0 it begins where the items begin, and it shows the items from the offset to the offset plus
  /// ``SectionLayoutEnvironment/visibleLength``. An offset beyond an end of the content counts as that end.
  ///
  /// The method is called when a finger, a trackpad or the pointer releases the content, not while it moves. It is called
  /// for the section at the center of the viewport at the proposed offset; in a section that scrolls orthogonally, for
  /// that section, where it also applies to wheel notches and keys, and the proposed offset is that of the
  /// section's ``CollectionLayoutSection/orthogonalScrollingBehavior``. The delegate of the collection view may still
  /// change the result.
  ///
  /// No method is called for the offset after an update, for which UIKit has
  /// `targetContentOffset(forProposedContentOffset:)`: the first visible item stays in its place
  /// (``ContentAnchor``).
  ///
  /// - Parameters:
  ///   - proposed: The offset at which scrolling would end by itself.
  ///   - velocity: The velocity at the end of the gesture, in points per second, positive toward the end.
  /// - Returns: The offset. By default, the proposed one.
  func targetContentOffset(forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double) -> Double

  /// Returns the attributes from which an inserted item comes in an animated update.
  ///
  /// The method is called after the update, once for each inserted item on screen. The item moves from there to
  /// its frame. If another update interrupts the animation, the item continues from where it is.
  ///
  /// - Parameter item: The index of the item after the update.
  /// - Returns: The attributes, or nil if the item fades in and grows. By default, nil.
  func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes?

  /// Returns the attributes to which a deleted item goes in an animated update.
  ///
  /// The method is called before the update, while the layout still contains the item, once for each deleted item on
  /// screen. The item moves from where it is displayed to the attributes, and is gone when it arrives.
  ///
  /// - Parameter item: The index of the item before the update.
  /// - Returns: The attributes, or nil if the item fades out in its place. By default, nil.
  func finalLayoutAttributesForDisappearingItem(at item: Int) -> TransitionAttributes?
}

extension SectionLayout {
  /// False: sizes of cells do not affect the layout.
  public var usesPreferredSizes: Bool { false }

  /// Returns false: sizes of cells do not affect the layout.
  public mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool { false }

  /// Returns false: the layout is prepared again.
  public mutating func update(_ edits: SectionEdits, adopting rules: Self) -> Bool { false }

  /// Returns false: the layout is prepared again.
  public mutating func resize(to environment: SectionLayoutEnvironment, adopting rules: Self) -> Bool { false }

  /// Returns nil: the nearest item is found by its frame.
  public func item(from item: Int, _ heading: FocusHeading) -> Int? { nil }

  /// Returns the proposed offset.
  public func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { proposed }

  /// Returns nil: inserted items fade in and grow.
  public func initialLayoutAttributesForAppearingItem(at item: Int) -> TransitionAttributes? { nil }

  /// Returns nil: deleted items fade out.
  public func finalLayoutAttributesForDisappearingItem(at item: Int) -> TransitionAttributes? { nil }
}

/// The space in which a section layout places its items.
public struct SectionLayoutEnvironment: Hashable, Sendable {
  /// The size in points, without the insets of the section.
  ///
  /// Along the flow axis it is the visible length, which the items usually exceed.
  public let containerSize: Size
  /// The axis along which the items continue: the scroll axis, or the cross axis in an orthogonal section.
  public let flowAxis: Axis
  /// The space between groups, in points: ``CollectionLayoutSection/interGroupSpacing``.
  public let interGroupSpacing: Double
  /// The number of pixels per point.
  public let scale: DisplayScale

  /// Creates an environment.
  public init(
    containerSize: Size, flowAxis: Axis = .vertical, interGroupSpacing: Double = 0, scale: DisplayScale = .one
  ) {
    self.containerSize = containerSize
    self.flowAxis = flowAxis
    self.interGroupSpacing = interGroupSpacing
    self.scale = scale
  }

  /// The extent across the flow axis in points: the width of a section that scrolls vertically.
  public var breadth: Double { containerSize[flowAxis.cross] }

  /// The visible length along the flow axis in points.
  public var visibleLength: Double { containerSize[flowAxis] }
}

extension CollectionLayoutSection {
  /// Creates a section whose items a client's layout places.
  ///
  /// - Parameters:
  ///   - layout: The layout, not prepared.
  ///   - breadth: The extent of the items across the flow axis, at most that of the container. In an orthogonal section,
  ///     it is the section's length along the scroll axis. Default: nil, the extent of the container.
  public init(layout: some SectionLayout, breadth: CollectionLayoutDimension? = nil) {
    self.init(content: ClientContent(layout: layout, breadth: breadth))
  }
}
