import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Expensive cells are prepared step by step in the slack of frames")
struct CellPreparationTests {
  @Test("A cell of 12 ms is prepared without a late frame in 10 ms of slack if the next commit is short")
  func talkExample() {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(12)))
    grid.commitLoad.cost = .milliseconds(6)
    grid.harness.runUntilIdle()
    let before = grid.view.slackStatistics
    grid.scroll(at: 600, frames: 200)
    #expect(grid.lateFrames.isEmpty && grid.view.statistics.preparedForced == 6, "cells of the first screen")
    #expect(grid.view.slackStatistics.deferred - before.deferred > 30, "12 ms never fit into 10 ms")
    #expect(grid.view.slackStatistics.forced == before.forced, "no cell waits until its frame needs it")
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("Without preparation, the same scroll has a late frame for each row and reports the cause")
  func withoutPreparation() throws {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(12)), preparesAhead: false)
    grid.commitLoad.cost = .milliseconds(6)
    grid.harness.runUntilIdle()
    grid.scroll(at: 600, frames: 200)
    #expect(grid.lateFrames.count > 30)
    let record = try #require(grid.lateFrames.last)
    #expect(record.hitchClass == .commitLate && record.slowestForcedType == HeavyCell.self && record.cellsForced == 1)
    #expect(record.cause == "forced prepare; cells are not prepared ahead")
  }

  @Test("Steps of 30 ms in total are spread over the slack of several frames without a late one")
  func separateSteps() {
    let grid = HeavyGrid(
      parts: 5, costs: DeclaredCosts(configure: .milliseconds(1), part: .milliseconds(6)))
    grid.commitLoad.cost = .milliseconds(6)
    grid.harness.runUntilIdle()
    grid.log.clearLog()
    grid.scroll(at: 600, frames: 200)
    #expect(grid.lateFrames.isEmpty && grid.view.statistics.preparedForced == 6)
    let lines = grid.log.lines.filter { $0.hasSuffix(" 20") }
    #expect(
      Array(lines.prefix(7)) == ["configure 20"] + (0..<5).map { "part \($0) of 20" } + ["draw 20"])
  }

  @Test("A step of 30 ms causes one late frame, whose record has the cell and the cause")
  func stepLongerThanFrame() throws {
    let grid = HeavyGrid(costs: DeclaredCosts(configure: .milliseconds(30)))
    grid.commitLoad.cost = .milliseconds(6)
    grid.harness.runUntilIdle()
    let waiting = grid.view.preparedCells.count
    grid.scroll(at: 600, frames: 300)
    let entered = grid.view.statistics.displayed - 6 - waiting
    #expect(grid.lateFrames.count > 20 && grid.lateFrames.count <= entered + waiting)
    for record in grid.lateFrames {
      #expect(record.hitchClass == .commitLate && record.slowestForcedType == HeavyCell.self)
      #expect(record.cause?.hasPrefix("forced prepare; ") ?? false)
      #expect(record.hitch < .milliseconds(15), "it would be later in its commit")
    }
    #expect(grid.lateFrames.contains { $0.cause == "forced prepare; last slack refusal: cost 30.0 ms > 20.0 ms left" })
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("A cell needed between two of its steps is completed immediately and counts as forced")
  func interruptedSteps() {
    let grid = HeavyGrid(parts: 4, costs: DeclaredCosts(part: .milliseconds(9)))
    grid.harness.runUntilIdle()
    grid.log.clearLog()
    let forced = grid.view.statistics.preparedForced
    grid.log.onPart = { part, item in
      if part == 1, item == 106 { grid.harness.sendEvent(.pointerMoved(Point(x: 1, y: 1))) }
    }
    grid.view.applyScrollEvent(.jump(to: 5_000))
    grid.harness.run(frames: 1)
    for item in 100..<106 {
      #expect(
        grid.log.lines.filter { $0.hasSuffix(" \(item)") }
          == ["configure \(item)"] + (0..<4).map { "part \($0) of \(item)" } + ["draw \(item)"])
    }
    #expect(grid.view.statistics.preparedForced == forced + 6)
    // Input interrupts the preparation of item 106 between two steps. A jump by a row makes the cell needed.
    #expect(grid.log.lines.filter { $0.hasSuffix("of 106") } == ["part 0 of 106", "part 1 of 106"])
    grid.view.applyScrollEvent(.jump(to: 5_050))
    grid.harness.run(frames: 1)
    #expect(grid.log.lines.filter { $0.hasSuffix("of 106") } == (0..<4).map { "part \($0) of 106" })
    #expect(grid.view.statistics.preparedForced == forced + 7)
  }

  @Test("A waiting cell that needs display after each drawing is redrawn once, and the loop becomes idle")
  func repeatedRedrawRequests() {
    let grid = HeavyGrid()
    grid.log.onDraw = { if $0.item == 8 { $0.setNeedsDisplay() } }
    #expect(grid.harness.runUntilIdle() < 10)
    #expect(grid.log.lines.filter { $0 == "draw 8" }.count == 2)
    #expect(grid.harness.runUntilIdle() == 0)
    // A change from outside causes two drawings again.
    grid.log.clearLog()
    grid.view.preparedCells.first { ($0 as? HeavyCell)?.item == 8 }?.setNeedsDisplay()
    grid.harness.runUntilIdle()
    #expect(grid.log.lines == ["draw 8", "draw 8"])
    // A visible cell is redrawn in every frame.
    grid.log.clearLog()
    grid.view.applyScrollEvent(.jump(to: 300))
    grid.harness.run(frames: 5)
    #expect(grid.log.lines.filter { $0 == "draw 8" }.count == 5)
  }

  @Test("Reconfiguring repeats the steps of visible and waiting cells")
  func reconfiguring() {
    let grid = HeavyGrid(parts: 2)
    grid.harness.runUntilIdle()
    grid.log.clearLog()
    grid.source.reconfigureItems([3, 8])
    grid.harness.runUntilIdle()
    for item in [3, 8] {
      #expect(
        grid.log.lines.filter { $0.hasSuffix(" \(item)") }
          == ["configure \(item)", "part 0 of \(item)", "part 1 of \(item)"])
    }
  }

  @Test("Creating a cell ahead is a separate step that counts as created and not as reused")
  func createStep() {
    let grid = HeavyGrid(costs: DeclaredCosts(create: .milliseconds(9), configure: .milliseconds(9)))
    grid.harness.run(frames: 60)
    let counts = grid.view.statistics
    #expect(counts.created == 12 && counts.dequeued == 12 && counts.reused == 0)
    #expect(!grid.log.lines.contains { $0.hasPrefix("reuse") })
    #expect(grid.registration.metrics[.create].count == 12)
    grid.scroll(at: 300, frames: 100)
    #expect(grid.lateFrames.isEmpty, "18 ms in total do not fit into 16 ms")
    #expect(grid.view.statistics.reused > 0 && grid.view.statistics.preparedForced == 6)
  }

  @Test("A registration reports the cost of each step for visible and prepared cells")
  func metrics() throws {
    let costs = DeclaredCosts(
      create: .milliseconds(1), configure: .milliseconds(2), part: .milliseconds(3), size: .milliseconds(4),
      draw: .milliseconds(5))
    let grid = HeavyGrid(parts: 2, costs: costs)
    grid.harness.runUntilIdle()
    let metrics = grid.registration.metrics
    // 18 of them were created while idle, for scrolling to come.
    #expect(metrics[.create].count == 30 && metrics[.create].typical == .milliseconds(1))
    #expect(metrics[.configure].count == 12 && metrics[.configure].total == .milliseconds(24))
    #expect(metrics[.part].count == 24 && metrics[.part].longest == .milliseconds(3))
    #expect(metrics[.size].count == 12 && metrics[.size].pessimistic == .milliseconds(4))
    #expect(metrics[.draw].count == 12 && metrics[.draw].total == .milliseconds(60))
    #expect(metrics[.upload].count == 0 && metrics[.upload].typical == nil)
    #expect(grid.registration.declaredCosts == costs)
  }

  @Test("Cells of unknown cost cause no late frame when scrolling starts")
  func unknownCost() {
    let grid = HeavyGrid(columns: 3, costs: .none)
    DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(7)
    // The first frame is followed immediately by a moving one.
    grid.harness.run(frames: 1)
    grid.scroll(at: 600, frames: 100)
    #expect(grid.lateFrames.isEmpty && grid.view.statistics.preparedForced == 18)
  }

  @Test("While idle, the cells that a scroll would need are prepared without pause, until input arrives")
  func idle() {
    let grid = HeavyGrid(columns: 4, costs: DeclaredCosts(configure: .milliseconds(20)))
    grid.harness.run(frames: 1)
    // A row takes 80 ms, and brisk scrolling needs one every 25 ms: as many as fit into a quarter of a second.
    #expect(grid.view.preparedCells.count == 13)
    #expect(grid.harness.loop.history.record(atAge: 0).index == 0)
    let input = HeavyGrid(columns: 4, costs: DeclaredCosts(configure: .milliseconds(20)))
    input.log.onConfigure = { item in
      if item == 27 { input.harness.sendEvent(.pointerMoved(Point(x: 1, y: 1))) }
    }
    input.harness.run(frames: 1)
    #expect(input.view.preparedCells.count == 4, "the step that ran when the input arrived was the last")
  }
}

// MARK: - Policies

@Suite("Cells are prepared by the policy, and the expected cost is the highest recent one")
struct CellPreparationPolicyTests {
  @Test("The policy for whole cells prepares only the next row, each cell with all its steps at once")
  func wholeCells() {
    let grid = HeavyGrid(columns: 2, parts: 3, costs: DeclaredCosts(part: .milliseconds(2)))
    grid.view.preparationPolicy = .wholeCells
    grid.harness.runUntilIdle()
    #expect(grid.view.preparedCells.compactMap(\.itemIndex) == [12, 13])
    let lines = grid.log.lines.filter { $0.hasSuffix(" 12") || $0.hasSuffix(" 13") }
    #expect(
      lines
        == [12, 13].flatMap { item in
          ["configure \(item)"] + (0..<3).map { "part \($0) of \(item)" } + ["draw \(item)"]
        })
    #expect(grid.view.slackStatistics.overruns == 0)
  }

  @Test("Whole cells longer than a frame cause late frames, and steps do not")
  func wholeCellsAndSteps() {
    func lateFrames(_ policy: PreparationPolicy) -> Int {
      let grid = HeavyGrid(parts: 5, costs: DeclaredCosts(part: .milliseconds(8)))
      grid.view.preparationPolicy = policy
      grid.harness.runUntilIdle()
      grid.scroll(at: 600, frames: 200)
      return grid.lateFrames.count
    }
    #expect(lateFrames(.stepwise) == 0 && lateFrames(.wholeCells) > 20)
  }

  @Test("The policy for whole cells retains prepared cells after a direction change")
  func directionChange() {
    func discardedCells(_ policy: PreparationPolicy) -> Int {
      let grid = HeavyGrid()
      grid.view.preparationPolicy = policy
      grid.harness.runUntilIdle()
      grid.scroll(at: 1_200, frames: 30)
      grid.scroll(at: -1_200, frames: 10)
      return grid.view.statistics.preparedNeverDisplayed
    }
    #expect(discardedCells(.stepwise) > 0 && discardedCells(.wholeCells) == 0)
  }

  @Test(
    "Expensive cells among cheap ones cause no overrun and no late frame", arguments: [300.0, 600])
  func mixedCosts(speed: Double) {
    let grid = MixedGrid(heavyEvery: 5, cheap: .milliseconds(2), heavy: .milliseconds(21))
    grid.view.applyScrollEvent(.steady(velocity: speed), at: grid.harness.clock.now())
    grid.harness.run(frames: 300)
    #expect(grid.view.slackStatistics.overruns == 0 && grid.harness.loop.history.hitchCount == 0)
    #expect(grid.view.statistics.preparedInSlack > 30)
  }
}
