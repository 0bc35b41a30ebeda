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

@Suite("What is selected and pointed at follows its items, in cells that are seen and in those that wait")
struct SelectionStateTests {
  private func states(_ wall: ItemWall) -> [String: CellConfigurationState] {
    var states: [String: CellConfigurationState] = [:]
    for case let cell as WordCell in wall.view.visibleCells + wall.view.preparedCells {
      states[cell.word] = cell.configurationState
    }
    return states
  }

  @Test("Cells that wait know that their item was selected before they come on screen")
  func waiting() throws {
    let wall = ItemWall(200, columns: 1)
    wall.view.isCellPrefetchingEnabled = true
    wall.stage.runUntilIdle()
    let cell = try #require(wall.view.cellForItem(at: IndexPath(item: 8, section: 0)) as? WordCell)
    #expect(!wall.grid.shown.contains("w8"))
    let told = cell.told.count
    wall.key(.character("a"), .control)
    #expect(cell.isSelected && cell.told.count == told + 1)
    wall.grid.scroll(to: 200)
    #expect(wall.grid.cell(of: "w8") === cell && cell.told.count == told + 1, "nothing is left to do")
    wall.grid.scroll(to: 2_000)
    #expect(wall.view.visibleCells.allSatisfy { $0.isSelected }, "cells that are made later know it too")
  }

  @Test("A cell is told after each configuration, and else when something changes")
  func telling() throws {
    let wall = ItemWall(20)
    let cell = try #require(wall.grid.cell(of: "w3"))
    #expect(cell.told == [CellConfigurationState()])
    wall.click("w4")
    #expect(cell.told.count == 1)
    wall.grid.source.reconfigureItems(["w3"])
    #expect(cell.told.count == 2)
    var selected = CellConfigurationState()
    selected.isSelected = true
    wall.view.select(.all)
    #expect(cell.told.last == selected)
  }

  @Test("The selection follows its items through applies; deleting some tells so once")
  func applies() {
    let wall = ItemWall(100)
    wall.click("w5")
    wall.click("w8", .shift)
    wall.log.forget()
    wall.grid.apply {
      $0.insertItems(["a", "b"], beforeItem: "w0")
      $0.moveItem("w6", afterItem: "w90")
    }
    wall.stage.run(frames: 1)
    #expect(wall.selected == ["w5", "w7", "w8", "w6"] && wall.log.lines.isEmpty)
    #expect(wall.grid.cell(of: "w7")?.isSelected == true && wall.grid.cell(of: "a")?.isSelected == false)
    wall.grid.apply { $0.deleteItems(["w7", "w20"]) }
    #expect(wall.selected == ["w5", "w8", "w6"] && wall.log.lines == ["selected 3"])
    wall.grid.source.applySnapshotUsingReloadData(wall.grid.source.snapshot())
    wall.stage.runUntilIdle()
    #expect(wall.selected == ["w5", "w8", "w6"] && wall.log.lines == ["selected 3"])
    wall.grid.apply { $0.deleteAllItems() }
    #expect(wall.selected.isEmpty && wall.log.lines.last == "selected 0")
  }

  @Test("It follows them through an order in which all are elsewhere, be they few or many", arguments: [3, 25_000])
  func shuffles(selected count: Int) {
    let wall = ItemWall(0)
    let words = WordGrid.words(0..<50_000)
    wall.grid.apply { $0.appendItems(words) }
    wall.stage.runUntilIdle()
    let chosen = IndexRuns((0..<count).map { $0 * 2 })
    wall.view.select(.replace(chosen))
    wall.view.focusItem(at: 5, selects: false, animated: false)
    var random = SeededGenerator(seed: 8)
    let next = words.filter { $0 != "w5" }.shuffled(using: &random)
    wall.grid.apply { snapshot in
      snapshot.deleteAllItems()
      if snapshot.numberOfSections == 0 { snapshot.appendSections([0]) }
      snapshot.appendItems(next)
    }
    wall.stage.runUntilIdle()
    #expect(Set(wall.selected) == Set(chosen.ranges.joined().map { "w\($0)" }) && wall.selected.count == count)
    #expect(wall.view.selection.lead.map { next[$0] } == "w6", "the next one of before")
    // With other cells, too, and without those that are gone.
    wall.grid.source.applySnapshotUsingReloadData(wall.grid.source.snapshot())
    wall.stage.runUntilIdle()
    #expect(wall.selected.count == count && wall.view.selection.lead.map { next[$0] } == "w6")
    var other = wall.grid.source.snapshot()
    other.deleteItems(next.filter { $0 != "w4" })
    wall.grid.source.applySnapshotUsingReloadData(other)
    wall.stage.runUntilIdle()
    #expect(wall.selected == ["w4"] && wall.view.selection.lead == 0)
  }

  @Test("The keyboard's place goes on to the next item when its own is deleted, and shows where it is")
  func focus() {
    let wall = ItemWall(100)
    wall.view.focusedIndexPath = IndexPath(item: 5, section: 0)
    #expect(wall.grid.cell(of: "w5")?.configurationState.isFocused == true && wall.selected.isEmpty)
    wall.grid.apply { $0.deleteItems(["w5", "w6"]) }
    wall.stage.run(frames: 1)
    #expect(wall.grid.cell(of: "w7")?.configurationState.isFocused == true)
    #expect(wall.view.focusedIndexPath == IndexPath(item: 5, section: 0))
    wall.click("w1")
    #expect(wall.view.focusedIndexPath == nil, "a pointer needs no focus to be seen")
    #expect(wall.grid.cell(of: "w7")?.configurationState.isFocused == false)
  }

  @Test("What is under the pointer looks so, not while the content moves, and not once the pointer is gone")
  func hovering() {
    let wall = ItemWall(2_000)
    func hovered() -> [String] { states(wall).filter(\.value.isHovered).keys.sorted() }
    wall.move(to: wall.middle(of: "w5"))
    #expect(hovered() == ["w5"])
    wall.move(to: wall.middle(of: "w6"))
    #expect(hovered() == ["w6"])
    wall.view.applyScrollEvent(.advance(by: 600), at: wall.stage.clock.now())
    wall.stage.run(frames: 3)
    #expect(hovered().isEmpty)
    wall.stage.runUntilIdle()
    #expect(hovered() == ["w54"])
    wall.grid.apply { $0.deleteItems(["w54"]) }
    #expect(hovered() == ["w55"], "another item came under the pointer")
    wall.stage.sendEvent(.pointerLeft)
    wall.stage.run(frames: 1)
    #expect(hovered().isEmpty)
  }

  @Test("Selecting by program asks nobody, and deselecting all needs no path")
  func program() {
    let wall = ItemWall(500, columns: 1, allowsMultipleSelection: false)
    wall.log.forget()
    wall.view.selectItem(at: IndexPath(item: 300, section: 0), animated: false, scrollPosition: .centeredVertically)
    wall.stage.run(frames: 1)
    #expect(wall.selected == ["w300"] && wall.log.lines == ["selected 1"])
    #expect(wall.grid.places["w300"]?.y == 125)
    wall.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    #expect(wall.selected == ["w3"])
    wall.view.deselectItem(at: IndexPath(item: 4, section: 0), animated: false)
    #expect(wall.selected == ["w3"])
    wall.view.deselectItem(at: IndexPath(item: 3, section: 0), animated: false)
    #expect(wall.selected.isEmpty)
    wall.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    wall.view.selectItem(at: nil, animated: false)
    #expect(wall.selected.isEmpty)
  }

  @Test(
    "Whatever is applied and clicked, what is selected is what a set of words that does the same holds",
    arguments: 0..<8)
  func laws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 40)
    let wall = ItemWall(60)
    var expected: Set<String> = []
    var next = 1_000
    for _ in 0..<80 {
      if generator.chance(oneIn: 2), let word = wall.grid.shown.randomElement(using: &generator) {
        if generator.chance(oneIn: 2) {
          wall.click(word)
          expected = [word]
        } else {
          wall.click(word, .control)
          expected.formSymmetricDifference([word])
        }
      } else {
        let fresh = WordGrid.words(next..<(next + 7))
        next += 20
        wall.grid.apply { CellLifeTests.edit(&$0, fresh: fresh, &generator) }
        wall.stage.run(frames: 1)
        expected = expected.filter { wall.grid.source.indexPath(for: $0) != nil }
      }
      #expect(Set(wall.selected) == expected && wall.selected.count == expected.count)
      for (word, state) in states(wall) { #expect(state.isSelected == expected.contains(word), "\(word)") }
    }
  }
}
