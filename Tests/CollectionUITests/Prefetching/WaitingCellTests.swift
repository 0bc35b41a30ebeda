import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Cells are prepared in slack, wait for their items, and appear without further work")
struct WaitingCellTests {
  private func makeGrid(_ count: Int = 200, columns: Int = 1) -> WordGrid {
    .preparing(count, columns: columns)
  }

  private func prepared(_ grid: WordGrid) -> [String] {
    grid.view.preparedCells.compactMap { ($0 as? WordCell)?.word }
  }

  private func expectInvariants(_ view: CollectionView) {
    let counts = view.statistics
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    #expect(counts.visible == view.visibleCells.count && counts.waiting == view.preparedCells.count)
    #expect(counts.pooled == view.pooledCellCount)
  }

  @Test("While idle, one screen ahead is prepared, nearest first, and then the loop becomes idle")
  func idle() {
    let grid = makeGrid()
    #expect(grid.shown == WordGrid.words(0..<6))
    #expect(prepared(grid) == WordGrid.words(6..<12))
    #expect(grid.providerCalls == WordGrid.words(6..<12))
    #expect(grid.log.lines.isEmpty, "waiting cells are not displayed")
    #expect(grid.harness.runUntilIdle() == 0)
    expectInvariants(grid.view)
  }

  @Test("A prepared cell appears without a provider call and is bound to its item before")
  func appearing() throws {
    let grid = makeGrid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) as? WordCell)
    #expect(cell.word == "w7" && grid.cell(of: "w7") == nil)
    grid.clearLog()
    grid.scroll(to: 100)
    #expect(grid.cell(of: "w7") === cell)
    #expect(grid.log.lines == ["-w0", "-w1", "+w6", "+w7"])
    #expect(!grid.providerCalls.contains("w6") && !grid.providerCalls.contains("w7"))
    expectInvariants(grid.view)
  }

  @Test("Scrolling away and back within the retained range calls no provider, and delegate calls alternate")
  func backAndForth() {
    let grid = makeGrid()
    grid.scroll(to: 100)
    grid.harness.runUntilIdle()
    grid.clearLog()
    grid.scroll(to: 0)
    #expect(grid.providerCalls.isEmpty)
    #expect(grid.log.lines == ["-w6", "-w7", "+w0", "+w1"])
    #expect(grid.view.statistics.redisplayedFromWaiting >= 2)
  }

  @Test("Waiting cells survive an apply, and those of deleted items are pooled")
  func applies() throws {
    let grid = makeGrid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 8, section: 0)) as? WordCell)
    grid.clearLog()
    grid.apply {
      $0.deleteItems(["w7"])
      $0.insertItems(["new"], beforeItem: "w0")
    }
    grid.harness.runUntilIdle()
    #expect(grid.view.cellForItem(at: IndexPath(item: 8, section: 0)) === cell && cell.word == "w8")
    #expect(!prepared(grid).contains("w7"))
    #expect(!grid.providerCalls.contains("w8") && grid.providerCalls.contains("new"))
    expectInvariants(grid.view)
  }

  @Test("Reconfiguring updates the waiting cell, and reloading evicts it")
  func marks() throws {
    let grid = makeGrid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) as? WordCell)
    let reuses = cell.reuses
    grid.clearLog()
    grid.source.reconfigureItems(["w7", "w150"])
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w7"], "an item without a cell is configured later")
    #expect(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) === cell && cell.reuses == reuses)
    grid.clearLog()
    grid.apply { $0.reloadItems(["w7"]) }
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w7"])
    #expect(cell.reuses == reuses + 1 || grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) !== cell)
    expectInvariants(grid.view)
  }

  @Test("With prefetching disabled, no cell waits or is prepared")
  func disabled() {
    let grid = makeGrid()
    grid.view.isPrefetchingEnabled = false
    grid.harness.run(frames: 1)
    #expect(prepared(grid).isEmpty)
    grid.clearLog()
    grid.scroll(to: 100)
    grid.harness.runUntilIdle()
    #expect(grid.providerCalls == ["w6", "w7"])
    expectInvariants(grid.view)
  }

  @Test("Expensive cells cause no late frame during steady scrolling, and do without preparation")
  func heavyCells() {
    func hitches(_ preparesAhead: Bool) -> (late: Int, forced: Int) {
      let grid = WordGrid(WordGrid.words(0..<400))
      DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(20)
      DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = preparesAhead
      grid.harness.runUntilIdle()
      grid.harness.run(frames: 1)
      let before = (grid.harness.loop.history.hitchCount, grid.view.statistics.preparedForced)
      // A row enters every 83 ms. A cell of 20 ms is longer than a frame of 16 ms.
      grid.view.applyScrollEvent(.steady(velocity: 600))
      grid.harness.run(frames: 200)
      return (
        grid.harness.loop.history.hitchCount - before.0, grid.view.statistics.preparedForced - before.1
      )
    }
    let without = hitches(false)
    let with = hitches(true)
    #expect(without.late > 20 && without.forced > 20)
    #expect(with.late == 0 && with.forced == 0, "\(with)")
  }

  @Test("Every cell is in one state over random scrolls and edits", arguments: TestScale.seeds(0..<6))
  func invariants(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let grid = makeGrid(300, columns: 3)
    // Cells that are expensive to prepare are unfinished at the end of a frame.
    DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(Double(seed * 3))
    var next = 1_000
    for _ in 0..<150 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        grid.view.applyScrollEvent(
          .flick(velocity: .random(in: -9_000...9_000, using: &generator), accumulating: false))
      case 1: grid.view.applyScrollEvent(.jump(to: .random(in: 0...4_000, using: &generator)))
      case 2:
        grid.apply { snapshot in
          let items = snapshot.itemIdentifiers
          guard items.count > 60 else { return }
          snapshot.deleteItems((0..<5).compactMap { _ in items.randomElement(using: &generator) })
        }
      case 3:
        next += 1
        grid.apply {
          $0.insertItems(["n\(next)"], beforeItem: $0.itemIdentifiers[Int.random(in: 0..<40, using: &generator)])
        }
      case 6: grid.source.reconfigureItems(prepared(grid))
      case 4: grid.source.reconfigureItems((0..<6).compactMap { _ in grid.shown.randomElement(using: &generator) })
      case 5: grid.harness.resize(to: Size(width: .random(in: 200...500, using: &generator), height: 300))
      default: break
      }
      grid.harness.run(frames: Int.random(in: 1...4, using: &generator))
      expectInvariants(grid.view)
      #expect(Set(grid.shown).isDisjoint(with: prepared(grid)))
    }
  }
}
