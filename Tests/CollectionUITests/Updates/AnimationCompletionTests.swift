import CollectionUI
import Testing
import VitrineDiffableData
import VitrineTestSupport
import VitrineViews

@Suite("Completion handlers are called in order, when the animation has finished or was interrupted")
struct AnimationCompletionTests {
  /// Applies snapshots in frames, and records the calls of their completion handlers.
  private final class Log {
    let motion = MotionHarness()
    var lines: [String] = []

    func apply(
      _ name: String, animated isAnimated: Bool = true, _ change: @escaping (inout WordGrid.Source.Snapshot) -> Void
    ) {
      motion.performInFrame { [self] in
        var snapshot = motion.grid.source.snapshot()
        change(&snapshot)
        motion.grid.source.apply(snapshot, animatingDifferences: isAnimated) { isFinished in
          self.lines.append("\(name) \(isFinished) \(self.motion.grid.view.itemCount)")
        }
      }
    }
  }

  @Test("A completion handler is called in the collect phase after the last animated frame")
  func end() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    while log.motion.grid.view.isAnimatingUpdates {
      #expect(log.lines.isEmpty)
      log.motion.run(1)
    }
    #expect(log.lines.isEmpty)
    log.motion.run(1)
    #expect(log.lines == ["a true 99"])
    #expect(log.motion.grid.harness.runUntilIdle() == 0)
  }

  @Test("Without a visible change, it is called in the frame after the update")
  func noVisibleChange() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w90"]) }
    log.motion.run(1)
    #expect(log.lines == ["a true 99"])
    log.apply("b") { _ in }
    log.motion.run(1)
    #expect(log.lines == ["a true 99", "b true 99"])
  }

  @Test("An interrupted animation's handler is called with false before the next animation is drawn, in order")
  func interruptedAnimation() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.motion.run(5)
    log.apply("b") { $0.deleteItems(["w1"]) }
    log.motion.run(1)
    #expect(log.lines == ["a false 98"])
    log.apply("c", animated: false) { $0.deleteItems(["w2"]) }
    log.motion.run(2)
    #expect(log.lines == ["a false 98", "b false 97", "c true 97"])
    log.motion.grid.harness.runUntilIdle()
    #expect(log.lines.count == 3)
  }

  @Test(
    "An update without animation behind all else does not interrupt, and its handler is called after the earlier ones")
  func updateWithoutInterruption() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.apply("b", animated: false) { $0.appendItems(["end"]) }
    log.apply("c", animated: false) { $0.reconfigureItems(["w3"]) }
    log.motion.run(5)
    #expect(log.lines.isEmpty && log.motion.grid.view.isAnimatingUpdates)
    log.motion.grid.harness.runUntilIdle()
    #expect(log.lines == ["a true 100", "b true 100", "c true 100"])
  }

  @Test("An apply in an event calls the interrupted animation's handler in the same frame")
  func inEvents() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.motion.run(3)
    var lines: [String] = []
    log.motion.performInFrame {
      // Before the view's own collect phase.
      log.motion.grid.apply(animated: true) { $0.deleteItems(["w4"]) }
      lines = log.lines
    }
    #expect(lines.isEmpty, "not within the apply")
    #expect(log.lines == ["a false 98"])
  }

  @Test("Reloading all data ends all animations immediately")
  func reloadData() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.motion.run(4)
    log.motion.performInFrame {
      log.motion.grid.source.applySnapshotUsingReloadData(log.motion.grid.source.snapshot()) { log.lines.append("all") }
    }
    #expect(!log.motion.grid.view.isAnimatingUpdates)
    #expect(log.motion.shown == ["w1 0", "w2 50", "w3 100", "w4 150", "w5 200", "w6 250"])
    log.motion.run(1)
    #expect(log.lines == ["a false 99", "all"])
    #expect(log.motion.grid.log.displayed.count == 6)
  }

  @Test("A completion handler that applies a snapshot starts another animation")
  func applyInHandler() {
    let log = Log()
    log.motion.performInFrame {
      var snapshot = log.motion.grid.source.snapshot()
      snapshot.deleteItems(["w0"])
      log.motion.grid.source.apply(snapshot) {
        log.motion.grid.apply(animated: true) { $0.deleteItems(["w1"]) }
      }
    }
    log.motion.grid.harness.runUntilIdle()
    #expect(log.motion.shown.first == "w2 0" && log.motion.grid.view.itemCount == 98)
  }

  @Test("If frames stop, the next update calls the handlers and ends the animation")
  func framesStop() {
    let log = Log()
    log.apply("a") { $0.deleteItems(["w0"]) }
    log.motion.run(3)
    log.motion.grid.apply(animated: true) { $0.deleteItems(["w1"]) }
    #expect(log.lines.count == 1 && !log.motion.grid.view.isAnimatingUpdates)
    #expect(log.motion.grid.log.displayed.count == 6 - 1)
    log.motion.run(1)
    #expect(log.motion.shown.first == "w2 0")
  }
}
