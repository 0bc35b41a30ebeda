import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A rubber band over more than a frame can look at is found to its end after it was let go")
struct RubberBandAfterTests {
  /// What is done once the band was let go.
  enum Deed: CaseIterable {
    case nothing, scrollBack, scrollOn, click, all, escape, toggle, insert, sort, resize
  }

  /// Three columns of 100 points and 50 high, 20 apart and 20 from the edges: 380 by 300.
  private func wall() -> ItemWall {
    let wall = ItemWall(20_000)
    wall.view.allowsRubberBandSelection = true
    wall.view.collectionViewLayout = GridLayout(
      columns: .count(3), columnSpacing: 20, rowSpacing: 20,
      sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20), heightRatio: 0, captionHeight: 50)
    wall.stage.resize(to: Size(width: 380, height: 300))
    wall.stage.runUntilIdle()
    return wall
  }

  @Test("It selects what lay under it and nothing else, whatever is done meanwhile", arguments: Deed.allCases)
  func course(deed: Deed) {
    let wall = wall()
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 250, y: 100))
    wall.view.scroll(to: 400_000, animated: false)
    wall.stage.run(frames: 1)
    wall.release(at: Point(x: 251, y: 100))
    // The middle column, to the row in which it was let go.
    let rows = 5_716
    let column = IndexRuns((0..<rows).map { $0 * 3 + 1 })
    #expect(wall.view.selection.items != column, "more than a portion")
    var expected: IndexRuns? = column
    switch deed {
    case .nothing: break
    case .scrollBack: wall.grid.scroll(to: 0)
    case .scrollOn: wall.grid.scroll(to: 466_000)
    case .click:
      wall.click("w17151")
      expected = IndexRuns(17_151..<17_152)
    case .all:
      wall.key(.character("a"), .control)
      expected = IndexRuns(0..<20_000)
    case .escape:
      wall.key(.escape)
      expected = IndexRuns()
    case .toggle:
      wall.click("w17151", .control)
      expected = column.union(IndexRuns([17_151]))
    case .insert:
      wall.grid.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
      expected = IndexRuns(column.ranges.map { $0.lowerBound + 2 })
    case .sort:
      wall.grid.apply { snapshot in
        snapshot.deleteItems(["w4"])
        snapshot.moveItem("w7", afterItem: "w19999")
      }
      expected = nil
      wall.stage.runUntilIdle()
      let items = wall.view.selection.items.ranges.joined()
      let words = Set(items.compactMap(wall.grid.source.itemIdentifier(atFlatIndex:)))
      #expect(words == Set(column.ranges.joined().map { "w\($0)" }).subtracting(["w4"]))
    case .resize: wall.stage.resize(to: Size(width: 700, height: 280))
    }
    wall.stage.runUntilIdle()
    if let expected { #expect(wall.view.selection.items == expected) }
    #expect(wall.view.selection.items.last.map { $0 < 20_002 } ?? true)
  }

  @Test("While it is drawn aside, what was found far away stays until it is found anew")
  func aside() {
    let wall = wall()
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 250, y: 100))
    wall.view.scroll(to: 400_000, animated: false)
    wall.stage.run(milliseconds: 500)
    #expect(wall.view.selection.items.count == 5_716)
    wall.move(to: Point(x: 252, y: 100))
    #expect(wall.view.selection.items.count == 5_716)
    wall.move(to: Point(x: 300, y: 100))
    #expect(wall.view.selection.items.count >= 5_716)
    wall.stage.run(milliseconds: 500)
    #expect(wall.view.selection.items.count == 2 * 5_716)
    wall.move(to: Point(x: 250, y: 100))
    let shown = wall.view.indexPathsForVisibleItems.map(\.item)
    #expect(shown.allSatisfy { !wall.view.selection.contains($0) || $0 % 3 == 1 }, "what is seen is exact")
    wall.stage.run(milliseconds: 500)
    #expect(wall.view.selection.items.count == 5_716)
  }
}
