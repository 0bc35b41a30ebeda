import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import TestSupport
import Testing
import Views

@Suite("What a person holds and looks at outlives updates, and every highlight has its end")
struct InterruptedPressTests {
  @Test("Where the pressed item is deleted the delegate is told where it was, once")
  func deleted() {
    let wall = ItemWall()
    wall.press("w5")
    var paths: [String] = []
    wall.log.word = { path in
      paths.append("\(path.section) \(path.item)")
      return "?"
    }
    wall.log.forget()
    wall.grid.apply { $0.deleteItems(["w2", "w5"]) }
    #expect(wall.log.lines == ["unhighlight ?"] && paths == ["0 5"])
    wall.stage.run(frames: 1)
    wall.release(at: wall.middle(of: "w6"))
    #expect(wall.log.lines == ["unhighlight ?"] && wall.view.indexPathsForSelectedItems.isEmpty)
  }

  @Test("So it is where all items are other ones")
  func replaced() {
    let wall = ItemWall()
    wall.press("w5")
    wall.log.forget()
    var snapshot = WordGrid.Source.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(["a", "b"])
    wall.grid.source.applySnapshotUsingReloadData(snapshot)
    #expect(wall.log.lines.count == 1 && wall.log.lines.first?.hasPrefix("unhighlight") == true)
    wall.stage.runUntilIdle()
    #expect(wall.log.lines.count == 1)
  }

  @Test("Moved, reconfigured and reloaded the item stays pressed, and is what a release selects")
  func followed() {
    let wall = ItemWall()
    wall.press("w5")
    wall.log.forget()
    wall.grid.apply {
      $0.insertItems(["new"], beforeItem: "w0")
      $0.reloadItems(["w5"])
    }
    wall.stage.run(frames: 1)
    #expect(wall.log.lines.isEmpty && wall.grid.cell(of: "w5")?.isHighlighted == true)
    wall.release(at: wall.middle(of: "w5"))
    #expect(wall.selected == ["w5"] && wall.log.lines.last == "unhighlight w5")
  }

  @Test("A reloaded item's other cell is selected, focused and pointed at from the first")
  func reloaded() throws {
    let wall = ItemWall()
    wall.view.focusedIndexPath = IndexPath(item: 3, section: 0)
    wall.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    wall.move(to: wall.middle(of: "w3"))
    let before = try #require(wall.grid.cell(of: "w3"))
    wall.grid.apply { $0.reloadItems(["w3"]) }
    let after = try #require(wall.grid.cell(of: "w3"))
    var state = CellConfigurationState()
    (state.isSelected, state.isFocused, state.isHovered) = (true, true, true)
    #expect(after !== before && after.told == [state] && wall.view.focusedIndexPath?.item == 3)
  }

  @Test("Where the keyboard's place is shown it is shown in one cell, also when the program selects another item")
  func focus() {
    let wall = ItemWall()
    func focused() -> [String] {
      wall.view.visibleCells.compactMap { $0 as? WordCell }.filter(\.configurationState.isFocused).map(\.word)
    }
    wall.view.focusedIndexPath = IndexPath(item: 3, section: 0)
    #expect(focused() == ["w3"])
    wall.view.selectItem(at: IndexPath(item: 5, section: 0), animated: false)
    #expect(focused() == ["w5"] && wall.view.focusedIndexPath?.item == 5)
    wall.log.refused = ["highlight? w7"]
    wall.press("w7")
    #expect(focused().isEmpty && wall.view.focusedIndexPath == nil)
  }

  @Test("What the delegate applies when it is told of a selected item comes after that item is the keyboard's place")
  func applied() {
    let wall = ItemWall()
    wall.log.onLine = { [weak wall] line in
      guard line == "selected 1" else { return }
      wall?.log.onLine = nil
      wall?.grid.apply { $0.deleteItems(WordGrid.words(0..<5)) }
    }
    wall.view.focusedIndexPath = IndexPath(item: 0, section: 0)
    wall.view.selectItem(at: IndexPath(item: 9, section: 0), animated: false)
    wall.stage.run(frames: 1)
    #expect(wall.selected == ["w9"] && wall.view.focusedIndexPath == IndexPath(item: 4, section: 0))
    #expect(wall.view.selection.anchor == 4)
  }
}
