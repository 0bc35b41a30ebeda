public import Geometry

/// Where an element is and what lies over what.
public struct LayoutAttributes: Hashable, Sendable {
  /// What it is.
  public var kind: ElementKind
  /// Which one of its kind: a cell's item, counted through all sections; for the others as their layout says.
  public var index: Int
  /// Its place in the content, in points.
  public var frame: Rect
  /// Elements with larger numbers lie over those with smaller ones.
  public var zIndex: Int

  /// Makes attributes.
  public init(kind: ElementKind, index: Int, frame: Rect, zIndex: Int = 0) {
    self.kind = kind
    self.index = index
    self.frame = frame
    self.zIndex = zIndex
  }
}
