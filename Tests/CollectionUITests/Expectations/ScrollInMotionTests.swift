import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import Geometry
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("While an update is shown on its way, a view is scrolled and resized as one that has arrived")
struct ScrollInMotionTests {
  @Test("An item is brought to where it belongs, not to where it is shown")
  func toItem() {
    let stage = MotionStage()
    stage.apply { $0.insertItems(["a", "b"], beforeItem: "w0") }
    stage.run(3)
    stage.frame { stage.grid.view.scrollToItem(at: IndexPath(item: 42, section: 0), at: .top, animated: false) }
    #expect(stage.grid.view.contentOffset == 2_100 && stage.top(of: "w40") == 0)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown == (40..<46).map { "w\($0) \(($0 - 40) * 50)" })
    #expect(stage.grid.log.displayed.values.sorted() == WordGrid.words(40..<46))
  }

  @Test("Animated it arrives at the item wherever that is by then, at whichever time what is before it goes")
  func toItemAnimated() {
    for frames in [0, 1, 5, 12] {
      let stage = MotionStage()
      stage.grid.scroll(to: 2_000)
      stage.frame { stage.grid.view.scrollToItem(at: IndexPath(item: 30, section: 0), at: .top, animated: true) }
      stage.run(frames)
      stage.apply { $0.deleteItems(["w3", "w5"]) }
      stage.grid.stage.runUntilIdle()
      #expect(stage.top(of: "w30") == 0, "after \(frames) frames: \(stage.shown)")
    }
  }

  @Test("Resized at any time, also to nothing, it ends in what a view of that size shows", arguments: 0..<6)
  func resized(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let stage = MotionStage(WordGrid.words(0..<60), columns: 2)
    stage.grid.scroll(to: 500)
    for _ in 0..<6 {
      stage.apply { snapshot in
        let words = snapshot.itemIdentifiers
        if let word = words.randomElement(using: &random) { snapshot.deleteItems([word]) }
        if let last = words.last, let other = words.dropLast().randomElement(using: &random),
          snapshot.contains(last), snapshot.contains(other)
        {
          snapshot.moveItem(last, beforeItem: other)
        }
      }
      stage.run(.random(in: 0...5, using: &random))
      let isNothing = random.chance(oneIn: 4)
      let size = Size(
        width: isNothing ? 0 : Double(Int.random(in: 3...5, using: &random) * 100),
        height: isNothing ? 0 : Double(Int.random(in: 2...4, using: &random) * 100))
      stage.grid.stage.resize(to: size)
      stage.run(.random(in: 0...3, using: &random))
      #expect(stage.grid.view.statistics.visible == stage.grid.log.displayed.count)
    }
    stage.grid.stage.resize(to: Size(width: 400, height: 300))
    stage.grid.stage.runUntilIdle()
    let fresh = WordGrid(stage.grid.source.snapshot().itemIdentifiers, columns: 2)
    fresh.scroll(to: stage.grid.view.contentOffset)
    fresh.stage.runUntilIdle()
    #expect(fresh.shown == stage.grid.shown && fresh.places == stage.grid.places)
    #expect(fresh.stage.lastFrameCommands == stage.grid.stage.lastFrameCommands)
  }

  @Test("Where motion is reduced in the middle of it, all stands at its place and who waits is told so")
  func reduced() {
    let stage = MotionStage()
    var told: [Bool] = []
    func delete(_ word: String) {
      stage.frame {
        var snapshot = stage.grid.source.snapshot()
        snapshot.deleteItems([word])
        stage.grid.source.apply(snapshot) { told.append($0) }
      }
    }
    delete("w0")
    stage.run(3)
    stage.grid.view.reducesMotion = true
    #expect(!stage.grid.view.isAnimatingUpdates && told.isEmpty)
    stage.run(1)
    #expect(told == [true] && stage.shown.first == "w1 0" && stage.grid.log.displayed.count == 6)
    delete("w1")
    #expect(stage.shown.first == "w2 0" && !stage.grid.view.isAnimatingUpdates)
    stage.run(1)
    #expect(told == [true, true])
  }

  @Test("Cells go on being prepared ahead while somebody waits for motion to end")
  func preparing() {
    let grid = WordGrid(WordGrid.words(0..<400))
    let actor = FrameActor()
    grid.stage.window.addFirstParticipant(actor)
    grid.view.addedCellCost = .milliseconds(6)
    grid.view.isCellPrefetchingEnabled = true
    grid.stage.runUntilIdle()
    grid.view.applyScrollEvent(.steady(velocity: 1_500))
    grid.stage.run(frames: 60)
    let forced = grid.view.statistics.preparedForced
    var told: [Bool] = []
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.moveItem(grid.shown[2], afterItem: grid.shown[3])
        grid.source.apply(snapshot) { told.append($0) }
      }
    ]
    grid.stage.run(frames: 15)
    #expect(grid.view.isAnimatingUpdates && told.isEmpty)
    grid.stage.run(frames: 25)
    #expect(grid.view.statistics.preparedForced == forced && told == [true])
  }
}
