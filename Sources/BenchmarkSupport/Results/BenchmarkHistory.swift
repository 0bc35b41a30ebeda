/// Earlier runs, oldest first, as a file holds them: a line of JSON each.
public struct BenchmarkHistory: Hashable, Sendable {
  /// The runs.
  public let runs: [BenchmarkRun]
  /// Lines that are no runs, such as one that was not written to its end.
  public let unreadLines: Int

  /// Makes a history of runs.
  public init(_ runs: [BenchmarkRun] = []) { (self.runs, unreadLines) = (runs, 0) }

  /// Reads a file's text.
  ///
  /// - Complexity: O(c) for c characters.
  public init(_ text: String) {
    let lines = text.split(separator: "\n")
    runs = lines.compactMap { BenchmarkRun(line: $0) }
    unreadLines = lines.count - runs.count
  }

  /// Reads a file, which may be missing.
  ///
  /// - Throws: ``ResultError`` where it is there and cannot be read.
  public static func read(_ path: String) throws(ResultError) -> BenchmarkHistory {
    BenchmarkHistory(try ResultFile.text(of: path) ?? "")
  }

  /// A figure in the last run that has it.
  public func last(_ name: String) -> Double? { runs.last { $0.figures[name] != nil }?.figures[name] }

  /// A figure in the last runs on the same machine and of the same kind; nothing where there are none.
  ///
  /// - Parameters:
  ///   - name: the figure's name.
  ///   - run: the run that they are to be like.
  ///   - count: how many runs are looked at, at most.
  public func statistics(of name: String, like run: BenchmarkRun, last count: Int) -> HistoryStatistics? {
    HistoryStatistics(runs.filter { $0.isLike(run) }.compactMap { $0.figures[name] }.suffix(count))
  }
}
