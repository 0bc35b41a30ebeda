internal import DataStructures

/// Room to leave free: between the items of a group, or beside one.
public struct CollectionLayoutSpacing: Hashable, Sendable {
  /// The room in points; of a flexible one the least.
  public let points: Double
  /// Whether it grows where room is left over.
  public let isFlexible: Bool

  private init(_ points: Double, isFlexible: Bool) {
    checkPrecondition(
      points.isFinite && points >= 0,
      "A layout spacing was made of \(points). It must be a finite number that is not negative.")
    self.points = points
    self.isFlexible = isFlexible
  }

  /// Exactly so many points.
  ///
  /// - Precondition: they are finite and not negative.
  public static func fixed(_ points: Double) -> CollectionLayoutSpacing { .init(points, isFlexible: false) }

  /// At least so many points: all flexible spacings of a group share what room is left over equally.
  ///
  /// - Precondition: they are finite and not negative.
  public static func flexible(_ points: Double) -> CollectionLayoutSpacing { .init(points, isFlexible: true) }
}
