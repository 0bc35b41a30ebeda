import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Cells are prepared in slack, wait for their items, and appear without work")
struct WaitingCellTests {
  private func grid(_ count: Int = 200, columns: Int = 1) -> WordGrid {
    .preparing(count, columns: columns)
  }

  private func prepared(_ grid: WordGrid) -> [String] {
    grid.view.preparedCells.compactMap { ($0 as? WordCell)?.word }
  }

  private func demandBalance(_ view: CollectionView) {
    let counts = view.statistics
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    #expect(counts.visible == view.visibleCells.count && counts.waiting == view.preparedCells.count)
    #expect(counts.pooled == view.pooledCellCount)
  }

  @Test("At rest a screen ahead is prepared, nearest first, and the loop rests when that is done")
  func rest() {
    let grid = grid()
    #expect(grid.shown == WordGrid.words(0..<6))
    #expect(prepared(grid) == WordGrid.words(6..<12))
    #expect(grid.provided == WordGrid.words(6..<12))
    #expect(grid.log.lines.isEmpty, "what waits is not displayed")
    #expect(grid.stage.runUntilIdle() == 0)
    demandBalance(grid.view)
  }

  @Test("A prepared cell comes on screen without its provider, and is bound to its item before")
  func appearing() throws {
    let grid = grid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) as? WordCell)
    #expect(cell.word == "w7" && grid.cell(of: "w7") == nil)
    grid.forget()
    grid.scroll(to: 100)
    #expect(grid.cell(of: "w7") === cell)
    #expect(grid.log.lines == ["-w0", "-w1", "+w6", "+w7"])
    #expect(!grid.provided.contains("w6") && !grid.provided.contains("w7"))
    demandBalance(grid.view)
  }

  @Test("Away and back within what is kept calls no provider; the pairs alternate")
  func backAndForth() {
    let grid = grid()
    grid.scroll(to: 100)
    grid.stage.runUntilIdle()
    grid.forget()
    grid.scroll(to: 0)
    #expect(grid.provided.isEmpty)
    #expect(grid.log.lines == ["-w6", "-w7", "+w0", "+w1"])
    #expect(grid.view.statistics.redisplayedFromWaiting >= 2)
  }

  @Test("Cells that wait survive an apply, with their items; those of items that are gone go to the pool")
  func applies() throws {
    let grid = grid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 8, section: 0)) as? WordCell)
    grid.forget()
    grid.apply {
      $0.deleteItems(["w7"])
      $0.insertItems(["new"], beforeItem: "w0")
    }
    grid.stage.runUntilIdle()
    #expect(grid.view.cellForItem(at: IndexPath(item: 8, section: 0)) === cell && cell.word == "w8")
    #expect(!prepared(grid).contains("w7"))
    #expect(!grid.provided.contains("w8") && grid.provided.contains("new"))
    demandBalance(grid.view)
  }

  @Test("Reconfiguring reaches cells that wait, the same cell, and reloading lets them go")
  func marks() throws {
    let grid = grid()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) as? WordCell)
    let reuses = cell.reuses
    grid.forget()
    grid.source.reconfigureItems(["w7", "w150"])
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w7"], "an item without a cell is configured later anyway")
    #expect(grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) === cell && cell.reuses == reuses)
    grid.forget()
    grid.apply { $0.reloadItems(["w7"]) }
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w7"])
    #expect(cell.reuses == reuses + 1 || grid.view.cellForItem(at: IndexPath(item: 7, section: 0)) !== cell)
    demandBalance(grid.view)
  }

  @Test("Switched off, nothing waits and nothing is prepared ahead")
  func off() {
    let grid = grid()
    grid.view.isPrefetchingEnabled = false
    grid.stage.run(frames: 1)
    #expect(prepared(grid).isEmpty)
    grid.forget()
    grid.scroll(to: 100)
    grid.stage.runUntilIdle()
    #expect(grid.provided == ["w6", "w7"])
    demandBalance(grid.view)
  }

  @Test("A heavy cell no longer costs a frame: steady scrolling with and without slack")
  func heavy() {
    func hitches(_ preparesAhead: Bool) -> (late: Int, forced: Int) {
      let grid = WordGrid(WordGrid.words(0..<400))
      grid.view.addedCellCost = .milliseconds(20)
      grid.view.isCellPrefetchingEnabled = preparesAhead
      grid.stage.runUntilIdle()
      grid.stage.run(frames: 1)
      let before = (grid.stage.loop.history.hitchCount, grid.view.statistics.preparedForced)
      // A row in every 83 ms: a cell of 20 ms is longer than a frame of 16.
      grid.view.applyScrollEvent(.steady(velocity: 600))
      grid.stage.run(frames: 200)
      return (
        grid.stage.loop.history.hitchCount - before.0, grid.view.statistics.preparedForced - before.1
      )
    }
    let without = hitches(false)
    let with = hitches(true)
    #expect(without.late > 20 && without.forced > 20)
    #expect(with.late == 0 && with.forced == 0, "\(with)")
  }

  @Test("However it is scrolled and edited, every cell is in one place", arguments: 0..<6)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let grid = grid(300, columns: 3)
    // Heavy cells are left between two steps at the end of a frame.
    grid.view.addedCellCost = .milliseconds(Double(seed * 3))
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
      case 5: grid.stage.resize(to: Size(width: .random(in: 200...500, using: &generator), height: 300))
      default: break
      }
      grid.stage.run(frames: Int.random(in: 1...4, using: &generator))
      demandBalance(grid.view)
      #expect(Set(grid.shown).isDisjoint(with: prepared(grid)))
    }
  }
}
