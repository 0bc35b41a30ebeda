import CollectionUI
import DiffableData
import TestSupport
import Testing
import Views

@Suite("Completion handlers are called in their order, when the motion has ended or was cut short")
struct MotionCompletionTests {
  /// Applies in a frame, and writes down what its handler is told.
  private final class Log {
    let stage = MotionStage()
    var lines: [String] = []

    func apply(
      _ name: String, animated isAnimated: Bool = true, _ change: @escaping (inout WordGrid.Source.Snapshot) -> Void
    ) {
      stage.frame { [self] in
        var snapshot = stage.grid.source.snapshot()
        change(&snapshot)
        stage.grid.source.apply(snapshot, animatingDifferences: isAnimated) { isFinished in
          self.lines.append("\(name) \(isFinished) \(self.stage.grid.view.itemCount)")
        }
      }
    }
  }

  @Test("In the collect phase of the frame after the last one that moves")
  func end() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    while log.stage.grid.view.isAnimatingUpdates {
      #expect(log.lines.isEmpty)
      log.stage.run(1)
    }
    #expect(log.lines.isEmpty)
    log.stage.run(1)
    #expect(log.lines == ["a true 99"])
    #expect(log.stage.grid.stage.runUntilIdle() == 0)
  }

  @Test("Where nothing on screen moves, in the frame after the update, as without motion")
  func nothingMoves() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w90"]) }
    log.stage.run(1)
    #expect(log.lines == ["a true 99"])
    log.apply("b") { _ in }
    log.stage.run(1)
    #expect(log.lines == ["a true 99", "b true 99"])
  }

  @Test("Cut short by another update it is told so before any frame shows the other, and all are told in their order")
  func cut() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.stage.run(5)
    log.apply("b") { $0.deleteItems(["w1"]) }
    log.stage.run(1)
    #expect(log.lines == ["a false 98"])
    log.apply("c", animated: false) { $0.deleteItems(["w2"]) }
    log.stage.run(2)
    #expect(log.lines == ["a false 98", "b false 97", "c true 97"])
    log.stage.grid.stage.runUntilIdle()
    #expect(log.lines.count == 3)
  }

  @Test("What is put behind all else without motion cuts nothing short, and is told after what came before")
  func appended() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.apply("b", animated: false) { $0.appendItems(["end"]) }
    log.apply("c", animated: false) { $0.reconfigureItems(["w3"]) }
    log.stage.run(5)
    #expect(log.lines.isEmpty && log.stage.grid.view.isAnimatingUpdates)
    log.stage.grid.stage.runUntilIdle()
    #expect(log.lines == ["a true 100", "b true 100", "c true 100"])
  }

  @Test("Applied in an event, the handler of what is cut short is called in the same frame")
  func inEvents() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.stage.run(3)
    var lines: [String] = []
    log.stage.frame {
      // Before the view's own collect phase.
      log.stage.grid.apply(animated: true) { $0.deleteItems(["w4"]) }
      lines = log.lines
    }
    #expect(lines.isEmpty, "not within the apply")
    #expect(log.lines == ["a false 98"])
  }

  @Test("A reload of all data ends all motion at once")
  func reloadData() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.stage.run(4)
    log.stage.frame {
      log.stage.grid.source.applySnapshotUsingReloadData(log.stage.grid.source.snapshot()) { log.lines.append("all") }
    }
    #expect(!log.stage.grid.view.isAnimatingUpdates)
    #expect(log.stage.shown == ["w1 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    log.stage.run(1)
    #expect(log.lines == ["a false 99", "all"])
    #expect(log.stage.grid.log.displayed.count == 6)
  }

  @Test("A handler that applies again begins another motion from where things are")
  func again() {
    let log = Log()
    log.stage.frame {
      var snapshot = log.stage.grid.source.snapshot()
      snapshot.deleteItems(["w0"])
      log.stage.grid.source.apply(snapshot) {
        log.stage.grid.apply(animated: true) { $0.deleteItems(["w1"]) }
      }
    }
    log.stage.grid.stage.runUntilIdle()
    #expect(log.stage.shown.first == "w2 0" && log.stage.grid.view.itemCount == 98)
  }

  @Test("When frames end while things move, handlers are called and everything is at its place with the next update")
  func framesEnd() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.stage.run(3)
    log.stage.grid.apply(animated: true) { $0.deleteItems(["w1"]) }
    #expect(log.lines.count == 1 && !log.stage.grid.view.isAnimatingUpdates)
    #expect(log.stage.grid.log.displayed.count == 6 - 1)
    log.stage.run(1)
    #expect(log.stage.shown.first == "w2 0")
  }
}
