import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The number of cells is limited to the visible cells and the cells that may wait")
struct CellLimitTests {
  private func makeGrid(_ count: Int = 2_000, columns: Int = 3) -> WordGrid {
    .preparing(count, columns: columns)
  }

  private func prepared(_ grid: WordGrid) -> [Int] {
    grid.view.preparedCells.compactMap { ($0 as? WordCell).flatMap { Int($0.word.dropFirst()) } }
  }

  @Test("Flicks, direction changes, jumps and resizes never exceed the limit of cells")
  func randomScrolling() {
    let grid = makeGrid()
    var generator = SeededGenerator(seed: 3)
    var maximumVisible = grid.shown.count
    for step in 0..<400 {
      switch step % 5 {
      case 0:
        grid.view.applyScrollEvent(
          .flick(velocity: .random(in: -20_000...20_000, using: &generator), accumulating: true))
      case 1: grid.view.applyScrollEvent(.jump(to: .random(in: 0...30_000, using: &generator)))
      case 2: grid.view.applyScrollEvent(.steady(velocity: .random(in: -4_000...4_000, using: &generator)))
      case 3: grid.view.applyScrollEvent(.advance(by: .random(in: -400...400, using: &generator)))
      default:
        grid.harness.resize(to: Size(width: 400, height: Bool.random(using: &generator) ? 300 : 180))
      }
      for _ in 0..<6 {
        grid.harness.run(frames: 1)
        maximumVisible = max(maximumVisible, grid.shown.count)
        #expect(grid.view.preparedCells.count <= KeepExtent.standard.maximumCells(visible: maximumVisible))
      }
    }
    #expect(maximumVisible == 21)
    #expect(grid.view.statistics.created <= maximumVisible + KeepExtent.standard.maximumCells(visible: maximumVisible))
    #expect(grid.view.statistics.created == grid.cells.count)
  }

  @Test("Fast scrolling extends the range of prepared cells by the time that preparation takes")
  func preparationLead() {
    func maximumCellsAhead(cost: Double) -> Int {
      let grid = makeGrid(columns: 1)
      DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(cost)
      grid.view.applyScrollEvent(.steady(velocity: 1_500))
      var maximum = 0
      for _ in 0..<120 {
        grid.harness.run(frames: 1)
        maximum = max(maximum, (prepared(grid).max() ?? 0) - grid.view.visibleRange.upperBound + 1)
      }
      return maximum
    }
    // A screen has six rows, and a row enters every 33 ms. Seven cells of 1 ms and three frames take 55 ms.
    #expect(maximumCellsAhead(cost: 1) <= 7)
    // Cells of 30 ms and three frames take 258 ms, in which nearly eight rows enter.
    #expect(maximumCellsAhead(cost: 30) > 7)
  }

  @Test(
    "At the limit of waiting cells, the least needed cell of a registration is reused for an item that is needed more")
  func stealing() {
    let grid = MixedGrid()
    for offset in stride(from: 0.0, through: 6_000, by: 70) { grid.scroll(to: offset) }
    for offset in stride(from: 6_000.0, through: 0, by: -110) { grid.scroll(to: offset) }
    let bound = grid.maximumVisible + KeepExtent.standard.maximumCells(visible: grid.maximumVisible)
    #expect(grid.view.preparedCells.count <= KeepExtent.standard.maximumCells(visible: grid.maximumVisible))
    #expect(grid.view.statistics.created <= bound)
    #expect(grid.mismatches == 0)
  }

  @Test("A confirmed direction change moves cells that were prepared ahead to the pool without delegate calls")
  func directionChange() {
    let grid = makeGrid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 3_020)
    grid.harness.runUntilIdle()
    #expect(prepared(grid).filter { $0 >= 67 } == Array(67..<73), "one screen ahead")
    let before = grid.view.statistics
    grid.clearLog()
    grid.scroll(to: 3_014)
    #expect(prepared(grid).max() == 72, "six points back are not a direction change")
    grid.scroll(to: 3_010)
    let after = grid.view.statistics
    #expect(prepared(grid).filter { $0 >= 67 } == [67, 68, 69], "half a screen behind")
    #expect(after.preparedNeverDisplayed == before.preparedNeverDisplayed + 3)
    #expect(grid.log.lines.isEmpty && after.displayed == before.displayed)
    grid.harness.runUntilIdle()
    #expect(prepared(grid).filter { $0 < 60 } == Array(54..<60))
    #expect(grid.view.statistics.created == before.created, "the pooled cells are reused")
    #expect(grid.log.lines.isEmpty)
  }

  @Test("Under memory pressure, pools are emptied and waiting cells not needed within a second are evicted")
  func memoryPressure() {
    let grid = makeGrid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 200)
    grid.harness.runUntilIdle()
    let shown = grid.shown
    #expect(grid.view.pooledCellCount > 0 && prepared(grid).count >= 6)
    grid.clearLog()
    grid.view.handleMemoryPressure()
    let counts = grid.view.statistics
    #expect(grid.view.pooledCellCount == 0 && counts.pooled == 0 && counts.discarded > 0)
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
    // Item 10 starts at the end of the screen, and a quarter of a screen around it is retained.
    #expect(prepared(grid).allSatisfy { (2...11).contains($0) })
    #expect(grid.shown == shown && grid.log.lines.isEmpty)
    grid.scroll(to: 260)
    #expect(prepared(grid).count <= 4, "preparation is suspended")
    grid.harness.runUntilIdle()
    grid.harness.run(milliseconds: 11_000)
    grid.scroll(to: 320)
    grid.harness.runUntilIdle()
    #expect(prepared(grid).count > 4, "until the memory pressure has ended")
  }

  @Test("The frame loop notifies the view of low memory")
  func memoryPressureFromLoop() {
    let grid = makeGrid(columns: 1)
    grid.scroll(to: 3_000)
    grid.scroll(to: 200)
    grid.harness.runUntilIdle()
    let shown = grid.shown
    #expect(grid.view.pooledCellCount > 0)
    var isShort = true
    grid.harness.loop.isMemoryLow = {
      defer { isShort = false }
      return isShort
    }
    grid.harness.run(milliseconds: 100)
    #expect(grid.view.pooledCellCount == 0 && grid.view.statistics.discarded > 0 && grid.shown == shown)
  }

  @Test("Under memory pressure, cells needed within a second of scrolling are retained")
  func memoryPressureWhileScrolling() {
    let grid = makeGrid(columns: 1)
    grid.view.applyScrollEvent(.steady(velocity: 300))
    grid.harness.run(frames: 40)
    let next = grid.view.visibleRange.upperBound
    grid.view.handleMemoryPressure()
    #expect(prepared(grid).contains(next) && prepared(grid).allSatisfy { $0 >= next })
    grid.harness.run(frames: 100)
    #expect(grid.harness.loop.history.hitchCount == 0)
  }
}

// MARK: - Retained bytes

@Suite("Waiting cells retain no more bytes than the limit")
struct PreparedBytesTests {
  private func makeGrid(bytes: Int, maximum: Int) -> HeavyGrid {
    let grid = HeavyGrid()
    grid.log.bytes = bytes
    grid.view.maximumPreparedBytes = maximum
    return grid
  }

  private func prepared(_ grid: HeavyGrid) -> [Int] { grid.view.preparedCells.compactMap(\.itemIndex) }

  @Test("The nearest items ahead are prepared until the byte limit is reached, and the loop becomes idle")
  func nearestItems() {
    let grid = makeGrid(bytes: 1 << 20, maximum: 4 << 20)
    #expect(grid.harness.runUntilIdle() < 60)
    // Items 0 to 5 are visible.
    #expect(prepared(grid) == [6, 7, 8, 9] && grid.view.preparedBytes == 4 << 20)
    let counts = grid.view.statistics
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
  }

  @Test("Cells that have left the screen are evicted before cells that are nearer or ahead")
  func scrolling() {
    let grid = makeGrid(bytes: 1 << 20, maximum: 4 << 20)
    grid.harness.runUntilIdle()
    for _ in 0..<20 {
      grid.scroll(at: 700, frames: 10)
      #expect(grid.view.preparedBytes <= 4 << 20)
    }
    grid.view.applyScrollEvent(.stop, at: grid.harness.clock.now())
    grid.harness.runUntilIdle()
    #expect(grid.harness.runUntilIdle() == 0)
    let last = grid.view.visibleRange.upperBound
    #expect(!prepared(grid).isEmpty && prepared(grid).allSatisfy { $0 >= last - 8 && $0 < last + 4 })
  }

  @Test("A cell larger than the limit waits alone and is not prepared repeatedly")
  func oversizedCells() {
    let grid = makeGrid(bytes: 100 << 20, maximum: 4 << 20)
    #expect(grid.harness.runUntilIdle() < 60)
    #expect(prepared(grid) == [6])
  }

  @Test("Lowering the limit evicts cells immediately, and raising it prepares more")
  func changedLimit() {
    let grid = makeGrid(bytes: 1 << 20, maximum: KeepExtent.defaultMaximumBytes)
    grid.harness.runUntilIdle()
    #expect(grid.view.preparedBytes == 6 << 20)
    grid.view.maximumPreparedBytes = 2 << 20
    #expect(prepared(grid) == [6, 7])
    grid.view.maximumPreparedBytes = 5 << 20
    grid.harness.runUntilIdle()
    #expect(prepared(grid) == [6, 7, 8, 9, 10])
    grid.view.maximumPreparedBytes = -1
    #expect(grid.view.maximumPreparedBytes == 0 && prepared(grid) == [6])
  }

  @Test("Under memory pressure, the limit is a quarter")
  func memoryPressure() {
    let grid = makeGrid(bytes: 1 << 20, maximum: 4 << 20)
    grid.harness.runUntilIdle()
    grid.view.handleMemoryPressure()
    #expect(grid.view.preparedBytes == 1 << 20)
  }

  @Test("An image counts the bytes of its pixels, and twice that once it is a texture")
  func imageBytes() throws {
    let image = ImageView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let holder = View(frame: image.frame)
    holder.addSubview(image)
    #expect(holder.totalRetainedBytes == 0)
    image.image = try Bitmap.square(10, .white)
    #expect(holder.totalRetainedBytes == 400)
    let harness = WindowHarness(root: holder)
    harness.run(frames: 3)
    #expect(holder.totalRetainedBytes == 800)
  }
}
