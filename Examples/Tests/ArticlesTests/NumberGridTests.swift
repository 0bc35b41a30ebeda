// The code of the article “Testing with the virtual clock”: what a client writes, with public products alone.
import CollectionUI
import Testing
import VitrineTesting

@testable import Articles

@Suite("A grid of numbers")
@MainActor
struct NumberGridTests {
  let grid = NumberGrid()
  let harness: WindowHarness

  init() {
    harness = WindowHarness(root: grid.view, size: Size(width: 400, height: 300))
    harness.window.addParticipant(grid.view)
    grid.show(Array(1...100))
    harness.runUntilIdle()
  }

  private var shownNumbers: [String] {
    grid.view.visibleCells.compactMap { ($0 as? NumberCell)?.label.text }
  }

  @Test("Six rows of four numbers fit into the window")
  func visibleNumbers() {
    #expect(shownNumbers == (1...24).map(String.init))
    #expect(grid.view.visibleCells.first?.frame == Rect(x: 0, y: 0, width: 100, height: 50))
  }

  @Test("A click removes a number, and the others close the gap")
  func removal() {
    harness.click(at: Point(x: 150, y: 20))
    #expect(grid.view.itemCount == 99)
    #expect(shownNumbers.first == "1" && !shownNumbers.contains("2"))
  }

  @Test("A removal is animated, and the view rests afterwards")
  func animation() {
    harness.sendEvent(.pointerDown(Point(x: 150, y: 20), button: .primary, clicks: 1, modifiers: []))
    harness.sendEvent(.pointerUp(Point(x: 150, y: 20), button: .primary, modifiers: []))
    harness.run(frames: 4)
    #expect(grid.view.isAnimatingUpdates)
    #expect(harness.runUntilIdle() > 0)
    #expect(harness.runUntilIdle() == 0)
  }

  @Test("The wheel scrolls without a late frame")
  func scrolling() {
    harness.turnWheel(at: Point(x: 200, y: 150), by: 3)
    #expect(grid.view.contentOffset > 0)
    #expect(harness.loop.history.hitchCount == 0)
  }

  @Test("The frame has the color of the window where no cell is")
  func pixels() {
    harness.window.backgroundColor = Color(hex: 0x204060)
    grid.show([1])
    harness.runUntilIdle()
    #expect(harness.color(at: Point(x: 300, y: 200)) == Color(hex: 0x204060))
  }

  @Test("Nothing is wrong in the use of the library")
  func misuse() {
    harness.turnWheel(at: Point(x: 200, y: 150), by: 10)
    #expect(harness.window.misuse.sentences.isEmpty)
  }
}
