/// Takes in what a benchmark finds out, beside the tables that it prints.
///
/// A reference: the programs are values, and hand it on to what measures for them.
public final class FigureRecorder {
  /// The figures in the order in which they came.
  public private(set) var figures: [BenchmarkFigure] = []
  private var names: Set<String> = []

  /// Makes an empty recorder.
  public init() {}

  /// Takes in a figure.
  ///
  /// What is not there, or is no finite number, is left out, and so is what came before under the same name.
  ///
  /// - Parameters:
  ///   - words: the name's words, the benchmark's first.
  ///   - value: the number.
  ///   - unit: what it is a number of.
  ///   - nature: how far it can be trusted.
  public func add(_ words: [String], _ value: Double?, _ unit: FigureUnit, _ nature: FigureNature) {
    guard let value, value.isFinite else { return }
    let name = BenchmarkFigure.name(words)
    guard names.insert(name).inserted else { return }
    figures.append(BenchmarkFigure(name, value, unit, nature))
  }
}
