/// A bound that figures are held against, as the tree keeps it.
public struct FigureThreshold: Hashable, Decodable, Sendable {
  /// On which side of a number figures are to be; the number itself is kept.
  public enum Bound: Hashable, Sendable {
    /// Not above it.
    case atMost(Double)
    /// Not below it.
    case atLeast(Double)
  }

  /// The names of the figures: a word `*` stands for any one word.
  public let figure: String
  /// What they are numbers of.
  public let unit: FigureUnit
  /// The bound.
  public let bound: Bound
  /// Whether a figure beyond it fails the run; what says more of the machine than of the program is shown and fails none.
  public let isSteady: Bool
  /// Whether a quick run has such figures.
  public let isQuick: Bool
  /// Where the bound comes from, in words.
  public let source: String

  private enum CodingKeys: String, CodingKey {
    case figure, unit, atMost, atLeast, steady, quick, source
  }

  /// Makes a threshold.
  public init(
    _ figure: String, _ unit: FigureUnit, _ bound: Bound, isSteady: Bool, isQuick: Bool = true, source: String = ""
  ) {
    (self.figure, self.unit, self.bound) = (figure, unit, bound)
    (self.isSteady, self.isQuick, self.source) = (isSteady, isQuick, source)
  }

  /// Reads a threshold: an object with `figure`, `unit`, one of `atMost` and `atLeast`, `steady`, `source`, and `quick`
  /// where it is not true.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    figure = try values.decode(String.self, forKey: .figure)
    unit = try values.decode(FigureUnit.self, forKey: .unit)
    isSteady = try values.decode(Bool.self, forKey: .steady)
    isQuick = try values.decodeIfPresent(Bool.self, forKey: .quick) ?? true
    source = try values.decode(String.self, forKey: .source)
    let most = try values.decodeIfPresent(Double.self, forKey: .atMost)
    let least = try values.decodeIfPresent(Double.self, forKey: .atLeast)
    switch (most, least) {
    case (let most?, nil): bound = .atMost(most)
    case (nil, let least?): bound = .atLeast(least)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .atMost, in: values, debugDescription: "\(figure) needs one of atMost and atLeast")
    }
  }

  /// The benchmark that finds the figures out.
  public var benchmark: String { BenchmarkFigure.benchmark(of: figure) }

  /// Whether it is of figures that are counted, and so the same in every run.
  public var isOfCounts: Bool { [.instructions, .calls, .files].contains(unit) }

  /// Whether it is of a figure with this name.
  public func matches(_ name: String) -> Bool {
    let (mine, others) = (figure.split(separator: "."), name.split(separator: "."))
    return mine.count == others.count && zip(mine, others).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// Whether a number keeps the bound.
  public func isKept(by value: Double) -> Bool {
    switch bound {
    case .atMost(let most): value <= most
    case .atLeast(let least): value >= least
    }
  }

  /// The bound as a table shows it.
  public var text: String {
    switch bound {
    case .atMost(let most): "≤ " + unit.text(most)
    case .atLeast(let least): "≥ " + unit.text(least)
    }
  }
}
