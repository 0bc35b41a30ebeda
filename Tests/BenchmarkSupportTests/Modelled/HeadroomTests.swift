import BenchmarkSupport
import Testing

@Suite("The largest cost of a cell that scrolling bears")
struct HeadroomTests {
  @Test("is found by halving, to the resolution, and asks for few costs", arguments: [10, 11, 500, 12_345, 99_999])
  func largest(limit: Int64) {
    var asked = 0
    let found = LargestCost.find(in: 10...100_000, resolution: 7) { cost in
      asked += 1
      return cost <= limit
    }
    #expect(found.map { $0 <= limit && limit - $0 < 7 } == true)
    #expect(asked <= 2 + 15)
  }

  @Test("is the end of the range where all are borne, and nothing where none is")
  func ends() {
    #expect(LargestCost.find(in: 1...9, resolution: 1) { _ in true } == 9)
    #expect(LargestCost.find(in: 1...9, resolution: 1) { _ in false } == nil)
    #expect(LargestCost.find(in: 1...9, resolution: 1) { $0 < 9 } == 8)
    #expect(LargestCost.find(in: 1...9, resolution: 0) { $0 < 5 } == 4, "a resolution of nothing would never end")
  }

  @Test("is bound by two frames for a cell that cannot be split, and by the time until the next one comes")
  func bounds() {
    func bound(_ cell: HeadroomCell, _ columns: Int, _ height: Double) -> Double {
      HeadroomCase(cell, columns: columns, rowHeight: height).bound / HeadroomCase.interval
    }
    // 10 points a refresh.
    #expect(abs(bound(.handler, 1, 44) - 2) < 1e-9 && abs(bound(.handlerAndDrawing, 6, 180) - 2) < 1e-9)
    #expect(abs(bound(.parts, 1, 44) - 4.4) < 1e-9 && abs(bound(.parts, 6, 180) - 3) < 1e-9)
    #expect(abs(bound(.handler, 6, 90) - 1.5) < 1e-9, "cells come faster than every second frame")
    #expect(Set(HeadroomCase.all.map(\.columns)) == [1, 6] && HeadroomCase.all.count == 6)
  }

  @Test("is spent by the cell in the pieces that it has", arguments: HeadroomCell.allCases, [1, 600_000, 70_000_001])
  func pieces(cell: HeadroomCell, total: Int64) {
    let work = cell.work(total: total)
    #expect(work.total == total && work.handler >= 0 && work.part >= 0 && work.drawing >= 0)
    #expect((work.parts > 0) == (cell == .parts))
    #expect(work.drawing == (cell == .handler ? 0 : min(500_000, total)))
    if cell == .parts { #expect(work.handler < 30, "next to nothing stays unsplit") }
    #expect(cell.work(total: -5).total == 0)
  }

  @Test("is told beside what is borne without, the bound, and whether the aims are reached")
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
