import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The selection controller, without a view")
struct SelectionControllerTests {
  @Test("The user's gesture asks the delegate about each item, the program's about none")
  func delegate() {
    let host = InteractionHostDouble()
    host.refused = [3]
    host.selection.selectInteractively(.replace(IndexRuns(2..<5)))
    #expect(host.selected == [2, 4])
    #expect(host.takeLog() == ["changed", "select 2", "select 4"])
    host.selection.select(.replace(IndexRuns(3..<5)))
    #expect(host.selected == [3, 4])
    #expect(host.takeLog() == ["changed"])
  }

  @Test("If the delegate refuses the item of a gesture, nothing changes")
  func refusal() {
    let host = InteractionHostDouble()
    host.selection.selectInteractively(.choose(1))
    host.refused = [2]
    host.selection.selectInteractively(.choose(2))
    #expect(host.selected == [1] && host.selection.focusedItem == 1)
    host.selection.allowsMultipleSelection = false
    host.refused = [1]
    host.selection.selectInteractively(.choose(4))
    #expect(host.selected == [1], "item 1 may not be deselected, and only one item can be selected")
  }

  @Test("An update that deletes selected items is reported once, and another one is not")
  func updates() {
    let host = InteractionHostDouble(count: 10)
    host.selection.select(.replace(IndexRuns(4..<7)))
    _ = host.takeLog()
    host.apply(.deleting(5, of: 10))
    #expect(host.selected == [4, 5])
    #expect(host.takeLog() == ["changed"])
    host.apply(.deleting(0, of: 9))
    #expect(host.selected == [3, 4])
    #expect(host.takeLog() == [])
  }
}

@Suite("The press controller, without a view")
struct PressControllerTests {
  @Test("A click highlights, selects and removes the highlight, and a second one opens")
  func click() {
    let host = InteractionHostDouble()
    host.click(3)
    #expect(
      host.takeLog() == ["first responder", "highlight 3", "hover 3", "changed", "select 3", "unhighlight 3"])
    host.click(3, clicks: 2)
    #expect(host.takeLog() == ["first responder", "highlight 3", "open 3", "unhighlight 3"])
  }

  @Test("A press that leaves its item selects nothing")
  func leaving() {
    let host = InteractionHostDouble()
    host.press.beginPress(at: host.point(of: 3), clicks: 1, [], isCatch: false)
    host.press.movePointer(to: host.point(of: 5))
    #expect(host.press.endPress(at: host.point(of: 5)))
    #expect(host.selected == [])
    #expect(host.takeLog() == ["first responder", "highlight 3", "unhighlight 3", "hover 5"])
  }

  @Test("An update that deletes the pressed item ends its highlight at its last index path")
  func deletion() {
    let host = InteractionHostDouble(count: 10)
    host.press.beginPress(at: host.point(of: 3), clicks: 1, [], isCatch: false)
    _ = host.takeLog()
    host.apply(.deleting(3, of: 10))
    #expect(host.takeLog() == ["unhighlight 3"])
    #expect(host.press.endPress(at: host.point(of: 3)))
    #expect(host.selected == [])
  }

  @Test("No item is hovered while content moves")
  func hovering() {
    let host = InteractionHostDouble()
    host.press.movePointer(to: host.point(of: 2))
    host.isTracked = true
    host.press.updateScrollActivity()
    #expect(host.press.hoveredItem == nil)
    host.isTracked = false
    host.press.updateScrollActivity()
    #expect(host.press.hoveredItem == 2)
    #expect(host.takeLog() == ["hover 2", "hover none", "hover 2"])
  }

  @Test("An item may be dragged once the pointer moved four points, and only once per press")
  func dragging() throws {
    let host = InteractionHostDouble()
    let start = host.point(of: 3)
    host.press.beginPress(at: start, clicks: 1, [], isCatch: false)
    #expect(host.press.itemToDrag(at: start + Point(x: 3, y: 0)) == nil)
    let drag = try #require(host.press.itemToDrag(at: start + Point(x: 4, y: 0)))
    #expect(drag.item == 3 && drag.start == start)
    #expect(host.press.itemToDrag(at: start + Point(x: 9, y: 0)) == nil)
  }
}

@Suite("The focus controller, without a view")
struct FocusControllerTests {
  @Test("Arrow keys move the focus by geometry and select; with Control they only move")
  func arrows() {
    let host = InteractionHostDouble()
    host.focus.allowsFocus = true
    host.key(.down)
    #expect(host.selection.focusedItem == 0, "the first key focuses the first visible item")
    host.key(.down)
    host.key(.right)
    #expect(host.selection.focusedItem == 3 && host.selected == [3])
    host.key(.down, .control)
    #expect(host.selection.focusedItem == 5 && host.selected == [3])
    host.key(.down, .shift)
    #expect(host.selected == [3, 4, 5, 6, 7])
  }

  @Test("The focused item is revealed with a margin")
  func reveal() {
    let host = InteractionHostDouble()
    host.focus.allowsFocus = true
    host.focus.focusItem(12, selects: true, animated: false)
    #expect(host.contentOffset == 350 + 12 - 300)
    host.key(.end)
    #expect(host.selection.focusedItem == 99 && host.contentOffset == 2_200)
  }

  @Test("At the last item, Tab is left to the next responder, and an arrow key is not")
  func end() {
    let host = InteractionHostDouble()
    host.focus.allowsFocus = true
    host.focus.focusItem(99, selects: false, animated: false)
    #expect(!host.key(.tab))
    #expect(host.key(.right))
    #expect(host.selection.focusedItem == 99)
  }

  @Test("Keys do nothing while focusing is not allowed")
  func disallowed() {
    let host = InteractionHostDouble()
    #expect(!host.key(.down))
    #expect(host.selection.focusedItem == nil)
  }

  @Test("Moves between rows stay in their column over an update, which gives the focused item another index")
  func column() {
    let host = InteractionHostDouble(count: 99)
    host.focus.allowsFocus = true
    host.focus.focusItem(97, selects: true, animated: false)
    host.key(.down)
    #expect(host.selection.focusedItem == 98, "in the last row, which is too short")
    host.apply(.inserting(2, into: 99))
    #expect(host.selection.focusedItem == 100)
    host.key(.up)
    #expect(host.selection.focusedItem == 99, "in the second column")
    host.key(.down)
    host.apply(.deleting(100, of: 101))
    host.focus.focusItem(98, selects: true, animated: false)
    host.key(.up)
    #expect(host.selection.focusedItem == 96, "in the column of the item, because the one before was deleted")
  }
}

@Suite("The rubber band controller, without a view")
struct RubberBandControllerTests {
  @Test("Each frame selects what is under the band, and cancelling restores what was selected")
  func drawing() {
    let host = InteractionHostDouble()
    host.selection.select(.choose(9))
    host.band.begin(at: Point(x: 150, y: 10), to: Point(x: 150, y: 10), effect: .replaces)
    host.band.move(to: Point(x: 50, y: 60))
    host.band.advance()
    #expect(host.selected == [0, 1, 2, 3])
    host.band.move(to: Point(x: 120, y: 60))
    host.band.advance()
    #expect(host.selected == [1, 3])
    host.band.cancel()
    #expect(host.selected == [9] && host.band.isIdle)
  }

  @Test("Near an edge the content scrolls, until the band ends")
  func edges() {
    let host = InteractionHostDouble()
    host.band.begin(at: Point(x: 150, y: 150), to: Point(x: 120, y: 295), effect: .adds)
    host.band.advance()
    #expect(host.scroll.velocity(at: host.lastInstant) > 0)
    host.band.end(at: Point(x: 120, y: 295))
    #expect(host.scroll.velocity(at: host.lastInstant) == 0)
    #expect(host.selected.contains(11))
  }

  @Test("A selection that replaces all makes a released band obsolete")
  func obsolete() {
    // So many that a release finds only a part.
    let host = InteractionHostDouble(count: 1_000_000)
    host.band.begin(at: Point(x: 150, y: 10), to: Point(x: 150, y: 10), effect: .replaces)
    host.scroll(to: 20_000_000, animated: false)
    host.band.end(at: Point(x: 50, y: 60))
    #expect(host.band.needsFrames, "items are still being found")
    host.selection.select(.choose(7))
    host.band.advance()
    #expect(host.selected == [7] && host.band.isIdle)
  }
}

@Suite("The drag controller, without a view")
struct DragControllerTests {
  @Test("A drag shows the nearest position, and the end commits it")
  func dragging() {
    let host = InteractionHostDouble()
    #expect(!host.drag.begin(0, from: nil, byPointer: false), "the data source does not allow it")
    #expect(host.drag.begin(3, from: host.point(of: 3), byPointer: true))
    #expect(host.drag.isDraggingByPointer && host.drag.draggedItem == 3)
    host.drag.move(to: host.point(of: 7))
    host.drag.updateTarget()
    #expect(host.moves == ["show 7"])
    host.drag.end()
    #expect(host.moves == ["show 7", "end"])
    #expect(host.takeLog() == ["settle 3", "ended"])
    #expect(!host.drag.isActive)
  }

  @Test("A cancelled drag tells its data source, and a second drag cannot begin")
  func cancelling() {
    let host = InteractionHostDouble()
    #expect(host.drag.begin(3, from: nil, byPointer: false))
    #expect(!host.drag.begin(4, from: nil, byPointer: false))
    host.drag.cancel()
    #expect(host.moves == ["cancel"])
  }

  @Test("A drag at rest needs no frames, and one whose item is deleted ends in the next frame")
  func resting() {
    let host = InteractionHostDouble(count: 10)
    #expect(host.drag.begin(3, from: nil, byPointer: false))
    host.drag.updateTarget()
    host.lastInstant = .zero + .seconds(1)
    host.drag.advance()
    host.lastInstant = .zero + .seconds(2)
    host.drag.advance()
    #expect(!host.drag.needsFrames(at: host.lastInstant))
    host.apply(.deleting(3, of: 10))
    #expect(host.drag.needsFrames(at: host.lastInstant))
    host.drag.advance()
    #expect(!host.drag.isActive)
    #expect(host.moves == ["cancel"])
  }

  @Test("The keyboard moves the focused item to the next position that exists")
  func keyboard() {
    let host = InteractionHostDouble(count: 10)
    host.selection.setFocusedItem(4)
    #expect(host.drag.moveFocusedItem(by: .down))
    #expect(host.drag.moveFocusedItem(by: .left))
    #expect(host.moves == ["4 to 6", "4 to 3"])
    host.selection.setFocusedItem(9)
    #expect(host.drag.moveFocusedItem(by: .down), "handled, although there is no position below")
    #expect(host.moves == ["4 to 6", "4 to 3"])
  }
}
