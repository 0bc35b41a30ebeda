/// A place in an item that stands at a place in the viewport.
public struct ItemAnchor: Hashable, Sendable {
  /// The item, counted through all sections.
  public var item: Int
  /// The place in the item along the scroll axis: 0 is its beginning, 1 its end.
  public var itemUnit: Double
  /// The line of the viewport along the scroll axis: 0 is its beginning, 1 its end.
  public var viewportUnit: Double
  /// How many points the place lies behind the line.
  public var points: Double

  /// Makes an anchor.
  public init(item: Int, itemUnit: Double, viewportUnit: Double, points: Double = 0) {
    self.item = item
    self.itemUnit = itemUnit
    self.viewportUnit = viewportUnit
    self.points = points
  }

  /// Makes an anchor by which an item is to be brought into view.
  public init(item: Int, alignment: ScrollAlignment, points: Double = 0) {
    self.init(item: item, itemUnit: alignment.unit, viewportUnit: alignment.unit, points: points)
  }
}
