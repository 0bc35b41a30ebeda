import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Items are scrolled to a position of the view, also in orthogonal sections")
struct ScrollPositionTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  @Test("Top, center, bottom and nearest positions, limited by the content")
  func mainAxis() {
    let grid = WordGrid(WordGrid.words(0..<100))
    func y(_ item: Int, _ position: ScrollPosition) -> Double? {
      grid.view.scrollToItem(at: path(item), at: position, animated: false)
      grid.harness.run(frames: 1)
      return grid.origins["w\(item)"]?.y
    }
    #expect(y(30, .top) == 0)
    #expect(y(30, .centeredVertically) == 125)
    #expect(y(30, .bottom) == 250)
    #expect(y(31, .nearest) == 250, "below: to the bottom")
    #expect(y(28, .nearestVerticalEdge) == 100, "visible: unchanged")
    #expect(y(10, [.nearestVerticalEdge, .left]) == 0, "above: to the top")
    #expect(y(99, .top) == 250 && y(0, .bottom) == 0)
    grid.view.scrollToItem(at: path(50), at: [], animated: false)
    grid.view.scrollToItem(at: path(500), at: .top, animated: false)
    grid.view.scrollToItem(at: path(50), at: .left, animated: false)
    #expect(grid.view.contentOffset == 0)
  }

  @Test("An animated scroll reaches the position over frames")
  func animated() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.scrollToItem(at: path(12), at: .top, animated: true)
    #expect(grid.view.contentOffset == 0)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 600)
  }

  @Test(
    "An orthogonal section is scrolled to its item, and the content to the section",
    arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func orthogonalSection(direction: LayoutDirection) {
    let isMirrored = direction == .rightToLeft
    let grid = NumberGrid([Array(0..<50), Array(100..<140)], layout: TestLayouts.orthogonal(.continuous))
    grid.view.layoutDirection = direction
    grid.harness.run(frames: 1)
    func x(_ number: Int, _ position: ScrollPosition, animated: Bool = false) -> Double? {
      grid.view.scrollToItem(at: path(number), at: position, animated: animated)
      if animated { grid.harness.runUntilIdle() } else { grid.harness.run(frames: 1) }
      return grid.frame(of: number)?.minX
    }
    #expect(x(20, .left) == 0)
    #expect(x(20, .right) == 200)
    #expect(x(20, .centeredHorizontally) == 100)
    #expect(x(20, .leadingEdge) == (isMirrored ? 200 : 0))
    #expect(x(20, .trailingEdge) == (isMirrored ? 0 : 200))
    #expect(x(40, .nearest) == (isMirrored ? 0 : 200))
    #expect(x(45, .centeredHorizontally, animated: true) == 100)
    #expect(x(0, .centeredHorizontally) == (isMirrored ? 200 : 0), "limited by the section's content")
    grid.scroll(to: 800)
    #expect(grid.frame(of: 30) == nil)
    grid.view.scrollToItem(at: path(30), at: [.top, .left], animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.frame(of: 30) == Rect(x: 0, y: 0, width: 200, height: 100))
  }

  @Test("An orthogonal section comes to rest at a valid position")
  func resting() {
    let grid = NumberGrid([Array(0..<50)], layout: TestLayouts.orthogonal(.groupPaging))
    grid.view.scrollToItem(at: path(1), at: .centeredHorizontally, animated: false)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 1)?.minX == 0 || grid.frame(of: 1)?.minX == 200)
  }

  @Test("An item stays at its position while the items around it are measured")
  func estimatedSizes() {
    let rows = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(40))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: rows, subitems: [CollectionLayoutItem(layoutSize: rows)]))
    let grid = NumberGrid([Array(0..<500)], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: Double(30 + number % 7 * 20))
    }
    grid.view.scrollToItem(at: path(250), at: .centeredVertically, animated: false)
    grid.harness.runUntilIdle()
    let frame = grid.frame(of: 250)
    #expect(((frame?.midY ?? 0) - 150).magnitude <= 1, "the item is centered")
  }

  @Test("Index paths and layout attributes at points and of cells")
  func queries() throws {
    let grid = WordGrid(WordGrid.words(0..<100), columns: 4)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.scroll(to: 75)
    grid.harness.runUntilIdle()
    #expect(grid.view.indexPathForItem(at: Point(x: 10, y: 10)) == path(4))
    #expect(grid.view.indexPathForItem(at: Point(x: 390, y: 299)) == path(31))
    #expect(grid.view.indexPathForItem(at: Point(x: 10, y: 301)) == nil)
    #expect(grid.view.indexPathForItem(at: Point(x: -1, y: 10)) == nil)
    #expect(grid.view.layoutAttributesForItem(at: path(4))?.frame == Rect(x: 0, y: 50, width: 100, height: 50))
    #expect(grid.view.layoutAttributesForItem(at: path(100)) == nil)
    #expect(grid.view.indexPathsForVisibleItems == (4..<32).map { path($0) })
    let visible = try #require(grid.cell(of: "w5"))
    #expect(grid.view.indexPath(for: visible) == path(5))
    let prepared = try #require(grid.view.preparedCells.first as? WordCell)
    #expect(grid.view.indexPath(for: prepared) == grid.source.indexPath(for: prepared.word))
    #expect(grid.view.indexPath(for: WordCell()) == nil)
  }
}

// MARK: - Input

@Suite("Input reaches the visible cells and scrolls the view")
struct ScrollInputTests {
  @Test("Hit testing returns the cell drawn at a point at every offset", arguments: [0.0, 30, 1_049, 23_456])
  func hitTesting(offset: Double) throws {
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

  @Test("Hit testing returns the view outside cells, and nil outside the view")
  func hitTestingOutsideCells() {
    let grid = WordGrid(WordGrid.words(0..<2))
    #expect(grid.view.hitTest(Point(x: 10, y: 200)) === grid.view)
    #expect(grid.view.hitTest(Point(x: 10, y: 300)) == nil)
    grid.view.isHidden = true
    #expect(grid.view.hitTest(Point(x: 10, y: 10)) == nil)
  }

  @Test("The scroll indicator is above the cells")
  func indicator() {
    let grid = WordGrid(WordGrid.words(0..<2_000))
    #expect(grid.view.hitTest(Point(x: 395, y: 10)) === grid.view.scrollIndicator)
  }

  @Test("A wheel notch scrolls by half a row, and by at least 48 points")
  func wheel() {
    let grid = WordGrid(WordGrid.words(0..<2_000))
    grid.harness.sendEvent(.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1)))
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 48)
    #expect(grid.shown == WordGrid.words(0..<7))
  }

  @Test("Arrow keys scroll by a row, and the End key scrolls to the end")
  func keys() {
    let grid = WordGrid(WordGrid.words(0..<2_000), columns: 3)
    for _ in 0..<3 {
      grid.harness.sendEvent(.keyDown(.down, modifiers: [], isRepeat: false))
      grid.harness.sendEvent(.keyUp(.down, modifiers: []))
      grid.harness.runUntilIdle()
    }
    #expect(grid.view.contentOffset == 150)
    grid.harness.sendEvent(.keyDown(.end, modifiers: [], isRepeat: false))
    grid.harness.runUntilIdle()
    #expect(grid.shown.last == "w1999")
  }

  @Test("Page keys align pages to rows and continue from the target of the running animation")
  func pages() {
    func rows(of height: Double) -> NumberGrid {
      NumberGrid(
        [Array(0..<400)],
        layout: CompositionalLayout(section: TestLayouts.section(.fractionalWidth(1), .absolute(height))))
    }
    let grid = rows(of: 70)
    func press(_ key: Key) {
      grid.harness.sendEvent(.keyDown(key, modifiers: [], isRepeat: false))
      grid.harness.sendEvent(.keyUp(key, modifiers: []))
    }
    // Nine tenths of 300 points are 270. The last row that starts within starts at 210.
    press(.pageDown)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 210)
    press(.space)
    grid.harness.run(frames: 2)
    press(.space)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 630)
    grid.scroll(to: 640)
    press(.pageUp)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 420)
    press(.pageUp)
    press(.pageUp)
    press(.pageUp)
    grid.harness.runUntilIdle()
    #expect(grid.view.contentOffset == 0)
    // Rows taller than a page scroll by a plain page.
    let tall = rows(of: 700)
    tall.harness.sendEvent(.keyDown(.pageDown, modifiers: [], isRepeat: false))
    tall.harness.runUntilIdle()
    #expect(tall.view.contentOffset == 270)
  }
}
