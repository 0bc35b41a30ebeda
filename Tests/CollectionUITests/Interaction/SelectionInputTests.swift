import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("Pointer and keys select items, open them and show their menus")
struct SelectionInputTests {
  @Test("A click calls the delegate in UIKit's order")
  func callOrder() {
    let grid = InteractiveGrid(allowsMultipleSelection: false)
    grid.press("w5")
    #expect(grid.log.lines == ["highlight? w5", "highlight w5"])
    #expect(grid.wordGrid.cell(of: "w5")?.isHighlighted == true)
    grid.log.clearLog()
    grid.release(at: grid.middle(of: "w5"))
    #expect(grid.log.lines == ["select? w5", "selected 1", "select w5", "unhighlight w5"])
    #expect(grid.wordGrid.cell(of: "w5")?.isHighlighted == false && grid.wordGrid.cell(of: "w5")?.isSelected == true)
    grid.log.clearLog()
    grid.click("w6")
    #expect(
      grid.log.lines == [
        "highlight? w6", "highlight w6", "select? w6", "deselect? w5", "selected 1", "deselect w5", "select w6",
        "unhighlight w6",
      ])
    grid.log.clearLog()
    grid.click("w6")
    #expect(grid.log.lines == ["highlight? w6", "highlight w6", "unhighlight w6"])
  }

  @Test("Control-click, Shift-click, Control-A and Escape")
  func modifiers() {
    let grid = InteractiveGrid(200)
    grid.click("w5")
    grid.click("w7", .control)
    #expect(grid.selected == ["w5", "w7"])
    grid.click("w9", .shift)
    #expect(grid.selected == ["w7", "w8", "w9"])
    grid.click("w1", [.shift, .control])
    #expect(grid.selected == WordGrid.words(1..<10))
    grid.click("w3", .control)
    #expect(!grid.selected.contains("w3"))
    grid.key(.character("a"), .control)
    #expect(grid.view.indexPathsForSelectedItems.count == 200)
    grid.key(.escape)
    #expect(grid.selected.isEmpty)
  }

  @Test("Items that refuse selection or highlighting are skipped, also in a range")
  func refusedItems() {
    let grid = InteractiveGrid()
    grid.log.refused = ["select? w6", "highlight? w9", "deselect? w2"]
    grid.click("w5")
    grid.click("w6")
    #expect(grid.selected == ["w5"], "a refused click changes nothing")
    grid.click("w9")
    #expect(grid.selected == ["w5"])
    grid.click("w7", .shift)
    #expect(grid.selected == ["w5", "w7"])
    grid.click("w2")
    grid.click("w3")
    #expect(grid.selected == ["w2", "w3"])
  }

  @Test("A press that leaves its item, or whose item is deleted, selects nothing")
  func cancelledPress() {
    let grid = InteractiveGrid()
    grid.press("w5")
    grid.move(to: grid.middle(of: "w6"))
    #expect(grid.log.lines.last == "unhighlight w5" && grid.wordGrid.cell(of: "w5")?.isHighlighted == false)
    grid.move(to: grid.middle(of: "w5"))
    #expect(grid.log.lines.last == "highlight w5")
    grid.move(to: grid.middle(of: "w6"))
    grid.release(at: grid.middle(of: "w6"))
    #expect(grid.selected.isEmpty && grid.log.lines.last == "unhighlight w5")
    grid.press("w5")
    let point = grid.middle(of: "w5")
    grid.wordGrid.apply { $0.deleteItems(["w5"]) }
    grid.release(at: point)
    #expect(grid.selected.isEmpty)
    // The item moves away from beneath the pointer, and is still pressed.
    grid.press("w8")
    grid.wordGrid.apply { $0.insertItems(["new"], beforeItem: "w0") }
    grid.harness.run(frames: 1)
    grid.release(at: grid.middle(of: "w8"))
    #expect(grid.selected == ["w8"])
  }

  @Test("A lost release ends a press with the next one, even if the delegate refuses that")
  func lostRelease() {
    let grid = InteractiveGrid()
    grid.press("w5")
    grid.press("w6")
    #expect(grid.log.lines == ["highlight? w5", "highlight w5", "unhighlight w5", "highlight? w6", "highlight w6"])
    grid.log.refused = ["highlight? w9"]
    grid.press("w9")
    #expect(grid.log.lines.suffix(2) == ["unhighlight w6", "highlight? w9"])
    grid.release(at: grid.middle(of: "w6"))
    #expect(grid.selected.isEmpty && grid.wordGrid.cell(of: "w6")?.isHighlighted == false)
    grid.press("w5")
    grid.press(at: Point(x: -20, y: 10))
    grid.press(at: Point(x: 350, y: 290), .control)
    #expect(grid.wordGrid.shown.allSatisfy { grid.wordGrid.cell(of: $0)?.isHighlighted == ($0 == "w23") })
  }

  @Test("A double click and Return perform the primary action if the item has one")
  func primaryAction() {
    let grid = InteractiveGrid()
    grid.log.refused = ["open? w2"]
    grid.click("w1")
    grid.click("w1", clicks: 2)
    #expect(grid.log.lines.suffix(3) == ["open? w1", "open w1", "unhighlight w1"])
    grid.log.clearLog()
    grid.key(.enter)
    #expect(grid.log.lines == ["open? w1", "open w1"])
    grid.click("w2")
    grid.log.clearLog()
    grid.key(.enter)
    #expect(grid.log.lines == ["open? w2"])
  }

  @Test("A menu is for the selection, which becomes an unselected clicked item; between items it is for none")
  func contextMenus() {
    let grid = InteractiveGrid(10)
    grid.click("w1")
    grid.click("w2", .control)
    grid.press("w2", button: .secondary)
    #expect(grid.log.lines.last == "menu w1,w2 at 250,25")
    grid.press("w5", button: .secondary)
    #expect(grid.log.lines.last == "menu w5 at 150,75" && grid.selected == ["w5"])
    grid.press(at: Point(x: 350, y: 250), button: .secondary)
    #expect(grid.log.lines.last == "menu  at 350,250" && grid.selected == ["w5"])
    grid.key(.function(10), .shift)
    #expect(grid.log.lines.last == "menu w5 at 150,75")
  }

  @Test("A click between items clears the selection, except with a modifier key")
  func clickBetweenItems() {
    let grid = InteractiveGrid(10)
    grid.click("w1")
    grid.press(at: Point(x: 350, y: 250), .control)
    grid.release(at: Point(x: 350, y: 250), .control)
    #expect(grid.selected == ["w1"])
    grid.press(at: Point(x: 350, y: 250))
    grid.release(at: Point(x: 350, y: 250))
    #expect(grid.selected.isEmpty)
  }

  @Test("A press that stops moving content selects nothing")
  func stoppingPress() {
    let grid = InteractiveGrid(2_000)
    grid.view.applyScrollEvent(.flick(velocity: 4_000, accumulating: false), at: grid.harness.clock.now())
    grid.harness.run(frames: 5)
    let offset = grid.view.contentOffset
    grid.press(at: Point(x: 50, y: 50))
    grid.release(at: Point(x: 50, y: 50))
    grid.harness.runUntilIdle()
    #expect(grid.selected.isEmpty && grid.view.contentOffset - offset < 200)
  }

  @Test("A press is ignored if selection is not allowed")
  func selectionNotAllowed() {
    let grid = InteractiveGrid()
    grid.view.allowsSelection = false
    grid.click("w5")
    grid.key(.character("a"), .control)
    #expect(grid.selected.isEmpty && grid.log.lines.isEmpty)
    grid.view.selectItem(at: IndexPath(item: 5, section: 0), animated: false)
    #expect(grid.selected == ["w5"], "code can still select")
  }

  @Test("Updates applied in a delegate method are performed afterwards")
  func updateInDelegate() {
    let grid = InteractiveGrid()
    grid.log.onLine = { [weak grid] line in
      guard line == "select? w5" else { return }
      grid?.wordGrid.apply { $0.deleteItems(["w4"]) }
    }
    grid.click("w5")
    #expect(grid.selected == ["w5"] && grid.view.itemCount == 99)
  }
}
