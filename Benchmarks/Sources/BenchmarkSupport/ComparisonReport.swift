/// A figure-by-figure comparison of two revisions.
public struct ComparisonReport: Sendable {
  /// The figures of either revision: those of the second in the order of measurement, then those that only the first
  /// has.
  public let rows: [FigureComparison]
  private let names: (base: String, now: String)

  /// Compares the runs of two revisions.
  ///
  /// - Parameters:
  ///   - base: The first revision's name and the figures of each of its runs.
  ///   - now: The second revision's name and the figures of each of its runs.
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

  /// The table and a summary line, as Markdown.
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

/// A comparison of one figure between two revisions.
public struct FigureComparison: Hashable, Sendable {
  /// The outcome of the comparison.
  public enum Verdict: String, Sendable {
    /// A counted figure, equal within ``FigureNature/tolerance``.
    case same
    /// The ranges of the readings overlap.
    case withinSpread = "within the spread"
    /// The second revision is better by more than that.
    case better
    /// The second revision is worse by more than that.
    case worse = "**worse**"
    /// A figure that is not counted and has too few readings for a verdict.
    case tooFew = "too few runs"
    /// The first revision does not have the figure.
    case new = "new"
    /// The second revision does not have the figure.
    case gone
  }

  /// The figure's name.
  public let name: String
  /// The unit of the readings.
  public let unit: FigureUnit
  /// How reproducible the readings are.
  public let nature: FigureNature
  /// The readings in the first revision, one per run.
  public let base: [Double]
  /// The readings in the second revision, one per run.
  public let now: [Double]

  /// The minimum number of readings of each side for a verdict on a noisy figure.
  ///
  /// With fewer, the ranges of readings from one distribution are disjoint more often than once in twenty comparisons.
  public static let minimumReadings = 4

  /// Creates a comparison.
  public init(_ name: String, _ unit: FigureUnit, _ nature: FigureNature, base: [Double], now: [Double]) {
    (self.name, self.unit, self.nature, self.base, self.now) = (name, unit, nature, base, now)
  }

  /// The median of the second revision divided by the median of the first, or nil if one is missing or the first is 0.
  public var ratio: Double? {
    guard let base = HistoryStatistics(base), let now = HistoryStatistics(now), base.median != 0 else { return nil }
    return now.median / base.median
  }

  /// The outcome of the comparison.
  public var verdict: Verdict {
    guard let base = HistoryStatistics(base) else { return .new }
    guard let now = HistoryStatistics(now) else { return .gone }
    let isBetter = unit.isBetterWhenMore ? now.median > base.median : now.median < base.median
    if nature == .counted {
      if abs(now.median - base.median) <= abs(base.median) * FigureNature.tolerance { return .same }
      return isBetter ? .better : .worse
    }
    if min(base.count, now.count) < FigureComparison.minimumReadings { return .tooFew }
    return base.overlaps(now) ? .withinSpread : isBetter ? .better : .worse
  }

  /// The table row.
  public var row: [String] {
    func text(_ readings: [Double]) -> String {
      guard let all = HistoryStatistics(readings) else { return "–" }
      guard nature != .counted, all.count > 1 else { return unit.text(all.median) }
      return "\(unit.text(all.median)) (\(unit.text(all.least)) – \(unit.text(all.most)))"
    }
    return ["`\(name)`", text(base), text(now), ratio.map { FigureText.exactRatio($0) } ?? "–", verdict.rawValue]
  }
}

// MARK: - Repetition of counts

/// A report on whether counted figures repeat in several runs of the same program.
public struct RepeatReport: Sendable {
  /// A counted figure and its readings in all runs.
  public struct Row: Hashable, Sendable {
    /// The figure's name.
    public let name: String
    /// The unit of the readings.
    public let unit: FigureUnit
    /// The statistics of the readings.
    public let statistics: HistoryStatistics
    /// Whether every run has the figure.
    public let isComplete: Bool

    /// Whether every run has the figure, within the tolerance.
    public var repeats: Bool { isComplete && statistics.spread <= FigureNature.tolerance }
  }

  /// The counted figures, in the order of the first run.
  public let rows: [Row]
  private let runs: Int

  /// Compares runs.
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

  /// The names of the figures that do not repeat, or a single message if no figure was counted.
  public var failures: [String] { rows.isEmpty ? ["nothing was counted"] : rows.filter { !$0.repeats }.map(\.name) }

  /// The table and a summary line, as Markdown.
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

// MARK: - Options

/// The options of `bench compare`, which compares the runs of two revisions.
public struct ComparisonOptions: Hashable, Sendable {
  /// The name of the first revision.
  public var baseName = "before"
  /// The figure files of the first revision's runs.
  public var base: [String] = []
  /// The name of the second revision.
  public var nowName = "now"
  /// The figure files of the second revision's runs.
  public var now: [String] = []
  /// The file to which the table is also written, or nil to only print it.
  public var markdown: String?

  /// Parses the options that follow the command's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing one.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--base": base.append(try words.path(of: name))
      case "--base-name": baseName = try words.path(of: name)
      case "--now": now.append(try words.path(of: name))
      case "--now-name": nowName = try words.path(of: name)
      case "--markdown": markdown = try words.path(of: name)
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if base.isEmpty || now.isEmpty {
      throw CommandError("compare needs --base FILE and --now FILE; scripts/bench --compare gives them")
    }
  }
}
