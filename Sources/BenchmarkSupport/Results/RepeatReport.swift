/// Equal runs beside each other: whether what is counted repeats.
public struct RepeatReport: Sendable {
  /// A counted figure and what it came to in all runs.
  public struct Row: Hashable, Sendable {
    /// The figure's name.
    public let name: String
    /// What it is a number of.
    public let unit: FigureUnit
    /// Its readings, summed up.
    public let statistics: HistoryStatistics
    /// Whether every run had it.
    public let isComplete: Bool

    /// Whether all runs had it, and within what may differ.
    public var repeats: Bool { isComplete && statistics.spread <= FigureNature.tolerance }
  }

  /// The counted figures, in the order of the first run.
  public let rows: [Row]
  private let runs: Int

  /// Holds runs beside each other.
  ///
  /// - Complexity: O(f) for f figures of all runs.
  public init(_ documents: [FigureDocument]) {
    let counted = documents.flatMap(\.figures).filter { $0.nature == .counted }
    let readings = Dictionary(grouping: counted, by: \.name)
    var seen: Set<String> = []
    runs = documents.count
    rows = counted.filter { seen.insert($0.name).inserted }.compactMap { figure in
      let values = (readings[figure.name] ?? []).map(\.value)
      return HistoryStatistics(values).map {
        Row(name: figure.name, unit: figure.unit, statistics: $0, isComplete: values.count == documents.count)
      }
    }
  }

  /// The names of what does not repeat; where nothing was counted, that.
  public var failures: [String] { rows.isEmpty ? ["nothing was counted"] : rows.filter { !$0.repeats }.map(\.name) }

  /// The table and what it comes to, as Markdown.
  public var markdown: [String] {
    var table = MarkdownTable([
      ("figure", .left), ("least", .right), ("most", .right), ("spread", .right), ("verdict", .left),
    ])
    for row in rows {
      let all = row.statistics
      table.add([
        "`\(row.name)`", row.unit.text(all.least), row.unit.text(all.most), FigureText.percent(all.spread),
        row.repeats ? "repeats" : row.isComplete ? "**VARIES**" : "**NOT IN EVERY RUN**",
      ])
    }
    let widest = rows.map(\.statistics.spread).max() ?? 0
    return table.lines + [
      "",
      "\(FigureText.count(rows.count)) counted figures of \(runs) runs: \(rows.count { $0.repeats }) repeat within "
        + "\(FigureText.percent(FigureNature.tolerance)); the widest spread is \(FigureText.percent(widest)).",
    ]
  }
}
