import BenchmarkSupport
import Testing

@Suite("Histories of runs")
struct BenchmarkHistoryTests {
  private let run = BenchmarkRun(
    revision: "abc-dirty", date: "2026-01-02T03:04:05Z", machine: BenchmarkMachine(processor: "Chip", cores: 2),
    toolchain: "Swift version 6.3", isQuick: true, figures: ["b": 2.5, "a": 1])

  @Test("are a line a run, the same for the same run")
  func lines() throws {
    let line = try run.line()
    #expect(!line.contains("\n") && line.contains(#""figures":{"a":1,"b":2.5}"#) && line.contains(#""quick":true"#))
    #expect(BenchmarkRun(line: line) == run)
    #expect(run.title == "abc-dirty, 2026-01-02T03:04:05Z, Chip with 2 cores, Swift version 6.3, quick")
  }

  @Test("grow by a line, and outlive one that was not written to its end")
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

  @Test("know what a figure was last")
  func last() {
    var later = run
    later.figures = ["a": 3]
    let history = BenchmarkHistory([run, later])
    #expect(history.last("a") == 3 && history.last("b") == 2.5 && history.last("c") == nil)
  }

  @Test("say what readings come to")
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

  @Test("tell machines apart by processor and cores")
  func machines() {
    let text = "processor\t: 0\nmodel name\t: A Chip @ 2.0 GHz \nflags\t: a b\n"
    #expect(BenchmarkMachine(cpuinfo: text, cores: 4) == BenchmarkMachine(processor: "A Chip @ 2.0 GHz", cores: 4))
    #expect(BenchmarkMachine(cpuinfo: "CPU part\t: 0xd0c\n", cores: 1).processor == "0xd0c")
    #expect(BenchmarkMachine(cpuinfo: "", cores: 1).processor == "unknown")
  }
}
