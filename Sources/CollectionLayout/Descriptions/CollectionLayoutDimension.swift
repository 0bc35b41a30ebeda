internal import VitrineDataStructures
public import VitrineGeometry

/// The width or height of an item, a group or a supplementary view.
public struct CollectionLayoutDimension: Hashable, Sendable {
  /// The way a dimension is computed.
  public enum Rule: Hashable, Sendable {
    /// A fraction of the container's width.
    case fractionalWidth
    /// A fraction of the container's height.
    case fractionalHeight
    /// A length in points.
    case absolute
    /// An estimate in points that the preferred size of the cell replaces.
    case estimated
    /// An estimate in points that the preferred sizes of the cells replace; all siblings with this rule have the
    /// largest.
    case uniformAcrossSiblings
  }

  /// The way the dimension is computed.
  public let rule: Rule
  /// The fraction, or the length in points.
  public let value: Double

  private init(_ rule: Rule, _ value: Double) {
    checkPrecondition(
      value.isFinite && value >= 0,
      "A layout dimension was created with \(value). It must be a finite number that is not negative.")
    self.rule = rule
    self.value = value
  }

  /// Returns a fraction of the width of the containing group or section.
  ///
  /// - Precondition: The fraction is finite and not negative. A fraction greater than 1 counts as 1.
  public static func fractionalWidth(_ share: Double) -> CollectionLayoutDimension { .init(.fractionalWidth, share) }

  /// Returns a fraction of the height of the containing group or section.
  ///
  /// - Precondition: The fraction is finite and not negative. A fraction greater than 1 counts as 1.
  public static func fractionalHeight(_ share: Double) -> CollectionLayoutDimension { .init(.fractionalHeight, share) }

  /// Returns a length in points.
  ///
  /// - Precondition: The length is finite and not negative.
  public static func absolute(_ points: Double) -> CollectionLayoutDimension { .init(.absolute, points) }

  /// Returns an estimate in points, which is replaced by the length that the cell prefers.
  ///
  /// - Precondition: The estimate is finite and not negative.
  public static func estimated(_ points: Double) -> CollectionLayoutDimension { .init(.estimated, points) }

  /// Returns a dimension that is equal for all siblings: the largest length that one of their cells prefers.
  ///
  /// Siblings are the subitems of one group. On the outermost group, all groups of the section are siblings.
  ///
  /// - Parameter estimate: The length in points until a cell was measured.
  /// - Precondition: The estimate is finite and not negative.
  public static func uniformAcrossSiblings(estimate: Double) -> CollectionLayoutDimension {
    .init(.uniformAcrossSiblings, estimate)
  }

  /// Whether the preferred size of the cell determines the dimension.
  public var isEstimated: Bool { rule == .estimated || rule == .uniformAcrossSiblings }

  /// Returns whether the dimension is a fraction of a container's length along the given axis.
  func isShare(of axis: Axis) -> Bool { rule == (axis == .horizontal ? .fractionalWidth : .fractionalHeight) }

  /// Returns the length in points within the given container, or the estimate.
  ///
  /// A fraction greater than 1 counts as 1. A length of 0 is returned as is; the solver rounds it up to one pixel.
  public func length(in container: Size) -> Double {
    switch rule {
    case .fractionalWidth: container.width * min(value, 1)
    case .fractionalHeight: container.height * min(value, 1)
    case .absolute, .estimated, .uniformAcrossSiblings: value
    }
  }
}

/// The width and height of an item, a group or a supplementary view.
///
/// Each dimension may refer to either side of the container. For example, a height of `.fractionalWidth(1 / 3)` with an
/// equal width makes a square.
public struct CollectionLayoutSize: Hashable, Sendable {
  /// The width.
  public var width: CollectionLayoutDimension
  /// The height.
  public var height: CollectionLayoutDimension

  /// Creates a size with the given dimensions.
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
