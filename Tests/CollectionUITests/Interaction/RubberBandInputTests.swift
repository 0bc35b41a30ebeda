import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A rubber band is drawn from beside items, and selects as it goes")
struct RubberBandInputTests {
  /// Three columns of 100 points and 50 high, 20 apart and 20 from the edges: 380 by 300.
  private func wall(_ count: Int = 300) -> ItemWall {
    let wall = ItemWall(count)
    wall.view.allowsRubberBandSelection = true
    wall.view.collectionViewLayout = GridLayout(
      columns: .count(3), columnSpacing: 20, rowSpacing: 20,
      sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20), heightRatio: 0, captionHeight: 50)
    wall.stage.resize(to: Size(width: 380, height: 300))
    wall.stage.settle()
    return wall
  }

  @Test("From between items, live, with its rectangle, until it is let go")
  func drawn() {
    let wall = wall()
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 132, y: 12))
    #expect(wall.view.rubberBandFrame == nil, "not yet")
    wall.move(to: Point(x: 250, y: 100))
    #expect(wall.view.rubberBandFrame == Rect(x: 130, y: 10, width: 120, height: 90))
    #expect(wall.selected == ["w1", "w4"])
    wall.move(to: Point(x: 30, y: 60))
    #expect(wall.selected == ["w0"])
    wall.release(at: Point(x: 350, y: 60))
    #expect(wall.selected == ["w1", "w2"], "what is under it where it is let go")
    #expect(wall.view.rubberBandFrame == nil)
    wall.move(to: Point(x: 200, y: 200))
    #expect(wall.selected == ["w1", "w2"])
  }

  @Test("With Control it toggles and with Shift it adds; Escape brings back what was")
  func keys() {
    let wall = wall()
    wall.click("w0")
    wall.press(at: Point(x: 10, y: 10), .control)
    wall.move(to: Point(x: 250, y: 60))
    #expect(wall.selected == ["w1"])
    wall.release(at: Point(x: 250, y: 60), .control)
    wall.press(at: Point(x: 250, y: 10), .shift)
    wall.move(to: Point(x: 270, y: 60))
    #expect(wall.selected == ["w1", "w2"])
    wall.key(.escape)
    #expect(wall.selected == ["w1"] && wall.view.rubberBandFrame == nil)
    wall.release(at: Point(x: 270, y: 60))
    #expect(wall.selected == ["w1"])
    wall.key(.escape)
    #expect(wall.selected.isEmpty)
  }

  @Test("From an item nothing is drawn, a click beside items clears, and one alone can be selected")
  func none() {
    let wall = wall()
    wall.press("w4")
    wall.move(to: Point(x: 10, y: 10))
    #expect(wall.view.rubberBandFrame == nil)
    wall.release(at: Point(x: 10, y: 10))
    wall.click("w4")
    wall.press(at: Point(x: 10, y: 10))
    wall.release(at: Point(x: 10, y: 10))
    #expect(wall.selected.isEmpty)
    wall.view.allowsMultipleSelection = false
    wall.press(at: Point(x: 10, y: 10))
    wall.move(to: Point(x: 250, y: 100))
    #expect(wall.view.rubberBandFrame == nil && wall.selected.isEmpty)
  }

  @Test("Near an edge the content goes on beneath it, and what left the screen stays selected")
  func edges() {
    let wall = wall()
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 250, y: 299))
    wall.stage.run(milliseconds: 3_000)
    #expect(wall.view.contentOffset > 600)
    let bottom = wall.view.contentOffset + 299
    let rows = Int(((bottom - 20) / 70).rounded(.up))
    #expect(wall.selected == (0..<rows).map { "w\($0 * 3 + 1)" })
    wall.move(to: Point(x: 250, y: 150))
    let resting = wall.view.contentOffset
    wall.stage.run(milliseconds: 1_000)
    #expect(wall.view.contentOffset == resting, "away from the edge it rests")
    wall.release(at: Point(x: 250, y: 150))
    let frames = wall.stage.display.presentedFrames
    wall.stage.run(milliseconds: 5_000)
    #expect(wall.stage.display.presentedFrames - frames <= 60, "the indicator fades, and that is all")
  }

  @Test("Items that come meanwhile do not become selected, and those that were stay so")
  func applies() {
    let wall = wall(30)
    wall.click("w9")
    wall.press(at: Point(x: 130, y: 10), .shift)
    wall.move(to: Point(x: 250, y: 60))
    #expect(wall.selected == ["w1", "w9"])
    wall.grid.apply { $0.deleteItems(["w8"]) }
    wall.stage.run(frames: 2)
    #expect(wall.selected == ["w1", "w9"])
    wall.release(at: Point(x: 250, y: 60), .shift)
    #expect(wall.selected == ["w1", "w9"])
  }

  @Test("A press that was let go where nobody saw it ends with the next one")
  func lost() {
    let wall = wall()
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 250, y: 60))
    wall.click("w5")
    #expect(wall.selected == ["w5"] && wall.view.rubberBandFrame == nil)
  }
}
