internal import FoundationEssentials

/// The comparison of a run with the thresholds in the repository.
public struct RunJudgement: Hashable, Sendable {
  /// Every figure that has a threshold, and every threshold that lacks a figure.
  public let rows: [JudgedFigure]
  /// The number of thresholds that do not apply to this kind of run.
  public let skippedCount: Int
  private let run: BenchmarkRun

  /// The maximum number of earlier runs to consider.
  public static let earlierRuns = 10

  /// Compares a run with thresholds.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - figures: The figures of the run.
  ///   - benchmarks: The benchmarks that ran. Thresholds of other benchmarks are ignored.
  ///   - thresholds: The thresholds in the repository.
  ///   - landed: The history in the repository.
  ///   - history: This machine's history, without the run.
  ///   - isCounted: Whether only instructions, calls and files were counted.
  /// - Complexity: O(f t + r) for f figures, t thresholds and r runs of the histories.
  public init(
    _ run: BenchmarkRun, figures: [BenchmarkFigure], benchmarks: Set<String>, thresholds: ThresholdTable,
    landed: BenchmarkHistory, history: BenchmarkHistory, isCounted: Bool = false
  ) {
    var found: [Int: [BenchmarkFigure]] = [:]
    for figure in figures {
      if let index = thresholds.index(of: figure.name) { found[index, default: []].append(figure) }
    }
    var rows: [JudgedFigure] = []
    var skippedCount = 0
    for (index, threshold) in thresholds.thresholds.enumerated() where benchmarks.contains(threshold.benchmark) {
      for figure in found[index] ?? [] {
        rows.append(
          JudgedFigure(
            name: figure.name, figure: figure, threshold: threshold, verdict: FigureVerdict(figure, threshold),
            landed: landed.last(figure.name),
            earlier: history.statistics(of: figure.name, like: run, last: RunJudgement.earlierRuns)))
      }
      guard found[index] == nil else { continue }
      if run.isQuick && !threshold.isQuick || isCounted && !threshold.isOfCounts {
        skippedCount += 1
      } else {
        rows.append(
          JudgedFigure(
            name: threshold.figure, figure: nil, threshold: threshold, verdict: .absent, landed: nil, earlier: nil))
      }
    }
    (self.rows, self.skippedCount, self.run) = (rows, skippedCount, run)
  }

  /// The names of the failed thresholds.
  public var failures: [String] { rows.filter(\.verdict.fails).map(\.name) }

  /// The figures with a threshold that are comparable on every machine: counts, and ratios within one run.
  public var portableFigures: [String: Double] {
    let figures = rows.compactMap(\.figure).filter { $0.nature != .measured }
    return Dictionary(figures.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The run, the table and a summary line, as Markdown.
  public var markdown: [String] {
    var table = MarkdownTable(JudgedFigure.columns)
    for row in rows { table.add(row.row) }
    return [run.title, ""] + table.lines + ["", summary]
  }

  private var summary: String {
    let counts = FigureVerdict.allCases.map { verdict in (verdict, rows.count { $0.verdict == verdict }) }
    let words: [FigureVerdict: String] = [
      .met: "kept", .missed: "missed", .notJudged: "beyond and not judged", .absent: "not measured",
      .otherUnit: "in another unit",
    ]
    let parts = counts.filter { $0.1 > 0 }.map { "\(FigureText.count($0.1)) \(words[$0.0] ?? "")" }
    let more = skippedCount > 0 ? "; \(skippedCount) thresholds are for another kind of run" : ""
    let named = failures.isEmpty ? "" : " Failed: " + failures.map { "`\($0)`" }.joined(separator: ", ") + "."
    return "\(FigureText.count(rows.count)) figures: \(parts.joined(separator: ", "))\(more)." + named
  }
}

/// A figure with its threshold and its earlier values.
public struct JudgedFigure: Hashable, Sendable {
  /// The figure's name, or the threshold's name if there is no figure.
  public let name: String
  /// The figure, or nil if the run does not have it.
  public let figure: BenchmarkFigure?
  /// The threshold.
  public let threshold: FigureThreshold
  /// The outcome of the comparison.
  public let verdict: FigureVerdict
  /// The most recent value in the history in the repository.
  public let landed: Double?
  /// The statistics of earlier runs on this machine.
  public let earlier: HistoryStatistics?

  /// The columns of the table.
  public static let columns: [(head: String, alignment: TextTable.Alignment)] = [
    ("figure", .left), ("this run", .right), ("threshold", .right), ("landed", .right), ("median here", .right),
    ("least to most", .right), ("verdict", .left),
  ]

  /// The table row.
  public var row: [String] {
    let unit = figure?.unit ?? threshold.unit
    let before = landed.map { landed in
      let change = figure.flatMap { FigureText.change(from: landed, to: $0.value) } ?? ""
      return unit.text(landed) + (change.isEmpty ? "" : " (\(change))")
    }
    return [
      "`\(name)`", figure?.text ?? "–", threshold.text, before ?? "–",
      earlier.map { "\(unit.text($0.median)) of \($0.count)" } ?? "–",
      earlier.map { "\(unit.text($0.least)) – \(unit.text($0.most))" } ?? "–", verdict.text,
    ]
  }
}

/// The outcome of the comparison of a figure with its threshold.
public enum FigureVerdict: String, CaseIterable, Sendable {
  /// The figure meets the threshold.
  case met
  /// The figure misses the threshold.
  case missed
  /// The figure misses the threshold, but depends on the machine as much as on the program.
  case notJudged
  /// The run does not have the figure.
  case absent
  /// The figure has a different unit than the threshold.
  case otherUnit

  /// Compares a figure with a threshold.
  public init(_ figure: BenchmarkFigure, _ threshold: FigureThreshold) {
    if figure.unit != threshold.unit {
      self = .otherUnit
    } else if threshold.isMet(by: figure.value) {
      self = .met
    } else {
      self = threshold.isSteady ? .missed : .notJudged
    }
  }

  /// Whether the outcome fails the run.
  public var fails: Bool { self == .missed || self == .absent || self == .otherUnit }

  /// The text in the table.
  public var text: String {
    switch self {
    case .met: "kept"
    case .missed: "**MISSED**"
    case .notJudged: "beyond (not judged)"
    case .absent: "**NOT MEASURED**"
    case .otherUnit: "**OTHER UNIT**"
    }
  }
}

// MARK: - Thresholds

/// A bound on figures, stored in the repository.
public struct FigureThreshold: Hashable, Decodable, Sendable {
  /// The side of a number on which figures must be.
  ///
  /// The number itself is within the bound.
  public enum Bound: Hashable, Sendable {
    /// An upper bound.
    case atMost(Double)
    /// A lower bound.
    case atLeast(Double)
  }

  /// The names of the figures.
  ///
  /// The word `*` matches any single word.
  public let figure: String
  /// The unit of the figures.
  public let unit: FigureUnit
  /// The bound.
  public let bound: Bound
  /// Whether a missed bound fails the run.
  ///
  /// Machine-dependent figures are displayed and never fail it.
  public let isSteady: Bool
  /// Whether quick runs have such figures.
  public let isQuick: Bool
  /// The source of the bound, in words.
  public let source: String

  private enum CodingKeys: String, CodingKey {
    case figure, unit, atMost, atLeast, steady, quick, source
  }

  /// Creates a threshold.
  public init(
    _ figure: String, _ unit: FigureUnit, _ bound: Bound, isSteady: Bool, isQuick: Bool = true, source: String = ""
  ) {
    (self.figure, self.unit, self.bound) = (figure, unit, bound)
    (self.isSteady, self.isQuick, self.source) = (isSteady, isQuick, source)
  }

  /// Decodes an object with the keys `figure`, `unit`, one of `atMost` and `atLeast`, `steady`, `source`, and
  /// optionally `quick`, whose default is true.
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

  /// The benchmark that measures the figures.
  public var benchmark: String { BenchmarkFigure.benchmark(of: figure) }

  /// Whether the figures are counts and therefore the same in every run.
  public var isOfCounts: Bool { [.instructions, .calls, .files].contains(unit) }

  /// Returns whether the threshold applies to a figure with the given name.
  public func matches(_ name: String) -> Bool {
    let (mine, others) = (figure.split(separator: "."), name.split(separator: "."))
    return mine.count == others.count && zip(mine, others).allSatisfy { $0 == "*" || $0 == $1 }
  }

  /// Returns whether a number meets the bound.
  public func isMet(by value: Double) -> Bool {
    switch bound {
    case .atMost(let most): value <= most
    case .atLeast(let least): value >= least
    }
  }

  /// The bound, formatted for a table.
  public var text: String {
    switch bound {
    case .atMost(let most): "≤ " + unit.text(most)
    case .atLeast(let least): "≥ " + unit.text(least)
    }
  }
}

/// The thresholds in the repository, in the order of the table's rows, stored as JSON: `{"thresholds": [...]}`.
public struct ThresholdTable: Hashable, Decodable, Sendable {
  /// The thresholds.
  public let thresholds: [FigureThreshold]

  /// Creates a table.
  public init(_ thresholds: [FigureThreshold]) { self.thresholds = thresholds }

  /// Parses the text of a table.
  ///
  /// - Throws: ``ResultError`` that names the source, also if two thresholds have the same name.
  public init(_ text: String, from source: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(ThresholdTable.self, from: Data(text.utf8)) } catch {
      throw ResultError(source, error)
    }
    var names: Set<String> = []
    for threshold in thresholds where !names.insert(threshold.figure).inserted {
      throw ResultError("\(source): \(threshold.figure) stands there twice")
    }
  }

  /// Returns the index of the first threshold that applies to a figure, or nil if there is none.
  ///
  /// - Complexity: O(t) for t thresholds.
  public func index(of name: String) -> Int? { thresholds.firstIndex { $0.matches(name) } }
}

// MARK: - Options

/// The options of `bench judge`, which compares figures with thresholds.
public struct JudgeOptions: Hashable, Sendable {
  /// The figure files.
  public var figures: [String] = []
  /// The benchmarks that ran.
  public var benchmarks: [String] = []
  /// The threshold file.
  public var thresholds = ""
  /// The history file in the repository, or nil to ignore it.
  public var landed: String?
  /// This machine's history file, to which the run is appended, or nil if there is none.
  public var history: String?
  /// The file to which the table is also written, or nil to only print it.
  public var markdown: String?
  /// Whether machine-independent figures are appended to the history in the repository.
  public var lands = false
  /// The Git revision of the run.
  public var revision = "unknown"
  /// The date of the run.
  public var date = "unknown"
  /// The compiler that built the programs.
  public var toolchain = "unknown"
  /// Whether it was a quick run.
  public var isQuick = false

  /// Whether only counting benchmarks ran.
  ///
  /// Thresholds of times and sizes are then skipped.
  public var isCounted = false

  /// Parses the options that follow the command's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option or a missing one.
  public init(_ arguments: [String]) throws(CommandError) {
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--figures": figures.append(try words.path(of: name))
      case "--benchmarks": benchmarks = try words.list(of: name, "names of benchmarks") { $0.isEmpty ? nil : $0 }
      case "--thresholds": thresholds = try words.path(of: name)
      case "--landed": landed = try words.path(of: name)
      case "--history": history = try words.path(of: name)
      case "--markdown": markdown = try words.path(of: name)
      case "--land": lands = true
      case "--revision": revision = try words.path(of: name)
      case "--date": date = try words.path(of: name)
      case "--toolchain": toolchain = try words.path(of: name)
      case "--quick": isQuick = true
      case "--counted": isCounted = true
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
    if figures.isEmpty || thresholds.isEmpty {
      throw CommandError("judge needs --figures FILE and --thresholds FILE; scripts/bench all gives them")
    }
    if lands, landed == nil { throw CommandError("--land needs --landed FILE") }
  }
}
