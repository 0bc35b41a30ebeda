import BenchmarkSupport
import Testing

@Suite("Two revisions' figures beside each other")
struct FigureComparisonTests {
  private func verdict(
    _ base: [Double], _ now: [Double], _ nature: FigureNature = .counted, _ unit: FigureUnit = .instructions
  ) -> FigureComparison.Verdict {
    FigureComparison("a", unit, nature, base: base, now: now).verdict
  }

  @Test("counted ones are the same within a thousandth")
  func counted() {
    #expect(verdict([100_000], [100_100]) == .same && verdict([100_000], [99_900]) == .same)
    #expect(verdict([100_000], [100_101]) == .worse && verdict([100_000], [99_899]) == .better)
    #expect(verdict([0], [0]) == .same && verdict([0], [1]) == .worse)
    #expect(verdict([100], [110], .counted, .speedup) == .better)
  }

  @Test("others are told apart where no reading of the one lies among the other's")
  func noisy() {
    let base = [10.0, 12, 11, 13]
    #expect(verdict(base, [14, 15, 16, 17], .measured, .nanoseconds) == .worse)
    #expect(verdict(base, [9, 8, 7, 6], .measured, .nanoseconds) == .better)
    #expect(verdict(base, [13, 15, 16, 17], .measured, .nanoseconds) == .withinSpread)
    #expect(verdict(base, [14, 15, 16, 17], .related, .speedup) == .better)
    #expect(verdict([10], [20], .measured, .nanoseconds) == .tooFew)
  }

  @Test("those of one side alone are new or gone")
  func oneSided() {
    #expect(verdict([], [1]) == .new && verdict([1], []) == .gone)
  }

  @Test("stand in a table with the median, the range and the ratio")
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
