import CollectionUI
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Cells get input where they are seen")
struct InputTests {
  @Test("A point hits the cell that is drawn there, at every offset", arguments: [0.0, 30, 1_049, 23_456])
  func hits(offset: Double) throws {
    let grid = WordGrid(WordGrid.words(0..<2_000), columns: 4)
    grid.scroll(to: offset)
    for x in stride(from: 5.0, to: 380, by: 50) {
      for y in stride(from: 0.5, to: 300, by: 24.5) {
        let cell = try #require(grid.view.hitTest(Point(x: x, y: y)) as? WordCell)
        let row = Int((y + grid.view.contentOffset) / WordGrid.rowHeight)
        #expect(cell.word == "w\(row * 4 + Int(x / 100))")
        let inside = cell.convertFromWindow(Point(x: x, y: y))
        #expect(cell.bounds.contains(inside))
        #expect(cell.frameInWindow.contains(Point(x: x, y: y)))
      }
    }
  }

  @Test("Beside the cells the view itself is hit, and outside nothing")
  func misses() {
    let grid = WordGrid(WordGrid.words(0..<2))
    #expect(grid.view.hitTest(Point(x: 10, y: 200)) === grid.view)
    #expect(grid.view.hitTest(Point(x: 10, y: 300)) == nil)
    grid.view.isHidden = true
    #expect(grid.view.hitTest(Point(x: 10, y: 10)) == nil)
  }

  @Test("The indicator lies over the cells")
  func indicator() {
    let grid = WordGrid(WordGrid.words(0..<2_000))
    #expect(grid.view.hitTest(Point(x: 395, y: 10)) === grid.view.indicator)
  }

  @Test("A wheel over a cell scrolls the grid, by half a row and no less than 48 points")
  func wheel() {
    let grid = WordGrid(WordGrid.words(0..<2_000))
    grid.stage.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 48)
    #expect(grid.shown == WordGrid.words(0..<7))
  }

  @Test("Arrow keys go from row to row, and a page is a screen less a little")
  func keys() {
    let grid = WordGrid(WordGrid.words(0..<2_000), columns: 3)
    for _ in 0..<3 {
      grid.stage.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
      grid.stage.sendEvent(.keyUp(.down, modifiers: []))
      grid.stage.runUntilIdle()
    }
    #expect(grid.view.contentOffset == 150)
    grid.stage.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    grid.stage.runUntilIdle()
    #expect(grid.shown.last == "w1999")
  }
}
