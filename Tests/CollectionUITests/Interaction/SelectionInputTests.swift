import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("Items are selected, opened and given menus by pointer and keys")
struct SelectionInputTests {
  @Test("A click asks and tells in UIKit's order")
  func order() {
    let wall = ItemWall(allowsMultipleSelection: false)
    wall.press("w5")
    #expect(wall.log.lines == ["highlight? w5", "highlight w5"])
    #expect(wall.grid.cell(of: "w5")?.isHighlighted == true)
    wall.log.forget()
    wall.release(at: wall.middle(of: "w5"))
    #expect(wall.log.lines == ["select? w5", "selected 1", "select w5", "unhighlight w5"])
    #expect(wall.grid.cell(of: "w5")?.isHighlighted == false && wall.grid.cell(of: "w5")?.isSelected == true)
    wall.log.forget()
    wall.click("w6")
    #expect(
      wall.log.lines == [
        "highlight? w6", "highlight w6", "select? w6", "deselect? w5", "selected 1", "deselect w5", "select w6",
        "unhighlight w6",
      ])
    wall.log.forget()
    wall.click("w6")
    #expect(wall.log.lines == ["highlight? w6", "highlight w6", "unhighlight w6"])
  }

  @Test("Clicks with Control and Shift, Ctrl+A and Escape")
  func keys() {
    let wall = ItemWall(200)
    wall.click("w5")
    wall.click("w7", .control)
    #expect(wall.selected == ["w5", "w7"])
    wall.click("w9", .shift)
    #expect(wall.selected == ["w7", "w8", "w9"])
    wall.click("w1", [.shift, .control])
    #expect(wall.selected == WordGrid.words(1..<10))
    wall.click("w3", .control)
    #expect(!wall.selected.contains("w3"))
    wall.key(.character("a"), .control)
    #expect(wall.view.indexPathsForSelectedItems.count == 200)
    wall.key(.escape)
    #expect(wall.selected.isEmpty)
  }

  @Test("What may not be selected or highlighted is not, and a range leaves it out")
  func refusal() {
    let wall = ItemWall()
    wall.log.refused = ["select? w6", "highlight? w9", "deselect? w2"]
    wall.click("w5")
    wall.click("w6")
    #expect(wall.selected == ["w5"], "what is chosen is refused: nothing else changes")
    wall.click("w9")
    #expect(wall.selected == ["w5"])
    wall.click("w7", .shift)
    #expect(wall.selected == ["w5", "w7"])
    wall.click("w2")
    wall.click("w3")
    #expect(wall.selected == ["w2", "w3"])
  }

  @Test("A press that leaves its item, or whose item goes, does nothing")
  func leaving() {
    let wall = ItemWall()
    wall.press("w5")
    wall.move(to: wall.middle(of: "w6"))
    #expect(wall.log.lines.last == "unhighlight w5" && wall.grid.cell(of: "w5")?.isHighlighted == false)
    wall.move(to: wall.middle(of: "w5"))
    #expect(wall.log.lines.last == "highlight w5")
    wall.move(to: wall.middle(of: "w6"))
    wall.release(at: wall.middle(of: "w6"))
    #expect(wall.selected.isEmpty && wall.log.lines.last == "unhighlight w5")
    wall.press("w5")
    let place = wall.middle(of: "w5")
    wall.grid.apply { $0.deleteItems(["w5"]) }
    wall.release(at: place)
    #expect(wall.selected.isEmpty)
    // The item under the pointer moved on, and is pressed still.
    wall.press("w8")
    wall.grid.apply { $0.insertItems(["new"], beforeItem: "w0") }
    wall.stage.run(frames: 1)
    wall.release(at: wall.middle(of: "w8"))
    #expect(wall.selected == ["w8"])
  }

  @Test("A press that nobody saw let go ends with the next one, also where that is refused")
  func twice() {
    let wall = ItemWall()
    wall.press("w5")
    wall.press("w6")
    #expect(wall.log.lines == ["highlight? w5", "highlight w5", "unhighlight w5", "highlight? w6", "highlight w6"])
    wall.log.refused = ["highlight? w9"]
    wall.press("w9")
    #expect(wall.log.lines.suffix(2) == ["unhighlight w6", "highlight? w9"])
    wall.release(at: wall.middle(of: "w6"))
    #expect(wall.selected.isEmpty && wall.grid.cell(of: "w6")?.isHighlighted == false)
    wall.press("w5")
    wall.press(at: Point(x: -20, y: 10))
    wall.press(at: Point(x: 350, y: 290), .control)
    #expect(wall.grid.shown.allSatisfy { wall.grid.cell(of: $0)?.isHighlighted == ($0 == "w23") })
  }

  @Test("A double click and Return do what an item is for, where it can")
  func primaryAction() {
    let wall = ItemWall()
    wall.log.refused = ["open? w2"]
    wall.click("w1")
    wall.click("w1", clicks: 2)
    #expect(wall.log.lines.suffix(3) == ["open? w1", "open w1", "unhighlight w1"])
    wall.log.forget()
    wall.key(.enter)
    #expect(wall.log.lines == ["open? w1", "open w1"])
    wall.click("w2")
    wall.log.forget()
    wall.key(.enter)
    #expect(wall.log.lines == ["open? w2"])
  }

  @Test("A menu is for the selection, which becomes what was clicked; beside items it is for none")
  func menus() {
    let wall = ItemWall(10)
    wall.click("w1")
    wall.click("w2", .control)
    wall.press("w2", button: .secondary)
    #expect(wall.log.lines.last == "menu w1,w2 at 250,25")
    wall.press("w5", button: .secondary)
    #expect(wall.log.lines.last == "menu w5 at 150,75" && wall.selected == ["w5"])
    wall.press(at: Point(x: 350, y: 250), button: .secondary)
    #expect(wall.log.lines.last == "menu  at 350,250" && wall.selected == ["w5"])
    wall.key(.function(10), .shift)
    #expect(wall.log.lines.last == "menu w5 at 150,75")
  }

  @Test("A click beside items selects nothing, unless a key is held")
  func background() {
    let wall = ItemWall(10)
    wall.click("w1")
    wall.press(at: Point(x: 350, y: 250), .control)
    wall.release(at: Point(x: 350, y: 250), .control)
    #expect(wall.selected == ["w1"])
    wall.press(at: Point(x: 350, y: 250))
    wall.release(at: Point(x: 350, y: 250))
    #expect(wall.selected.isEmpty)
  }

  @Test("A press that catches content on the run selects nothing")
  func catching() {
    let wall = ItemWall(2_000)
    wall.view.applyScrollEvent(.flick(velocity: 4_000, accumulating: false), at: wall.stage.clock.now())
    wall.stage.run(frames: 5)
    let offset = wall.view.contentOffset
    wall.press(at: Point(x: 50, y: 50))
    wall.release(at: Point(x: 50, y: 50))
    wall.stage.runUntilIdle()
    #expect(wall.selected.isEmpty && wall.view.contentOffset - offset < 200)
  }

  @Test("Where selection is not allowed a press means nothing")
  func notAllowed() {
    let wall = ItemWall()
    wall.view.allowsSelection = false
    wall.click("w5")
    wall.key(.character("a"), .control)
    #expect(wall.selected.isEmpty && wall.log.lines.isEmpty)
    wall.view.selectItem(at: IndexPath(item: 5, section: 0), animated: false)
    #expect(wall.selected == ["w5"], "a program may")
  }

  @Test("Applying within what is told is carried out afterwards")
  func within() {
    let wall = ItemWall()
    wall.log.onLine = { [weak wall] line in
      guard line == "select? w5" else { return }
      wall?.grid.apply { $0.deleteItems(["w4"]) }
    }
    wall.click("w5")
    #expect(wall.selected == ["w5"] && wall.view.itemCount == 99)
  }
}
