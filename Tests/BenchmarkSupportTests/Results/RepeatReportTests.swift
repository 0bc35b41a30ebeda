import BenchmarkSupport
import Testing

@Suite("Whether counts repeat")
struct RepeatReportTests {
  private func run(_ count: Double, time: Double = 1, retains: Double? = 1) -> FigureDocument {
    FigureDocument(
      [
        BenchmarkFigure("a.instructions", count, .instructions, .counted),
        BenchmarkFigure("a.time", time, .nanoseconds, .measured),
      ] + (retains.map { [BenchmarkFigure("a.retains", $0, .calls, .counted)] } ?? []))
  }

  @Test("they do within a thousandth of the median, and times are not asked")
  func within() {
    let report = RepeatReport([run(10_000, time: 1), run(10_010, time: 9), run(10_005)])
    #expect(report.failures.isEmpty && report.rows.map(\.name) == ["a.instructions", "a.retains"])
    #expect(report.markdown.last?.contains("2 counted figures of 3 runs: 2 repeat within 0.10 %") == true)
  }

  @Test("they do not beyond, be it by one call, and where a run has none")
  func beyond() {
    #expect(RepeatReport([run(10_000), run(10_011)]).failures == ["a.instructions"])
    #expect(RepeatReport([run(10_000), run(10_000, retains: 2)]).failures == ["a.retains"])
    let partial = RepeatReport([run(10_000), run(10_000, retains: nil)])
    #expect(partial.failures == ["a.retains"] && partial.markdown.contains { $0.contains("NOT IN EVERY RUN") })
  }

  @Test("nothing counted is a failure too, and not that all repeats")
  func nothing() {
    #expect(RepeatReport([FigureDocument([]), FigureDocument([])]).failures == ["nothing was counted"])
  }
}
