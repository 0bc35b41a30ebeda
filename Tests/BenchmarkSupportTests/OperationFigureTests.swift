import BenchmarkSupport
import Testing

@Suite("Figures of operations")
struct OperationFigureTests {
  private func figure(_ stated: StatedCost, _ times: (Int, Double)...) -> OperationFigure {
    var figure = OperationFigure("call", stated)
    for (count, nanoseconds) in times { figure.add(count: count, nanoseconds: nanoseconds) }
    return figure
  }

  private func verdict(_ growth: CostGrowth, _ times: Double...) -> Bool? {
    var figure = OperationFigure("call", StatedCost("short form", growth))
    for (step, nanoseconds) in times.enumerated() {
      figure.add(count: (0..<step).reduce(1_000) { count, _ in count * 10 }, nanoseconds: nanoseconds)
    }
    return figure.keepsWhatIsStated
  }

  private func isNear(_ growth: Double?, _ expected: Double) -> Bool {
    growth.map { abs($0 - expected) < 1e-9 } ?? false
  }

  @Test("bring growth to ten times the items, whatever the sizes are")
  func tenfold() {
    let tens = figure(.flat("1"), (1_000, 5), (10_000, 10), (100_000, 40))
    #expect(tens.growths.count == 2 && isNear(tens.growths[0], 2) && isNear(tens.growths[1], 4))
    #expect(isNear(tens.meanGrowth, 8.squareRoot()))
    let hundred = figure(.flat("1"), (1_000, 5), (100_000, 45))
    #expect(isNear(hundred.growths[0], 3) && isNear(hundred.meanGrowth, 3))
    let twofold = figure(.linear("n"), (50_000, 7), (100_000, 14))
    #expect(isNear(twofold.growths[0], 10))
  }

  @Test("have no growth without a step, a time or more items")
  func missing() {
    #expect(figure(.flat("1")).growths.isEmpty && figure(.flat("1")).meanGrowth == nil)
    let single = figure(.flat("1"), (1_000, 5))
    #expect(single.growths.isEmpty && single.keepsWhatIsStated == nil && single.verdict == "-")
    #expect(figure(.flat("1"), (1_000, 0), (10_000, 5)).growths == [nil])
    #expect(figure(.flat("1"), (1_000, 5), (1_000, 5)).keepsWhatIsStated == nil)
  }

  @Test("find what grows by a power more than stated too slow")
  func tooSlow() {
    #expect(verdict(.flat, 10, 100, 1_000) == false)
    #expect(verdict(.linear, 10, 1_000, 100_000) == false)
    #expect(verdict(.linearithmic, 10, 1_000, 100_000) == false)
  }

  @Test("find what grows as stated in order, faster machines and caches that end notwithstanding")
  func asStated() {
    #expect(verdict(.flat, 10, 11, 12, 13) == true)
    #expect(verdict(.flat, 10, 10, 45, 50) == true)
    #expect(verdict(.linear, 10, 100, 1_000) == true)
    #expect(verdict(.linear, 10, 90, 2_000, 25_000) == true)
    #expect(verdict(.linearithmic, 10, 133, 1_667, 20_000) == true)
    #expect(verdict(.linear, 10, 10, 10) == true)
  }

  @Test("find work in proportion too slow that a fixed cost hides at small sizes")
  func hidden() {
    #expect(verdict(.flat, 1_000, 1_001, 1_010, 8_000) == false)
    #expect(verdict(.linear, 1_000, 1_010, 2_000, 70_000) == false)
  }

  @Test("count a growth that is just allowed as kept")
  func bounds() {
    #expect(verdict(.flat, 1, 3) == true && verdict(.flat, 1, 3.01) == false)
    #expect(verdict(.linear, 1, 15) == true && verdict(.linear, 1, 15.01) == false)
    #expect(verdict(.linearithmic, 1, 20) == true && verdict(.linearithmic, 1, 20.01) == false)
    #expect(verdict(.flat, 1, 1, 6) == true && verdict(.flat, 1, 1, 6.01) == false)
  }

  @Test("are judged from the size on for which the statement is settled")
  func settled() {
    let stated = StatedCost.flat("128", settledFrom: 65_536)
    #expect(figure(stated, (1_000, 1), (10_000, 2), (100_000, 40), (1_000_000, 60)).keepsWhatIsStated == true)
    #expect(figure(stated, (1_000, 1), (10_000, 2), (100_000, 40), (1_000_000, 400)).keepsWhatIsStated == false)
    let few = figure(stated, (1_000, 1), (10_000, 2), (100_000, 40))
    #expect(few.keepsWhatIsStated == nil && few.verdict == "-" && few.growths.count == 2)
  }
}
