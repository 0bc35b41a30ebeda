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
    wall.stage.runUntilIdle()
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

  @Test("Over nothing a plain one leaves nothing selected, and Escape brings back what was")
  func nothing() {
    let wall = wall()
    wall.click("w0")
    wall.click("w4", .control)
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 125, y: 200))
    #expect(wall.selected.isEmpty)
    wall.key(.escape)
    #expect(wall.selected == ["w0", "w4"])
    wall.release(at: Point(x: 125, y: 200))
    wall.press(at: Point(x: 130, y: 10), .shift)
    wall.move(to: Point(x: 125, y: 200))
    #expect(wall.selected == ["w0", "w4"], "nothing is added")
    wall.release(at: Point(x: 125, y: 200))
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 125, y: 200))
    wall.release(at: Point(x: 125, y: 200))
    #expect(wall.selected.isEmpty)
  }

  @Test("While it is held, keys that select, move the keyboard or act do nothing")
  func heldKeys() {
    let wall = wall()
    wall.view.allowsFocus = true
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 250, y: 60))
    wall.log.forget()
    let keys: [(Key, KeyModifiers)] = [
      (.right, []), (.down, .shift), (.pageDown, []), (.end, []), (.tab, []), (.character("a"), .control),
      (.space, .control), (.enter, []), (.menu, []), (.function(10), .shift), (.down, .alt),
    ]
    for (key, modifiers) in keys { wall.key(key, modifiers) }
    wall.stage.runUntilIdle()
    #expect(wall.selected == ["w1"] && wall.log.lines.isEmpty && wall.view.contentOffset == 0)
    wall.release(at: Point(x: 250, y: 60))
    wall.key(.right)
    #expect(wall.selected == ["w2"], "from where it was let go")
  }

  @Test("It leaves the anchor where it began and the keyboard where it was let go; Escape leaves them as they were")
  func ends() {
    let wall = wall()
    wall.click("w8")
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 350, y: 100))
    #expect(wall.selected == ["w1", "w2", "w4", "w5"] && wall.view.selection.anchor == 8)
    wall.key(.escape)
    wall.release(at: Point(x: 350, y: 100))
    #expect(wall.selected == ["w8"] && wall.view.selection.anchor == 8 && wall.view.selection.lead == 8)
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 350, y: 100))
    wall.release(at: Point(x: 350, y: 100))
    #expect(wall.view.selection.anchor == 1 && wall.view.selection.lead == 5)
    wall.click("w7", .shift)
    #expect(wall.selected == WordGrid.words(1..<8))
    // Drawn upwards, to the left.
    wall.press(at: Point(x: 350, y: 150))
    wall.move(to: Point(x: 150, y: 30))
    wall.release(at: Point(x: 150, y: 30))
    #expect(wall.selected == ["w1", "w2", "w4", "w5"])
    #expect(wall.view.selection.anchor == 5 && wall.view.selection.lead == 1)
    // Over nothing they stay.
    wall.press(at: Point(x: 130, y: 10))
    wall.move(to: Point(x: 125, y: 200))
    wall.release(at: Point(x: 125, y: 200))
    #expect(wall.view.selection.anchor == 5 && wall.view.selection.lead == 1)
  }

  @Test("Items that are asked for anew end it, with its rectangle and what goes on beneath it")
  func reloaded() {
    let wall = ClassicWall([WordGrid.words(0..<300)], columns: 1)
    wall.view.allowsMultipleSelection = true
    wall.view.allowsRubberBandSelection = true
    wall.view.collectionViewLayout = GridLayout(
      columns: .count(1), rowSpacing: 20, sectionInsets: Insets(top: 20, left: 20, bottom: 20, right: 20),
      heightRatio: 0, captionHeight: 50)
    wall.stage.runUntilIdle()
    let views = wall.view.subviews.count
    wall.stage.sendEvent(.pointerDown(Point(x: 5, y: 10), button: .primary, clicks: 1, modifiers: []))
    wall.stage.sendEvent(.pointerMoved(Point(x: 100, y: 299)))
    wall.stage.run(milliseconds: 300)
    #expect(wall.view.rubberBandFrame != nil && wall.view.subviews.count == views + 1)
    let offset = wall.view.contentOffset
    #expect(offset > 0 && !wall.view.selection.items.isEmpty)
    wall.frame { wall.view.reloadData() }
    #expect(wall.view.rubberBandFrame == nil && wall.view.subviews.count == views)
    wall.stage.run(milliseconds: 2_000)
    #expect(wall.view.contentOffset - offset < 100 && wall.view.selection.items.isEmpty)
  }
}
