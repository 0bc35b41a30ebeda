import FramePacing
import Geometry
import Rendering
import ScrollPhysics
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
    // Sixty refreshes, and what frames lay ahead when it was found out.
    #expect(seconds > 0.85 && seconds < 1.1)
    #expect(((stage.view.contentOffset - before) / 1_000 - seconds).magnitude < 0.1)
    #expect(stage.history.hitchCount == 0 && stage.recover() == 0)
  }

  @Test("Presents that return at once while there is room in a driver's queue change nothing", arguments: [1, 2, 3])
  func queue(depth: Int) {
    let stage = FaultStage(.vsync)
    let before = stage.history.hitchCount
    stage.queueDepth = depth
    for _ in 0..<5 {
      stage.view.applyScrollEvent(.stop)
      _ = stage.stage.loop.run(LoopLimits(duration: .seconds(2)))
      stage.view.applyScrollEvent(.steady(velocity: 1_000))
      stage.stage.run(frames: 40)
      #expect(stage.stage.loop.pacing.kind == .vsync && stage.stage.loop.interval == .milliseconds(16))
    }
    #expect(stage.history.hitchCount == before)
  }

  @Test("A window that is seen again is measured again: presenting may wait once more")
  func wayBack() {
    let stage = FaultStage(.vsync, isMeasured: true)
    #expect(stage.stage.loop.pacing.kind == .vsync && !stage.stage.loop.pacing.isMeasured)
    stage.waits = false
    stage.stage.run(frames: 40)
    #expect(stage.stage.loop.pacing.kind == .timer)
    stage.waits = true
    stage.stage.events.append(.exposed, at: stage.stage.clock.now())
    stage.stage.run(frames: 40)
    #expect(stage.stage.loop.pacing.kind == .vsync && stage.stage.clock.kind == .vsync && stage.recover() == 0)
  }

  @Test(
    "A display whose refreshes come at another rate than it told is followed at that", arguments: [7.0, 10, 12.5, 22])
  func otherRate(milliseconds: Double) {
    let stage = FaultStage(.vsync)
    stage.actor.view = stage.view
    stage.refresh = .milliseconds(milliseconds)
    stage.stage.run(frames: VsyncMonitor.steadyCount + 8)
    #expect((stage.stage.loop.interval.milliseconds - milliseconds).magnitude < milliseconds * 0.02)
    #expect(stage.recover() == 0)
    stage.stage.run(frames: 50)
    #expect(stage.last.hitch == .zero && stage.recover() == 0)
    #expect(stage.steps(10).allSatisfy { ($0 - milliseconds).magnitude <= 1 })
    #expect(stage.stage.loop.observedInterval == stage.stage.loop.interval)
    let reason = stage.stage.loop.pacing.reason
    #expect(reason.allSatisfy { !$0.isNumber }, "\(reason)")
  }

  @Test("No refresh is told of that was not seen: presents wait for none", arguments: 0..<4)
  func noRate(seed: UInt64) {
    let stage = FaultStage(.vsync)
    #expect(stage.stage.loop.observedInterval == .milliseconds(16))
    var noise = SeededGenerator(seed: seed)
    let times = (0..<700).map { _ in FrameDuration.milliseconds(Double.random(in: 5...25, using: &noise)) }
    let painting = FaultStage(.vsync, presentTimes: times)
    painting.stage.run(frames: 600)
    #expect(painting.stage.loop.observedInterval == nil && painting.stage.loop.interval == .milliseconds(16))
  }

  @Test("A rate that is a little off is kept in step with", arguments: [16.016, 16.25, 15.75])
  func drift(milliseconds: Double) {
    let stage = FaultStage(.vsync, refresh: .milliseconds(milliseconds))
    stage.stage.run(frames: 40)
    let before = stage.history.hitchCount
    stage.stage.run(frames: 2_000)
    #expect(stage.history.hitchCount == before)
    #expect((stage.stage.loop.interval.milliseconds - milliseconds).magnitude < 0.05)
  }

  @Test("Presents that take two refreshes are late by one, and not in time on a slower display")
  func everySecond() {
    let stage = FaultStage(.vsync)
    stage.refresh = .milliseconds(32)
    stage.stage.run(frames: 30)
    #expect(stage.stage.loop.interval == .milliseconds(16))
    #expect(stage.last.hitch == .milliseconds(16) && stage.last.hitchClass == .presentLate)
  }

  /// A stage whose presents were held back until nobody was thought to see it.
  private func unseen(_ heldBack: Int) -> FaultStage {
    let stage = FaultStage(.vsync)
    stage.presentFaults = Array(repeating: .milliseconds(150), count: heldBack)
    stage.stage.run(frames: 4)
    #expect(stage.stage.loop.isOccluded)
    return stage
  }

  @Test("Presents that are held back: nobody sees the window, one is tried each second, and no hitch is counted for it")
  func heldBack() {
    let stage = unseen(10)
    let (hitches, frames) = (stage.history.hitchCount, stage.stage.display.presentedFrames)
    // Each is tried a second behind the one before.
    _ = stage.stage.loop.run(LoopLimits(duration: .seconds(5.5)))
    #expect(stage.stage.loop.isOccluded && stage.stage.display.presentedFrames == frames + 4)
    _ = stage.stage.loop.run(LoopLimits(duration: .seconds(4)))
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames + 60)
    #expect(stage.history.hitchCount == hitches)
  }

  @Test("A run of so many frames tries again as well")
  func heldBackByFrames() {
    let stage = unseen(4)
    let frames = stage.stage.display.presentedFrames
    stage.stage.run(frames: 200)
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames + 100)
  }

  @Test("Whoever turns the wheel over a window sees it")
  func acted() {
    let stage = unseen(4)
    let frames = stage.stage.display.presentedFrames
    stage.stage.events.append(
      .wheel(WheelInput(location: Point(x: 5, y: 5), deltaX: 0, deltaY: -1)), at: stage.stage.clock.now())
    _ = stage.stage.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames)
  }

  @Test("A window that is told to be seen again is drawn at once")
  func shownAgain() {
    let stage = unseen(4)
    let frames = stage.stage.display.presentedFrames
    stage.stage.events.append(.exposed, at: stage.stage.clock.now())
    _ = stage.stage.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(!stage.stage.loop.isOccluded && stage.stage.display.presentedFrames > frames)
  }

  /// Awaits something that comes at an instant.
  private final class Awaiting: FrameParticipant {
    var nextArrival: FrameInstant? = .zero + .milliseconds(10)
    func collect(_ budget: FrameBudget) {
      if nextArrival.map({ $0 <= budget.clock.now() }) == true { nextArrival = nil }
    }
  }

  @Test("On a simulated clock a hidden window runs to its end, and what has arrived is taken in when it is seen again")
  func hiddenArrivals() {
    let stage = WindowHarness(root: ScrollView())
    let awaiting = Awaiting()
    stage.window.addParticipant(awaiting)
    stage.events.append(.hidden, at: .zero + .milliseconds(5))
    stage.run(milliseconds: 1_000)
    #expect(stage.loop.isOccluded && awaiting.nextArrival != nil)
    stage.sendEvent(.shown)
    stage.run(milliseconds: 100)
    #expect(!stage.loop.isOccluded && awaiting.nextArrival == nil)
  }
}
