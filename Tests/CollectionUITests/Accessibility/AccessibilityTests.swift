import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("What is on the screen can be told to whoever cannot see it")
struct AccessibilityTests {
  @Test("Items by name and place among all, with what is selected and where the keyboard is")
  func items() throws {
    let wall = ItemWall(12_345, columns: 3)
    wall.view.allowsFocus = true
    wall.click("w4")
    wall.click("w6", .control)
    wall.key(.right, .control)
    let outline = wall.stage.window.accessibility.outline
    #expect(
      outline.hasPrefix(
        """
        window
          grid, 12,345 items, 2 selected
            w0, item 1 of 12,345
            w1, item 2 of 12,345
            w2, item 3 of 12,345
            w3, item 4 of 12,345
            w4, item 5 of 12,345, selected
            w5, item 6 of 12,345
            w6, item 7 of 12,345, selected
            w7, item 8 of 12,345, focused
        """))
    let tree = wall.stage.window.accessibility
    let focused = try #require(tree.focused)
    #expect(focused.announcement == "w7, item 8 of 12,345, focused")
    #expect(focused.frame.minY == 100 && focused.frame.height == 50, "where it stands in the window")
    #expect(tree.elements(.cell).count == 18, "those on screen")
    // As it is then: nobody keeps what was told before.
    wall.grid.scroll(to: 60_000)
    let cells = wall.stage.window.accessibility.elements(.cell)
    #expect(cells.first?.label == "w3600" && cells.first?.frame.minY == 0)
    #expect(cells.first?.position?.number == 3_601 && cells.allSatisfy { !$0.isFocused })
  }

  @Test("Rows that stand below each other are a list, and an empty view says so")
  func lists() {
    let wall = ItemWall(100, columns: 1)
    let outline = wall.stage.window.accessibility.outline
    #expect(outline.hasPrefix("window\n  list, 100 items\n    w0, item 1 of 100\n"))
    #expect(wall.stage.window.accessibility.elements(.listItem).count == 6)
    wall.grid.apply { $0.deleteAllItems() }
    wall.stage.runUntilIdle()
    #expect(wall.stage.window.accessibility.outline == "window\n  grid, 0 items")
    wall.view.isHidden = true
    #expect(wall.stage.window.accessibility.outline == "window")
  }

  @Test("Headers are headings before their items, those pinned at the edge too")
  func headings() {
    let stack = SupplementaryTests.stage()
    stack.scroll(to: 400)
    let lines = stack.stage.window.accessibility.outline.split(separator: "\n").map {
      String($0.drop { $0 == " " }.prefix { $0 != "," })
    }
    let headings = stack.stage.window.accessibility.elements(.heading)
    #expect(headings.count == 2 && headings[0].frame.minY == 0 && headings[1].frame.minY == 130)
    #expect(lines.count > 6 && lines[2] == headings[0].label)
    let second = lines.firstIndex(of: headings[1].label) ?? 0
    #expect(second > 3 && second < lines.count - 1, "between the items of two sections")
  }

  @Test("Frames ask for none of it, and what is prepared ahead is not told of")
  func cost() {
    let grid = WordGrid.preparing(2_000, columns: 2)
    for offset in stride(from: 0.0, to: 3_000, by: 130) { grid.scroll(to: offset) }
    grid.stage.runUntilIdle()
    #expect(grid.cells.allSatisfy { $0.namings == 0 } && grid.cells.count > grid.view.visibleCells.count)
    let told = grid.stage.window.accessibility.elements(.cell).map(\.label)
    #expect(told == grid.shown && grid.cells.reduce(0) { $0 + $1.namings } == told.count)
  }

  @Test("Words that are seen name what has no better name")
  func words() {
    let root = View()
    let label = Label(style: TextStyle(size: 12), color: .white)
    label.text = "May 2021"
    let count = Label(style: TextStyle(size: 12), color: .white)
    count.text = "24 photographs"
    for view in [label, count] { root.addSubview(view) }
    #expect(root.accessibilityLabel == "May 2021, 24 photographs")
    count.isHidden = true
    #expect(root.accessibilityLabel == "May 2021" && root.accessibilityElements.map(\.role) == [.text])
  }

  @Test("It is said as a reader says it")
  func announcements() {
    var element = AccessibilityElement(role: .cell, label: "IMG_1.jpg", frame: .zero)
    element.value = "JPEG picture"
    element.position = AccessibilityElement.Position(number: 5, count: 1_000_000)
    element.isSelected = true
    #expect(element.announcement == "IMG_1.jpg, JPEG picture, item 5 of 1,000,000, selected")
    #expect(AccessibilityElement(role: .heading, label: "May", frame: .zero).announcement == "May, heading")
  }
}
