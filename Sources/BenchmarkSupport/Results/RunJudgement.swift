/// A run held against the thresholds of the tree.
public struct RunJudgement: Hashable, Sendable {
  /// Every figure that has a threshold, and every threshold that should have had a figure.
  public let rows: [JudgedFigure]
  /// Thresholds that such a run says nothing of.
  public let leftOut: Int
  private let run: BenchmarkRun

  /// How many earlier runs are looked at.
  public static let earlierRuns = 10

  /// Judges a run.
  ///
  /// - Parameters:
  ///   - run: which run it was.
  ///   - figures: what it found out.
  ///   - benchmarks: which benchmarks were run: thresholds of others are left alone.
  ///   - thresholds: the tree's thresholds.
  ///   - landed: the tree's history.
  ///   - history: this machine's history, without the run.
  ///   - isCounted: whether nothing was run but what counts instructions, calls and files.
  /// - Complexity: O(f t + r) for f figures, t thresholds and r runs of the histories.
  public init(
    _ run: BenchmarkRun, figures: [BenchmarkFigure], benchmarks: Set<String>, thresholds: ThresholdTable,
    landed: BenchmarkHistory, history: BenchmarkHistory, isCounted: Bool = false
  ) {
    var found: [Int: [BenchmarkFigure]] = [:]
    for figure in figures {
      if let place = thresholds.place(of: figure.name) { found[place, default: []].append(figure) }
    }
    var rows: [JudgedFigure] = []
    var leftOut = 0
    for (place, threshold) in thresholds.thresholds.enumerated() where benchmarks.contains(threshold.benchmark) {
      for figure in found[place] ?? [] {
        rows.append(
          JudgedFigure(
            name: figure.name, figure: figure, threshold: threshold, verdict: FigureVerdict(figure, threshold),
            landed: landed.last(figure.name),
            earlier: history.statistics(of: figure.name, like: run, last: RunJudgement.earlierRuns)))
      }
      guard found[place] == nil else { continue }
      if run.isQuick && !threshold.isQuick || isCounted && !threshold.isOfCounts {
        leftOut += 1
      } else {
        rows.append(
          JudgedFigure(
            name: threshold.figure, figure: nil, threshold: threshold, verdict: .absent, landed: nil, earlier: nil))
      }
    }
    (self.rows, self.leftOut, self.run) = (rows, leftOut, run)
  }

  /// The names of what failed.
  public var failures: [String] { rows.filter(\.verdict.fails).map(\.name) }

  /// Figures with a threshold that mean something on every machine: what is counted, and ratios within one run.
  public var lasting: [String: Double] {
    let figures = rows.compactMap(\.figure).filter { $0.nature != .measured }
    return Dictionary(figures.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The run, the table and what it comes to, as Markdown.
  public var markdown: [String] {
    var table = MarkdownTable(JudgedFigure.columns)
    for row in rows { table.add(row.row) }
    return [run.title, ""] + table.lines + ["", summary]
  }

  private var summary: String {
    let counts = FigureVerdict.allCases.map { verdict in (verdict, rows.count { $0.verdict == verdict }) }
    let words: [FigureVerdict: String] = [
      .kept: "kept", .missed: "missed", .beyond: "beyond and not judged", .absent: "not measured",
      .otherUnit: "in another unit",
    ]
    let parts = counts.filter { $0.1 > 0 }.map { "\(FigureText.count($0.1)) \(words[$0.0] ?? "")" }
    let more = leftOut > 0 ? "; \(leftOut) thresholds are for another kind of run" : ""
    let named = failures.isEmpty ? "" : " Failed: " + failures.map { "`\($0)`" }.joined(separator: ", ") + "."
    return "\(FigureText.count(rows.count)) figures: \(parts.joined(separator: ", "))\(more)." + named
  }
}
