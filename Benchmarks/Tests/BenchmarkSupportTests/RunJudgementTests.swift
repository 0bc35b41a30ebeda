import BenchmarkSupport
import Foundation
import Testing

@Suite("Comparison of a run with thresholds")
struct RunJudgementTests {
  private func run(quick: Bool = false, cores: Int = 2, _ figures: [String: Double] = [:]) -> BenchmarkRun {
    BenchmarkRun(
      revision: "abc", date: "2026-01-02T03:04:05Z", machine: BenchmarkMachine(processor: "Chip", cores: cores),
      toolchain: "Swift version 6.3", isQuick: quick, figures: figures)
  }

  private let thresholds = ThresholdTable([
    FigureThreshold("scroll.quiet.*.instructions", .instructions, .atMost(12_000), isSteady: true),
    FigureThreshold("scroll.quiet.*.median", .nanoseconds, .atMost(1_000), isSteady: false),
    FigureThreshold("scroll.headroom.ratio", .speedup, .atLeast(2), isSteady: true, isQuick: false),
    FigureThreshold("launch.files", .files, .atMost(100), isSteady: true),
  ])

  private let figures = [
    BenchmarkFigure("scroll.quiet.1000.instructions", 11_784, .instructions, .counted),
    BenchmarkFigure("scroll.quiet.9000.instructions", 12_100, .instructions, .counted),
    BenchmarkFigure("scroll.quiet.1000.median", 5_000, .nanoseconds, .measured),
    BenchmarkFigure("scroll.headroom.ratio", 2, .speedup, .related),
    BenchmarkFigure("scroll.other", 7, .calls, .counted),
  ]

  private func judged(
    quick: Bool = false, _ figures: [BenchmarkFigure], _ benchmarks: Set<String> = ["scroll"],
    landed: BenchmarkHistory = BenchmarkHistory(), history: BenchmarkHistory = BenchmarkHistory()
  ) -> RunJudgement {
    RunJudgement(
      run(quick: quick), figures: figures, benchmarks: benchmarks, thresholds: thresholds, landed: landed,
      history: history)
  }

  @Test("Steady figures fail a run and machine-dependent figures do not")
  func verdicts() {
    let judgement = judged(figures)
    #expect(judgement.rows.map(\.verdict) == [.met, .missed, .notJudged, .met])
    #expect(judgement.failures == ["scroll.quiet.9000.instructions"])
    #expect(judged(figures.filter { $0.value != 12_100 }).failures == [])
  }

  @Test("A threshold without a figure fails if its benchmark ran")
  func absent() {
    #expect(judged([], ["launch"]).failures == ["launch.files"])
    #expect(judged(figures, ["scroll", "launch"]).failures == ["scroll.quiet.9000.instructions", "launch.files"])
    #expect(judged(figures, []).rows.isEmpty)
  }

  @Test("A quick run is compared only with thresholds of quick runs")
  func quick() {
    let judgement = judged(quick: true, Array(figures[...2]))
    #expect(judgement.rows.count == 3 && judgement.skippedCount == 1)
    #expect(judged(quick: true, figures).skippedCount == 0)
    #expect(judgement.markdown.last?.contains("1 thresholds are for another kind of run") == true)
  }

  @Test("A counting run is compared only with thresholds of counts")
  func counted() {
    func judged(_ figures: [BenchmarkFigure]) -> RunJudgement {
      RunJudgement(
        run(quick: false), figures: figures, benchmarks: ["scroll"], thresholds: thresholds, landed: BenchmarkHistory(),
        history: BenchmarkHistory(), isCounted: true)
    }
    // The time and the speedup are ignored, but a missing count is not.
    #expect(judged(figures.filter { $0.nature == .counted }).failures == ["scroll.quiet.9000.instructions"])
    #expect(judged([]).rows.allSatisfy { $0.verdict == .absent && $0.threshold.isOfCounts })
    #expect(!judged([]).failures.isEmpty)
  }

  @Test("A figure with a different unit fails")
  func units() {
    let judgement = judged([BenchmarkFigure("launch.files", 3, .calls, .counted)], ["launch"])
    #expect(judgement.rows.map(\.verdict) == [.otherUnit] && judgement.failures == ["launch.files"])
  }

  @Test("Rows contain the last value in the repository and the statistics of this machine")
  func histories() throws {
    let name = "scroll.quiet.1000.instructions"
    let landed = BenchmarkHistory([run(cores: 64, [name: 11_000]), run([name: 11_700]), run(["other": 1])])
    let history = BenchmarkHistory(
      [run(cores: 64, [name: 1]), run(quick: true, [name: 1])] + [4, 1, 3, 2].map { run([name: $0]) })
    let row = try #require(judged(figures, landed: landed, history: history).rows.first)
    #expect(row.landed == 11_700)
    #expect(row.earlier == HistoryStatistics([1, 2, 3, 4]))
    #expect(row.row[3] == "11,700 (+0.72 %)" && row.row[4] == "3 of 4" && row.row[5] == "1 – 4")
  }

  @Test("The statistics cover ten earlier runs")
  func length() {
    let history = BenchmarkHistory((1...30).map { run(["a": Double($0)]) })
    let last = HistoryStatistics((21...30).map(Double.init))
    #expect(history.statistics(of: "a", like: run(), last: RunJudgement.earlierRuns) == last)
    #expect(history.statistics(of: "b", like: run(), last: 10) == nil)
  }

  @Test("The result is one Markdown table")
  func markdown() {
    let lines = judged(figures).markdown
    #expect(lines[0] == "abc, 2026-01-02T03:04:05Z, Chip with 2 cores, Swift version 6.3")
    #expect(lines[2].hasPrefix("| figure ") && lines[3].hasPrefix("| ---"))
    #expect(lines[2...7].allSatisfy { $0.split(separator: "|").count == 7 })
    #expect(lines[5].contains("**MISSED**"))
    #expect(
      lines.last
        == "4 figures: 2 kept, 1 missed, 1 beyond and not judged. Failed: `scroll.quiet.9000.instructions`.")
  }

  @Test("Only machine-independent figures are added to the repository's history")
  func portableFigures() {
    #expect(
      Set(judged(figures).portableFigures.keys)
        == ["scroll.quiet.1000.instructions", "scroll.quiet.9000.instructions", "scroll.headroom.ratio"])
  }
}

// MARK: - Thresholds

@Suite("Thresholds")
struct ThresholdTests {
  private func table(_ entries: String) throws -> ThresholdTable {
    try ThresholdTable("{\"thresholds\": [\(entries)]}", from: "thresholds.json")
  }

  private func errorText(_ entries: String) -> String? {
    do throws(ResultError) {
      _ = try ThresholdTable("{\"thresholds\": [\(entries)]}", from: "thresholds.json")
      return nil
    } catch {
      return error.description
    }
  }

  @Test("Thresholds are parsed with their bounds and match figures by name")
  func reading() throws {
    let table = try table(
      """
      {"figure": "scroll.quiet.*.instructions", "unit": "instructions", "atMost": 12000, "steady": true, "source": "s"},
      {"figure": "diff.int.*.heckel", "unit": "speedup", "atLeast": 5, "steady": false, "quick": false, "source": "s"}
      """)
    let (first, second) = (table.thresholds[0], table.thresholds[1])
    #expect(first.bound == .atMost(12_000) && first.isSteady && first.isQuick && first.text == "≤ 12,000")
    #expect(second.bound == .atLeast(5) && !second.isSteady && !second.isQuick && second.text == "≥ 5.00x")
    #expect(first.isMet(by: 12_000) && !first.isMet(by: 12_001) && second.isMet(by: 5) && !second.isMet(by: 4.99))
    #expect(table.index(of: "scroll.quiet.1000.instructions") == 0)
    #expect(table.index(of: "scroll.quiet.instructions") == nil)
    #expect(table.index(of: "scroll.quiet.1000.instructions.more") == nil)
    #expect(table.index(of: "scroll.bind.1000.instructions") == nil)
  }

  @Test("The first of several matching thresholds applies")
  func order() throws {
    let table = try table(
      """
      {"figure": "a.b", "unit": "calls", "atMost": 1, "steady": true, "source": ""},
      {"figure": "a.*", "unit": "calls", "atMost": 2, "steady": true, "source": ""}
      """)
    #expect(table.index(of: "a.b") == 0 && table.index(of: "a.c") == 1)
  }

  @Test("A threshold requires one bound, a known unit and a unique name")
  func refusals() {
    let head = #""figure": "a.b", "unit": "calls", "steady": true, "source": """#
    #expect(errorText("{\(head)}")?.contains("a.b needs one of atMost and atLeast") == true)
    #expect(errorText("{\(head), \"atMost\": 1, \"atLeast\": 1}")?.contains("needs one of") == true)
    #expect(
      errorText("{\(head), \"atMost\": 1}, {\(head), \"atMost\": 2}") == "thresholds.json: a.b stands there twice")
    #expect(errorText(#"{"figure": "a.b", "unit": "miles", "atMost": 1, "steady": true, "source": ""}"#) != nil)
    #expect(errorText(#"{"figure": "a.b", "unit": "calls", "atMost": 1, "steady": true}"#)?.contains("source") == true)
  }

  @Test("The thresholds in the repository are valid, bound the worse side of each unit and state their source")
  func repositoryThresholds() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let path = package.appending(path: "Benchmarks/thresholds.json").path
    let table = try ThresholdTable(try #require(try ResultFile.text(of: path)), from: path)
    #expect(table.thresholds.count > 20)
    for threshold in table.thresholds {
      let isFromBelow = if case .atLeast = threshold.bound { true } else { false }
      #expect(isFromBelow == threshold.unit.isBetterWhenMore, "\(threshold.figure)")
      #expect(!threshold.source.isEmpty, "\(threshold.figure)")
      #expect(threshold.unit != .nanoseconds || !threshold.isSteady, "\(threshold.figure): times must not fail a run")
    }
    let quiet = try #require(table.index(of: "scroll.quiet.10000000.instructions"))
    #expect(table.thresholds[quiet].bound == .atMost(12_000) && table.thresholds[quiet].isSteady)
  }

  @Test("Every line of the history in the repository is a run")
  func repositoryHistory() throws {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let history = try BenchmarkHistory.read(package.appending(path: "Benchmarks/history.jsonl").path)
    #expect(history.unreadLines == 0 && !history.runs.isEmpty)
    #expect(history.runs.allSatisfy { !$0.revision.hasSuffix("-dirty") || !$0.figures.isEmpty })
    #expect(history.last("scroll.quiet.1000.allocations") == 0)
  }
}

// MARK: - Histories

@Suite("Run histories")
struct BenchmarkHistoryTests {
  private let run = BenchmarkRun(
    revision: "abc-dirty", date: "2026-01-02T03:04:05Z", machine: BenchmarkMachine(processor: "Chip", cores: 2),
    toolchain: "Swift version 6.3", isQuick: true, figures: ["b": 2.5, "a": 1])

  @Test("Equal runs have equal lines")
  func lines() throws {
    let line = try run.line()
    #expect(!line.contains("\n") && line.contains(#""figures":{"a":1,"b":2.5}"#) && line.contains(#""quick":true"#))
    #expect(BenchmarkRun(line: line) == run)
    #expect(run.title == "abc-dirty, 2026-01-02T03:04:05Z, Chip with 2 cores, Swift version 6.3, quick")
  }

  @Test("Appending adds a line, also after an incomplete one")
  func files() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/history.jsonl"
    #expect(try BenchmarkHistory.read(path).runs.isEmpty)
    try ResultFile.append(line: try run.line(), to: path)
    try ResultFile.append(line: try run.line(), to: path)
    #expect(try BenchmarkHistory.read(path) == BenchmarkHistory([run, run]))
    let torn = try #require(try ResultFile.text(of: path)).dropLast(20)
    try ResultFile.write(String(torn), to: path)
    try ResultFile.append(line: try run.line(), to: path)
    let history = try BenchmarkHistory.read(path)
    #expect(history.runs == [run, run] && history.unreadLines == 1)
  }

  @Test("The last value of a figure is found")
  func last() {
    var later = run
    later.figures = ["a": 3]
    let history = BenchmarkHistory([run, later])
    #expect(history.last("a") == 3 && history.last("b") == 2.5 && history.last("c") == nil)
  }

  @Test("Statistics of readings")
  func statistics() throws {
    let even = try #require(HistoryStatistics([4.0, 1, 2, 3]))
    #expect(even.median == 2.5 && even.least == 1 && even.most == 4 && even.count == 4 && even.spread == 1.2)
    #expect(try #require(HistoryStatistics([7.0])).spread == 0)
    #expect(try #require(HistoryStatistics([0.0, 0])).spread == 0)
    #expect(try #require(HistoryStatistics([0.0, 0, 1])).spread == .infinity)
    #expect(HistoryStatistics([]) == nil)
    #expect(even.overlaps(try #require(HistoryStatistics([4.0, 9]))))
    #expect(!even.overlaps(try #require(HistoryStatistics([4.5, 9]))))
  }

  @Test("Machines differ by processor and number of cores")
  func machines() {
    let text = "processor\t: 0\nmodel name\t: A Chip @ 2.0 GHz \nflags\t: a b\n"
    #expect(BenchmarkMachine(cpuinfo: text, cores: 4) == BenchmarkMachine(processor: "A Chip @ 2.0 GHz", cores: 4))
    #expect(BenchmarkMachine(cpuinfo: "CPU part\t: 0xd0c\n", cores: 1).processor == "0xd0c")
    #expect(BenchmarkMachine(cpuinfo: "", cores: 1).processor == "unknown")
  }
}
