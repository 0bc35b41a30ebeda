import BenchmarkSupport
import Testing

@Suite("What pictures take that are kept, and what decoding does to frames")
struct RevisitFigureTests {
  @Test("A hit's median and its share of the processor's time are held against the aim")
  func hits() {
    var figure = RevisitFigure(size: 256)
    figure.waits = [100_000, 310_000, 320_000]
    figure.processor = 900_000
    #expect(figure.row == ["256", "3", "310 µs", "<= 300 µs MISSED", "300 µs", "<= 300 µs reached"])
    #expect(RevisitFigure(size: 64).row.first == "64")
  }

  @Test("The 95th of a hundred frames counts, as far as it is later than an idle one")
  func lateness() {
    #expect(LatenessFigure.percentile95([]) == 0)
    #expect(LatenessFigure.percentile95([7]) == 7)
    #expect(LatenessFigure.percentile95((1...100).map(Double.init).reversed()) == 95)
    #expect(LatenessFigure.percentile95((1...10).map(Double.init)) == 10)
    var figure = LatenessFigure()
    figure.idle = [50_000, 60_000]
    figure.decoding = [60_000, 1_070_000]
    figure.decoded = 1_234
    #expect(
      figure.row == ["2", "1,234", "60.0 µs", "1.07 ms", "1.07 ms", "1.01 ms", "<= 1.00 ms MISSED"])
    figure.decoding = [60_000, 50_000]
    #expect(figure.row.last == "<= 1.00 ms reached")
  }
}
