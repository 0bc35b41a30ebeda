public import Geometry
internal import DataStructures

/// One side of an item, a group or a supplementary view.
public struct CollectionLayoutDimension: Hashable, Sendable {
  /// How the side is found.
  public enum Rule: Hashable, Sendable {
    /// A share of the container's width.
    case fractionalWidth
    /// A share of the container's height.
    case fractionalHeight
    /// Points.
    case absolute
    /// Points until the cell was asked.
    case estimated
    /// Points until the cells were asked; then the largest among siblings that ask for the same.
    case uniformAcrossSiblings
  }

  /// How the side is found.
  public let rule: Rule
  /// The share, or points.
  public let value: Double

  private init(_ rule: Rule, _ value: Double) {
    checkPrecondition(
      value.isFinite && value >= 0,
      "A layout dimension was made of \(value). It must be a finite number that is not negative.")
    self.rule = rule
    self.value = value
  }

  /// A share of the width of the group or section that contains it.
  ///
  /// - Precondition: the share is finite and not negative. More than 1 is longer than the container, and is cut to it.
  public static func fractionalWidth(_ share: Double) -> CollectionLayoutDimension { .init(.fractionalWidth, share) }

  /// A share of the height of the group or section that contains it.
  ///
  /// - Precondition: that of ``fractionalWidth(_:)``.
  public static func fractionalHeight(_ share: Double) -> CollectionLayoutDimension { .init(.fractionalHeight, share) }

  /// A length in points.
  ///
  /// - Precondition: it is finite and not negative.
  public static func absolute(_ points: Double) -> CollectionLayoutDimension { .init(.absolute, points) }

  /// A length in points that holds until the cell tells its own.
  ///
  /// - Precondition: it is finite and not negative.
  public static func estimated(_ points: Double) -> CollectionLayoutDimension { .init(.estimated, points) }

  /// At least what each cell needs, and for all siblings in the same group what the largest of them needs; on the
  /// outermost group, the largest of the whole section.
  ///
  /// - Precondition: the estimate in points is finite and not negative.
  public static func uniformAcrossSiblings(estimate: Double) -> CollectionLayoutDimension {
    .init(.uniformAcrossSiblings, estimate)
  }

  /// Whether the cell is asked.
  public var isEstimated: Bool { rule == .estimated || rule == .uniformAcrossSiblings }

  /// Whether it is a share of a container's length along an axis.
  func isShare(of axis: Axis) -> Bool { rule == (axis == .horizontal ? .fractionalWidth : .fractionalHeight) }

  /// The side in points within a container; the estimate where the cell is asked.
  ///
  /// A share of more than 1 counts as 1; a length of 0 stays 0, and the solver gives it a pixel.
  public func length(in container: Size) -> Double {
    switch rule {
    case .fractionalWidth: container.width * min(value, 1)
    case .fractionalHeight: container.height * min(value, 1)
    case .absolute, .estimated, .uniformAcrossSiblings: value
    }
  }
}
