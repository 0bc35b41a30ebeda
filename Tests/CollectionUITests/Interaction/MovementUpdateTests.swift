import CollectionUI
import struct FoundationEssentials.IndexPath
import Testing
import VitrineCollectionEngine
import VitrineDiffableData
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("Updates and other input work while an item is dragged")
struct MovementUpdateTests {
  /// Returns a harness whose second word is dragged to the fourth row.
  private func startMovement() -> MovementHarness {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    movement.harness.runUntilIdle()
    return movement
  }

  @Test("Updates of other items and reconfigured cells move nothing")
  func unrelatedUpdates() {
    let movement = startMovement()
    let shown = movement.motion.shown
    let structural = movement.view.updateStatistics.structural
    for _ in 0..<3 {
      var snapshot = movement.source.snapshot()
      snapshot.reconfigureItems(["w2"])
      movement.source.apply(snapshot, animatingDifferences: false)
      movement.motion.run(1)
      #expect(movement.motion.shown == shown)
    }
    #expect(movement.view.updateStatistics.structural == structural)
    movement.motion.apply(animated: false) { $0.appendItems(["new"]) }
    #expect(movement.motion.shown == shown)
    movement.motion.run(3)
    #expect(movement.motion.shown == shown && movement.view.updateStatistics.structural == structural + 1)
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.count == 1 && movement.order.last == "new" && movement.order[3] == "w1")
  }

  @Test("The completion handler of an update is called during a movement")
  func completionHandler() {
    let movement = startMovement()
    var completions: [Bool] = []
    movement.source.apply(movement.source.snapshot(), animatingDifferences: true) { completions.append($0) }
    movement.harness.runUntilIdle()
    #expect(completions == [true])
  }

  @Test("Displacing items interrupts no animation and does not count as a replaced snapshot")
  func displacement() {
    let movement = startMovement()
    let before = movement.view.updateStatistics
    var completions: [Bool] = []
    movement.motion.performInFrame {
      var snapshot = movement.source.snapshot()
      snapshot.insertItems(["new"], beforeItem: "w9")
      movement.motion.registerColor(of: "new")
      movement.source.apply(snapshot, animatingDifferences: true) { completions.append($0) }
    }
    movement.move(200, 40)
    movement.move(200, 250)
    #expect(completions.isEmpty && movement.view.isAnimatingUpdates)
    movement.harness.runUntilIdle()
    #expect(completions == [true])
    let after = movement.view.updateStatistics
    #expect(after.applied == before.applied + 1 && after.replaced == before.replaced)
    #expect(after.structural >= before.structural + 3)
  }

  @Test("Reloading the dragged item replaces its cell, and only one is displayed, beneath the pointer")
  func reloading() {
    for isLarge in [false, true] {
      let movement = startMovement()
      movement.motion.apply { snapshot in
        snapshot.reloadItems(["w1"])
        if isLarge { for word in WordGrid.words(20..<90) { snapshot.moveItem(word, beforeItem: "w0") } }
      }
      for _ in 0..<12 {
        #expect(movement.motion.shown.filter { $0.hasPrefix("w1 ") } == ["w1 155"])
        movement.motion.run(1)
      }
      movement.key(.escape)
      movement.harness.runUntilIdle()
      #expect(movement.transactions.isEmpty && movement.order.count == 100)
    }
  }

  @Test("If the delegate deletes items while it returns a target, the target refers to the previous items")
  func deletionInDelegate() {
    let movement = startMovement()
    var hasApplied = false
    movement.log.target = { _, _, proposed in
      if !hasApplied {
        hasApplied = true
        var snapshot = movement.source.snapshot()
        snapshot.deleteItems(WordGrid.words(4..<100))
        movement.source.apply(snapshot, animatingDifferences: false)
      }
      return proposed
    }
    movement.move(200, 280)
    movement.harness.runUntilIdle()
    #expect(hasApplied && movement.grid.shown == ["w0", "w2", "w3", "w1"])
    movement.release(200, 280)
    movement.harness.runUntilIdle()
    #expect(movement.order == ["w0", "w2", "w3", "w1"])
  }

  @Test("If the content jumps beneath a pointer at rest, the drop uses the new content")
  func contentJump() {
    let movement = startMovement()
    movement.view.contentOffset = 500
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.order.firstIndex(of: "w1") == 13 && movement.transactions.count == 1)
  }

  @Test("The target is updated whenever the content changes beneath a pointer at rest")
  func repeatedInsertions() {
    let movement = startMovement()
    for number in 0..<20 {
      movement.motion.apply(animated: false) { $0.insertItems(["n\(number)"], beforeItem: "w0") }
      movement.harness.runUntilIdle()
    }
    let path = movement.view.indexPathOfInteractiveMovement
    let beneath = Int((movement.view.contentOffset + 155 + 25) / 50)
    #expect(path?.item == beneath)
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.order.firstIndex(of: "w1") == path?.item)
  }

  @Test("Other buttons do not end a movement, and releasing the primary button ends it even outside the window")
  func otherButton() {
    let movement = startMovement()
    let away = Point(x: 5_000, y: 180)
    movement.send(.pointerDown(Point(x: 200, y: 180), button: .secondary, clicks: 1, modifiers: []))
    movement.send(.pointerUp(Point(x: 200, y: 180), button: .secondary, modifiers: []))
    #expect(movement.view.indexPathOfInteractiveMovement != nil)
    movement.send(.pointerUp(away, button: .primary, modifiers: []))
    movement.harness.runUntilIdle()
    #expect(movement.view.indexPathOfInteractiveMovement == nil && movement.transactions.count == 1)
  }

  @Test("A press after a lost release cancels the movement and counts as a press")
  func lostRelease() {
    let movement = startMovement()
    movement.press(200, 25)
    #expect(movement.view.indexPathOfInteractiveMovement == nil)
    movement.release(200, 25)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.isEmpty && movement.log.selectionCount == 1)
    #expect(movement.grid.shown.prefix(3) == ["w0", "w1", "w2"])
  }

  @Test("An item that was scrolled away after the press is not dragged")
  func scrolledAway() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.view.contentOffset = 200
    movement.motion.run(1)
    movement.move(200, 95)
    #expect(movement.view.indexPathOfInteractiveMovement == nil)
    movement.release(200, 95)
    movement.harness.runUntilIdle()
    #expect(movement.transactions.isEmpty)
  }
}

// MARK: - Interruptions

@Suite("Changes to the items during a movement")
struct MovementInterruptionTests {
  @Test("A snapshot is applied: the movement continues, and the item is dropped among the new items")
  func appliedSnapshot() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["w0", "w2", "w3", "w1", "w4", "w5"])
    movement.motion.apply { $0.insertItems(["new"], beforeItem: "w0") }
    #expect(movement.order.prefix(3) == ["new", "w0", "w1"], "at its original index during the movement")
    movement.harness.runUntilIdle()
    #expect(movement.view.indexPathOfInteractiveMovement != nil && movement.motion.shown.last == "w1 155")
    let path = movement.view.indexPathOfInteractiveMovement
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(
      movement.transactions.count == 1 && movement.order.firstIndex(of: "w1") == path?.item
        && movement.order.count == 101)
  }

  @Test("The dragged item is deleted: it fades out at its current frame, and the movement ends")
  func deletedItem() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    movement.harness.runUntilIdle()
    movement.motion.apply { $0.deleteItems(["w1"]) }
    movement.motion.run(4)
    #expect(movement.view.indexPathOfInteractiveMovement == nil)
    #expect(movement.motion.shown.first?.hasPrefix("w1 155 a") == true, "\(movement.motion.shown)")
    movement.move(200, 30)
    movement.release(200, 30)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown == ["w0", "w2", "w3", "w4", "w5", "w6"] && movement.transactions.isEmpty)
    #expect(movement.log.selectionCount == 0 && movement.view.statistics.visible == 6)
  }

  @Test("The neighbors of the target are deleted")
  func deletedNeighbors() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 180)
    movement.harness.runUntilIdle()
    movement.motion.apply(animated: false) { $0.deleteItems(["w2", "w3", "w4"]) }
    movement.harness.runUntilIdle()
    let path = movement.view.indexPathOfInteractiveMovement
    #expect(path == IndexPath(item: 3, section: 0))
    movement.release(200, 180)
    movement.harness.runUntilIdle()
    #expect(movement.grid.shown.prefix(4) == ["w0", "w5", "w6", "w1"])
  }

  @Test("A reload, another data source and removal from the window end the movement")
  func end() {
    let registration = CellRegistration<WordCell, String> { cell, _, word in cell.word = word }
    for end in 0..<3 {
      let movement = MovementHarness()
      movement.press(200, 75)
      movement.move(200, 180)
      switch end {
      case 0: movement.source.applySnapshotUsingReloadData(movement.source.snapshot())
      case 1:
        let other = WordGrid.Source(collectionView: movement.view) { view, path, word in
          view.dequeueConfiguredReusableCell(using: registration, for: path, item: word)
        }
        var snapshot = WordGrid.Source.Snapshot()
        snapshot.appendSections([0])
        snapshot.appendItems(["x", "y"])
        other.apply(snapshot)
        movement.harness.runUntilIdle()
        withExtendedLifetime(other) {}
      default: movement.harness.window.removeParticipant(movement.view)
      }
      #expect(movement.view.indexPathOfInteractiveMovement == nil, "\(end)")
      movement.release(200, 180)
      movement.harness.runUntilIdle()
      #expect(movement.transactions.isEmpty && movement.order == WordGrid.words(0..<100), "\(end)")
      if end != 1 { #expect(movement.grid.shown.prefix(3) == ["w0", "w1", "w2"], "\(end)") }
    }
  }

  @Test("With reduced motion, all items move to their final frames immediately")
  func reducedMotion() {
    let movement = MovementHarness()
    movement.view.reducesMotion = true
    movement.press(200, 75)
    movement.move(200, 130)
    #expect(movement.motion.shown == ["w0 0", "w2 50", "w3 150", "w4 200", "w5 250", "w1 105"])
    movement.release(200, 130)
    #expect(movement.motion.shown == ["w0 0", "w2 50", "w1 100", "w3 150", "w4 200", "w5 250"])
    #expect(movement.grid.cell(of: "w1")?.configurationState.isReordering == false)
  }

  @Test("A movement from code moves the center to the target position, and fails without a visible item")
  func movementFromCode() {
    let movement = MovementHarness()
    #expect(!movement.view.beginInteractiveMovementForItem(at: IndexPath(item: 400, section: 0)))
    #expect(!movement.view.beginInteractiveMovementForItem(at: IndexPath(item: 90, section: 0)), "not visible")
    movement.view.updateInteractiveMovementTargetPosition(Point(x: 1, y: 1))
    movement.view.endInteractiveMovement()
    movement.view.cancelInteractiveMovement()
    movement.fixedWords = ["w5"]
    #expect(!movement.view.beginInteractiveMovementForItem(at: IndexPath(item: 5, section: 0)))
    #expect(movement.view.beginInteractiveMovementForItem(at: IndexPath(item: 4, section: 0)))
    #expect(!movement.view.beginInteractiveMovementForItem(at: IndexPath(item: 1, section: 0)), "only one at a time")
    movement.view.updateInteractiveMovementTargetPosition(Point(x: 200, y: 90))
    movement.harness.runUntilIdle()
    #expect(movement.motion.shown.last == "w4 65" && movement.grid.shown.prefix(3) == ["w0", "w4", "w1"])
    movement.view.endInteractiveMovement()
    movement.harness.runUntilIdle()
    #expect(movement.order.prefix(3) == ["w0", "w4", "w1"] && movement.transactions.count == 1)
  }

  @Test("An item that is dragged again during its animation continues from its current frame")
  func secondDrag() {
    let movement = MovementHarness()
    movement.press(200, 75)
    movement.move(200, 120)
    movement.release(200, 120)
    movement.motion.run(2)
    let top = movement.motion.top(of: "w1") ?? 0
    movement.press(200, 110)
    movement.move(200, 116)
    #expect(abs((movement.motion.top(of: "w1") ?? 0) - top - 6) < 6, "\(top)")
    movement.key(.escape)
    movement.harness.runUntilIdle()
    #expect(movement.motion.top(of: "w1") == 100 && movement.order.prefix(3) == ["w0", "w2", "w1"])
  }

  @Test(
    "After random events no item is lost, and all items are at their final frames", arguments: TestScale.seeds(0..<25))
  func randomEvents(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 700)
    let movement = MovementHarness(WordGrid.words(0..<30), columns: Int.random(in: 1...3, using: &random))
    movement.source.reorderingHandlers.canReorderItem = { !$0.hasSuffix("7") }
    let before = movement.view.visibleCells.count
    var isDown = false
    var added = 0
    for _ in 0..<120 {
      let x = Double.random(in: -20...420, using: &random)
      let y = Double.random(in: -20...320, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1:
        if isDown { movement.release(x, y) } else { movement.press(x, y) }
        isDown.toggle()
      case 2: movement.key(.escape)
      case 3:
        let word = movement.order.randomElement(using: &random)
        movement.motion.apply(animated: random.chance(oneIn: 2)) { if let word { $0.deleteItems([word]) } }
      case 4:
        added += 1
        let (word, anchor) = ("n\(added)", movement.order.randomElement(using: &random))
        movement.motion.apply { snapshot in
          if let anchor { snapshot.insertItems([word], beforeItem: anchor) } else { snapshot.appendItems([word]) }
        }
      case 5: movement.send(.wheel(WheelInput(location: Point(x: x, y: y), deltaX: 0, deltaY: -3, modifiers: [])))
      case 6: movement.key(random.chance(oneIn: 2) ? .down : .up, .alt)
      case 7: movement.motion.run(Int.random(in: 1...20, using: &random))
      case 8 where random.chance(oneIn: 6): movement.source.applySnapshotUsingReloadData(movement.source.snapshot())
      default: movement.move(x, y)
      }
      #expect(Set(movement.order).count == movement.order.count)
    }
    if isDown { movement.release(100, 100) }
    movement.harness.runUntilIdle()
    #expect(movement.view.indexPathOfInteractiveMovement == nil && !movement.view.isAnimatingUpdates)
    #expect(movement.source.displayedSnapshot().itemIdentifiers == movement.order)
    #expect(before + movement.log.displayedCount == movement.view.visibleCells.count)
    #expect(
      movement.grid.shown
        == movement.view.indexPathsForVisibleItems.compactMap { movement.source.itemIdentifier(for: $0) })
    #expect(!movement.view.visibleCells.contains { $0.configurationState.isReordering })
    #expect(movement.harness.runUntilIdle() == 0)
  }
}
