import CollectionUI
import Testing
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("A collection view describes its visible content to assistive technology")
struct AccessibilityTests {
  @Test("Items have labels and positions among all items, and report selection and focus")
  func items() throws {
    let grid = InteractiveGrid(12_345, columns: 3)
    grid.view.allowsFocus = true
    grid.click("w4")
    grid.click("w6", .control)
    grid.key(.right, .control)
    let outline = grid.harness.window.accessibility.outline
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
    let tree = grid.harness.window.accessibility
    let focused = try #require(tree.focused)
    #expect(focused.announcement == "w7, item 8 of 12,345, focused")
    #expect(focused.frame.minY == 100 && focused.frame.height == 50, "the frame in the window")
    #expect(tree.elements(.cell).count == 18, "only the visible items")
    // The elements describe the current state, without a cache.
    grid.wordGrid.scroll(to: 60_000)
    let cells = grid.harness.window.accessibility.elements(.cell)
    #expect(cells.first?.label == "w3600" && cells.first?.frame.minY == 0)
    #expect(cells.first?.position?.number == 3_601 && cells.allSatisfy { !$0.isFocused })
  }

  @Test("A single column is a list, and an empty view reports zero items")
  func lists() {
    let grid = InteractiveGrid(100, columns: 1)
    let outline = grid.harness.window.accessibility.outline
    #expect(outline.hasPrefix("window\n  list, 100 items\n    w0, item 1 of 100\n"))
    #expect(grid.harness.window.accessibility.elements(.listItem).count == 6)
    grid.wordGrid.apply { $0.deleteAllItems() }
    grid.harness.runUntilIdle()
    #expect(grid.harness.window.accessibility.outline == "window\n  grid, 0 items")
    grid.view.isHidden = true
    #expect(grid.harness.window.accessibility.outline == "window")
  }

  @Test("Headers are headings before their items, even if pinned")
  func headings() {
    let stack = SupplementaryViewTests.makeStack()
    stack.scroll(to: 400)
    let lines = stack.harness.window.accessibility.outline.split(separator: "\n").map {
      String($0.drop { $0 == " " }.prefix { $0 != "," })
    }
    let headings = stack.harness.window.accessibility.elements(.heading)
    #expect(headings.count == 2 && headings[0].frame.minY == 0 && headings[1].frame.minY == 130)
    #expect(lines.count > 6 && lines[2] == headings[0].label)
    let second = lines.firstIndex(of: headings[1].label) ?? 0
    #expect(second > 3 && second < lines.count - 1, "between the items of two sections")
  }

  @Test("Frames do not create accessibility elements, and prepared cells have none")
  func cost() {
    let grid = WordGrid.preparing(2_000, columns: 2)
    for offset in stride(from: 0.0, to: 3_000, by: 130) { grid.scroll(to: offset) }
    grid.harness.runUntilIdle()
    #expect(grid.cells.allSatisfy { $0.labelReads == 0 } && grid.cells.count > grid.view.visibleCells.count)
    let labels = grid.harness.window.accessibility.elements(.cell).map(\.label)
    #expect(labels == grid.shown && grid.cells.reduce(0) { $0 + $1.labelReads } == labels.count)
  }

  @Test("A view without a label is described by its visible texts")
  func visibleTexts() {
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

  @Test("Announcements have the order of a screen reader")
  func announcements() {
    var element = AccessibilityElement(role: .cell, label: "IMG_1.jpg", frame: .zero)
    element.value = "JPEG picture"
    element.position = AccessibilityElement.Position(number: 5, count: 1_000_000)
    element.isSelected = true
    #expect(element.announcement == "IMG_1.jpg, JPEG picture, item 5 of 1,000,000, selected")
    #expect(AccessibilityElement(role: .heading, label: "May", frame: .zero).announcement == "May, heading")
  }
}
