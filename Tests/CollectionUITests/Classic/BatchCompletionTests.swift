import CollectionUI
import TestSupport
import Testing
import Views

@Suite("Those who wait for a batch are told in their order, once it was seen to its end or cut short")
struct BatchCompletionTests {
  private final class Log {
    let wall = ClassicWall([WordGrid.words(0..<100)])
    var lines: [String] = []

    func delete(_ name: String, animated isAnimated: Bool = true) {
      wall.view.performBatchUpdates(animated: isAnimated) { [wall] in
        wall.source.sections[0].removeFirst()
        wall.view.deleteItems(at: [ClassicWall.path(0)])
      } completion: { [unowned self] isFinished in
        lines.append("\(name) \(isFinished) \(wall.view.itemCount)")
      }
    }
  }

  @Test("At once where the window shows no frames")
  func noFrames() {
    let log = Log()
    log.delete("a")
    #expect(log.lines == ["a true 99"])
  }

  @Test("In the frame after the last one that moves, and in the next one without motion")
  func frames() {
    let log = Log()
    log.wall.frame { log.delete("a") }
    #expect(log.wall.view.isAnimatingUpdates && log.lines.isEmpty)
    while log.wall.view.isAnimatingUpdates { log.wall.stage.run(frames: 1) }
    log.wall.stage.run(frames: 1)
    #expect(log.lines == ["a true 99"])
    log.wall.frame { log.delete("b", animated: false) }
    #expect(!log.wall.view.isAnimatingUpdates && log.lines.count == 1)
    log.wall.stage.run(frames: 1)
    #expect(log.lines == ["a true 99", "b true 98"])
    #expect(log.wall.stage.runUntilIdle() == 0)
  }

  @Test("Cut short by the next batch, by a reload, and by another data source")
  func cut() {
    let log = Log()
    log.wall.frame { log.delete("a") }
    log.wall.frame { log.delete("b") }
    log.wall.stage.run(frames: 1)
    #expect(log.lines == ["a false 98"])
    log.wall.frame { log.wall.view.reloadData() }
    log.wall.stage.run(frames: 1)
    #expect(log.lines == ["a false 98", "b false 98"])
    log.wall.frame {
      log.delete("c")
      log.wall.view.dataSource = nil
    }
    #expect(log.lines == ["a false 98", "b false 98", "c false 97"])
  }

  @Test("The handler of a batch within a batch comes first, and both after the update")
  func nested() {
    let wall = ClassicWall([WordGrid.words(0..<10)])
    var lines: [String] = []
    wall.view.performBatchUpdates {
      wall.source.sections[0].removeLast()
      wall.view.performBatchUpdates {
        wall.view.deleteItems(at: [ClassicWall.path(9)])
      } completion: {
        lines.append("inner \($0) \(wall.view.itemCount)")
      }
      #expect(lines.isEmpty)
    } completion: {
      lines.append("outer \($0) \(wall.view.itemCount)")
    }
    #expect(lines == ["inner true 9", "outer true 9"])
  }
}
