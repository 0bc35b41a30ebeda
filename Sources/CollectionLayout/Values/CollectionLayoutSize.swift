public import Geometry

/// Both sides of an item, a group or a supplementary view.
///
/// Either side may refer to either side of the container: a height of `.fractionalWidth(1 / 3)` beside an equal width is
/// a square.
public struct CollectionLayoutSize: Hashable, Sendable {
  /// The width.
  public var width: CollectionLayoutDimension
  /// The height.
  public var height: CollectionLayoutDimension

  /// Makes a size.
  public init(width: CollectionLayoutDimension, height: CollectionLayoutDimension) {
    self.width = width
    self.height = height
  }

  /// The dimension along an axis.
  public subscript(axis: Axis) -> CollectionLayoutDimension {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }
}
