/// A number that a benchmark found out, by its name.
public struct BenchmarkFigure: Hashable, Codable, Sendable {
  /// The name: the benchmark, then ever narrower words, with points between them, such as
  /// `scroll.offset-only.1000.instructions`.
  public let name: String
  /// The number.
  public let value: Double
  /// What it is a number of.
  public let unit: FigureUnit
  /// How far it can be trusted.
  public let nature: FigureNature

  /// Makes a figure.
  public init(_ name: String, _ value: Double, _ unit: FigureUnit, _ nature: FigureNature) {
    (self.name, self.value, self.unit, self.nature) = (name, value, unit, nature)
  }

  /// The benchmark that finds it out: the first word of its name.
  public var benchmark: String { BenchmarkFigure.benchmark(of: name) }

  /// The number and what it is of, as a table shows it.
  public var text: String { unit.text(value) }

  /// The first word of a name.
  public static func benchmark(of name: String) -> String { String(name.prefix { $0 != "." }) }

  /// A name of several words; what is neither a letter of ASCII nor a digit becomes a hyphen in each of them.
  public static func name(_ words: [String]) -> String { words.map(word).joined(separator: ".") }

  private static func word(_ text: String) -> String {
    String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
