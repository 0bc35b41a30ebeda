internal import VitrineDataStructures
public import VitrineGeometry

/// A layout that was solved for an environment and items, and answers queries about frames.
///
/// The main queries are pure functions: the first and last item in a rectangle, the frame of an item, the content size,
/// and the cost of an invalidation.
///
/// Items are identified by their index across all sections. Frames are in points from the top left corner of the
/// content, as Double values: they are exact far beyond a billion points, where Float is wrong by whole pixels.
public protocol SolvedLayout: Sendable {
  /// The environment for which the layout was solved.
  var environment: LayoutEnvironment { get }

  /// The number of items in each section.
  var itemCounts: ItemCounts { get }

  /// The axis along which the content scrolls.
  var scrollAxis: Axis { get }

  /// The size of the content in points.
  var contentSize: Size { get }

  /// Returns the start of a section, including its header, along the scroll axis, in points in reading direction.
  ///
  /// - Precondition: The section exists.
  func start(ofSection section: Int) -> Double

  /// Returns the smallest index of an item that intersects a rectangle, or nil if there is none.
  func firstItem(in rect: Rect) -> Int?

  /// Returns the largest index of an item that intersects a rectangle, or nil if there is none.
  func lastItem(in rect: Rect) -> Int?

  /// Returns the frame of an item in points.
  ///
  /// - Precondition: The item exists.
  func frame(ofItem index: Int) -> Rect

  /// Returns the stacking order of an item's cell; cells and views with larger numbers are in front.
  ///
  /// - Precondition: The item exists.
  func zIndex(ofItem index: Int) -> Int

  /// Calls a closure with each run of items that intersect a rectangle, as ascending disjoint ranges.
  ///
  /// A section that scrolls orthogonally has hidden items between visible ones, where a run ends. Other layouts have a
  /// single run.
  func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void)

  /// Appends the supplementary and decoration views that intersect the viewport, from back to front.
  ///
  /// - Parameters:
  ///   - viewport: The visible part of the content, which determines the frames of pinned views.
  ///   - list: The array to which the views are appended.
  func appendElements(in viewport: Rect, to list: inout [ElementAttributes])

  /// Returns the attributes of a supplementary or decoration view, or nil if there is no such view.
  func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes?

  /// Sets the distances of pinned views from the edges of the viewport, for example for bars that cover it.
  ///
  /// - Parameters:
  ///   - start: The distance from the viewport's top or left edge, in points.
  ///   - end: The distance from the viewport's bottom or right edge, in points.
  mutating func setPinningInsets(start: Double, end: Double)

  // MARK: - Estimated frames and preferred sizes

  /// Whether all frames are final with the sizes that are known.
  var areFramesFinal: Bool { get }

  /// Finalizes the frames of all elements that intersect a rectangle.
  ///
  /// Call it before querying what is visible. To keep an anchor in place, compare its offset before and after the call.
  ///
  /// - Returns: Whether anything moved.
  mutating func finalizeFrames(in rect: Rect) -> Bool

  /// Finalizes more frames, starting with the first that are estimated.
  ///
  /// - Parameter items: The budget, as a number of items.
  /// - Returns: Whether anything moved.
  mutating func finalizeFrames(itemBudget items: Int) -> Bool

  /// Records the size in points that an item's cell prefers.
  ///
  /// A side that is NaN, negative or infinite counts as the current length.
  ///
  /// - Precondition: The item exists.
  mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> PreferredSizeResult

  /// Begins another burst of size changes, because sizes settled.
  ///
  /// A size that alternates within a burst is fixed.
  mutating func sizesDidSettle()

  /// Permits the size of an item that was fixed to change again.
  ///
  /// - Precondition: The item exists.
  mutating func unfreezeSize(ofItem index: Int)

  /// Records the size in points that a supplementary view prefers, for its estimated dimensions.
  ///
  /// Does nothing if there is no such view or its size is not estimated.
  mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> PreferredSizeResult

  /// Returns whether the preferred size of a supplementary view affects the layout.
  func usesPreferredSize(ofElement element: ElementIdentity) -> Bool

  // MARK: - Invalidation

  /// Returns whether the preferred size of an item's cell affects the layout.
  func usesPreferredSize(ofItem index: Int) -> Bool

  /// Returns the cost of an invalidation.
  func cost(of invalidation: LayoutInvalidation) -> InvalidationCost

  /// Updates the layout after a change.
  ///
  /// - Precondition: An update is consistent with the items of the layout.
  mutating func invalidate(_ invalidation: LayoutInvalidation)

  /// Returns the frame in points that an item would have after a move, without changing the layout.
  ///
  /// A measured size moves with the item. The rules of the sections are not requested again.
  ///
  /// - Parameters:
  ///   - index: The index of the item across all sections.
  ///   - section: The target section.
  ///   - newItem: The number of items of the target section that precede the item after the move.
  /// - Returns: The frame, or nil if the target does not exist or is the item's current position.
  /// - Precondition: The item exists.
  func frame(ofItem index: Int, movedTo section: Int, at newItem: Int) -> Rect?

  // MARK: - Orthogonal sections

  /// Returns the state of a section that scrolls orthogonally, or nil if it does not.
  func orthogonalSection(_ section: Int) -> OrthogonalSection?

  /// Returns the orthogonal section at a point of the content, or nil if there is none.
  func orthogonalSection(at point: Point) -> OrthogonalSection?

  /// Scrolls an orthogonal section.
  ///
  /// Does nothing if the section does not scroll orthogonally.
  ///
  /// - Parameters:
  ///   - offset: The offset in points from the start of the section's content. It may be out of bounds while the user
  ///     drags the content beyond its ends.
  ///   - section: The index of the section.
  mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int)

  /// Returns the offset at which an orthogonal section comes to rest, or 0 if the section does not scroll orthogonally.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - offset: The resting offset before the gesture, in points from the start of the section's content.
  ///   - proposed: The offset at which scrolling would end by itself.
  ///   - velocity: The velocity at the end of the gesture, in points per second.
  func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double

  // MARK: - Backgrounds of items

  /// Whether a section has a background of its items.
  var hasItemsBackgrounds: Bool { get }

  /// Returns the ends of the background of a section's items at which an item is, or nil if the item has none behind it.
  ///
  /// - Precondition: The item exists.
  func backgroundEnds(ofItem index: Int) -> BackgroundEnds?

  // MARK: - The end of scrolling, and updates

  /// Whether the layout may change the offset at which scrolling ends.
  var adjustsTargetContentOffset: Bool { get }

  /// Returns the offset at which scrolling ends after a drag or a fling.
  ///
  /// - Parameters:
  ///   - proposed: The offset at which scrolling would end by itself, in points of the content, inside the view's content
  ///     inset.
  ///   - velocity: The velocity at the end of the gesture, in points per second.
  func targetContentOffset(forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double) -> Double

  /// Returns the attributes from which an element appears in an animated update, or nil for the default.
  ///
  /// - Parameters:
  ///   - element: The element, which the layout contains.
  ///   - frame: The frame of the element, to which it moves.
  func initialLayoutAttributes(forAppearing element: VisibleItem.Name, at frame: Rect) -> TransitionAttributes?

  /// Returns the attributes to which an element disappears in an animated update, or nil for the default.
  ///
  /// - Parameters:
  ///   - element: The element, which the layout still contains.
  ///   - frame: The frame of the element.
  func finalLayoutAttributes(forDisappearing element: VisibleItem.Name, at frame: Rect) -> TransitionAttributes?

  // MARK: - Navigation and violations

  /// Returns the item to which a key moves the focus from another item, or nil if there is none in that direction.
  ///
  /// - Parameters:
  ///   - index: The index of the focused item across all sections.
  ///   - move: The direction of the move.
  ///   - across: The cross position in points, or nil for the center of the focused item.
  /// - Precondition: The item exists.
  func item(from index: Int, _ move: FocusHeading, across: Double?) -> Int?

  /// Returns the number of violations of rules by section layouts since the last call, and the first violation of each
  /// rule once.
  func drainViolations() -> (count: Int, first: [SectionLayoutViolation])

  /// Whether a section has a handler for its visible items.
  var adjustsVisibleItems: Bool { get }

  /// Calls the handlers of the sections with their visible items.
  func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect)
}

// MARK: - Default implementations

/// Default implementations for layouts whose frames are final and that contain only items.
extension SolvedLayout {
  /// Returns the start of the section's first item.
  ///
  /// An empty section starts at the next item or the end of the content.
  public func start(ofSection section: Int) -> Double {
    let first = itemCounts.items(inSection: section).lowerBound
    return first < itemCounts.total ? frame(ofItem: first).origin[scrollAxis] : contentSize[scrollAxis]
  }

  /// Calls the closure with a single run.
  public func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void) {
    let range = items(in: rect)
    if !range.isEmpty { visit(range) }
  }

  /// Returns 0 for all items.
  public func zIndex(ofItem index: Int) -> Int { 0 }

  /// Does nothing: there are no views.
  public func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {}

  /// Returns nil: there are no views.
  public func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes? { nil }

  /// Does nothing: there are no pinned views.
  public mutating func setPinningInsets(start: Double, end: Double) {}

  /// True.
  public var areFramesFinal: Bool { true }

  /// Does nothing and returns false.
  public mutating func finalizeFrames(in rect: Rect) -> Bool { false }

  /// Does nothing and returns false.
  public mutating func finalizeFrames(itemBudget items: Int) -> Bool { false }

  /// Returns `.unchanged`: cells are not measured.
  public mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> PreferredSizeResult { .unchanged }

  /// Does nothing: cells are not measured.
  public mutating func sizesDidSettle() {}

  /// Does nothing: cells are not measured.
  public mutating func unfreezeSize(ofItem index: Int) {}

  /// Returns false: cells are not measured.
  public func usesPreferredSize(ofItem index: Int) -> Bool { false }

  /// Returns `.unchanged`: there are no views.
  public mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> PreferredSizeResult {
    .unchanged
  }

  /// Returns false: there are no views.
  public func usesPreferredSize(ofElement element: ElementIdentity) -> Bool { false }

  /// Returns the frame in a copy of the layout in which the item was moved.
  ///
  /// - Complexity: O(s) for s sections, plus that of updating a copy with the move of one item.
  public func frame(ofItem index: Int, movedTo section: Int, at newItem: Int) -> Rect? {
    guard let from = itemCounts.position(of: index),
      let update = LayoutUpdate(moving: from, to: (section, newItem), in: itemCounts)
    else { return nil }
    let size = frame(ofItem: index).size
    var moved = self
    moved.invalidate(.items(update))
    guard let index = moved.itemCounts.index(section: section, item: newItem) else { return nil }
    if moved.usesPreferredSize(ofItem: index) { _ = moved.setPreferredSize(size, ofItem: index) }
    return moved.frame(ofItem: index)
  }

  /// Returns 0: there are no orthogonal sections.
  public func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double { 0 }

  /// Returns nil: there are no orthogonal sections.
  public func orthogonalSection(_ section: Int) -> OrthogonalSection? { nil }

  /// Returns nil: there are no orthogonal sections.
  public func orthogonalSection(at point: Point) -> OrthogonalSection? { nil }

  /// Does nothing: there are no orthogonal sections.
  public mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {}

  /// False: there are no backgrounds.
  public var hasItemsBackgrounds: Bool { false }

  /// Returns nil: there are no backgrounds.
  public func backgroundEnds(ofItem index: Int) -> BackgroundEnds? { nil }

  /// False: scrolling ends where it ends by itself.
  public var adjustsTargetContentOffset: Bool { false }

  /// Returns the proposed offset.
  public func targetContentOffset(
    forProposedContentOffset proposed: Double, withScrollingVelocity velocity: Double
  ) -> Double { proposed }

  /// Returns nil: elements fade in.
  public func initialLayoutAttributes(
    forAppearing element: VisibleItem.Name, at frame: Rect
  ) -> TransitionAttributes? { nil }

  /// Returns nil: elements fade out.
  public func finalLayoutAttributes(
    forDisappearing element: VisibleItem.Name, at frame: Rect
  ) -> TransitionAttributes? { nil }

  /// Returns the nearest item in the next row in that direction.
  public func item(from index: Int, _ move: FocusHeading, across: Double?) -> Int? {
    rowItem(from: index, move, across: across)
  }

  /// Returns no violations: there are no section layouts.
  public func drainViolations() -> (count: Int, first: [SectionLayoutViolation]) { (0, []) }

  /// False: there are no handlers.
  public var adjustsVisibleItems: Bool { false }

  /// Does nothing: there are no handlers.
  public func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect) {}
}

// MARK: - Derived queries

extension SolvedLayout {
  /// Returns the shortest range that contains all items that intersect a rectangle.
  ///
  /// - Complexity: That of a query of the layout, for all items in the rectangle.
  public func items(in rect: Rect) -> Range<Int> {
    var range: Range<Int>?
    visitItems(in: rect) { run in
      range = range.map { min($0.lowerBound, run.lowerBound)..<max($0.upperBound, run.upperBound) } ?? run
    }
    return range ?? 0..<0
  }

  /// Returns the attributes of an item.
  ///
  /// - Precondition: The item exists.
  public func attributes(ofItem index: Int) -> LayoutAttributes {
    LayoutAttributes(kind: .cell, index: index, frame: frame(ofItem: index), zIndex: zIndex(ofItem: index))
  }

  /// The length of the viewport along the scroll axis, in points.
  public var viewportLength: Double { environment.containerSize[scrollAxis] }

  /// The largest offset at which the viewport does not extend beyond the content, in points, at least 0.
  public var maximumOffset: Double { max(0, contentSize[scrollAxis] - viewportLength) }

  /// Returns the visible part of the content at an offset along the scroll axis.
  public func visibleRect(at offset: Double) -> Rect {
    var rect = Rect(origin: .zero, size: environment.containerSize)
    rect.origin[scrollAxis] = offset
    return rect
  }

  /// Returns the region of the content between two lines across the scroll axis, unbounded along the cross axis.
  func region(from start: Double, to end: Double) -> Rect {
    // No item starts before 0. A region that starts there ends exactly at its line.
    let limit = 1e21
    let start = max(0, start)
    var rect = Rect(x: -limit, y: -limit, width: 2 * limit, height: 2 * limit)
    rect.origin[scrollAxis] = start
    rect.size[scrollAxis] = min(limit, end) - start
    return rect
  }

  func checkItem(_ index: Int) {
    checkPrecondition((0..<itemCounts.total).contains(index), "There is no item \(index) among \(itemCounts.total).")
  }
}

// MARK: - Results of queries

/// The effect of recording a preferred size.
public enum PreferredSizeResult: Hashable, Sendable {
  /// Nothing moved: the size is not estimated, or did not change.
  case unchanged
  /// The layout changed.
  case changed
  /// The size changed too often.
  ///
  /// It is fixed at the largest requested length, in points along the scroll axis, and later preferred sizes are
  /// ignored.
  case frozen(Double)
}

/// The ends of the background of a section's items at which an item is.
public struct BackgroundEnds: OptionSet, Hashable, Sendable {
  /// The ends as a bit mask.
  public let rawValue: UInt8

  /// Creates a set of ends from a bit mask.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item is the first one in front of the background.
  public static let first = BackgroundEnds(rawValue: 1)
  /// The item is the last one in front of the background.
  public static let last = BackgroundEnds(rawValue: 2)
}

/// The state of a section that scrolls across the layout's scroll axis.
public struct OrthogonalSection: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The visible part of the section's content, in points.
  public var frame: Rect
  /// The axis along which the section scrolls.
  public var axis: Axis
  /// The length of the section's content along that axis, in points.
  public var contentLength: Double
  /// The current offset in points.
  public var offset: Double
  /// The scrolling behavior.
  public var behavior: OrthogonalScrollingBehavior
  /// The deceleration, and whether the section bounces.
  public var properties: OrthogonalScrollingProperties

  /// Creates a description of an orthogonal section.
  public init(
    section: Int, frame: Rect, axis: Axis, contentLength: Double, offset: Double,
    behavior: OrthogonalScrollingBehavior, properties: OrthogonalScrollingProperties = OrthogonalScrollingProperties()
  ) {
    self.section = section
    self.frame = frame
    self.axis = axis
    self.contentLength = contentLength
    self.offset = offset
    self.behavior = behavior
    self.properties = properties
  }

  /// The largest offset at which the section does not show anything beyond its content, in points, at least 0.
  public var maximumOffset: Double { max(0, contentLength - frame.size[axis]) }
}
