import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("While an item is carried the list lives on, and hands do what hands do")
struct CarryLiveTests {
  /// The second word hangs over the fourth place.
  private func carrying() -> CarryStage {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.move(200, 180)
    stage.stage.runUntilIdle()
    return stage
  }

  @Test("What is applied elsewhere, or only changes cells, moves nothing")
  func quiet() {
    let stage = carrying()
    let shown = stage.motion.shown
    let structural = stage.view.updateStatistics.structural
    for _ in 0..<3 {
      var snapshot = stage.source.snapshot()
      snapshot.reconfigureItems(["w2"])
      stage.source.apply(snapshot, animatingDifferences: false)
      stage.motion.run(1)
      #expect(stage.motion.shown == shown)
    }
    #expect(stage.view.updateStatistics.structural == structural)
    stage.motion.apply(animated: false) { $0.appendItems(["new"]) }
    #expect(stage.motion.shown == shown)
    stage.motion.run(3)
    #expect(stage.motion.shown == shown && stage.view.updateStatistics.structural == structural + 1)
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.told.count == 1 && stage.order.last == "new" && stage.order[3] == "w1")
  }

  @Test("A completion handler of an apply is told, though an item hangs in the air")
  func completion() {
    let stage = carrying()
    var told: [Bool] = []
    stage.source.apply(stage.source.snapshot(), animatingDifferences: true) { told.append($0) }
    stage.stage.runUntilIdle()
    #expect(told == [true])
  }

  @Test("Others that make way cut nobody's motion short, and are no snapshots that were replaced")
  func provisional() {
    let stage = carrying()
    let before = stage.view.updateStatistics
    var told: [Bool] = []
    stage.motion.frame {
      var snapshot = stage.source.snapshot()
      snapshot.insertItems(["new"], beforeItem: "w9")
      stage.motion.know("new")
      stage.source.apply(snapshot, animatingDifferences: true) { told.append($0) }
    }
    stage.move(200, 40)
    stage.move(200, 250)
    #expect(told.isEmpty && stage.view.isAnimatingUpdates)
    stage.stage.runUntilIdle()
    #expect(told == [true])
    let after = stage.view.updateStatistics
    #expect(after.applied == before.applied + 1 && after.replaced == before.replaced)
    #expect(after.structural >= before.structural + 3)
  }

  @Test("It is reloaded while a hand has it: there is one of it, and that in the hand")
  func reloaded() {
    for isLarge in [false, true] {
      let stage = carrying()
      stage.motion.apply { snapshot in
        snapshot.reloadItems(["w1"])
        if isLarge { for word in WordGrid.words(20..<90) { snapshot.moveItem(word, beforeItem: "w0") } }
      }
      for _ in 0..<12 {
        #expect(stage.motion.shown.filter { $0.hasPrefix("w1 ") } == ["w1 155"])
        stage.motion.run(1)
      }
      stage.key(.escape)
      stage.stage.runUntilIdle()
      #expect(stage.told.isEmpty && stage.order.count == 100)
    }
  }

  @Test("The delegate takes items away while it is asked: what it answered is of the items that there were")
  func asking() {
    let stage = carrying()
    var hasApplied = false
    stage.log.target = { _, _, proposed in
      if !hasApplied {
        hasApplied = true
        var snapshot = stage.source.snapshot()
        snapshot.deleteItems(WordGrid.words(4..<100))
        stage.source.apply(snapshot, animatingDifferences: false)
      }
      return proposed
    }
    stage.move(200, 280)
    stage.stage.runUntilIdle()
    #expect(hasApplied && stage.grid.shown == ["w0", "w2", "w3", "w1"])
    stage.release(200, 280)
    stage.stage.runUntilIdle()
    #expect(stage.order == ["w0", "w2", "w3", "w1"])
  }

  @Test("Content jumps beneath a hand that is still: what is meant is what is there now")
  func jump() {
    let stage = carrying()
    stage.view.contentOffset = 500
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w1") == 13 && stage.told.count == 1)
  }

  @Test("A list that is live stays asked about, however often it changes beneath a hand that is still")
  func live() {
    let stage = carrying()
    for number in 0..<20 {
      stage.motion.apply(animated: false) { $0.insertItems(["n\(number)"], beforeItem: "w0") }
      stage.stage.runUntilIdle()
    }
    let path = stage.view.indexPathOfInteractiveMovement
    let beneath = Int((stage.view.contentOffset + 155 + 25) / 50)
    #expect(path?.item == beneath)
    stage.release(200, 180)
    stage.stage.runUntilIdle()
    #expect(stage.order.firstIndex(of: "w1") == path?.item)
  }

  @Test("Another button does not take the pointer away: the hand's own puts the item down, wherever it is let go")
  func otherButton() {
    let stage = carrying()
    let away = Point(x: 5_000, y: 180)
    stage.send(.pointerDown(Point(x: 200, y: 180), button: .secondary, clicks: 1, modifiers: []))
    stage.send(.pointerUp(Point(x: 200, y: 180), button: .secondary, modifiers: []))
    #expect(stage.view.indexPathOfInteractiveMovement != nil)
    stage.send(.pointerUp(away, button: .primary, modifiers: []))
    stage.stage.runUntilIdle()
    #expect(stage.view.indexPathOfInteractiveMovement == nil && stage.told.count == 1)
  }

  @Test("A press shows that the hand let go unseen: the item goes back, and the press counts")
  func unseen() {
    let stage = carrying()
    stage.press(200, 25)
    #expect(stage.view.indexPathOfInteractiveMovement == nil)
    stage.release(200, 25)
    stage.stage.runUntilIdle()
    #expect(stage.told.isEmpty && stage.log.selected == 1)
    #expect(stage.grid.shown.prefix(3) == ["w0", "w1", "w2"])
  }

  @Test("What the wheel took from beneath the press is not taken along")
  func scrolledAway() {
    let stage = CarryStage()
    stage.press(200, 75)
    stage.view.contentOffset = 200
    stage.motion.run(1)
    stage.move(200, 95)
    #expect(stage.view.indexPathOfInteractiveMovement == nil)
    stage.release(200, 95)
    stage.stage.runUntilIdle()
    #expect(stage.told.isEmpty)
  }
}
