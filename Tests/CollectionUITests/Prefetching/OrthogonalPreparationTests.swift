import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Cells of orthogonal sections are prepared before the section is visible, and ahead along the cross axis")
struct OrthogonalPreparationTests {
  /// Returns orthogonal sections with pages of 200 by 100 points in a window of 400 by 300 points.
  private func makeGrid(_ sectionCount: Int, items: Int, rightToLeft: Bool = false) -> NumberGrid {
    let orthogonalSection = { () -> CollectionLayoutSection in
      var section = TestLayouts.section(.fractionalWidth(0.5), .absolute(100))
      section.orthogonalScrollingBehavior = .continuous
      return section
    }()
    let sections = (0..<sectionCount).map { section in Array((section * 100_000)..<(section * 100_000 + items)) }
    let grid = NumberGrid(sections, layout: CompositionalLayout { _, _ in orthogonalSection })
    if rightToLeft { grid.view.layoutDirection = .rightToLeft }
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    return grid
  }

  private func prepared(_ grid: NumberGrid, in section: Int) -> [Int] {
    grid.view.preparedCells.compactMap { ($0 as? NumberGrid.Cell)?.number }
      .filter { $0 / 100_000 == section }.map { $0 % 100_000 }
  }

  private func sendWheel(_ grid: NumberGrid, x: Double) {
    grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 200, y: 50), deltaX: x, deltaY: 0)))
  }

  @Test(
    "The first items of an approaching section are prepared, regardless of its number of items",
    arguments: [20, 50_000])
  func approachingSections(items: Int) {
    let grid = makeGrid(10, items: items)
    #expect(grid.shown.map { $0 % 100_000 } == [0, 1, 0, 1, 0, 1])
    for section in 3..<6 { #expect(prepared(grid, in: section) == [0, 1], "a screen ahead") }
    #expect(prepared(grid, in: 6).isEmpty)
    let forced = grid.view.statistics.preparedForced
    grid.scroll(to: 60)
    grid.scroll(to: 130)
    grid.harness.runUntilIdle()
    #expect(grid.view.statistics.preparedForced == forced)
    #expect(prepared(grid, in: 6) == [0, 1] || prepared(grid, in: 6) == [0, 1, 2])
  }

  @Test("The next items of a visible section are prepared along its axis")
  func nextItems() {
    let grid = makeGrid(1, items: 40)
    #expect(grid.shown == [0, 1] && prepared(grid, in: 0) == [2, 3])
    let forced = grid.view.statistics.preparedForced
    sendWheel(grid, x: 2)
    grid.harness.runUntilIdle()
    let first = grid.shown.first ?? 0
    #expect(first > 0 && grid.view.statistics.preparedForced == forced, "no cell was forced")
    let last = grid.shown.last ?? 0
    #expect(prepared(grid, in: 0).filter { $0 > last }.prefix(2) == [last + 1, last + 2])
    #expect(prepared(grid, in: 0).filter { $0 < first }.allSatisfy { $0 >= first - 2 })
    #expect(grid.harness.runUntilIdle() == 0)
  }

  @Test("In a right-to-left layout, the items to the left are prepared")
  func rightToLeft() {
    let grid = makeGrid(1, items: 40, rightToLeft: true)
    #expect(grid.frame(of: 0) == Rect(x: 200, y: 0, width: 200, height: 100))
    #expect(prepared(grid, in: 0) == [2, 3])
    let forced = grid.view.statistics.preparedForced
    sendWheel(grid, x: -2)
    grid.harness.runUntilIdle()
    let last = grid.shown.last ?? 0
    #expect(last >= 2 && grid.view.statistics.preparedForced == forced)
    #expect(prepared(grid, in: 0).filter { $0 > last }.prefix(2) == [last + 1, last + 2])
  }

  @Test("Expensive cells enter without a late frame while a section scrolls")
  func heavyCells() {
    func lateFrames(_ preparesAhead: Bool) -> Int {
      let grid = makeGrid(1, items: 400)
      DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = preparesAhead
      DemonstrationSwitches(grid.view).addedCellCost = .milliseconds(18)
      for _ in 0..<12 {
        sendWheel(grid, x: 1)
        grid.harness.run(frames: 25)
      }
      return grid.harness.loop.history.hitchCount
    }
    #expect(lateFrames(false) >= 5)
    #expect(lateFrames(true) == 0)
  }

  @Test("Sections share one pool, and the number of cells is limited")
  func cellCount() {
    let grid = makeGrid(30, items: 300)
    var maximumVisible = grid.shown.count
    for round in 0..<60 {
      sendWheel(grid, x: Double(round % 7 - 2))
      grid.harness.run(frames: 8)
      maximumVisible = max(maximumVisible, grid.shown.count)
      grid.view.scroll(to: Double(round * 40 % 2_000), animated: round % 2 == 0)
      grid.harness.run(frames: 8)
      maximumVisible = max(maximumVisible, grid.shown.count)
    }
    let bound = maximumVisible + KeepExtent.standard.maximumCells(visible: maximumVisible)
    #expect(grid.view.statistics.created <= bound, "\(maximumVisible)")
    #expect(grid.view.statistics.reused > bound)
  }
}
