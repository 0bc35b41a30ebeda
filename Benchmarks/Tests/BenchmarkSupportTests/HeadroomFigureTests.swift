import BenchmarkSupport
import Testing

@Suite("Largest sustainable cost of a cell")
struct HeadroomFigureTests {
  @Test(
    "The binary search finds the cost within the resolution with few calls", arguments: [10, 11, 500, 12_345, 99_999])
  func largest(limit: Int64) {
    var calls = 0
    let found = LargestSustainableCost.find(in: 10...100_000, resolution: 7) { cost in
      calls += 1
      return cost <= limit
    }
    #expect(found.map { $0 <= limit && limit - $0 < 7 } == true)
    #expect(calls <= 2 + 15)
  }

  @Test("The result is the upper bound if every cost is sustainable, and nil if none is")
  func ends() {
    #expect(LargestSustainableCost.find(in: 1...9, resolution: 1) { _ in true } == 9)
    #expect(LargestSustainableCost.find(in: 1...9, resolution: 1) { _ in false } == nil)
    #expect(LargestSustainableCost.find(in: 1...9, resolution: 1) { $0 < 9 } == 8)
    #expect(
      LargestSustainableCost.find(in: 1...9, resolution: 0) { $0 < 5 } == 4, "a resolution of 0 must terminate")
  }

  @Test("The optimum is two frames for a cell that cannot be split, or the time until the next cell")
  func bounds() {
    func bound(_ cell: HeadroomCell, _ columns: Int, _ height: Double) -> Double {
      HeadroomCase(cell, columns: columns, rowHeight: height).bound / HeadroomCase.interval
    }
    // 10 points per refresh.
    #expect(abs(bound(.handler, 1, 44) - 2) < 1e-9 && abs(bound(.handlerAndDrawing, 6, 180) - 2) < 1e-9)
    #expect(abs(bound(.parts, 1, 44) - 4.4) < 1e-9 && abs(bound(.parts, 6, 180) - 3) < 1e-9)
    #expect(abs(bound(.handler, 6, 90) - 1.5) < 1e-9, "cells come faster than every second frame")
    #expect(Set(HeadroomCase.all.map(\.columns)) == [1, 6] && HeadroomCase.all.count == 6)
  }

  @Test("The cost of a cell is divided into its parts", arguments: HeadroomCell.allCases, [1, 600_000, 70_000_001])
  func pieces(cell: HeadroomCell, total: Int64) {
    let work = cell.work(total: total)
    #expect(work.total == total && work.handler >= 0 && work.part >= 0 && work.drawing >= 0)
    #expect((work.parts > 0) == (cell == .parts))
    #expect(work.drawing == (cell == .handler ? 0 : min(500_000, total)))
    if cell == .parts { #expect(work.handler < 30, "almost everything is split") }
    #expect(cell.work(total: -5).total == 0)
  }

  @Test("The table row contains both costs, the optimum, and whether the goals are met")
  func row() {
    let test = HeadroomCase(.handlerAndDrawing, columns: 1, rowHeight: 44)
    let good = HeadroomFigure(test, off: 16e6, on: 32.2e6)
    #expect(
      good.row == [
        "1", "handler, drawing", "4.4", "16.0 ms", "32.2 ms", "2.01x", "33.3 ms", "0.97x",
        "on/off >= 2.00x reached, bound >= 0.85x reached",
      ])
    let poor = HeadroomFigure(test, off: 16e6, on: 28e6)
    #expect(poor.row.last == "on/off >= 2.00x MISSED, bound >= 0.85x MISSED")
    #expect(HeadroomFigure(test, off: 0, on: 28e6).ratio == nil && poor.row.count == HeadroomFigure.columns.count)
    #expect(HeadroomCase(.parts, columns: 6, rowHeight: 180).ratioAim?.bound == 4)
    #expect(HeadroomCase(.handler, columns: 1, rowHeight: 44).ratioAim == nil)
  }
}

@Suite("Comparison of two policies")
struct RivalFigureTests {
  private func figure(_ ours: Double, _ rival: Double) throws -> RivalFigure {
    func outcome(_ ratio: Double) -> PolicyOutcome {
      PolicyOutcome(hitchRatio: ratio, late: ratio > 0 ? 3 : 0, slackOverruns: 0, forced: 30)
    }
    return RivalFigure(try #require(RivalCase.all.first), ours: outcome(ours), rival: outcome(rival))
  }

  @Test("The policy with less hitch time wins, and equal times are a tie")
  func verdicts() throws {
    #expect(try figure(0, 4.4).verdict == .less && figure(2, 4).verdict == .less)
    #expect(try figure(0, 0).verdict == .tie && figure(3, 3).verdict == .tie)
    #expect(try figure(5, 4).verdict == .more)
    let row = try figure(0, 4.44).row
    #expect(row == [RivalCase.all[0].label, "0.0", "0", "0", "30", "4.4", "3", "30", "less: reached"])
    #expect(row.count == RivalFigure.columns.count)
  }

  @Test("The cases include steady scrolls, flicks, direction changes, jumps and mixed cells")
  func cases() {
    let labels = RivalCase.all.map(\.label)
    #expect(Set(labels).count == labels.count)
    for word in ["steady 600", "steady 2,400", "4,000", "8,000", "flips", "jumps", "one in 5"] {
      #expect(labels.contains { $0.contains(word) }, "\(word)")
    }
    #expect(RivalCase.all.allSatisfy { $0.script.length >= 900 && $0.rowHeight > 0 && $0.columns > 0 })
    #expect(RivalCase.all.contains { $0.model.kinds.count == 2 })
  }
}

@Suite("Modeled cells")
struct CellModelTests {
  @Test("All cells are equal unless a model has heavy cells")
  func uniform() {
    let model = CellModel(CellWork(handler: 3, part: 2, parts: 4, drawing: 1))
    #expect((0..<100).allSatisfy { model.kind(of: $0) == 0 && model.work(of: $0).total == 12 })
  }

  @Test("Heavy cells have the specified frequency at irregular and reproducible positions")
  func mixed() {
    let (cheap, heavy) = (CellWork(handler: 1), CellWork(handler: 9))
    let model = CellModel(cheap: cheap, heavy: heavy, every: 5)
    let kinds = (0..<10_000).map { model.kind(of: $0) }
    let count = kinds.count { $0 == 1 }
    #expect((1_850...2_150).contains(count))
    #expect(kinds == (0..<10_000).map { model.kind(of: $0) })
    #expect((0..<10_000).allSatisfy { model.work(of: $0) == (kinds[$0] == 1 ? heavy : cheap) })
    // All four combinations of adjacent kinds occur.
    let pairs = Set(zip(kinds, kinds.dropFirst()).map { $0 * 2 + $1 })
    #expect(pairs == [0, 1, 2, 3])
    #expect(CellModel(cheap: cheap, heavy: heavy, every: 0).kind(of: 7) == 1)
  }
}
