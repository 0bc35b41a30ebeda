/// What the documentation of an operation says of its complexity, in short.
public struct StatedCost: Hashable, Sendable {
  /// The short form, as `k log n`.
  public let text: String
  /// What that comes to when there are more items, and each call does as much as before.
  public let growth: CostGrowth

  /// Makes a statement of its short form and what that comes to.
  public init(_ text: String, _ growth: CostGrowth) {
    self.text = text
    self.growth = growth
  }

  /// A cost that hardly grows.
  public static func flat(_ text: String) -> StatedCost { StatedCost(text, .flat) }

  /// A cost in proportion to the items.
  public static func linear(_ text: String) -> StatedCost { StatedCost(text, .linear) }

  /// A cost in proportion to the items, times a logarithm.
  public static func linearithmic(_ text: String) -> StatedCost { StatedCost(text, .linearithmic) }
}
