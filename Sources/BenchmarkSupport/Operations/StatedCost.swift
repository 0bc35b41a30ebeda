/// What the documentation of an operation says of its complexity, in short.
public struct StatedCost: Hashable, Sendable {
  /// The short form, as `k log n`.
  public let text: String
  /// What that comes to when there are more items, and each call does as much as before.
  public let growth: CostGrowth
  /// From how many items on that is so: where a stated constant is reached that small values fall short of.
  public let settledFrom: Int

  /// Makes a statement of its short form and what that comes to.
  public init(_ text: String, _ growth: CostGrowth, settledFrom: Int = 0) {
    self.text = text
    self.growth = growth
    self.settledFrom = settledFrom
  }

  /// A cost that hardly grows.
  public static func flat(_ text: String, settledFrom: Int = 0) -> StatedCost {
    StatedCost(text, .flat, settledFrom: settledFrom)
  }

  /// A cost in proportion to the items.
  public static func linear(_ text: String) -> StatedCost { StatedCost(text, .linear) }

  /// A cost in proportion to the items, times a logarithm.
  public static func linearithmic(_ text: String) -> StatedCost { StatedCost(text, .linearithmic) }
}
