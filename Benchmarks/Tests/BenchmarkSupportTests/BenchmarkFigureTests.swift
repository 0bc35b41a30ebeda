import BenchmarkSupport
import Foundation
import Testing

@Suite("Figures of a run")
struct FigureDocumentTests {
  @Test("Names consist of letters, digits and hyphens")
  func names() {
    #expect(BenchmarkFigure.name(["decode", "baseline-12.jpg", "256"]) == "decode.baseline-12-jpg.256")
    #expect(BenchmarkFigure.name(["Scroll", "1 %", "übrig"]) == "scroll.1--.-brig")
    #expect(BenchmarkFigure("scroll.quiet.instructions", 1, .instructions, .counted).benchmark == "scroll")
  }

  @Test("A recorder uses the first value of a name and ignores values that are not finite")
  func recorded() {
    let recorder = FigureRecorder()
    recorder.add(["a", "b"], 1, .calls, .counted)
    recorder.add(["a", "b"], 2, .calls, .counted)
    recorder.add(["a", "c"], nil, .calls, .counted)
    recorder.add(["a", "d"], .infinity, .decibels, .counted)
    recorder.add(["a", "e"], 0, .calls, .counted)
    #expect(recorder.figures.map(\.name) == ["a.b", "a.e"] && recorder.figures[0].value == 1)
  }

  @Test("A document survives writing and reading")
  func file() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/figures.json"
    let document = FigureDocument([
      BenchmarkFigure("scroll.quiet.1000.instructions", 11_784, .instructions, .counted),
      BenchmarkFigure("input.jump.over-screen", 1.25, .ratio, .related),
    ])
    try document.write(to: path)
    #expect(try FigureDocument.read(path) == document)
    #expect(try ResultFile.text(of: path)?.contains("\"value\" : 11784") == true)
  }

  @Test("Errors name the file and the position in it")
  func refusals() {
    #expect(throws: ResultError("/no/such/file: there is no such file")) { try FigureDocument.read("/no/such/file") }
    let error = #expect(throws: ResultError.self) {
      try FigureDocument(#"{"figures": [{"name": "a", "value": "1"}]}"#, from: "x.json")
    }
    #expect(error?.description.hasPrefix("x.json: at figures.0.value: ") == true, "\(String(describing: error))")
    #expect(throws: ResultError.self) { try FigureDocument(#"{"figures": [}"#, from: "x.json") }
  }

  @Test("Figures are requested with an option and only of benchmarks that have them")
  func requested() throws {
    let invocation = try BenchmarkInvocation(["scroll", "--json", "a.json", "--n", "1000"])
    let options = try ScrollOptions(["--n", "1000"])
    #expect(invocation.figures == "a.json" && invocation.command == .scroll(options))
    #expect(try BenchmarkInvocation(["diff"]).figures == nil)
    #expect(throws: CommandError("--json needs a path")) { try BenchmarkInvocation(["diff", "--json"]) }
    let error = #expect(throws: CommandError.self) { try BenchmarkInvocation(["operations", "--json", "a"]) }
    #expect(error?.description.hasPrefix("--json: operations has no figures") == true)
  }

  @Test("Values are formatted with their units")
  func units() {
    #expect(FigureUnit.instructions.text(11_784.4) == "11,784" && FigureUnit.nanoseconds.text(2_500_000) == "2.50 ms")
    #expect(FigureUnit.bytes.text(12.5) == "12.5 B" && FigureUnit.bytes.text(64 * 1_048_576) == "64.0 MiB")
    #expect(FigureUnit.ratio.text(0.85) == "0.85x" && FigureUnit.decibels.text(45.25) == "45.3 dB")
    #expect(FigureUnit.refreshes.text(0.5) == "0.50 T")
    #expect(FigureUnit.allCases.filter(\.isBetterWhenMore) == [.speedup, .share, .decibels])
    #expect(FigureText.percent(0.0011) == "0.11 %" && FigureText.exactRatio(1.0004) == "1.000x")
    #expect(FigureText.change(from: 200, to: 201) == "+0.50 %" && FigureText.change(from: 200, to: 150) == "-25.00 %")
    #expect(FigureText.change(from: 0, to: 1) == nil)
  }
}

// MARK: - Comparisons

@Suite("Comparison of two revisions")
struct FigureComparisonTests {
  private func verdict(
    _ base: [Double], _ now: [Double], _ nature: FigureNature = .counted, _ unit: FigureUnit = .instructions
  ) -> FigureComparison.Verdict {
    FigureComparison("a", unit, nature, base: base, now: now).verdict
  }

  @Test("Counted figures are equal within a thousandth")
  func counted() {
    #expect(verdict([100_000], [100_100]) == .same && verdict([100_000], [99_900]) == .same)
    #expect(verdict([100_000], [100_101]) == .worse && verdict([100_000], [99_899]) == .better)
    #expect(verdict([0], [0]) == .same && verdict([0], [1]) == .worse)
    #expect(verdict([100], [110], .counted, .speedup) == .better)
  }

  @Test("Measured figures differ if their ranges do not overlap")
  func noisy() {
    let base = [10.0, 12, 11, 13]
    #expect(verdict(base, [14, 15, 16, 17], .measured, .nanoseconds) == .worse)
    #expect(verdict(base, [9, 8, 7, 6], .measured, .nanoseconds) == .better)
    #expect(verdict(base, [13, 15, 16, 17], .measured, .nanoseconds) == .withinSpread)
    #expect(verdict(base, [14, 15, 16, 17], .related, .speedup) == .better)
    #expect(verdict([10], [20], .measured, .nanoseconds) == .tooFew)
  }

  @Test("Figures of one revision only are new or gone")
  func oneSided() {
    #expect(verdict([], [1]) == .new && verdict([1], []) == .gone)
  }

  @Test("The table contains medians, ranges and ratios")
  func table() {
    let base = (0..<4).map { run in
      FigureDocument([
        BenchmarkFigure("a.count", 200, .instructions, .counted),
        BenchmarkFigure("a.time", Double(1_000 + run), .nanoseconds, .measured),
        BenchmarkFigure("a.old", 1, .calls, .counted),
      ])
    }
    let now = (0..<4).map { run in
      FigureDocument([
        BenchmarkFigure("a.count", 100, .instructions, .counted),
        BenchmarkFigure("a.time", Double(1_001 + run), .nanoseconds, .measured),
      ])
    }
    let report = ComparisonReport(base: ("before", base), now: ("after", now))
    #expect(report.rows.map(\.name) == ["a.count", "a.time", "a.old"])
    #expect(report.rows.map(\.verdict) == [.better, .withinSpread, .gone])
    #expect(report.rows[0].row == ["`a.count`", "200", "100", "0.500x", "better"])
    #expect(report.rows[1].row[3] == "1.001x")
    #expect(report.markdown[0].contains("before") && report.markdown[0].contains("after"))
    #expect(
      report.markdown.last == "3 figures: 1 the same, 1 better, 0 worse, 0 read too seldom, 0 new, 1 gone.")
  }
}

@Suite("Repetition of counted figures")
struct RepeatReportTests {
  private func run(_ count: Double, time: Double = 1, retains: Double? = 1) -> FigureDocument {
    FigureDocument(
      [
        BenchmarkFigure("a.instructions", count, .instructions, .counted),
        BenchmarkFigure("a.time", time, .nanoseconds, .measured),
      ] + (retains.map { [BenchmarkFigure("a.retains", $0, .calls, .counted)] } ?? []))
  }

  @Test("Counts repeat within a thousandth of the median, and times are ignored")
  func within() {
    let report = RepeatReport([run(10_000, time: 1), run(10_010, time: 9), run(10_005)])
    #expect(report.failures.isEmpty && report.rows.map(\.name) == ["a.instructions", "a.retains"])
    #expect(report.markdown.last?.contains("2 counted figures of 3 runs: 2 repeat within 0.10 %") == true)
  }

  @Test("Larger differences and incomplete counts are failures")
  func beyond() {
    #expect(RepeatReport([run(10_000), run(10_011)]).failures == ["a.instructions"])
    #expect(RepeatReport([run(10_000), run(10_000, retains: 2)]).failures == ["a.retains"])
    let partial = RepeatReport([run(10_000), run(10_000, retains: nil)])
    #expect(partial.failures == ["a.retains"] && partial.markdown.contains { $0.contains("NOT IN EVERY RUN") })
  }

  @Test("A run without counts is a failure")
  func empty() {
    #expect(RepeatReport([FigureDocument([]), FigureDocument([])]).failures == ["nothing was counted"])
  }
}

// MARK: - Formatting

@Suite("Formatting of numbers")
struct FigureTextTests {
  @Test(
    "Times have three significant digits and one unit",
    arguments: [
      (0, "0.00 µs"), (42, "0.04 µs"), (1_234, "1.23 µs"), (9_996, "10.0 µs"), (99_960, "100 µs"),
      (999_400, "999 µs"), (999_600, "1.00 ms"), (45_670_000, "45.7 ms"), (12_345_678_000, "12,346 ms"),
    ])
  func times(nanoseconds: Double, text: String) { #expect(FigureText.time(nanoseconds) == text) }

  @Test("Times of calls are in nanoseconds below one microsecond")
  func callTimes() {
    #expect(
      [0.284, 42, 999.4, 999.6, 1_234, 45_670_000].map(FigureText.callTime) == [
        "0.28 ns", "42.0 ns", "999 ns", "1.00 µs", "1.23 µs", "45.7 ms",
      ])
  }

  @Test("Whole numbers have thousands separators")
  func counts() {
    #expect(
      [0, 12, 999, 1_000, 1_234_567, -1_000].map { FigureText.count($0) } == [
        "0", "12", "999", "1,000", "1,234,567", "-1,000",
      ])
    #expect(FigureText.count(29_347_887.4) == "29,347,887")
  }

  @Test("Ratios and byte counts have a unit")
  func others() {
    #expect(FigureText.ratio(0.077) == "0.08x" && FigureText.ratio(5) == "5.00x" && FigureText.ratio(213.2) == "213x")
    #expect(
      FigureText.bytes(12.46) == "12.5 B" && FigureText.bytes(-3.25) == "-3.3 B" && FigureText.bytes(-0.01) == "0.0 B")
  }

  @Test("Goals include their bound")
  func aims() {
    let time = Aim(.time, 5_000)
    #expect(time.verdict(on: 5_000) == "<= 5.00 µs reached")
    #expect(time.verdict(on: 5_001) == "<= 5.00 µs MISSED")
    #expect(Aim(.bytes, 16).verdict(on: 17) == "<= 16.0 B MISSED")
    #expect(Aim(.ratio, 5).verdict(on: 5) == ">= 5.00x reached")
    #expect(!Aim(.ratio, 5).isReached(by: 4.9))
  }

  @Test("Goals exist for some sizes only")
  func sizes() {
    #expect(DiffFigure.build.timeAim(count: 1_000_000, kind: .uuid) == Aim(.time, 1_000_000))
    #expect(DiffFigure.build.timeAim(count: 100_000, kind: .int) == nil)
    #expect(DiffFigure.buildAndAsk.timeAim(count: 1_000_000, kind: .int) == Aim(.time, 90_000_000))
    #expect(DiffFigure.buildAndAsk.timeAim(count: 1_000_000, kind: .string) == Aim(.time, 320_000_000))
    #expect(DiffFigure.buildAndAsk.timeAim(count: 1_000_000, kind: .uuid) == nil)
    #expect(DiffFigure.insertion(.end).timeAim(count: 10_000_000, kind: .uuid) == Aim(.time, 60_000))
    #expect(DiffFigure.insertionDiff(.head).timeAim(count: 100_000, kind: .int) == nil)
    #expect(DiffFigure.mixDiff.ratioAim(count: 100_000) == Aim(.ratio, 5))
    #expect(DiffFigure.mixDiff.ratioAim(count: 10_000) == nil && DiffFigure.build.ratioAim(count: 100_000) == nil)
  }
}

@Suite("Text tables")
struct TextTableTests {
  @Test("Columns are as wide as their widest entry, words left-aligned and numbers right-aligned")
  func columns() {
    var table = TextTable([("case", .left), ("time", .right), ("aim", .left)])
    table.add(["append", "9.00 µs", "none"])
    table.add(["reversed", "12 ms"])
    table.add(["x", "1", "", "beyond the last column"])
    #expect(
      table.lines == [
        "case         time  aim",
        "--------  -------  ----",
        "append    9.00 µs  none",
        "reversed    12 ms",
        "x               1",
      ])
  }
}

@Suite("Markdown tables")
struct MarkdownTableTests {
  @Test("Columns are padded and entries are escaped")
  func lines() {
    var table = MarkdownTable([("name", .left), ("n", .right)])
    table.add(["a|b", "12,345"])
    table.add(["c\nd"])
    table.add(["e", "1", "too many"])
    #expect(
      table.lines == [
        "| name |      n |", "| ---- | -----: |", "| a\\|b | 12,345 |", "| c d  |        |", "| e    |      1 |",
      ])
  }
}

// MARK: - Support

/// A temporary folder that exists during the lifetime of the object.
final class ScratchFolder {
  /// The path of the folder.
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "vitrine-results-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
