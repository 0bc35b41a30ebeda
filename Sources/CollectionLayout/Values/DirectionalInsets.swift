/// Distances inwards from four edges, in points; leading is where reading begins.
public struct DirectionalInsets: Hashable, Sendable {
  /// From the top edge.
  public var top: Double
  /// From the edge at which lines begin: left where one reads to the right.
  public var leading: Double
  /// From the bottom edge.
  public var bottom: Double
  /// From the edge at which lines end.
  public var trailing: Double

  /// No distance.
  public static let zero = DirectionalInsets()

  /// Makes insets from their distances.
  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }

  /// The same distance from each edge.
  public init(all distance: Double) {
    self.init(top: distance, leading: distance, bottom: distance, trailing: distance)
  }
}
