import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import TestSupport
import Testing
import Views

@Suite("An item is brought to a named place of the view, in its section too")
struct ScrollPositionTests {
  private func path(_ item: Int, _ section: Int = 0) -> IndexPath { IndexPath(item: item, section: section) }

  @Test("Top, middle, bottom and nearest, as far as the content reaches")
  func along() {
    let grid = WordGrid(WordGrid.words(0..<100))
    func place(_ item: Int, _ position: ScrollPosition) -> Double? {
      grid.view.scrollToItem(at: path(item), at: position, animated: false)
      grid.stage.run(frames: 1)
      return grid.places["w\(item)"]?.y
    }
    #expect(place(30, .top) == 0)
    #expect(place(30, .centeredVertically) == 125)
    #expect(place(30, .bottom) == 250)
    #expect(place(31, .nearest) == 250, "below: to the bottom")
    #expect(place(28, .nearestVerticalEdge) == 100, "in view: not moved")
    #expect(place(10, [.nearestVerticalEdge, .left]) == 0, "above: to the top")
    #expect(place(99, .top) == 250 && place(0, .bottom) == 0)
    grid.view.scrollToItem(at: path(50), at: [], animated: false)
    grid.view.scrollToItem(at: path(500), at: .top, animated: false)
    grid.view.scrollToItem(at: path(50), at: .left, animated: false)
    #expect(grid.view.contentOffset == 0)
  }

  @Test("Animated it comes there with the frames")
  func animated() {
    let grid = WordGrid(WordGrid.words(0..<1_000))
    grid.view.scrollToItem(at: path(12), at: .top, animated: true)
    #expect(grid.view.contentOffset == 0)
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == 600)
  }

  @Test(
    "A section that scrolls across is scrolled to its item, and the content along",
    arguments: [LayoutDirection.leftToRight, .rightToLeft])
  func across(direction: LayoutDirection) {
    let isMirrored = direction == .rightToLeft
    let wall = NumberWall([Array(0..<50), Array(100..<140)], layout: Shelves.layout(.continuous))
    wall.view.layoutDirection = direction
    wall.stage.run(frames: 1)
    func x(_ number: Int, _ position: ScrollPosition, animated: Bool = false) -> Double? {
      wall.view.scrollToItem(at: path(number), at: position, animated: animated)
      if animated { wall.stage.runUntilIdle() } else { wall.stage.run(frames: 1) }
      return wall.frame(of: number)?.minX
    }
    #expect(x(20, .left) == 0)
    #expect(x(20, .right) == 200)
    #expect(x(20, .centeredHorizontally) == 100)
    #expect(x(20, .leadingEdge) == (isMirrored ? 200 : 0))
    #expect(x(20, .trailingEdge) == (isMirrored ? 0 : 200))
    #expect(x(40, .nearest) == (isMirrored ? 0 : 200))
    #expect(x(45, .centeredHorizontally, animated: true) == 100)
    #expect(x(0, .centeredHorizontally) == (isMirrored ? 200 : 0), "as far as its content reaches")
    wall.scroll(to: 800)
    #expect(wall.frame(of: 30) == nil)
    wall.view.scrollToItem(at: path(30), at: [.top, .left], animated: false)
    wall.stage.run(frames: 1)
    #expect(wall.frame(of: 30) == Rect(x: 0, y: 0, width: 200, height: 100))
  }

  @Test("It comes to rest where its section lets it")
  func resting() {
    let wall = NumberWall([Array(0..<50)], layout: Shelves.layout(.groupPaging))
    wall.view.scrollToItem(at: path(1), at: .centeredHorizontally, animated: false)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 1)?.minX == 0 || wall.frame(of: 1)?.minX == 200)
  }

  @Test("An item that was brought to a place stays there while those around it get their sizes")
  func estimates() {
    let rows = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(40))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: rows, subitems: [CollectionLayoutItem(layoutSize: rows)]))
    let wall = NumberWall([Array(0..<500)], layout: CompositionalLayout(section: section)) { number, _ in
      Size(width: 400, height: Double(30 + number % 7 * 20))
    }
    wall.view.scrollToItem(at: path(250), at: .centeredVertically, animated: false)
    wall.stage.runUntilIdle()
    let frame = wall.frame(of: 250)
    #expect(((frame?.midY ?? 0) - 150).magnitude <= 1, "its middle is in the middle")
  }

  @Test("Where an item is, and which is where")
  func questions() throws {
    let grid = WordGrid(WordGrid.words(0..<100), columns: 4)
    grid.view.isCellPrefetchingEnabled = true
    grid.scroll(to: 75)
    grid.stage.runUntilIdle()
    #expect(grid.view.indexPathForItem(at: Point(x: 10, y: 10)) == path(4))
    #expect(grid.view.indexPathForItem(at: Point(x: 390, y: 299)) == path(31))
    #expect(grid.view.indexPathForItem(at: Point(x: 10, y: 301)) == nil)
    #expect(grid.view.indexPathForItem(at: Point(x: -1, y: 10)) == nil)
    #expect(grid.view.layoutAttributesForItem(at: path(4))?.frame == Rect(x: 0, y: 50, width: 100, height: 50))
    #expect(grid.view.layoutAttributesForItem(at: path(100)) == nil)
    #expect(grid.view.indexPathsForVisibleItems == (4..<32).map { path($0) })
    let seen = try #require(grid.cell(of: "w5"))
    #expect(grid.view.indexPath(for: seen) == path(5))
    let prepared = try #require(grid.view.preparedCells.first as? WordCell)
    #expect(grid.view.indexPath(for: prepared) == grid.source.indexPath(for: prepared.word))
    #expect(grid.view.indexPath(for: WordCell()) == nil)
  }
}
