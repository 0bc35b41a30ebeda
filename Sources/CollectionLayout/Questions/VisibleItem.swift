public import Geometry

/// An item or another element that is seen, as a section's handler may change how it is shown.
///
/// Changes last until the next question; the layout never stores them.
public struct VisibleItem: Hashable, Sendable {
  /// What it is: a cell's item, counted through all sections, or another element.
  public enum Name: Hashable, Sendable {
    /// The cell of an item.
    case item(Int)
    /// A supplementary or decoration view.
    case element(ElementIdentity)
  }

  /// What it is.
  public let name: Name
  /// Where the layout has it, in the content's points.
  public let frame: Rect
  /// Its middle in the content's points; the element is moved there.
  public var center: Point
  /// What lies over what.
  public var zIndex: Int
  /// How much of what is behind it it hides, 0 to 1.
  public var alpha: Double
  /// How many times as large as the layout has it it is drawn, about its middle; the layout's place of it stays.
  ///
  /// There is no turning: what is drawn are upright rectangles.
  public var scale: Double
  /// Whether it is not shown at all.
  public var isHidden: Bool

  /// Makes an item as the layout has it.
  public init(name: Name, frame: Rect, zIndex: Int = 0) {
    self.name = name
    self.frame = frame
    center = Point(x: frame.midX, y: frame.midY)
    self.zIndex = zIndex
    alpha = 1
    scale = 1
    isHidden = false
  }
}
