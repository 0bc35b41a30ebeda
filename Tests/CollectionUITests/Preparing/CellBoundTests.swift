import CollectionEngine
import CollectionUI
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Cells are bounded: as many as are seen at most, and as many as may wait")
struct CellBoundTests {
  private func grid(_ count: Int = 2_000, columns: Int = 3) -> WordGrid {
    .preparing(count, columns: columns)
  }

  private func prepared(_ grid: WordGrid) -> [Int] {
    grid.view.preparedCells.compactMap { ($0 as? WordCell).flatMap { Int($0.word.dropFirst()) } }
  }

  @Test("Flicks, flips, jumps and resizes never make more cells than were seen at once and may wait")
  func scripts() {
    let grid = grid()
    var generator = SeededGenerator(seed: 3)
    var mostSeen = grid.shown.count
    for step in 0..<400 {
      switch step % 5 {
      case 0:
        grid.view.applyScrollEvent(
          .flick(velocity: .random(in: -20_000...20_000, using: &generator), accumulating: true))
      case 1: grid.view.applyScrollEvent(.jump(to: .random(in: 0...30_000, using: &generator)))
      case 2: grid.view.applyScrollEvent(.steady(velocity: .random(in: -4_000...4_000, using: &generator)))
      case 3: grid.view.applyScrollEvent(.advance(by: .random(in: -400...400, using: &generator)))
      default:
        grid.stage.resize(to: Size(width: 400, height: Bool.random(using: &generator) ? 300 : 180))
      }
      for _ in 0..<6 {
        grid.stage.run(frames: 1)
        mostSeen = max(mostSeen, grid.shown.count)
        #expect(grid.view.preparedCells.count <= KeepExtent.standard.maximumCells(visible: mostSeen))
      }
    }
    #expect(mostSeen == 21)
    #expect(grid.view.statistics.created <= mostSeen + KeepExtent.standard.maximumCells(visible: mostSeen))
    #expect(grid.view.statistics.created == grid.cells.count)
  }

  @Test("Speed stretches what is kept ahead by the time that preparing takes")
  func lead() {
    func mostAhead(cost: Double) -> Int {
      let grid = grid(columns: 1)
      grid.view.addedCellCost = .milliseconds(cost)
      grid.view.applyScrollEvent(.steady(velocity: 1_500))
      var most = 0
      for _ in 0..<120 {
        grid.stage.run(frames: 1)
        most = max(most, (prepared(grid).max() ?? 0) - grid.view.visibleRange.upperBound + 1)
      }
      return most
    }
    // A screen is six rows, and a row comes in every 33 ms: seven cells of 1 ms and three frames take 55 ms.
    #expect(mostAhead(cost: 1) <= 7)
    // Cells of 30 ms and three frames take 258 ms, in which nearly eight rows come in.
    #expect(mostAhead(cost: 30) > 7)
  }

  @Test(
    "Where as many wait as may, one that is needed less makes room for one that is needed more, of its registration")
  func stealing() {
    let stage = MixedGrid()
    for offset in stride(from: 0.0, through: 6_000, by: 70) { stage.scroll(to: offset) }
    for offset in stride(from: 6_000.0, through: 0, by: -110) { stage.scroll(to: offset) }
    let bound = stage.mostSeen + KeepExtent.standard.maximumCells(visible: stage.mostSeen)
    #expect(stage.view.preparedCells.count <= KeepExtent.standard.maximumCells(visible: stage.mostSeen))
    #expect(stage.view.statistics.created <= bound)
    #expect(stage.mismatches == 0)
  }

  @Test("A turn, once believed, drops the side that was ahead into the pool: nobody is told, as it was never shown")
  func flip() {
    let grid = grid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 3_020)
    grid.stage.runUntilIdle()
    #expect(prepared(grid).filter { $0 >= 67 } == Array(67..<73), "a screen ahead")
    let before = grid.view.statistics
    grid.forget()
    grid.scroll(to: 3_014)
    #expect(prepared(grid).max() == 72, "six points back is no turn yet")
    grid.scroll(to: 3_010)
    let after = grid.view.statistics
    #expect(prepared(grid).filter { $0 >= 67 } == [67, 68, 69], "half a screen behind")
    #expect(after.preparedNeverDisplayed == before.preparedNeverDisplayed + 3)
    #expect(grid.log.lines.isEmpty && after.displayed == before.displayed)
    grid.stage.runUntilIdle()
    #expect(prepared(grid).filter { $0 < 60 } == Array(54..<60))
    #expect(grid.view.statistics.created == before.created, "those of the other side were used again")
    #expect(grid.log.lines.isEmpty)
  }

  @Test("When memory is short, pools are emptied and what nobody needs within a second goes; what is seen stays")
  func pressure() {
    let grid = grid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 200)
    grid.stage.runUntilIdle()
    let shown = grid.shown
    #expect(grid.view.pooledCellCount > 0 && prepared(grid).count >= 6)
    grid.forget()
    grid.view.handleMemoryPressure()
    let counts = grid.view.statistics
    #expect(grid.view.pooledCellCount == 0 && counts.pooled == 0 && counts.discarded > 0)
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    // Item 10 begins where the screen ends, and a quarter of a screen is kept around it.
    #expect(prepared(grid).allSatisfy { (2...11).contains($0) })
    #expect(grid.shown == shown && grid.log.lines.isEmpty)
    grid.scroll(to: 260)
    #expect(prepared(grid).count <= 4, "for a while no more is prepared")
    grid.stage.runUntilIdle()
    grid.stage.run(milliseconds: 11_000)
    grid.scroll(to: 320)
    grid.stage.runUntilIdle()
    #expect(prepared(grid).count > 4, "until the shortage is over")
  }

  @Test("A loop that is told that memory is short tells the view")
  func pressureThroughLoop() {
    let grid = grid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 200)
    grid.stage.runUntilIdle()
    let shown = grid.shown
    #expect(grid.view.pooledCellCount > 0)
    var isShort = true
    grid.stage.loop.isMemoryLow = {
      defer { isShort = false }
      return isShort
    }
    grid.stage.run(milliseconds: 100)
    #expect(grid.view.pooledCellCount == 0 && grid.view.statistics.discarded > 0 && grid.shown == shown)
  }

  @Test("On the move what is on the way and due within a second stays when memory is short")
  func pressureOnTheMove() {
    let grid = grid(columns: 1)
    grid.view.applyScrollEvent(.steady(velocity: 300))
    grid.stage.run(frames: 40)
    let next = grid.view.visibleRange.upperBound
    grid.view.handleMemoryPressure()
    #expect(prepared(grid).contains(next) && prepared(grid).allSatisfy { $0 >= next })
    grid.stage.run(frames: 100)
    #expect(grid.stage.loop.history.hitchCount == 0)
  }
}
