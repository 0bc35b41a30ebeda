import BenchmarkSupport
import TestSupport
import Testing

extension Scenarios {
  @Suite("The benchmarks' figures, held against thresholds")
  struct ThresholdTests {
    private let folder: TemporaryFolder
    private let thresholds: String
    private let figures: String

    init() throws {
      folder = try TemporaryFolder()
      (thresholds, figures) = (folder.path + "/thresholds.json", folder.path + "/figures.json")
      try ResultFile.write(
        """
        {"thresholds": [
          {"figure": "scroll.quiet.*.retains", "unit": "calls", "atMost": 1, "steady": true, "source": "as counted"}
        ]}
        """, to: thresholds)
    }

    private func run(_ words: String...) throws -> ProcessEnd {
      try ChildProcess(
        ([BuiltProgram.benchmarks] + words).map { Array($0.utf8) },
        environment: BuiltProgram.environment(home: folder.path)
      ).waitForEnd()
    }

    private func judge(retains: Double, revision: String) throws -> ProcessEnd {
      try FigureDocument([BenchmarkFigure("scroll.quiet.1000.retains", retains, .calls, .counted)]).write(to: figures)
      return try run(
        "judge", "--figures", figures, "--thresholds", thresholds, "--benchmarks", "scroll", "--history",
        folder.path + "/here.jsonl", "--landed", folder.path + "/tree.jsonl", "--land", "--markdown",
        folder.path + "/table.md", "--revision", revision)
    }

    @Test("A kept one ends with 0, a missed one with 1 and its name, and both histories grow")
    func judged() throws {
      let kept = try judge(retains: 1, revision: "first")
      #expect(kept.status == 0 && kept.text.contains("1 figures: 1 kept."), "\(kept)")
      let missed = try judge(retains: 2, revision: "second")
      #expect(missed.status == 1, "\(missed)")
      let table = try #require(try ResultFile.text(of: folder.path + "/table.md"))
      #expect(table.contains("Failed: `scroll.quiet.1000.retains`.") && table.contains("| 1 (+100.00 %) |"))
      for name in ["here", "tree"] {
        let history = try BenchmarkHistory.read("\(folder.path)/\(name).jsonl")
        #expect(history.runs.map(\.revision) == ["first", "second"] && history.last("scroll.quiet.1000.retains") == 2)
      }
    }

    @Test("A benchmark writes the figures that it prints")
    func written() throws {
      let end = try run("layout", "--layouts", "grid", "--n", "1000", "--repeat", "1", "--json", figures)
      #expect(end.status == 0, "\(end)")
      let names = try FigureDocument.read(figures).figures.map(\.name)
      #expect(names.contains("layout.grid.1000.question.time") && names.contains("layout.grid.1000.kept.bytes"))
    }
  }
}
