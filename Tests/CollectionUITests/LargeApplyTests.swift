import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A large difference is found in the slack of frames, and at once where there are none")
struct LargeApplyTests {
  @Test("A large difference is found in the slack of frames, none of which is late, and equally in equal runs")
  func slack() throws {
    func run() throws -> (frames: Int, digest: String) {
      let (grid, actor) = FrameActor.grid(0)
      var frames = 0
      var shownAt: Int?
      actor.next = [
        {
          frames = grid.stage.display.presentedFrames
          var snapshot = grid.source.snapshot()
          snapshot.appendItems(WordGrid.words(0..<300_000))
          grid.source.apply(snapshot) { shownAt = grid.stage.display.presentedFrames }
          #expect(grid.view.itemCount == 0, "not on the spot")
          #expect(grid.source.snapshot().numberOfItems == 300_000)
        }
      ]
      grid.stage.runUntilIdle()
      #expect(grid.view.itemCount == 300_000)
      #expect(grid.provided == WordGrid.words(0..<6))
      #expect(grid.view.updateStatistics.comparedInSlack == 1)
      let history = grid.stage.loop.history
      for age in 0..<history.availableCount {
        #expect(history.record(atAge: age).shown == history.record(atAge: age).target)
      }
      return (try #require(shownAt) - frames, grid.stage.loop.frameDigest.text)
    }
    let (first, second) = (try run(), try run())
    #expect(first.frames >= 3, "300,000 items are more than one frame's slack")
    #expect(first == second)
  }

  @Test("Without slack it goes on all the same, a step a frame")
  func noSlack() {
    /// Uses up every frame's slack.
    final class Greedy: FrameParticipant {
      func slackStep(_ budget: FrameBudget) -> Bool {
        budget.clock.spend(budget.remaining)
        return true
      }
    }
    let (grid, actor) = FrameActor.grid(0)
    grid.stage.window.addFirstParticipant(Greedy())
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<40_000))
        grid.source.apply(snapshot)
      }
    ]
    grid.stage.runUntilIdle()
    #expect(grid.view.itemCount == 40_000)
  }

  @Test("What is applied while a large difference is found comes after it; the view is whole in between")
  func behindLarge() {
    let (grid, actor) = FrameActor.grid(10)
    var lines: [String] = []
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(10..<200_000))
        snapshot.deleteItems(["w1"])
        grid.source.apply(snapshot) { lines.append("large") }
      },
      { grid.apply { $0.deleteItems(["w2"]) } },
      {
        #expect(grid.shown.starts(with: ["w0", "w1", "w2"]))
        grid.apply { $0.deleteItems(["w3"]) }
      },
    ]
    grid.stage.runUntilIdle()
    #expect(lines == ["large"])
    #expect(grid.view.itemCount == 199_997)
    #expect(grid.shown == ["w0"] + WordGrid.words(4..<9))
  }

  @Test("A view that leaves its window shows at once what was still being found")
  func leavesTheWindow() {
    let (grid, actor) = FrameActor.grid(0)
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<300_000))
        grid.source.apply(snapshot)
      }
    ]
    grid.stage.run(frames: 1)
    #expect(grid.view.itemCount == 0)
    grid.stage.window.removeParticipant(grid.view)
    grid.apply { $0.deleteItems(["w0"]) }
    #expect(grid.view.itemCount == 299_999)
  }

  @Test("While nothing of the window can be seen nothing waits for frames")
  func occluded() {
    let (grid, actor) = FrameActor.grid(0)
    grid.stage.sendEvent(.hidden)
    var counts: [Int] = []
    actor.next = [
      {
        var snapshot = grid.source.snapshot()
        snapshot.appendItems(WordGrid.words(0..<30_000))
        grid.source.apply(snapshot) { counts.append(grid.view.itemCount) }
        #expect(counts == [30_000])
      }
    ]
    grid.stage.run(frames: 2)
    #expect(counts == [30_000])
    #expect(grid.view.updateStatistics.comparedInSlack == 0)
  }
}
