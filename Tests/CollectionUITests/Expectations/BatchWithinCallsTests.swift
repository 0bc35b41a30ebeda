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

@Suite("Batches are asked for wherever client code is called, and carried out in their order on what is there then")
struct BatchWithinCallsTests {
  private func deleteFirst(
    _ wall: ClassicWall, _ source: ClassicWall.Source, _ done: @escaping (Bool) -> Void = { _ in }
  ) {
    wall.view.performBatchUpdates(animated: false) {
      source.sections[0].removeFirst()
      wall.view.deleteItems(at: [ClassicWall.path(0)])
    } completion: {
      done($0)
    }
  }

  @Test("One that is asked for while the last cells of a data source leave is meant for the next")
  func leaving() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    let next = ClassicWall.Source([WordGrid.words(100..<140)])
    var told: [Bool] = []
    wall.log.onChange = {
      wall.log.onChange = nil
      deleteFirst(wall, next) { told.append($0) }
    }
    wall.view.dataSource = next
    wall.stage.runUntilIdle()
    #expect(wall.shown == WordGrid.words(101..<107) && told == [true] && wall.view.itemCount == 39)
  }

  @Test("One that waits when the data source is replaced changes the data, and the next shows it")
  func replaced() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    let next = ClassicWall.Source(wall.source.sections)
    var told: [String] = []
    wall.source.onAsk = { _ in
      wall.source.onAsk = nil
      // Its data is that of the next one by then.
      deleteFirst(wall, next) { told.append("first \($0)") }
      wall.view.dataSource = next
      deleteFirst(wall, next) { told.append("second \($0)") }
      #expect(next.sections[0].count == 40)
    }
    wall.view.scroll(to: 100, animated: false)
    wall.stage.runUntilIdle()
    #expect(next.sections[0].count == 38 && wall.view.itemCount == 38)
    #expect(wall.shown == WordGrid.words(2..<8) && told == ["first false", "second true"])
  }

  @Test("Where snapshots took its place, or nothing, it changes the data and nothing else")
  func nothing() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    let source = wall.source
    var told: [Bool] = []
    source.onAsk = { _ in
      source.onAsk = nil
      deleteFirst(wall, source) { told.append($0) }
      wall.view.dataSource = nil
    }
    wall.view.scroll(to: 100, animated: false)
    wall.stage.runUntilIdle()
    #expect(source.sections[0].count == 39 && wall.view.itemCount == 0 && told == [false])
  }

  @Test("One that a completion handler asks for comes after those that wait")
  func order() {
    let wall = ClassicWall([WordGrid.words(0..<40)])
    var told: [String] = []
    wall.frame {
      deleteFirst(wall, wall.source) { _ in
        told.append("first")
        deleteFirst(wall, wall.source) { _ in told.append("third") }
      }
      wall.view.scroll(to: 400, animated: false)
      wall.source.onAsk = { _ in
        wall.source.onAsk = nil
        // Who waits is told before what is asked for next, and asks for more.
        wall.stage.window.removeParticipant(wall.view)
        deleteFirst(wall, wall.source) { _ in told.append("second") }
      }
    }
    #expect(told == ["first", "second", "third"] && wall.view.itemCount == 37)
    wall.stage.window.addParticipant(wall.view)
    wall.view.scroll(to: 0, animated: false)
    wall.stage.runUntilIdle()
    #expect(wall.shown == WordGrid.words(3..<9))
  }

  @Test("Motion that is switched off by the handler of a cell that is seen to leave ends when that has ended")
  func switchedOff() {
    let stage = MotionStage()
    stage.apply { $0.insertItems(["a", "b", "c"], beforeItem: "w0") }
    stage.run(3)
    #expect(stage.grid.view.isAnimatingUpdates && !stage.grid.shown.contains("w4"))
    stage.grid.onConfigure = { _, _ in stage.grid.view.reducesMotion = true }
    stage.frame { stage.grid.source.reconfigureItems(["w4"]) }
    #expect(stage.grid.provided.last == "w4" && !stage.grid.view.isAnimatingUpdates)
    stage.grid.stage.runUntilIdle()
    #expect(stage.shown.map { $0.split(separator: " ")[0] } == ["a", "b", "c", "w0", "w1", "w2"])
    #expect(stage.grid.view.statistics.visible == 6 && stage.grid.log.displayed.count == 6)
  }
}
