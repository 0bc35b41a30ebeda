/// A bound that a figure is to keep.
public struct Aim: Hashable, Sendable {
  /// What is bounded.
  public enum Measure: Hashable, Sendable {
    /// Nanoseconds, from above.
    case time
    /// Bytes an item, from above.
    case bytes
    /// A number of things, from above.
    case count
    /// How many times faster than the yardstick, from below.
    case ratio
  }

  /// What is bounded.
  public let measure: Measure
  /// The bound itself, which still counts as kept.
  public let bound: Double

  /// Makes an aim.
  public init(_ measure: Measure, _ bound: Double) {
    self.measure = measure
    self.bound = bound
  }

  /// Whether a figure keeps the bound.
  public func isReached(by figure: Double) -> Bool { measure == .ratio ? figure >= bound : figure <= bound }

  /// The bound and what became of it, as `<= 5.00 µs reached`.
  public func verdict(on figure: Double) -> String {
    let text =
      switch measure {
      case .time: "<= " + FigureText.time(bound)
      case .bytes: "<= " + FigureText.bytes(bound)
      case .count: "<= " + FigureText.count(bound)
      case .ratio: ">= " + FigureText.ratio(bound)
      }
    return text + (isReached(by: figure) ? " reached" : " MISSED")
  }
}
