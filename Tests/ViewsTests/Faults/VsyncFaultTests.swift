import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("A display that comes to do something else than it said is followed")
struct VsyncFaultTests {
  @Test("Presenting that comes to return at once: the content does not run ahead, and our own timer paces it")
  func returnsAtOnce() {
    let stage = FaultStage(.vsync)
    stage.actor.view = stage.view
    stage.waits = false
    let begin = stage.stage.clock.now()
    let before = stage.view.contentOffset
    stage.stage.run(frames: 60)
    #expect(stage.stage.loop.pacing.kind == .timer && stage.stage.clock.kind == .timer)
    let seconds = (stage.stage.clock.now() - begin).seconds
    // Sixty refreshes and what frames lay ahead when it was found out.
    #expect(seconds > 0.85 && seconds < 1.1)
    #expect(((stage.view.contentOffset - before) / 1_000 - seconds).magnitude < 0.08)
    #expect(stage.history.hitchCount == 0 && stage.recover() == 0)
  }

  @Test("Three presents that return at once, as while a driver's queue fills, change nothing")
  func queueFills() {
    let stage = FaultStage(.vsync)
    stage.waits = false
    stage.stage.run(frames: 3)
    stage.waits = true
    stage.stage.run(frames: 30)
    #expect(stage.stage.loop.pacing.kind == .vsync && stage.history.hitchCount == 0)
  }

  @Test("A display whose refreshes come at another rate than it told is followed at that", arguments: [7.0, 10, 12.5, 33])
  func otherRate(milliseconds: Double) {
    let stage = FaultStage(.vsync)
    stage.actor.view = stage.view
    stage.refresh = .milliseconds(milliseconds)
    stage.stage.run(frames: 20)
    #expect((stage.stage.loop.interval.milliseconds - milliseconds).magnitude < milliseconds * 0.02)
    #expect(stage.recover() == 0)
    stage.stage.run(frames: 50)
    #expect(stage.last.hitch == .zero && stage.recover() == 0)
    #expect(stage.steps(10).allSatisfy { ($0 - milliseconds).magnitude <= 1 })
  }

  @Test("Refreshes 0.1 % away from what was told are kept in step with")
  func drift() {
    let stage = FaultStage(.vsync, refresh: .milliseconds(16.016))
    let before = stage.history.hitchCount
    stage.stage.run(frames: 2_000)
    #expect(stage.history.hitchCount == before && stage.stage.loop.interval == .milliseconds(16))
  }

  @Test("Presents that are held back: nobody sees the window, one is tried each second, and no hitch is counted for it")
  func heldBack() {
    let stage = FaultStage(.vsync)
    stage.presentFaults = Array(repeating: .milliseconds(60), count: 10)
    stage.stage.run(frames: 4)
    #expect(stage.stage.loop.isOccluded)
    let (hitches, frames) = (stage.history.hitchCount, stage.stage.display.presentedFrames)
    // Six more presents are held back, each tried a second behind the one before.
    _ = stage.stage.loop.run(LoopLimits(duration: .seconds(5.5)))
    #expect(stage.stage.loop.isOccluded && stage.stage.display.presentedFrames == frames + 5)
    _ = stage.stage.loop.run(LoopLimits(duration: .seconds(3)))
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames + 60)
    #expect(stage.history.hitchCount == hitches)
  }

  @Test("A window that is told to be seen again is drawn at once")
  func shownAgain() {
    let stage = FaultStage(.vsync)
    stage.presentFaults = Array(repeating: .milliseconds(60), count: 4)
    stage.stage.run(frames: 4)
    #expect(stage.stage.loop.isOccluded)
    let frames = stage.stage.display.presentedFrames
    stage.stage.events.append(.exposed, at: stage.stage.clock.now())
    _ = stage.stage.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames)
  }
}
