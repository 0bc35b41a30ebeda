import BenchmarkSupport
import Testing

@Suite("A run held against thresholds")
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

  @Test("fails by what is steady, and not by what says more of the machine")
  func verdicts() {
    let judgement = judged(figures)
    #expect(judgement.rows.map(\.verdict) == [.kept, .missed, .beyond, .kept])
    #expect(judgement.failures == ["scroll.quiet.9000.instructions"])
    #expect(judged(figures.filter { $0.value != 12_100 }).failures == [])
  }

  @Test("fails where a threshold of a benchmark that was run has no figure")
  func absent() {
    #expect(judged([], ["launch"]).failures == ["launch.files"])
    #expect(judged(figures, ["scroll", "launch"]).failures == ["scroll.quiet.9000.instructions", "launch.files"])
    #expect(judged(figures, []).rows.isEmpty)
  }

  @Test("asks of a quick run what quick runs have")
  func quick() {
    let judgement = judged(quick: true, Array(figures[...2]))
    #expect(judgement.rows.count == 3 && judgement.leftOut == 1)
    #expect(judged(quick: true, figures).leftOut == 0)
    #expect(judgement.markdown.last?.contains("1 thresholds are for another kind of run") == true)
  }

  @Test("asks of a run that only counted what can be counted")
  func counted() {
    func judged(_ figures: [BenchmarkFigure]) -> RunJudgement {
      RunJudgement(
        run(quick: false), figures: figures, benchmarks: ["scroll"], thresholds: thresholds, landed: BenchmarkHistory(),
        history: BenchmarkHistory(), isCounted: true)
    }
    // The time and the speed-up are left alone; a count that is missing is not.
    #expect(judged(figures.filter { $0.nature == .counted }).failures == ["scroll.quiet.9000.instructions"])
    #expect(judged([]).rows.allSatisfy { $0.verdict == .absent && $0.threshold.isOfCounts })
    #expect(!judged([]).failures.isEmpty)
  }

  @Test("fails by a figure in another unit")
  func units() {
    let judgement = judged([BenchmarkFigure("launch.files", 3, .calls, .counted)], ["launch"])
    #expect(judgement.rows.map(\.verdict) == [.otherUnit] && judgement.failures == ["launch.files"])
  }

  @Test("shows what landed last, and what runs on this machine came to")
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

  @Test("looks at ten runs back")
  func length() {
    let history = BenchmarkHistory((1...30).map { run(["a": Double($0)]) })
    let last = HistoryStatistics((21...30).map(Double.init))
    #expect(history.statistics(of: "a", like: run(), last: RunJudgement.earlierRuns) == last)
    #expect(history.statistics(of: "b", like: run(), last: 10) == nil)
  }

  @Test("is one Markdown table")
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

  @Test("lands what means something on every machine")
  func lasting() {
    #expect(
      Set(judged(figures).lasting.keys)
        == ["scroll.quiet.1000.instructions", "scroll.quiet.9000.instructions", "scroll.headroom.ratio"])
  }
}
