import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("Whatever happens to the items while one of them is carried")
struct CarryInterruptionTests {
  @Test("An apply lands: it is carried on, and put down among the new items")
  func apply() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["w0", "w2", "w3", "w1", "w4", "w5"])
    stage.motion.apply { $0.insertItems(["new"], beforeItem: "w0") }
    #expect(stage.order.prefix(3) == ["new", "w0", "w1"], "where it was, as long as it is carried")
    stage.stage.runUntilIdle()
    #expect(stage.view.indexPathOfInteractiveMovement != nil && stage.motion.shown.last == "w1 155")
    let path = stage.view.indexPathOfInteractiveMovement
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.told.count == 1 && stage.order.firstIndex(of: "w1") == path?.item && stage.order.count == 101)
  }

  @Test("It is deleted: it fades away from where it is, and the hand is empty")
  func deleted() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    stage.stage.runUntilIdle()
    stage.motion.apply { $0.deleteItems(["w1"]) }
    stage.motion.run(4)
    #expect(stage.view.indexPathOfInteractiveMovement == nil)
    #expect(stage.motion.shown.first?.hasPrefix("w1 155 a") == true, "\(stage.motion.shown)")
    stage.move(200, 30)
    stage.release(200, 30)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown == ["w0", "w2", "w3", "w4", "w5", "w6"] && stage.told.isEmpty)
    #expect(stage.log.selected == 0 && stage.view.statistics.visible == 6)
  }

  @Test("The item beside which it would be put is deleted")
  func anchorDeleted() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    stage.stage.runUntilIdle()
    stage.motion.apply(animated: false) { $0.deleteItems(["w2", "w3", "w4"]) }
    stage.stage.runUntilIdle()
    let path = stage.view.indexPathOfInteractiveMovement
    #expect(path == IndexPath(item: 3, section: 0))
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.grid.shown.prefix(4) == ["w0", "w5", "w6", "w1"])
  }

  @Test("Everything is asked for anew, or comes from another data source, or no frames come: it is carried no more")
  func ended() {
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    for end in 0..<3 {
      let stage = CarryStage()
      stage.press(200, 75)
      stage.move(200, 180)
      switch end {
      case 0: stage.source.applySnapshotUsingReloadData(stage.source.snapshot())
      case 1:
        let other = WordGrid.Source(collectionView: stage.view) { view, path, word in
          view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
        }
        var snapshot = WordGrid.Source.Snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(["x", "y"])
        other.apply(snapshot)
        stage.stage.runUntilIdle()
        withExtendedLifetime(other) {}
      default: stage.stage.window.removeParticipant(stage.view)
      }
      #expect(stage.view.indexPathOfInteractiveMovement == nil, "\(end)")
      stage.release(200, 180)
      stage.stage.runUntilIdle()
      #expect(stage.told.isEmpty && stage.order == WordGrid.words(0..<100), "\(end)")
      if end != 1 { #expect(stage.grid.shown.prefix(3) == ["w0", "w1", "w2"], "\(end)") }
    }
  }

  @Test("With motion reduced, and where no frames come, everything is at its place at once")
  func reduced() {
    let stage = CarryStage()
    stage.view.reducesMotion = true
    stage.press(200, 75)
    stage.move(200, 130)
    #expect(stage.motion.shown == ["w0 0", "w2 50", "w3 150", "w4 200", "w5 250", "w1 105"])
    stage.release(200, 130)
    #expect(stage.motion.shown == ["w0 0", "w2 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(stage.grid.cell(of: "w1")?.configurationState.isReordering == false)
  }

  @Test("By the program: the middle goes where it says, and nothing happens without an item")
  func program() {
    let stage = CarryStage()
    #expect(!stage.view.beginInteractiveMovementForItem(at: IndexPath(item: 400, section: 0)))
    #expect(!stage.view.beginInteractiveMovementForItem(at: IndexPath(item: 90, section: 0)), "not on screen")
    stage.view.updateInteractiveMovementTargetPosition(Point(x: 1, y: 1))
    stage.view.endInteractiveMovement()
    stage.view.cancelInteractiveMovement()
    stage.fixed = ["w5"]
    #expect(!stage.view.beginInteractiveMovementForItem(at: IndexPath(item: 5, section: 0)))
    #expect(stage.view.beginInteractiveMovementForItem(at: IndexPath(item: 4, section: 0)))
    #expect(!stage.view.beginInteractiveMovementForItem(at: IndexPath(item: 1, section: 0)), "one at a time")
    stage.view.updateInteractiveMovementTargetPosition(Point(x: 200, y: 90))
    stage.stage.runUntilIdle()
    #expect(stage.motion.shown.last == "w4 65" && stage.grid.shown.prefix(3) == ["w0", "w4", "w1"])
    stage.view.endInteractiveMovement()
    stage.stage.runUntilIdle()
    #expect(stage.order.prefix(3) == ["w0", "w4", "w1"] && stage.told.count == 1)
  }

  @Test("Carried again while it glides to its place, it goes on from where it is shown")
  func again() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 120)
    stage.release(200, 120)
    stage.motion.run(2)
    let top = stage.motion.top(of: "w1") ?? 0
    stage.press(200, 110)
    stage.move(200, 116)
    #expect(abs((stage.motion.top(of: "w1") ?? 0) - top - 6) < 6, "\(top)")
    stage.key(.escape)
    stage.stage.runUntilIdle()
    #expect(stage.motion.top(of: "w1") == 100 && stage.order.prefix(3) == ["w0", "w2", "w1"])
  }

  @Test("Any of it at random: no item is lost, and everything ends where the items say", arguments: 0..<25)
  func storm(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 700)
    let stage = CarryStage(WordGrid.words(0..<30), columns: Int.random(in: 1...3, using: &random))
    stage.source.reorderingHandlers.canReorderItem = { !$0.hasSuffix("7") }
    let before = stage.view.visibleCells.count
    var isDown = false
    var added = 0
    for _ in 0..<120 {
      let x = Double.random(in: -20...420, using: &random)
      let y = Double.random(in: -20...320, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        if isDown { stage.release(x, y) } else { stage.press(x, y) }
        isDown.toggle()
      case 2: stage.key(.escape)
      case 3:
        let word = stage.order.randomElement(using: &random)
        stage.motion.apply(animated: random.chance(oneIn: 2)) { if let word { $0.deleteItems([word]) } }
      case 4:
        added += 1
        let (word, anchor) = ("n\(added)", stage.order.randomElement(using: &random))
        stage.motion.apply { snapshot in
          if let anchor { snapshot.insertItems([word], beforeItem: anchor) } else { snapshot.appendItems([word]) }
        }
      case 5: stage.send(.wheel(WheelInput(location: Point(x: x, y: y), deltaX: 0, deltaY: -3, modifiers: [])))
      case 6: stage.key(random.chance(oneIn: 2) ? .down : .up, .alt)
      case 7: stage.motion.run(Int.random(in: 1...20, using: &random))
      case 8 where random.chance(oneIn: 6): stage.source.applySnapshotUsingReloadData(stage.source.snapshot())
      default: stage.move(x, y)
      }
      #expect(Set(stage.order).count == stage.order.count)
    }
    if isDown { stage.release(100, 100) }
    stage.stage.runUntilIdle()
    #expect(stage.view.indexPathOfInteractiveMovement == nil && !stage.view.isAnimatingUpdates)
    #expect(stage.source.shownSnapshot().itemIdentifiers == stage.order)
    #expect(before + stage.log.displayed == stage.view.visibleCells.count)
    #expect(
      stage.grid.shown == stage.view.indexPathsForVisibleItems.compactMap { stage.source.itemIdentifier(for: $0) })
    #expect(!stage.view.visibleCells.contains { $0.configurationState.isReordering })
    #expect(stage.stage.runUntilIdle() == 0)
  }
}
