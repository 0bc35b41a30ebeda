import BenchmarkSupport
import Testing

@Suite("Figures as text")
struct FigureTextTests {
  @Test(
    "give times three places and one unit",
    arguments: [
      (0, "0.00 µs"), (42, "0.04 µs"), (1_234, "1.23 µs"), (9_996, "10.0 µs"), (99_960, "100 µs"),
      (999_400, "999 µs"), (999_600, "1.00 ms"), (45_670_000, "45.7 ms"), (12_345_678_000, "12,346 ms"),
    ])
  func times(nanoseconds: Double, text: String) { #expect(FigureText.time(nanoseconds) == text) }

  @Test("give the time of a call in nanoseconds up to a microsecond")
  func callTimes() {
    #expect(
      [0.284, 42, 999.4, 999.6, 1_234, 45_670_000].map(FigureText.callTime) == [
        "0.28 ns", "42.0 ns", "999 ns", "1.00 µs", "1.23 µs", "45.7 ms",
      ])
  }

  @Test("group the digits of whole numbers")
  func counts() {
    #expect(
      [0, 12, 999, 1_000, 1_234_567, -1_000].map { FigureText.count($0) } == [
        "0", "12", "999", "1,000", "1,234,567", "-1,000",
      ])
    #expect(FigureText.count(29_347_887.4) == "29,347,887")
  }

  @Test("say ratios and bytes an item")
  func others() {
    #expect(FigureText.ratio(0.077) == "0.08x" && FigureText.ratio(5) == "5.00x" && FigureText.ratio(213.2) == "213x")
    #expect(
      FigureText.bytes(12.46) == "12.5 B" && FigureText.bytes(-3.25) == "-3.3 B" && FigureText.bytes(-0.01) == "0.0 B")
  }

  @Test("hold figures against aims, the bound included")
  func aims() {
    let time = Aim(.time, 5_000)
    #expect(time.verdict(on: 5_000) == "<= 5.00 µs reached")
    #expect(time.verdict(on: 5_001) == "<= 5.00 µs MISSED")
    #expect(Aim(.bytes, 16).verdict(on: 17) == "<= 16.0 B MISSED")
    #expect(Aim(.ratio, 5).verdict(on: 5) == ">= 5.00x reached")
    #expect(!Aim(.ratio, 5).isReached(by: 4.9))
  }

  @Test("set aims for the sizes that have one")
  func sizes() {
    #expect(DiffFigure.build.timeAim(count: 1_000_000, kind: .int) == Aim(.time, 90_000_000))
    #expect(DiffFigure.build.timeAim(count: 1_000_000, kind: .string) == Aim(.time, 320_000_000))
    #expect(DiffFigure.build.timeAim(count: 1_000_000, kind: .uuid) == nil)
    #expect(DiffFigure.insertion(.end).timeAim(count: 10_000_000, kind: .uuid) == Aim(.time, 60_000))
    #expect(DiffFigure.insertionDiff(.head).timeAim(count: 100_000, kind: .int) == nil)
    #expect(DiffFigure.mixDiff.ratioAim(count: 100_000) == Aim(.ratio, 5))
    #expect(DiffFigure.mixDiff.ratioAim(count: 10_000) == nil && DiffFigure.build.ratioAim(count: 100_000) == nil)
  }
}
