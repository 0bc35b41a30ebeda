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

@Suite("Selection, focus and hover follow their items, in visible and in prepared cells")
struct SelectionStateTests {
  private func states(_ grid: InteractiveGrid) -> [String: CellConfigurationState] {
    var states: [String: CellConfigurationState] = [:]
    for case let cell as WordCell in grid.view.visibleCells + grid.view.preparedCells {
      states[cell.word] = cell.configurationState
    }
    return states
  }

  @Test("Prepared cells are updated with the selection before they are displayed")
  func preparedCells() throws {
    let grid = InteractiveGrid(200, columns: 1)
    DemonstrationSwitches(grid.view).isCellPrefetchingEnabled = true
    grid.harness.runUntilIdle()
    let cell = try #require(grid.view.cellForItem(at: IndexPath(item: 8, section: 0)) as? WordCell)
    #expect(!grid.wordGrid.shown.contains("w8"))
    let updates = cell.configurationStates.count
    grid.key(.character("a"), .control)
    #expect(cell.isSelected && cell.configurationStates.count == updates + 1)
    grid.wordGrid.scroll(to: 200)
    #expect(
      grid.wordGrid.cell(of: "w8") === cell && cell.configurationStates.count == updates + 1, "nothing is left to do")
    grid.wordGrid.scroll(to: 2_000)
    #expect(grid.view.visibleCells.allSatisfy { $0.isSelected }, "new cells are updated too")
  }

  @Test("A cell is updated after each configuration and when its state changes")
  func configurationUpdates() throws {
    let grid = InteractiveGrid(20)
    let cell = try #require(grid.wordGrid.cell(of: "w3"))
    #expect(cell.configurationStates == [CellConfigurationState()])
    grid.click("w4")
    #expect(cell.configurationStates.count == 1)
    grid.wordGrid.source.reconfigureItems(["w3"])
    #expect(cell.configurationStates.count == 2)
    var selected = CellConfigurationState()
    selected.isSelected = true
    grid.view.select(.all)
    #expect(cell.configurationStates.last == selected)
  }

  @Test("The selection follows its items through updates, and a deletion is reported once")
  func updates() {
    let grid = InteractiveGrid(100)
    grid.click("w5")
    grid.click("w8", .shift)
    grid.log.clearLog()
    grid.wordGrid.apply {
      $0.insertItems(["a", "b"], beforeItem: "w0")
      $0.moveItem("w6", afterItem: "w90")
    }
    grid.harness.run(frames: 1)
    #expect(grid.selected == ["w5", "w7", "w8", "w6"] && grid.log.lines.isEmpty)
    #expect(grid.wordGrid.cell(of: "w7")?.isSelected == true && grid.wordGrid.cell(of: "a")?.isSelected == false)
    grid.wordGrid.apply { $0.deleteItems(["w7", "w20"]) }
    #expect(grid.selected == ["w5", "w8", "w6"] && grid.log.lines == ["selected 3"])
    grid.wordGrid.source.applySnapshotUsingReloadData(grid.wordGrid.source.snapshot())
    grid.harness.runUntilIdle()
    #expect(grid.selected == ["w5", "w8", "w6"] && grid.log.lines == ["selected 3"])
    grid.wordGrid.apply { $0.deleteAllItems() }
    #expect(grid.selected.isEmpty && grid.log.lines.last == "selected 0")
  }

  @Test("Few and many selected items are followed through a shuffle", arguments: [3, 25_000])
  func shuffles(selected count: Int) {
    let grid = InteractiveGrid(0)
    let words = WordGrid.words(0..<50_000)
    grid.wordGrid.apply { $0.appendItems(words) }
    grid.harness.runUntilIdle()
    let chosen = IndexRuns((0..<count).map { $0 * 2 })
    grid.view.select(.replace(chosen))
    grid.view.focusItem(at: 5, selects: false, animated: false)
    var random = SeededGenerator(seed: 8)
    let next = words.filter { $0 != "w5" }.shuffled(using: &random)
    grid.wordGrid.apply { snapshot in
      snapshot.deleteAllItems()
      if snapshot.numberOfSections == 0 { snapshot.appendSections([0]) }
      snapshot.appendItems(next)
    }
    grid.harness.runUntilIdle()
    #expect(Set(grid.selected) == Set(chosen.ranges.joined().map { "w\($0)" }) && grid.selected.count == count)
    #expect(grid.view.selection.lead.map { next[$0] } == "w6", "the item that followed the deleted one")
    // After a reload with other cells, and without the deleted items.
    grid.wordGrid.source.applySnapshotUsingReloadData(grid.wordGrid.source.snapshot())
    grid.harness.runUntilIdle()
    #expect(grid.selected.count == count && grid.view.selection.lead.map { next[$0] } == "w6")
    var other = grid.wordGrid.source.snapshot()
    other.deleteItems(next.filter { $0 != "w4" })
    grid.wordGrid.source.applySnapshotUsingReloadData(other)
    grid.harness.runUntilIdle()
    #expect(grid.selected == ["w4"] && grid.view.selection.lead == 0)
  }

  @Test("If the focused item is deleted, the focus moves to the next item")
  func focusAfterDeletion() {
    let grid = InteractiveGrid(100)
    grid.view.focusedIndexPath = IndexPath(item: 5, section: 0)
    #expect(grid.wordGrid.cell(of: "w5")?.configurationState.isFocused == true && grid.selected.isEmpty)
    grid.wordGrid.apply { $0.deleteItems(["w5", "w6"]) }
    grid.harness.run(frames: 1)
    #expect(grid.wordGrid.cell(of: "w7")?.configurationState.isFocused == true)
    #expect(grid.view.focusedIndexPath == IndexPath(item: 5, section: 0))
    grid.click("w1")
    #expect(grid.view.focusedIndexPath == nil, "a click hides the focus ring")
    #expect(grid.wordGrid.cell(of: "w7")?.configurationState.isFocused == false)
  }

  @Test("The item beneath the pointer is hovered, except while the content moves or the pointer is outside")
  func hovering() {
    let grid = InteractiveGrid(2_000)
    func hovered() -> [String] { states(grid).filter(\.value.isHovered).keys.sorted() }
    grid.move(to: grid.middle(of: "w5"))
    #expect(hovered() == ["w5"])
    grid.move(to: grid.middle(of: "w6"))
    #expect(hovered() == ["w6"])
    grid.view.applyScrollEvent(.advance(by: 600), at: grid.harness.clock.now())
    grid.harness.run(frames: 3)
    #expect(hovered().isEmpty)
    grid.harness.runUntilIdle()
    #expect(hovered() == ["w54"])
    grid.wordGrid.apply { $0.deleteItems(["w54"]) }
    #expect(hovered() == ["w55"], "another item is beneath the pointer")
    grid.harness.sendEvent(.pointerLeft)
    grid.harness.run(frames: 1)
    #expect(hovered().isEmpty)
  }

  @Test("Selecting from code does not ask the delegate, and a nil path deselects all")
  func selectionFromCode() {
    let grid = InteractiveGrid(500, columns: 1, allowsMultipleSelection: false)
    grid.log.clearLog()
    grid.view.selectItem(at: IndexPath(item: 300, section: 0), animated: false, scrollPosition: .centeredVertically)
    grid.harness.run(frames: 1)
    #expect(grid.selected == ["w300"] && grid.log.lines == ["selected 1"])
    #expect(grid.wordGrid.origins["w300"]?.y == 125)
    grid.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    #expect(grid.selected == ["w3"])
    grid.view.deselectItem(at: IndexPath(item: 4, section: 0), animated: false)
    #expect(grid.selected == ["w3"])
    grid.view.deselectItem(at: IndexPath(item: 3, section: 0), animated: false)
    #expect(grid.selected.isEmpty)
    grid.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    grid.view.selectItem(at: nil, animated: false)
    #expect(grid.selected.isEmpty)
  }

  @Test(
    "After random updates and clicks, the selection equals that of a set of words",
    arguments: 0..<8)
  func randomEvents(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 40)
    let grid = InteractiveGrid(60)
    var expected: Set<String> = []
    var next = 1_000
    for _ in 0..<80 {
      if generator.chance(oneIn: 2), let word = grid.wordGrid.shown.randomElement(using: &generator) {
        if generator.chance(oneIn: 2) {
          grid.click(word)
          expected = [word]
        } else {
          grid.click(word, .control)
          expected.formSymmetricDifference([word])
        }
      } else {
        let fresh = WordGrid.words(next..<(next + 7))
        next += 20
        grid.wordGrid.apply { CellReuseTests.applyRandomEdit(to: &$0, fresh: fresh, &generator) }
        grid.harness.run(frames: 1)
        expected = expected.filter { grid.wordGrid.source.indexPath(for: $0) != nil }
      }
      #expect(Set(grid.selected) == expected && grid.selected.count == expected.count)
      for (word, state) in states(grid) { #expect(state.isSelected == expected.contains(word), "\(word)") }
    }
  }
}

// MARK: - Updates

@Suite("Highlight, selection and focus persist through updates, and every highlight ends")
struct InteractionDuringUpdateTests {
  @Test("Deleting the pressed item reports its previous index path once")
  func deletedItem() {
    let grid = InteractiveGrid()
    grid.press("w5")
    var paths: [String] = []
    grid.log.word = { path in
      paths.append("\(path.section) \(path.item)")
      return "?"
    }
    grid.log.clearLog()
    grid.wordGrid.apply { $0.deleteItems(["w2", "w5"]) }
    #expect(grid.log.lines == ["unhighlight ?"] && paths == ["0 5"])
    grid.harness.run(frames: 1)
    grid.release(at: grid.middle(of: "w6"))
    #expect(grid.log.lines == ["unhighlight ?"] && grid.view.indexPathsForSelectedItems.isEmpty)
  }

  @Test("Replacing all items ends the highlight")
  func replacedItems() {
    let grid = InteractiveGrid()
    grid.press("w5")
    grid.log.clearLog()
    var snapshot = WordGrid.Source.Snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(["a", "b"])
    grid.wordGrid.source.applySnapshotUsingReloadData(snapshot)
    #expect(grid.log.lines.count == 1 && grid.log.lines.first?.hasPrefix("unhighlight") == true)
    grid.harness.runUntilIdle()
    #expect(grid.log.lines.count == 1)
  }

  @Test("A moved, reconfigured or reloaded item stays pressed, and the release selects it")
  func followedItem() {
    let grid = InteractiveGrid()
    grid.press("w5")
    grid.log.clearLog()
    grid.wordGrid.apply {
      $0.insertItems(["new"], beforeItem: "w0")
      $0.reloadItems(["w5"])
    }
    grid.harness.run(frames: 1)
    #expect(grid.log.lines.isEmpty && grid.wordGrid.cell(of: "w5")?.isHighlighted == true)
    grid.release(at: grid.middle(of: "w5"))
    #expect(grid.selected == ["w5"] && grid.log.lines.last == "unhighlight w5")
  }

  @Test("The new cell of a reloaded item is selected, focused and hovered from the start")
  func reloadedItem() throws {
    let grid = InteractiveGrid()
    grid.view.focusedIndexPath = IndexPath(item: 3, section: 0)
    grid.view.selectItem(at: IndexPath(item: 3, section: 0), animated: false)
    grid.move(to: grid.middle(of: "w3"))
    let before = try #require(grid.wordGrid.cell(of: "w3"))
    grid.wordGrid.apply { $0.reloadItems(["w3"]) }
    let after = try #require(grid.wordGrid.cell(of: "w3"))
    var state = CellConfigurationState()
    (state.isSelected, state.isFocused, state.isHovered) = (true, true, true)
    #expect(after !== before && after.configurationStates == [state] && grid.view.focusedIndexPath?.item == 3)
  }

  @Test("The focus ring is displayed in one cell, even if code selects another item")
  func focusRing() {
    let grid = InteractiveGrid()
    func focused() -> [String] {
      grid.view.visibleCells.compactMap { $0 as? WordCell }.filter(\.configurationState.isFocused).map(\.word)
    }
    grid.view.focusedIndexPath = IndexPath(item: 3, section: 0)
    #expect(focused() == ["w3"])
    grid.view.selectItem(at: IndexPath(item: 5, section: 0), animated: false)
    #expect(focused() == ["w5"] && grid.view.focusedIndexPath?.item == 5)
    grid.log.refused = ["highlight? w7"]
    grid.press("w7")
    #expect(focused().isEmpty && grid.view.focusedIndexPath == nil)
  }

  @Test("An update that the delegate applies for a selection is performed after the focus has moved")
  func updateInDelegate() {
    let grid = InteractiveGrid()
    grid.log.onLine = { [weak grid] line in
      guard line == "selected 1" else { return }
      grid?.log.onLine = nil
      grid?.wordGrid.apply { $0.deleteItems(WordGrid.words(0..<5)) }
    }
    grid.view.focusedIndexPath = IndexPath(item: 0, section: 0)
    grid.view.selectItem(at: IndexPath(item: 9, section: 0), animated: false)
    grid.harness.run(frames: 1)
    #expect(grid.selected == ["w9"] && grid.view.focusedIndexPath == IndexPath(item: 4, section: 0))
    #expect(grid.view.selection.anchor == 4)
  }
}
