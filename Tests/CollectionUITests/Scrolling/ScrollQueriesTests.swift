import CollectionUI
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("What UIKit's scroll view says about its content and its motion")
struct ScrollQueriesTests {
  private func makeGrid() -> NumberGrid {
    NumberGrid(
      [Array(0..<100), Array(100..<130)],
      layout: CompositionalLayout(section: TestLayouts.section(.fractionalWidth(1), .absolute(50))))
  }

  private func touch(_ phase: TouchInput.Phase, _ y: Double, on harness: WindowHarness) {
    harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: 100, y: y))))
    harness.run(frames: 1)
  }

  @Test("Counts and sizes")
  func counts() {
    let grid = makeGrid()
    #expect(grid.view.numberOfItems(inSection: 0) == 100 && grid.view.numberOfItems(inSection: 1) == 30)
    #expect(grid.view.contentSize == Size(width: 400, height: 6_500))
    let scrollView: ScrollView = grid.view
    #expect(scrollView.contentSize.height == scrollView.contentLength)
  }

  @Test("A rectangle becomes visible by the shortest scroll")
  func rectangles() {
    let grid = makeGrid()
    func scroll(_ y: Double, _ height: Double) -> Double {
      grid.view.scrollRectToVisible(Rect(x: 0, y: y, width: 10, height: height), animated: false)
      return grid.view.contentOffset
    }
    #expect(scroll(100, 50) == 0)
    #expect(scroll(280, 50) == 30)
    #expect(scroll(1_000, 50) == 750)
    #expect(scroll(800, 100) == 750)
    #expect(scroll(700, 20) == 700)
    #expect(scroll(900, 1_000) == 900, "longer than the viewport")
    #expect(scroll(.nan, 10) == 900 && grid.view.statistics.refusedNumbers == 1)
    grid.view.contentInset = Insets(top: 40, left: 0, bottom: 60, right: 0)
    #expect(scroll(920, 50) == 880)
    #expect(scroll(1_200, 50) == 1_010)
    grid.view.scrollRectToVisible(Rect(x: 0, y: 3_000, width: 1, height: 1), animated: true)
    #expect(grid.view.contentOffset == 1_010)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 2_761)
  }

  @Test("Dragging and decelerating")
  func phases() {
    let grid = makeGrid()
    #expect(!grid.view.isDragging && !grid.view.isDecelerating)
    touch(.began, 200, on: grid.harness)
    for y in [180.0, 140, 90] { touch(.moved, y, on: grid.harness) }
    #expect(grid.view.isDragging && !grid.view.isDecelerating)
    touch(.ended, 90, on: grid.harness)
    #expect(!grid.view.isDragging && grid.view.isDecelerating)
    grid.harness.runUntilIdle()
    #expect(!grid.view.isDecelerating && grid.view.contentOffset > 200)
  }

  @Test("The user cannot scroll a view whose scrolling is disabled, and the program can")
  func disabledScrolling() {
    let grid = makeGrid()
    touch(.began, 200, on: grid.harness)
    for y in [180.0, 140] { touch(.moved, y, on: grid.harness) }
    let dragged = grid.view.contentOffset
    #expect(dragged > 20 && grid.view.isDragging)
    grid.view.isScrollEnabled = false
    #expect(!grid.view.isDragging, "the drag ended")
    touch(.moved, 20, on: grid.harness)
    touch(.ended, 20, on: grid.harness)
    grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 50, y: 50), deltaX: 0, deltaY: -3)))
    for key in [Key.pageDown, .end, .down, .space] {
      grid.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      grid.harness.sendEvent(.keyUp(key, modifiers: []))
    }
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == dragged)
    grid.view.setContentOffset(500, animated: false)
    #expect(grid.view.contentOffset == 500)
    grid.view.isScrollEnabled = true
    grid.harness.sendEvent(.keyDown(.home, modifiers: [], isRepeat: false))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
  }
}
