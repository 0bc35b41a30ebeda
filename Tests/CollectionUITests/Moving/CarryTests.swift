import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A pressed item that is drawn away is carried, and put down in one transaction")
struct CarryTests {
  @Test("It goes with the pointer over the others, which make way; the order is committed when it is put down")
  func carry() {
    let stage = CarryStage()
    let cell = stage.grid.cell(of: "w1")
    stage.press(200, 75)
    stage.move(202, 78)
    #expect(stage.view.indexPathOfInteractiveMovement == nil, "not four points")
    stage.move(200, 130)
    #expect(stage.view.indexPathOfInteractiveMovement == IndexPath(item: 2, section: 0))
    #expect(cell?.configurationState.isReordering == true)
    #expect(stage.motion.shown.last == "w1 105", "as far from the pointer as it was taken")
    #expect(stage.motion.top(of: "w2") == 100, "it begins where it is")
    stage.motion.run(4)
    #expect(stage.motion.top(of: "w2") == 84 && stage.motion.shown.last == "w1 105")
    stage.stage.runUntilIdle()
    #expect(stage.motion.shown == ["w0 0", "w2 50", "w3 150", "w4 200", "w5 250", "w1 105"])
    #expect(stage.grid.shown == ["w0", "w2", "w1", "w3", "w4", "w5"])
    #expect(stage.order == WordGrid.words(0..<100) && stage.told.isEmpty, "nothing is committed yet")
    stage.release(200, 130)
    #expect(stage.told.count == 1 && stage.told.first?.difference.count == 2)
    #expect(stage.order.prefix(4) == ["w0", "w2", "w1", "w3"])
    stage.motion.run(4)
    #expect(stage.motion.shown.last == "w1 103", "it glides to its place")
    stage.stage.runUntilIdle()
    #expect(stage.motion.shown == ["w0 0", "w2 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(cell === stage.grid.cell(of: "w1") && cell?.configurationState.isReordering == false)
    #expect(stage.grid.provided.isEmpty && stage.view.statistics.visible == 6)
    #expect(stage.stage.runUntilIdle() == 0, "nothing is left to show")
  }

  @Test("Escape lets it glide back, and tells nobody")
  func escape() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 225)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
    stage.key(.escape)
    #expect(stage.view.indexPathOfInteractiveMovement == nil)
    #expect(stage.motion.top(of: "w1") == 200, "from where it is")
    stage.motion.run(6)
    #expect((60..<190).contains(stage.motion.top(of: "w1") ?? 0))
    stage.move(200, 20)
    stage.release(200, 20)
    stage.stage.runUntilIdle()
    #expect(stage.motion.shown == ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
    #expect(stage.told.isEmpty && stage.log.selected == 0 && stage.order == WordGrid.words(0..<100))
  }

  @Test("Put down where it was nothing is told; a click still selects; what may not go stays")
  func nothing() {
    let stage = CarryStage()
    stage.fixed = ["w3"]
    stage.press(200, 75)
    stage.move(200, 130)
    stage.move(200, 78)
    stage.release(200, 78)
    stage.stage.runUntilIdle()
    #expect(stage.told.isEmpty && stage.log.selected == 0)
    #expect(stage.motion.shown == ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
    stage.press(200, 75)
    stage.release(200, 76)
    #expect(stage.log.selected == 1 && stage.view.indexPathsForSelectedItems.map(\.item) == [1])
    stage.press(200, 175)
    stage.move(200, 30)
    #expect(stage.view.indexPathOfInteractiveMovement == nil)
    stage.release(200, 30)
    #expect(stage.told.isEmpty && stage.log.selected == 1)
  }

  @Test("It may be carried where nothing can be selected, too")
  func unselectable() {
    let stage = CarryStage()
    stage.view.allowsSelection = false
    stage.press(200, 75)
    stage.move(200, 30)
    stage.release(200, 20)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown.prefix(2) == ["w1", "w0"] && stage.log.selected == 0)
  }

  @Test("Pressed, drawn away and let go between two frames")
  func atOnce() {
    let stage = CarryStage()
    stage.stage.sendEvent(.pointerDown(Point(x: 200, y: 25), button: .primary, clicks: 1, modifiers: []))
    stage.stage.sendEvent(.pointerMoved(Point(x: 200, y: 180)))
    stage.stage.sendEvent(.pointerUp(Point(x: 200, y: 180), button: .primary, modifiers: []))
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["w1", "w2", "w3", "w0", "w4", "w5"] && stage.told.count == 1)
  }

  @Test("Others that made way go on from where they are when the hand goes on")
  func interruptible() {
    let stage = CarryStage()
    stage.press(200, 25)
    var last: [String: Int] = [:]
    for frame in 0..<60 {
      stage.move(200, 25 + Double(frame < 30 ? frame * 7 : 420 - frame * 7))
      for word in ["w1", "w2", "w3", "w4"] {
        let top = stage.motion.top(of: word) ?? -1
        if let before = last[word] { #expect(abs(top - before) <= 12, "\(word) at \(frame)") }
        last[word] = top
      }
    }
    #expect(stage.view.updateStatistics.structural > 4)
    stage.release(200, 25)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == WordGrid.words(0..<6) && stage.told.isEmpty, "it came back to its own place")
  }

  @Test("In a grid it takes the place of the cell beneath it")
  func grid() {
    let stage = CarryStage(WordGrid.words(0..<40), columns: 4)
    stage.press(50, 25)
    stage.move(250, 130)
    #expect(stage.grid.shown.prefix(12).last == "w11" && stage.grid.shown[10] == "w0")
    stage.release(250, 130)
    stage.stage.runUntilIdle()
    #expect(stage.order.prefix(12) == ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w0", "w11"])
  }

  @Test("To another section's end, and past it")
  func sections() {
    let stage = CarryStage(sections: [["a", "b"], ["c"], ["d"]])
    stage.press(200, 25)
    stage.move(200, 130)
    stage.release(200, 130)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["b", "c", "a", "d"])
    #expect(stage.source.snapshot().itemIdentifiers(inSection: 1).contains("a"))
    #expect(stage.told.last?.sectionTransactions.map(\.sectionIdentifier) == [0, 1])
    stage.press(200, 125)
    stage.move(200, 198)
    stage.release(200, 198)
    stage.stage.runUntilIdle()
    #expect(
      stage.grid.shown == ["b", "c", "d", "a"] && stage.source.snapshot().itemIdentifiers(inSection: 2).count == 2)
  }

  @Test("The delegate says where it may go")
  func target() {
    let stage = CarryStage()
    stage.log.target = { _, _, proposed in IndexPath(item: max(2, proposed.item), section: 0) }
    stage.press(200, 175)
    stage.move(200, 10)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["w0", "w1", "w3", "w2", "w4", "w5"])
    let asked = stage.log.asked
    stage.motion.run(5)
    #expect(stage.log.asked == asked, "a still hand asks nothing more")
    stage.release(200, 10)
    #expect(stage.order.prefix(4) == ["w0", "w1", "w3", "w2"])
  }

  @Test("What is below it in a tree goes along, and is not shown meanwhile")
  func tree() {
    let stage = CarryStage([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["a", "b", "c"])
    tree.append(["a1", "a2"], to: "a")
    tree.append(["b1"], to: "b")
    tree.expand(["a", "b"])
    for word in tree.items { stage.motion.know(word) }
    stage.source.apply(tree, to: 0, animatingDifferences: false)
    stage.stage.runUntilIdle()
    stage.press(200, 25)
    stage.move(200, 35)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["a", "b", "b1", "c"])
    #expect(stage.source.snapshot(for: 0) == tree)
    stage.move(200, 190)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["b", "b1", "c", "a"])
    stage.release(200, 190)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["b", "b1", "c", "a", "a1", "a2"])
    #expect(stage.source.snapshot(for: 0).rootItems == ["b", "c", "a"] && stage.told.count == 1)
    stage.press(200, 175)
    stage.move(200, 60)
    stage.key(.escape)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["b", "b1", "c", "a", "a1", "a2"] && stage.told.count == 1)
  }
}
