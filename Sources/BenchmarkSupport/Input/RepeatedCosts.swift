/// What the same steps cost in several equal runs, step by step: what the machine does besides makes one run dearer, and
/// the least is what the step itself costs.
public struct RepeatedCosts: Hashable, Sendable {
  private var least: [Double] = []

  /// No run.
  public init() {}

  /// Takes in a run: the costs of its steps, in order, as many as those of the first.
  public mutating func add(_ costs: [Double]) {
    least = least.isEmpty ? costs : zip(least, costs).map { min($0, $1) }
  }

  /// The least cost of each step that is not dearer than a share of all; nothing without steps.
  ///
  /// - Parameter share: 0 for the cheapest, 0.5 for the one in the middle, 1 for the dearest.
  /// - Complexity: O(s log s) for s steps.
  public func cost(at share: Double) -> Double? {
    let sorted = least.sorted()
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[max(0, min(sorted.count - 1, rank))]
  }
}
