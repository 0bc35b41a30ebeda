/// Two revisions beside each other, figure by figure.
public struct ComparisonReport: Sendable {
  /// The figures that either has, in the order in which the second found them out, then those that it no longer has.
  public let rows: [FigureComparison]
  private let names: (base: String, now: String)

  /// Holds runs of two revisions beside each other.
  ///
  /// - Parameters:
  ///   - base: the first revision's name, and what each of its runs found out.
  ///   - now: the second's.
  /// - Complexity: O(f) for f figures of all runs.
  public init(base: (name: String, runs: [FigureDocument]), now: (name: String, runs: [FigureDocument])) {
    let (before, after) = (base.runs.flatMap(\.figures), now.runs.flatMap(\.figures))
    let (old, new) = (Dictionary(grouping: before, by: \.name), Dictionary(grouping: after, by: \.name))
    var seen: Set<String> = []
    rows = (after + before).filter { seen.insert($0.name).inserted }.map { figure in
      FigureComparison(
        figure.name, figure.unit, figure.nature, base: (old[figure.name] ?? []).map(\.value),
        now: (new[figure.name] ?? []).map(\.value))
    }
    names = (base.name, now.name)
  }

  /// The table and what it comes to, as Markdown.
  public var markdown: [String] {
    var table = MarkdownTable([
      ("figure", .left), (names.base, .right), (names.now, .right), ("ratio", .right), ("verdict", .left),
    ])
    for row in rows { table.add(row.row) }
    func count(_ verdict: FigureComparison.Verdict) -> Int { rows.count { $0.verdict == verdict } }
    let steady = count(.same) + count(.withinSpread)
    return table.lines + [
      "",
      "\(FigureText.count(rows.count)) figures: \(steady) the same, \(count(.better)) better, \(count(.worse)) worse, "
        + "\(count(.tooFew)) read too seldom, \(count(.new)) new, \(count(.gone)) gone.",
    ]
  }
}
