import BenchmarkSupport
import Testing

@Suite("Operation figures")
struct OperationFigureTests {
  private func figure(_ stated: StatedComplexity, _ times: (Int, Double)...) -> OperationFigure {
    var figure = OperationFigure("call", stated)
    for (count, nanoseconds) in times { figure.add(count: count, nanoseconds: nanoseconds) }
    return figure
  }

  private func verdict(_ growth: CostGrowth, _ times: Double...) -> Bool? {
    var figure = OperationFigure("call", StatedComplexity("short form", growth))
    for (step, nanoseconds) in times.enumerated() {
      figure.add(count: (0..<step).reduce(1_000) { count, _ in count * 10 }, nanoseconds: nanoseconds)
    }
    return figure.meetsStatedComplexity
  }

  private func isNear(_ growth: Double?, _ expected: Double) -> Bool {
    growth.map { abs($0 - expected) < 1e-9 } ?? false
  }

  @Test("Growth is normalized to ten times the items for any sizes")
  func tenfold() {
    let tens = figure(.flat("1"), (1_000, 5), (10_000, 10), (100_000, 40))
    #expect(tens.growths.count == 2 && isNear(tens.growths[0], 2) && isNear(tens.growths[1], 4))
    #expect(isNear(tens.meanGrowth, 8.squareRoot()))
    let hundred = figure(.flat("1"), (1_000, 5), (100_000, 45))
    #expect(isNear(hundred.growths[0], 3) && isNear(hundred.meanGrowth, 3))
    let twofold = figure(.linear("n"), (50_000, 7), (100_000, 14))
    #expect(isNear(twofold.growths[0], 10))
  }

  @Test("Growth requires two sizes with times and more items")
  func missing() {
    #expect(figure(.flat("1")).growths.isEmpty && figure(.flat("1")).meanGrowth == nil)
    let single = figure(.flat("1"), (1_000, 5))
    #expect(single.growths.isEmpty && single.meetsStatedComplexity == nil && single.verdict == "-")
    #expect(figure(.flat("1"), (1_000, 0), (10_000, 5)).growths == [nil])
    #expect(figure(.flat("1"), (1_000, 5), (1_000, 5)).meetsStatedComplexity == nil)
  }

  @Test("Growth of a higher power than documented is too slow")
  func tooSlow() {
    #expect(verdict(.flat, 10, 100, 1_000) == false)
    #expect(verdict(.linear, 10, 1_000, 100_000) == false)
    #expect(verdict(.linearithmic, 10, 1_000, 100_000) == false)
  }

  @Test("Documented growth is accepted despite the end of caches")
  func asStated() {
    #expect(verdict(.flat, 10, 11, 12, 13) == true)
    #expect(verdict(.flat, 10, 10, 45, 50) == true)
    #expect(verdict(.linear, 10, 100, 1_000) == true)
    #expect(verdict(.linear, 10, 90, 2_000, 25_000) == true)
    #expect(verdict(.linearithmic, 10, 133, 1_667, 20_000) == true)
    #expect(verdict(.linear, 10, 10, 10) == true)
  }

  @Test("Linear work hidden by a fixed cost at small sizes is too slow")
  func hidden() {
    #expect(verdict(.flat, 1_000, 1_001, 1_010, 8_000) == false)
    #expect(verdict(.linear, 1_000, 1_010, 2_000, 70_000) == false)
  }

  @Test("Growth at the bound is accepted")
  func bounds() {
    #expect(verdict(.flat, 1, 3) == true && verdict(.flat, 1, 3.01) == false)
    #expect(verdict(.linear, 1, 15) == true && verdict(.linear, 1, 15.01) == false)
    #expect(verdict(.linearithmic, 1, 20) == true && verdict(.linearithmic, 1, 20.01) == false)
    #expect(verdict(.flat, 1, 1, 6) == true && verdict(.flat, 1, 1, 6.01) == false)
  }

  @Test("Growth is checked from the size at which the documented complexity applies")
  func settled() {
    let stated = StatedComplexity.flat("128", validFrom: 65_536)
    #expect(figure(stated, (1_000, 1), (10_000, 2), (100_000, 40), (1_000_000, 60)).meetsStatedComplexity == true)
    #expect(figure(stated, (1_000, 1), (10_000, 2), (100_000, 40), (1_000_000, 400)).meetsStatedComplexity == false)
    let few = figure(stated, (1_000, 1), (10_000, 2), (100_000, 40))
    #expect(few.meetsStatedComplexity == nil && few.verdict == "-" && few.growths.count == 2)
  }
}

@Suite("Operation report")
struct OperationReportTests {
  private func add(
    _ report: inout OperationReport, _ type: String, _ operation: String, _ count: Int, _ nanoseconds: Double
  ) {
    let stated: StatedComplexity = operation == "items" ? .linear("n") : .flat("1")
    report.add(type: type, operation: operation, stated: stated, count: count, nanoseconds: nanoseconds)
  }

  @Test("The report contains a table per type with rows in the order of addition, and a summary")
  func tables() {
    var report = OperationReport(sizes: [1_000, 10_000])
    for (count, times) in [(1_000, (20.0, 40.0, 1_000.0)), (10_000, (22.0, 800.0, 10_000.0))] {
      add(&report, "Tree", "level", count, times.0)
      add(&report, "List", "contains", count, times.1)
      add(&report, "Tree", "items", count, times.2)
    }
    #expect(
      report.lines == [
        "",
        "Tree",
        "  operation    1,000   10,000    x10   mean  stated  verdict",
        "  ---------  -------  -------  -----  -----  ------  ---------",
        "  level      20.0 ns  22.0 ns  1.10x  1.10x  1       as stated",
        "  items      1.00 µs  10.0 µs  10.0x  10.0x  n       as stated",
        "",
        "List",
        "  operation    1,000  10,000    x10   mean  stated  verdict",
        "  ---------  -------  ------  -----  -----  ------  ------------------",
        "  contains   40.0 ns  800 ns  20.0x  20.0x  1       SLOWER THAN STATED",
        "",
        "3 figures: 2 as stated, 1 slower than stated.",
      ])
  }

  @Test("Missing measurements are dashes")
  func gaps() {
    var report = OperationReport(sizes: [1_000, 10_000, 100_000])
    add(&report, "Tree", "level", 1_000, 5)
    #expect(
      report.lines == [
        "",
        "Tree",
        "  operation    1,000  10,000  100,000  x10  x10  mean  stated  verdict",
        "  ---------  -------  ------  -------  ---  ---  ----  ------  -------",
        "  level      5.00 ns       -        -    -    -     -  1       -",
        "",
        "1 figures: 0 as stated, 0 slower than stated.",
      ])
  }
}
