internal import DataStructures
public import Geometry

/// A point of a rectangle: one of its corners, the middle of one of its edges or its own middle, moved by an offset.
public struct CollectionLayoutAnchor: Hashable, Sendable {
  /// Edges of a rectangle; along an axis of which none or both are named, the middle is meant.
  public struct Edges: OptionSet, Hashable, Sendable {
    /// The edges as bits.
    public let rawValue: UInt8

    /// Makes edges from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The edge at which lines begin: left where one reads to the right.
    public static let leading = Edges(rawValue: 1)
    /// The top edge.
    public static let top = Edges(rawValue: 2)
    /// The edge at which lines end.
    public static let trailing = Edges(rawValue: 4)
    /// The bottom edge.
    public static let bottom = Edges(rawValue: 8)
  }

  /// How far an anchor is moved: to the right where one reads to the right, and down.
  public enum Offset: Hashable, Sendable {
    /// By points.
    case absolute(Point)
    /// By shares of the supplementary view's own size.
    case fractional(Point)
  }

  /// Which point of the rectangle.
  public let edges: Edges
  /// How far from it.
  public let offset: Offset

  /// Makes an anchor at a point of the rectangle.
  public init(edges: Edges) { self.init(edges, .absolute(.zero)) }

  /// Makes an anchor that is moved by points.
  ///
  /// - Precondition: they are finite.
  public init(edges: Edges, absoluteOffset: Point) { self.init(edges, .absolute(absoluteOffset)) }

  /// Makes an anchor that is moved by shares of the supplementary view's own size.
  ///
  /// - Precondition: they are finite.
  public init(edges: Edges, fractionalOffset: Point) { self.init(edges, .fractional(fractionalOffset)) }

  private init(_ edges: Edges, _ offset: Offset) {
    switch offset {
    case .absolute(let point), .fractional(let point):
      checkPrecondition(
        point.x.isFinite && point.y.isFinite,
        "A layout anchor was moved by \(point.x), \(point.y). Both must be finite numbers.")
    }
    self.edges = edges
    self.offset = offset
  }

  /// Where along an axis of a rectangle the point is, as a share of its length.
  func unit(_ axis: Axis) -> Double {
    let (first, last): (Edges, Edges) = axis == .horizontal ? (.leading, .trailing) : (.top, .bottom)
    if edges.contains(first) == edges.contains(last) { return 0.5 }
    return edges.contains(first) ? 0 : 1
  }
}
