/// A figure of one revision beside the same figure of another.
public struct FigureComparison: Hashable, Sendable {
  /// What became of a figure from the one to the other.
  public enum Verdict: String, Sendable {
    /// Counted, and equal within ``FigureNature/tolerance``.
    case same
    /// The readings of the two reach into each other.
    case withinSpread = "within the spread"
    /// Better by more than that.
    case better
    /// Worse by more than that.
    case worse = "**worse**"
    /// Not counted, and read too seldom to tell.
    case tooFew = "too few runs"
    /// The first revision has no such figure.
    case new = "new"
    /// The second has none.
    case gone
  }

  /// The figure's name.
  public let name: String
  /// What it is a number of.
  public let unit: FigureUnit
  /// How far it can be trusted.
  public let nature: FigureNature
  /// Its readings in the first revision, each run's.
  public let base: [Double]
  /// Its readings in the second.
  public let now: [Double]

  /// From how many readings of each side on a noisy figure is judged: with fewer, readings that are equally likely lie
  /// apart in more than one of twenty.
  public static let fewestReadings = 4

  /// Makes a comparison.
  public init(_ name: String, _ unit: FigureUnit, _ nature: FigureNature, base: [Double], now: [Double]) {
    (self.name, self.unit, self.nature, self.base, self.now) = (name, unit, nature, base, now)
  }

  /// What the second is of the first, median of median; nothing where one is missing or the first is 0.
  public var ratio: Double? {
    guard let base = HistoryStatistics(base), let now = HistoryStatistics(now), base.median != 0 else { return nil }
    return now.median / base.median
  }

  /// What became of it.
  public var verdict: Verdict {
    guard let base = HistoryStatistics(base) else { return .new }
    guard let now = HistoryStatistics(now) else { return .gone }
    let isBetter = unit.isBetterWhenMore ? now.median > base.median : now.median < base.median
    if nature == .counted {
      if abs(now.median - base.median) <= abs(base.median) * FigureNature.tolerance { return .same }
      return isBetter ? .better : .worse
    }
    if min(base.count, now.count) < FigureComparison.fewestReadings { return .tooFew }
    return base.overlaps(now) ? .withinSpread : isBetter ? .better : .worse
  }

  /// The row in the table.
  public var row: [String] {
    func text(_ readings: [Double]) -> String {
      guard let all = HistoryStatistics(readings) else { return "–" }
      guard nature != .counted, all.count > 1 else { return unit.text(all.median) }
      return "\(unit.text(all.median)) (\(unit.text(all.least)) – \(unit.text(all.most)))"
    }
    return ["`\(name)`", text(base), text(now), ratio.map { FigureText.exactRatio($0) } ?? "–", verdict.rawValue]
  }
}
