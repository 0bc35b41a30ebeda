import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("A collection view keeps to what its content's inset leaves, with what is seen where it is")
struct InsetTests {
  private func grid(_ count: Int = 100) -> WordGrid {
    let grid = WordGrid(WordGrid.words(0..<count))
    grid.view.contentInset = Insets(top: 60, bottom: 40)
    grid.stage.runUntilIdle()
    return grid
  }

  @Test("It begins below the room, and cells are shown in it on their way")
  func beginning() {
    let grid = grid()
    #expect(grid.view.contentOffset == -60 && grid.places["w0"]?.y == 60)
    grid.scroll(to: 25)
    #expect(grid.shown.first == "w0" && grid.places["w0"]?.y == -25)
    grid.scroll(to: .infinity)
    #expect(grid.view.contentOffset == 4_740 && grid.places["w99"]?.y == 210)
  }

  @Test("Items are brought to lines of what it leaves, and stay there")
  func items() {
    let grid = grid()
    func place(_ item: Int, _ position: ScrollPosition) -> Double? {
      grid.view.scrollToItem(at: IndexPath(item: item, section: 0), at: position, animated: false)
      grid.stage.run(frames: 1)
      return grid.places["w\(item)"]?.y
    }
    #expect(place(30, .top) == 60)
    #expect(place(30, .centeredVertically) == 135)
    #expect(place(29, .bottom) == 210)
    #expect(place(30, .nearest) == 210)
    #expect(place(20, .nearest) == 60)
    #expect(place(30, .bottom) == 210)
    grid.apply { $0.insertItems(WordGrid.words(200..<210), beforeItem: "w3") }
    grid.stage.runUntilIdle()
    #expect(grid.places["w30"]?.y == 210)
    grid.view.scrollToItem(at: IndexPath(item: 50, section: 0), alignment: .center, animated: true)
    grid.stage.runUntilIdle()
    #expect(grid.places["w40"]?.y == 135)
  }

  @Test(
    "What is seen first below the room stays through updates, wherever it stands", arguments: [-40.0, 0, 130, 4_730])
  func anchors(offset: Double) {
    let grid = grid()
    grid.scroll(to: offset)
    let before = grid.places
    grid.apply { $0.insertItems(WordGrid.words(200..<203), beforeItem: "w0") }
    grid.stage.runUntilIdle()
    AnchorTests.expectStill(grid, before.filter { $0.value.y >= 10 }, "inserted above")
    grid.apply { $0.appendItems(WordGrid.words(300..<310)) }
    grid.stage.runUntilIdle()
    AnchorTests.expectStill(grid, before.filter { $0.value.y >= 10 }, "appended")
    grid.apply { $0.deleteItems(WordGrid.words(200..<203)) }
    grid.stage.runUntilIdle()
    AnchorTests.expectStill(grid, before, "deleted above")
    #expect(grid.view.contentOffset == offset)
  }

  @Test("At the very beginning what is inserted there is seen")
  func atBeginning() {
    let grid = grid()
    grid.apply { $0.insertItems(["new"], beforeItem: "w0") }
    grid.stage.runUntilIdle()
    #expect(grid.view.contentOffset == -60 && grid.places["new"]?.y == 60)
  }

  @Test("Read from right to left content begins at the right, beside the room there")
  func rightToLeft() {
    var section = Shelves.section(.absolute(100), .fractionalHeight(1))
    section.interGroupSpacing = 0
    var layout = CompositionalLayout(section: section)
    layout.configuration.scrollDirection = .horizontal
    let wall = NumberWall([Array(0..<50)], layout: layout)
    wall.view.layoutDirection = .rightToLeft
    wall.stage.runUntilIdle()
    wall.view.contentInset = Insets(left: 30, right: 20)
    wall.stage.runUntilIdle()
    #expect(wall.frame(of: 0)?.maxX == 380)
    wall.scroll(to: 2_000)
    let frame = wall.frame(of: 27)
    wall.apply { $0.insertItems([100, 101], beforeItem: 0) }
    wall.stage.runUntilIdle()
    #expect(frame != nil && wall.frame(of: 27) == frame)
    wall.scroll(to: -1_000)
    #expect(wall.frame(of: 49)?.minX == 30)
  }

  @Test("Numbers that cannot be meant are counted")
  func refused() {
    let grid = grid()
    grid.view.contentOffset = .nan
    grid.view.contentInset.top = -4
    grid.view.setContentOffset(-.infinity, animated: true)
    #expect(grid.view.statistics.refusedNumbers == 3)
    #expect(grid.view.contentInset.top == 0)
  }
}
