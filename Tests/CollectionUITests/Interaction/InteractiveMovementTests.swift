import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Dragging a pressed item moves it, and dropping it commits one transaction")
struct InteractiveMovementTests {
  @Test("The dragged item follows the pointer, other items make room, and dropping commits the new order")
  func drag() {
    let movement = MovementHarness()
    let cell = movement.grid.cell(of: "w1")
    movement.press(200, 75)
    movement.move(202, 78)
    #expect(movement.view.indexPathOfInteractiveMovement == nil, "less than four points")
    movement.move(200, 130)
    #expect(movement.view.indexPathOfInteractiveMovement == IndexPath(item: 2, section: 0))
    #expect(cell?.configurationState.isReordering == true)
    #expect(movement.motion.shown.last == "w1 105", "at the same distance from the pointer as at the press")
    #expect(movement.motion.top(of: "w2") == 100, "the animation starts at its frame")
    movement.motion.run(4)
    #expect(movement.motion.top(of: "w2") == 84 && movement.motion.shown.last == "w1 105")
    movement.harness.runUntilIdle()
    #expect(movement.motion.shown == ["w0 0", "w2 50", "w3 150", "w4 200", "w5 250", "w1 105"])
    #expect(movement.grid.shown == ["w0", "w2", "w1", "w3", "w4", "w5"])
    #expect(movement.order == WordGrid.words(0..<100) && movement.transactions.isEmpty, "nothing is committed yet")
    movement.release(200, 130)
    #expect(movement.transactions.count == 1 && movement.transactions.first?.difference.count == 2)
    #expect(movement.order.prefix(4) == ["w0", "w2", "w1", "w3"])
    movement.motion.run(4)
    #expect(movement.motion.shown.last == "w1 103", "it is animated to its final frame")
    movement.harness.runUntilIdle()
    #expect(movement.motion.shown == ["w0 0", "w2 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(cell === movement.grid.cell(of: "w1") && cell?.configurationState.isReordering == false)
    #expect(movement.grid.providerCalls.isEmpty && movement.view.statistics.visible == 6)
    #expect(movement.harness.runUntilIdle() == 0, "nothing is left to display")
  }

  @Test("Escape cancels the movement, animates the item back and reports no transaction")
  func escape() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 225)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["w0", "w2", "w3", "w4", "w1", "w5"])
    movement.key(.escape)
    #expect(movement.view.indexPathOfInteractiveMovement == nil)
    #expect(movement.motion.top(of: "w1") == 200, "from its current frame")
    movement.motion.run(6)
    #expect((60..<190).contains(movement.motion.top(of: "w1") ?? 0))
    movement.move(200, 20)
    movement.release(200, 20)
    movement.harness.runUntilIdle()
    #expect(movement.motion.shown == ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
    #expect(
      movement.transactions.isEmpty && movement.log.selectionCount == 0 && movement.order == WordGrid.words(0..<100))
  }

  @Test("Dropping an item at its original position reports nothing, a click selects, and fixed items cannot be dragged")
  func unchangedOrder() {
    let movement = MovementHarness()
    movement.fixedWords = ["w3"]
    movement.press(200, 75)
    movement.move(200, 130)
    movement.move(200, 78)
    movement.release(200, 78)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.isEmpty && movement.log.selectionCount == 0)
    #expect(movement.motion.shown == ["w0 0", "w1 50", "w2 100", "w3 150", "w4 200", "w5 250"])
    movement.press(200, 75)
    movement.release(200, 76)
    #expect(movement.log.selectionCount == 1 && movement.view.indexPathsForSelectedItems.map(\.item) == [1])
    movement.press(200, 175)
    movement.move(200, 30)
    #expect(movement.view.indexPathOfInteractiveMovement == nil)
    movement.release(200, 30)
    #expect(movement.transactions.isEmpty && movement.log.selectionCount == 1)
  }

  @Test("Items can be dragged in a view without selection")
  func withoutSelection() {
    let movement = MovementHarness()
    movement.view.allowsSelection = false
    movement.press(200, 75)
    movement.move(200, 30)
    movement.release(200, 20)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown.prefix(2) == ["w1", "w0"] && movement.log.selectionCount == 0)
  }

  @Test("A press, a drag and a release between two frames move the item")
  func withinOneFrame() {
    let movement = MovementHarness()
    movement.harness.sendEvent(.pointerDown(Point(x: 200, y: 25), button: .primary, clicks: 1, modifiers: []))
    movement.harness.sendEvent(.pointerMoved(Point(x: 200, y: 180)))
    movement.harness.sendEvent(.pointerUp(Point(x: 200, y: 180), button: .primary, modifiers: []))
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["w1", "w2", "w3", "w0", "w4", "w5"] && movement.transactions.count == 1)
  }

  @Test("Displaced items continue from their current frames when the pointer moves on")
  func interruptedDisplacement() {
    let movement = MovementHarness()
    movement.press(200, 25)
    var last: [String: Int] = [:]
    for frame in 0..<60 {
      movement.move(200, 25 + Double(frame < 30 ? frame * 7 : 420 - frame * 7))
      for word in ["w1", "w2", "w3", "w4"] {
        let top = movement.motion.top(of: word) ?? -1
        if let before = last[word] { #expect(abs(top - before) <= 12, "\(word) at \(frame)") }
        last[word] = top
      }
    }
    #expect(movement.view.updateStatistics.structural > 4)
    movement.release(200, 25)
    movement.harness.runUntilIdle()
    #expect(
      movement.grid.shown == WordGrid.words(0..<6) && movement.transactions.isEmpty, "it returned to its original index"
    )
  }

  @Test("In a grid, the dragged item takes the index of the cell beneath the pointer")
  func grid() {
    let movement = MovementHarness(WordGrid.words(0..<40), columns: 4)
    movement.press(50, 25)
    movement.move(250, 130)
    #expect(movement.grid.shown.prefix(12).last == "w11" && movement.grid.shown[10] == "w0")
    movement.release(250, 130)
    movement.harness.runUntilIdle()
    #expect(movement.order.prefix(12) == ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w0", "w11"])
  }

  @Test("An item can be moved to the end of another section, and beyond it")
  func sections() {
    let movement = MovementHarness(sections: [["a", "b"], ["c"], ["d"]])
    movement.press(200, 25)
    movement.move(200, 130)
    movement.release(200, 130)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["b", "c", "a", "d"])
    #expect(movement.source.snapshot().itemIdentifiers(inSection: 1).contains("a"))
    #expect(movement.transactions.last?.sectionTransactions.map(\.sectionIdentifier) == [0, 1])
    movement.press(200, 125)
    movement.move(200, 198)
    movement.release(200, 198)
    movement.harness.runUntilIdle()
    #expect(
      movement.grid.shown == ["b", "c", "d", "a"] && movement.source.snapshot().itemIdentifiers(inSection: 2).count == 2
    )
  }

  @Test("The delegate can change the target index path")
  func delegateTarget() {
    let movement = MovementHarness()
    movement.log.target = { _, _, proposed in IndexPath(item: max(2, proposed.item), section: 0) }
    movement.press(200, 175)
    movement.move(200, 10)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["w0", "w1", "w3", "w2", "w4", "w5"])
    let requests = movement.log.targetRequests
    movement.motion.run(5)
    #expect(movement.log.targetRequests == requests, "a pointer at rest requests no target")
    movement.release(200, 10)
    #expect(movement.order.prefix(4) == ["w0", "w1", "w3", "w2"])
  }

  @Test("In an outline, children move with their parent and are hidden while it is dragged")
  func outline() {
    let movement = MovementHarness([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["a", "b", "c"])
    tree.append(["a1", "a2"], to: "a")
    tree.append(["b1"], to: "b")
    tree.expand(["a", "b"])
    for word in tree.items { movement.motion.registerColor(of: word) }
    movement.source.apply(tree, to: 0, animatingDifferences: false)
    movement.harness.runUntilIdle()
    movement.press(200, 25)
    movement.move(200, 35)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["a", "b", "b1", "c"])
    #expect(movement.source.snapshot(for: 0) == tree)
    movement.move(200, 190)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["b", "b1", "c", "a"])
    movement.release(200, 190)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["b", "b1", "c", "a", "a1", "a2"])
    #expect(movement.source.snapshot(for: 0).rootItems == ["b", "c", "a"] && movement.transactions.count == 1)
    movement.press(200, 175)
    movement.move(200, 60)
    movement.key(.escape)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["b", "b1", "c", "a", "a1", "a2"] && movement.transactions.count == 1)
  }
}

// MARK: - Keyboard

@Suite("Alt and an arrow key move the focused item by one position")
struct KeyboardMovementTests {
  private func focus(_ movement: MovementHarness, _ section: Int, _ item: Int) {
    movement.view.focusedIndexPath = IndexPath(item: item, section: section)
  }

  @Test("The move is animated, reports the same transaction and keeps the item focused")
  func list() {
    let movement = MovementHarness()
    focus(movement, 0, 1)
    movement.key(.down, .alt)
    #expect(movement.transactions.count == 1 && movement.order.prefix(4) == ["w0", "w2", "w1", "w3"])
    #expect(movement.view.isAnimatingUpdates && movement.view.focusedIndexPath == IndexPath(item: 2, section: 0))
    movement.motion.run(4)
    #expect(movement.motion.shown.last == "w1 66", "it is drawn above the other item")
    #expect(movement.grid.cell(of: "w1")?.configurationState.isReordering == true)
    movement.key(.up, .alt)
    movement.key(.up, .alt)
    movement.harness.runUntilIdle()
    #expect(movement.grid.cell(of: "w1")?.configurationState.isReordering == false)
    #expect(movement.grid.shown.prefix(3) == ["w1", "w0", "w2"] && movement.transactions.count == 3)
    movement.key(.up, .alt)
    #expect(movement.transactions.count == 3, "the first item cannot move up")
  }

  @Test("The moved item is scrolled into view")
  func revealing() {
    let movement = MovementHarness()
    focus(movement, 0, 5)
    for _ in 0..<10 { movement.key(.down, .alt) }
    movement.harness.runUntilIdle()
    #expect(movement.order[15] == "w5" && movement.motion.top(of: "w5") == 250 && movement.view.contentOffset == 500)
    for _ in 0..<12 { movement.key(.up, .alt) }
    movement.harness.runUntilIdle()
    #expect(movement.order[3] == "w5" && movement.motion.top(of: "w5") == 0)
  }

  @Test("In a grid, items move by rows and columns")
  func grid() {
    let movement = MovementHarness(WordGrid.words(0..<12), columns: 4)
    focus(movement, 0, 5)
    movement.key(.down, .alt)
    #expect(movement.order[9] == "w5")
    movement.key(.left, .alt)
    #expect(movement.order[8] == "w5")
    movement.key(.up, .alt)
    #expect(movement.order[4] == "w5")
    movement.key(.right, .alt)
    #expect(movement.order[5] == "w5" && movement.order == WordGrid.words(0..<12))
  }

  @Test("Items move between sections, including empty ones")
  func sections() {
    let movement = MovementHarness(sections: [["a", "b"], [], ["c"]])
    focus(movement, 0, 1)
    func sections() -> [[String]] {
      (0..<3).map { movement.source.snapshot().itemIdentifiers(inSection: $0) }
    }
    movement.key(.down, .alt)
    #expect(sections() == [["a"], ["b"], ["c"]])
    movement.key(.down, .alt)
    #expect(sections() == [["a"], [], ["b", "c"]])
    movement.key(.down, .alt)
    #expect(sections() == [["a"], [], ["c", "b"]])
    movement.key(.down, .alt)
    #expect(movement.transactions.count == 3)
    for _ in 0..<4 { movement.key(.up, .alt) }
    #expect(sections() == [["b", "a"], [], ["c"]])
  }

  @Test("If the delegate refuses a target, the next one is proposed, and fixed items do not move")
  func refusedTargets() {
    let movement = MovementHarness()
    movement.log.target = { _, current, proposed in
      proposed.item % 3 == 0 ? proposed : current
    }
    focus(movement, 0, 1)
    movement.key(.down, .alt)
    #expect(movement.order.prefix(4) == ["w0", "w2", "w3", "w1"])
    movement.fixedWords = ["w1"]
    movement.key(.down, .alt)
    #expect(movement.transactions.count == 1, "the item is fixed")
    movement.fixedWords = []
    movement.log.target = { _, current, _ in current }
    let (requests, order) = (movement.log.targetRequests, movement.order)
    movement.key(.down, .alt)
    #expect(movement.transactions.count == 1 && movement.order == order, "every target is refused")
    #expect((2...200).contains(movement.log.targetRequests - requests))
  }

  @Test("In an outline, an item stays on its level and skips the children of the next item")
  func outline() {
    let movement = MovementHarness([])
    var tree = DiffableDataSourceSectionSnapshot<String>()
    tree.append(["a", "b"])
    tree.append(["a1", "a2"], to: "a")
    tree.append(["b1"], to: "b")
    tree.expand(["a", "b"])
    movement.source.apply(tree, to: 0, animatingDifferences: false)
    movement.harness.runUntilIdle()
    focus(movement, 0, 1)
    movement.key(.down, .alt)
    #expect(movement.source.snapshot(for: 0).children(of: "a") == ["a2", "a1"])
    movement.key(.down, .alt)
    #expect(movement.source.snapshot(for: 0).children(of: "b") == ["a1", "b1"])
    movement.key(.up, .alt)
    #expect(movement.source.snapshot(for: 0).children(of: "a") == ["a2", "a1"])
  }
}
