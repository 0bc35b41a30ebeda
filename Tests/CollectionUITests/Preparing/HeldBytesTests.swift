import CollectionEngine
import CollectionUI
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Cells that wait hold no more bytes than they may")
struct HeldBytesTests {
  private func grid(bytes: Int, most: Int) -> HeavyGrid {
    let grid = HeavyGrid()
    grid.log.bytes = bytes
    grid.view.maximumPreparedBytes = most
    return grid
  }

  private func prepared(_ grid: HeavyGrid) -> [Int] { grid.view.preparedCells.compactMap(\.itemIndex) }

  @Test("Of what lies ahead the nearest wait, as many as fit, and the loop comes to rest")
  func nearest() {
    let grid = grid(bytes: 1 << 20, most: 4 << 20)
    #expect(grid.stage.runUntilIdle() < 60)
    // Items 0 to 5 are on screen.
    #expect(prepared(grid) == [6, 7, 8, 9] && grid.view.preparedBytes == 4 << 20)
    let counts = grid.view.statistics
    #expect(counts.created == counts.visible + counts.waiting + counts.pooled + counts.discarded)
  }

  @Test("What left the screen gives way to what is nearer and what lies ahead")
  func scrolled() {
    let grid = grid(bytes: 1 << 20, most: 4 << 20)
    grid.stage.runUntilIdle()
    for _ in 0..<20 {
      grid.scroll(at: 700, frames: 10)
      #expect(grid.view.preparedBytes <= 4 << 20)
    }
    grid.view.applyScrollEvent(.stop, at: grid.stage.clock.now())
    grid.stage.runUntilIdle()
    #expect(grid.stage.runUntilIdle() == 0)
    let last = grid.view.visibleRange.upperBound
    #expect(!prepared(grid).isEmpty && prepared(grid).allSatisfy { $0 >= last - 8 && $0 < last + 4 })
  }

  @Test("A cell that holds more than all may waits alone, and is not made again and again")
  func giants() {
    let grid = grid(bytes: 100 << 20, most: 4 << 20)
    #expect(grid.stage.runUntilIdle() < 60)
    #expect(prepared(grid) == [6])
  }

  @Test("A lower limit holds at once; a higher one lets more wait")
  func limits() {
    let grid = grid(bytes: 1 << 20, most: KeepExtent.defaultMaximumBytes)
    grid.stage.runUntilIdle()
    #expect(grid.view.preparedBytes == 6 << 20)
    grid.view.maximumPreparedBytes = 2 << 20
    #expect(prepared(grid) == [6, 7])
    grid.view.maximumPreparedBytes = 5 << 20
    grid.stage.runUntilIdle()
    #expect(prepared(grid) == [6, 7, 8, 9, 10])
    grid.view.maximumPreparedBytes = -1
    #expect(grid.view.maximumPreparedBytes == 0 && prepared(grid) == [6])
  }

  @Test("While memory is short a quarter of the bytes may be held")
  func pressure() {
    let grid = grid(bytes: 1 << 20, most: 4 << 20)
    grid.stage.runUntilIdle()
    grid.view.handleMemoryPressure()
    #expect(grid.view.preparedBytes == 1 << 20)
  }

  @Test("A picture counts as its pixels, and once more when it is a texture")
  func pictures() throws {
    let image = ImageView(frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let holder = View(frame: image.frame)
    holder.addSubview(image)
    #expect(holder.totalRetainedBytes == 0)
    image.image = try Bitmap.square(10, .white)
    #expect(holder.totalRetainedBytes == 400)
    let stage = WindowHarness(root: holder)
    stage.run(frames: 3)
    #expect(holder.totalRetainedBytes == 800)
  }
}
