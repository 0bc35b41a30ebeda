internal import DataStructures
public import Geometry

/// Where each item is, as four pure questions: the first and the last item in a rectangle, an item's frame, the extent;
/// and what an invalidation costs.
///
/// Items are counted through all sections. Frames are in points from the content's top left corner, as Doubles: they are
/// exact far beyond a billion points, where a Float would be off by whole pixels.
public protocol SolvedLayout: Sendable {
  /// What it was solved in.
  var environment: LayoutEnvironment { get }

  /// The items that it was solved for.
  var itemCounts: ItemCounts { get }

  /// The axis along which the content is longer than the viewport.
  var scrollAxis: Axis { get }

  /// The extent of the content in points.
  var contentSize: Size { get }

  /// Where a section begins along the scroll axis, its header with it, in points from where reading begins.
  ///
  /// - Precondition: There is such a section.
  func start(ofSection section: Int) -> Double

  /// The smallest index of an item that shares a point with a rectangle, or nothing.
  func firstItem(in rect: Rect) -> Int?

  /// The largest index of an item that shares a point with a rectangle, or nothing.
  func lastItem(in rect: Rect) -> Int?

  /// The frame of an item in points.
  ///
  /// - Precondition: There is such an item.
  func frame(ofItem index: Int) -> Rect

  /// What lies over what: cells with larger numbers lie over elements and cells with smaller ones.
  ///
  /// - Precondition: There is such an item.
  func zIndex(ofItem index: Int) -> Int

  /// Calls back with each run of items of which one or more share a point with a rectangle: ascending, apart.
  ///
  /// A layout with sections that scroll across has items outside the rectangle between two that are in it: a run ends
  /// there. Other layouts answer with one run.
  func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void)

  /// Adds the supplementary and decoration views that share a point with the viewport, those behind first.
  ///
  /// - Parameters:
  ///   - viewport: what is seen of the content; pinned views stand at its edges.
  ///   - list: what they are added to.
  func appendElements(in viewport: Rect, to list: inout [ElementAttributes])

  /// The attributes of a supplementary or decoration view, or nothing where there is none of that name.
  func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes?

  // MARK: What is not known at first

  /// Whether every place is final, as far as what is known now goes.
  var isSettled: Bool { get }

  /// Makes the places of what shares a point with a rectangle final.
  ///
  /// Called before a frame asks what is seen. Who keeps an anchor asks for its offset before and after.
  ///
  /// - Returns: whether anything moved.
  mutating func settle(in rect: Rect) -> Bool

  /// Makes more places final, the first that are not, at about the cost of a number of items.
  ///
  /// - Returns: whether anything moved.
  mutating func refine(atMost items: Int) -> Bool

  /// Takes the size in points that an item's cell prefers.
  ///
  /// A size that is no number, negative or infinite counts as the size that the item has.
  ///
  /// - Precondition: There is such an item.
  mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> SizeVerdict

  /// Takes the size in points that a supplementary view prefers, on the sides that its layout leaves to it.
  ///
  /// Nothing happens where there is no such view, or where it is not asked.
  mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> SizeVerdict

  /// Whether a supplementary view is asked for the size that it prefers.
  func asksForSize(ofElement element: ElementIdentity) -> Bool

  // MARK: Invalidation

  /// Whether an item's cell is asked for the size that it prefers.
  func asksForSize(ofItem index: Int) -> Bool

  /// What it would cost to take an invalidation in.
  func cost(of invalidation: LayoutInvalidation) -> InvalidationCost

  /// Takes in what changed.
  ///
  /// - Precondition: An update is one of the items that it was solved for.
  mutating func invalidate(_ invalidation: LayoutInvalidation)

  /// The frame in points that an item would have if it were put elsewhere, by what is known before it is; nothing changes.
  ///
  /// Of an item whose cell was asked how large it wants to be that size goes along. The rules of sections are those that
  /// they have now.
  ///
  /// - Parameters:
  ///   - index: the item.
  ///   - section: where it would be put.
  ///   - place: how many items of that section would stand before it.
  /// - Returns: nothing where there is no such place, and for the one where it stands.
  /// - Precondition: There is such an item.
  func frame(ofItem index: Int, movedTo section: Int, at place: Int) -> Rect?

  // MARK: Sections that scroll across

  /// The section that scrolls across, by its number, or nothing where it does not.
  func orthogonalSection(_ section: Int) -> OrthogonalSection?

  /// The section that scrolls across at a point of the content, if there is one.
  func orthogonalSection(at point: Point) -> OrthogonalSection?

  /// Scrolls a section across, as far as its content reaches; nothing happens where a section does not.
  ///
  /// - Parameter offset: points from the beginning of its content; beyond its ends while it is pulled there.
  mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int)

  /// Where a section that scrolls across comes to rest, by its behaviour; where a section does not, 0.
  ///
  /// - Parameters:
  ///   - section: which one.
  ///   - offset: where it rested before it was touched, in points from the beginning of its content.
  ///   - proposed: where it would come to a stop by itself.
  ///   - velocity: how fast it was let go, in points a second.
  func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double

  /// Whether a section has a handler for what is seen of it.
  var adjustsVisibleItems: Bool { get }

  /// What a client wants done to what is seen of a section: its handler, called after each question.
  func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect)
}

/// Layouts whose places are known at once and that have nothing but items.
extension SolvedLayout {
  /// Where its first item begins; an empty section begins where the item behind it does, or at the content's end.
  public func start(ofSection section: Int) -> Double {
    let first = itemCounts.items(inSection: section).lowerBound
    return first < itemCounts.total ? frame(ofItem: first).origin[scrollAxis] : contentSize[scrollAxis]
  }

  /// One run.
  public func visitItems(in rect: Rect, _ visit: (Range<Int>) -> Void) {
    let range = items(in: rect)
    if !range.isEmpty { visit(range) }
  }

  /// All lie in one plane.
  public func zIndex(ofItem index: Int) -> Int { 0 }

  /// There are none.
  public func appendElements(in viewport: Rect, to list: inout [ElementAttributes]) {}

  /// There are none.
  public func attributes(of element: ElementIdentity, in viewport: Rect) -> ElementAttributes? { nil }

  /// They are.
  public var isSettled: Bool { true }

  /// Nothing is left to do.
  public mutating func settle(in rect: Rect) -> Bool { false }

  /// Nothing is left to do.
  public mutating func refine(atMost items: Int) -> Bool { false }

  /// Cells are not asked.
  public mutating func setPreferredSize(_ size: Size, ofItem index: Int) -> SizeVerdict { .unchanged }

  /// Cells are not asked.
  public func asksForSize(ofItem index: Int) -> Bool { false }

  /// There are none.
  public mutating func setPreferredSize(_ size: Size, ofElement element: ElementIdentity) -> SizeVerdict { .unchanged }

  /// There are none.
  public func asksForSize(ofElement element: ElementIdentity) -> Bool { false }

  /// A copy takes the move in.
  ///
  /// - Complexity: O(s) for s sections, and that of a copy that takes one item's move in.
  public func frame(ofItem index: Int, movedTo section: Int, at place: Int) -> Rect? {
    guard let from = itemCounts.position(of: index),
      let update = LayoutUpdate(moving: from, to: (section, place), in: itemCounts)
    else { return nil }
    let size = frame(ofItem: index).size
    var moved = self
    moved.invalidate(.items(update))
    guard let index = moved.itemCounts.index(section: section, item: place) else { return nil }
    if moved.asksForSize(ofItem: index) { _ = moved.setPreferredSize(size, ofItem: index) }
    return moved.frame(ofItem: index)
  }

  /// There are none.
  public func restingOffset(
    ofSection section: Int, from offset: Double, proposed: Double, velocity: Double
  ) -> Double { 0 }

  /// There are none.
  public func orthogonalSection(_ section: Int) -> OrthogonalSection? { nil }

  /// There are none.
  public func orthogonalSection(at point: Point) -> OrthogonalSection? { nil }

  /// There are none.
  public mutating func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {}

  /// There is no handler.
  public var adjustsVisibleItems: Bool { false }

  /// There is no handler.
  public func adjustVisibleItems(_ items: inout [VisibleItem], in viewport: Rect) {}
}

extension SolvedLayout {
  /// The shortest range that holds every item that shares a point with a rectangle.
  ///
  /// - Complexity: That of the two questions it asks.
  public func items(in rect: Rect) -> Range<Int> {
    guard let first = firstItem(in: rect), let last = lastItem(in: rect) else { return 0..<0 }
    return first..<(last + 1)
  }

  /// The attributes of an item.
  ///
  /// - Precondition: There is such an item.
  public func attributes(ofItem index: Int) -> LayoutAttributes {
    LayoutAttributes(kind: .cell, index: index, frame: frame(ofItem: index), zIndex: zIndex(ofItem: index))
  }

  /// How much of the content is shown along the scroll axis, in points.
  public var viewportLength: Double { environment.containerSize[scrollAxis] }

  /// The largest offset at which the viewport shows nothing beyond the content, in points; at least 0.
  public var maximumOffset: Double { max(0, contentSize[scrollAxis] - viewportLength) }

  /// The part of the content that is shown at an offset along the scroll axis.
  public func visibleRect(at offset: Double) -> Rect {
    var rect = Rect(origin: .zero, size: environment.containerSize)
    rect.origin[scrollAxis] = offset
    return rect
  }

  /// The stretch of the content between two lines across the scroll axis, out to the sides without end.
  func region(from start: Double, to end: Double) -> Rect {
    // No item begins before 0, and a stretch that begins there ends exactly at its line.
    let far = 1e21
    let start = max(0, start)
    var rect = Rect(x: -far, y: -far, width: 2 * far, height: 2 * far)
    rect.origin[scrollAxis] = start
    rect.size[scrollAxis] = min(far, end) - start
    return rect
  }

  func demandItem(_ index: Int) {
    checkPrecondition((0..<itemCounts.total).contains(index), "There is no item \(index) among \(itemCounts.total).")
  }
}
