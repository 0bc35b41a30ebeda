internal import DataStructures
public import Geometry

/// Where each item is, as four pure questions: the first and the last item in a rectangle, an item's frame, the extent.
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

  /// The smallest index of an item that shares a point with a rectangle, or nothing.
  func firstItem(in rect: Rect) -> Int?

  /// The largest index of an item that shares a point with a rectangle, or nothing.
  func lastItem(in rect: Rect) -> Int?

  /// The frame of an item in points.
  ///
  /// - Precondition: There is such an item.
  func frame(ofItem index: Int) -> Rect
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
    LayoutAttributes(kind: .cell, index: index, frame: frame(ofItem: index))
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
    demand((0..<itemCounts.total).contains(index), "There is no item \(index) among \(itemCounts.total).")
  }
}
