import CollectionEngine
import CollectionUI
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A heavy cell is prepared step by step, in what short commits leave")
struct HeavyCellTests {
  @Test("The talk's example: 10 ms of slack, a cell of 12 ms, the next commit short: prepared, and no frame is late")
  func talk() {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(12)))
    grid.busy.cost = .milliseconds(6)
    grid.stage.runUntilIdle()
    let before = grid.view.slackStatistics
    grid.scroll(at: 600, frames: 200)
    #expect(grid.late.isEmpty && grid.view.statistics.preparedForced == 6, "those of the first screen")
    #expect(grid.view.slackStatistics.deferred - before.deferred > 30, "12 ms never fit into 10")
    #expect(grid.view.slackStatistics.forced == before.forced, "none waits until its frame needs it")
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("Without preparing ahead the same scroll is late for every row, and says what for")
  func control() throws {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(12)), preparesAhead: false)
    grid.busy.cost = .milliseconds(6)
    grid.stage.runUntilIdle()
    grid.scroll(at: 600, frames: 200)
    #expect(grid.late.count > 30)
    let record = try #require(grid.late.last)
    #expect(record.hitchClass == .commitLate && record.slowestForcedType == HeavyCell.self && record.cellsForced == 1)
    #expect(record.cause == "forced prepare; nothing is prepared ahead")
  }

  @Test("30 ms in parts are spread over the slack of several frames, and none is late")
  func inParts() {
    let grid = HeavyGrid(
      parts: 5, costs: DeclaredCosts(configure: .milliseconds(1), part: .milliseconds(6)))
    grid.busy.cost = .milliseconds(6)
    grid.stage.runUntilIdle()
    grid.log.forget()
    grid.scroll(at: 600, frames: 200)
    #expect(grid.late.isEmpty && grid.view.statistics.preparedForced == 6)
    let lines = grid.log.lines.filter { $0.hasSuffix(" 20") }
    #expect(
      Array(lines.prefix(7)) == ["configure 20"] + (0..<5).map { "part \($0) of 20" } + ["draw 20"])
  }

  @Test("30 ms at once fit no frame: each makes one late frame, that names the cell and why")
  func tooHeavy() throws {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(30)))
    grid.busy.cost = .milliseconds(6)
    grid.stage.runUntilIdle()
    let waiting = grid.view.preparedCells.count
    grid.scroll(at: 600, frames: 300)
    let entered = grid.view.statistics.displayed - 6 - waiting
    #expect(grid.late.count > 20 && grid.late.count <= entered + waiting)
    for record in grid.late {
      #expect(record.hitchClass == .commitLate && record.slowestForcedType == HeavyCell.self)
      #expect(record.cause?.hasPrefix("forced prepare; ") ?? false)
      #expect(record.hitch < .milliseconds(15), "in its commit it would be later still")
    }
    #expect(grid.late.contains { $0.cause == "forced prepare; last slack refusal: cost 30.0 ms > 20.0 ms left" })
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("A cell that is needed between two of its parts is finished at once, in order, and counts as forced")
  func finishing() {
    let grid = HeavyGrid(parts: 4, costs: DeclaredCosts(part: .milliseconds(9)))
    grid.stage.runUntilIdle()
    grid.log.forget()
    let forced = grid.view.statistics.preparedForced
    grid.log.onPart = { part, item in
      if part == 1, item == 106 { grid.stage.sendEvent(.pointerMoved(Point(x: 1, y: 1))) }
    }
    grid.view.applyScrollEvent(.jump(to: 5_000))
    grid.stage.run(frames: 1)
    for item in 100..<106 {
      #expect(
        grid.log.lines.filter { $0.hasSuffix(" \(item)") }
          == ["configure \(item)"] + (0..<4).map { "part \($0) of \(item)" } + ["draw \(item)"])
    }
    #expect(grid.view.statistics.preparedForced == forced + 6)
    // Input leaves item 106 between two parts; a leap of a row makes it needed.
    #expect(grid.log.lines.filter { $0.hasSuffix("of 106") } == ["part 0 of 106", "part 1 of 106"])
    grid.view.applyScrollEvent(.jump(to: 5_050))
    grid.stage.run(frames: 1)
    #expect(grid.log.lines.filter { $0.hasSuffix("of 106") } == (0..<4).map { "part \($0) of 106" })
    #expect(grid.view.statistics.preparedForced == forced + 7)
  }

  @Test("A cell that waits and asks for another drawing whenever it draws is drawn once more, and the loop rests")
  func restlessDrawing() {
    let grid = HeavyGrid()
    grid.log.onDraw = { if $0.item == 8 { $0.setNeedsDisplay() } }
    #expect(grid.stage.runUntilIdle() < 10)
    #expect(grid.log.lines.filter { $0 == "draw 8" }.count == 2)
    #expect(grid.stage.runUntilIdle() == 0)
    // Somebody else changes it, and it draws no more than before.
    grid.log.forget()
    grid.view.preparedCells.first { ($0 as? HeavyCell)?.item == 8 }?.setNeedsDisplay()
    grid.stage.runUntilIdle()
    #expect(grid.log.lines == ["draw 8", "draw 8"])
    // Once it is seen it draws in every frame, as it wants to.
    grid.log.forget()
    grid.view.applyScrollEvent(.jump(to: 300))
    grid.stage.run(frames: 5)
    #expect(grid.log.lines.filter { $0 == "draw 8" }.count == 5)
  }

  @Test("Reconfiguring does the parts again, on screen and waiting")
  func reconfiguring() {
    let grid = HeavyGrid(parts: 2)
    grid.stage.runUntilIdle()
    grid.log.forget()
    grid.source.reconfigureItems([3, 8])
    grid.stage.runUntilIdle()
    for item in [3, 8] {
      #expect(
        grid.log.lines.filter { $0.hasSuffix(" \(item)") }
          == ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"])
    }
  }

  @Test("Cells are made ahead of need as a step of their own, are no reuse, and are counted")
  func spares() {
    let grid = HeavyGrid(costs: DeclaredCosts(create: .milliseconds(9), configure: .milliseconds(9)))
    grid.stage.run(frames: 60)
    let counts = grid.view.statistics
    #expect(counts.created == 12 && counts.dequeued == 12 && counts.reused == 0)
    #expect(!grid.log.lines.contains { $0.hasPrefix("reuse") })
    #expect(grid.registration.metrics[.create].count == 12)
    grid.scroll(at: 300, frames: 100)
    #expect(grid.late.isEmpty, "18 ms at once would not fit into 16")
    #expect(grid.view.statistics.reused > 0 && grid.view.statistics.preparedForced == 6)
  }

  @Test("A registration tells what its cells took, step by step, on screen and ahead")
  func metrics() throws {
    let costs = DeclaredCosts(
      create: .milliseconds(1), configure: .milliseconds(2), part: .milliseconds(3), size: .milliseconds(4),
      draw: .milliseconds(5))
    let grid = HeavyGrid(parts: 2, costs: costs)
    grid.stage.runUntilIdle()
    let metrics = grid.registration.metrics
    // 18 of them while nothing moved, for a motion to come.
    #expect(metrics[.create].count == 30 && metrics[.create].typical == .milliseconds(1))
    #expect(metrics[.configure].count == 12 && metrics[.configure].total == .milliseconds(24))
    #expect(metrics[.part].count == 24 && metrics[.part].longest == .milliseconds(3))
    #expect(metrics[.size].count == 12 && metrics[.size].pessimistic == .milliseconds(4))
    #expect(metrics[.draw].count == 12 && metrics[.draw].total == .milliseconds(60))
    #expect(metrics[.upload].count == 0 && metrics[.upload].typical == nil)
    #expect(grid.registration.declaredCosts == costs)
  }

  @Test("A cell of which nothing is known never makes the first moving frames late")
  func unknown() {
    let grid = HeavyGrid(columns: 3, costs: .none)
    grid.view.addedCellCost = .milliseconds(7)
    // Not settled: the first frame that shows anything is followed by one that moves.
    grid.stage.run(frames: 1)
    grid.scroll(at: 600, frames: 100)
    #expect(grid.late.isEmpty && grid.view.statistics.preparedForced == 18)
  }

  @Test("While nothing moves what a scroll would need at once is prepared in a row; input comes in between")
  func rest() {
    let grid = HeavyGrid(columns: 4, costs: DeclaredCosts(configure: .milliseconds(20)))
    grid.stage.run(frames: 1)
    // A row takes 80 ms and a brisk scroll brings one in 25: as much as a quarter of a second has room for.
    #expect(grid.view.preparedCells.count == 13)
    #expect(grid.stage.loop.history.record(atAge: 0).index == 0)
    let input = HeavyGrid(columns: 4, costs: DeclaredCosts(configure: .milliseconds(20)))
    input.log.onConfigure = { item in
      if item == 27 { input.stage.sendEvent(.pointerMoved(Point(x: 1, y: 1))) }
    }
    input.stage.run(frames: 1)
    #expect(input.view.preparedCells.count == 4, "the step that ran when the input came was the last")
  }
}
