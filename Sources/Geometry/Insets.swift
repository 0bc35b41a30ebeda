/// Distances inwards from the four edges of a rectangle, in points.
public struct Insets: Hashable, Sendable {
  /// From the top edge.
  public var top: Double
  /// From the left edge.
  public var left: Double
  /// From the bottom edge.
  public var bottom: Double
  /// From the right edge.
  public var right: Double

  /// No distance.
  public static let zero = Insets(uniform: 0)

  /// Makes insets from their distances.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same distance from each edge.
  public init(uniform distance: Double) {
    self.init(top: distance, left: distance, bottom: distance, right: distance)
  }
}
