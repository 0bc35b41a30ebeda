import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("A display that deviates from its reported refresh interval")
struct VsyncFaultTests {
  @Test("Presents that stop waiting are paced by a timer, and the content does not run ahead")
  func unpacedPresents() {
    let harness = FaultHarness(.vsync)
    harness.injector.view = harness.view
    harness.waitsForRefresh = false
    let start = harness.windowHarness.clock.now()
    let before = harness.view.contentOffset
    harness.windowHarness.run(frames: 60)
    #expect(harness.windowHarness.loop.pacing.kind == .timer && harness.windowHarness.clock.kind == .timer)
    let seconds = (harness.windowHarness.clock.now() - start).seconds
    // Sixty refreshes, except for the frames before the detection.
    #expect(seconds > 0.85 && seconds < 1.1)
    #expect(((harness.view.contentOffset - before) / 1_000 - seconds).magnitude < 0.1)
    #expect(harness.history.hitchCount == 0 && harness.runUntilOnTime() == 0)
  }

  @Test("Presents that return immediately while the driver's queue has space change nothing", arguments: [1, 2, 3])
  func queueDepth(depth: Int) {
    let harness = FaultHarness(.vsync)
    let before = harness.history.hitchCount
    harness.queueDepth = depth
    for _ in 0..<5 {
      harness.view.applyScrollEvent(.stop)
      _ = harness.windowHarness.loop.run(LoopLimits(duration: .seconds(2)))
      harness.view.applyScrollEvent(.steady(velocity: 1_000))
      harness.windowHarness.run(frames: 40)
      #expect(
        harness.windowHarness.loop.pacing.kind == .vsync && harness.windowHarness.loop.interval == .milliseconds(16))
    }
    #expect(harness.history.hitchCount == before)
  }

  @Test("An exposed window is measured again, because presenting may wait again")
  func remeasuring() {
    let harness = FaultHarness(.vsync, isMeasured: true)
    #expect(harness.windowHarness.loop.pacing.kind == .vsync && !harness.windowHarness.loop.pacing.isMeasured)
    harness.waitsForRefresh = false
    harness.windowHarness.run(frames: 40)
    #expect(harness.windowHarness.loop.pacing.kind == .timer)
    harness.waitsForRefresh = true
    harness.windowHarness.events.append(.exposed, at: harness.windowHarness.clock.now())
    harness.windowHarness.run(frames: 40)
    #expect(
      harness.windowHarness.loop.pacing.kind == .vsync && harness.windowHarness.clock.kind == .vsync
        && harness.runUntilOnTime() == 0)
  }

  @Test(
    "A refresh rate other than the reported one is followed", arguments: [7.0, 10, 12.5, 22])
  func otherRate(milliseconds: Double) {
    let harness = FaultHarness(.vsync)
    harness.injector.view = harness.view
    harness.refreshInterval = .milliseconds(milliseconds)
    harness.windowHarness.run(frames: VsyncMonitor.steadyCount + 8)
    #expect((harness.windowHarness.loop.interval.milliseconds - milliseconds).magnitude < milliseconds * 0.02)
    #expect(harness.runUntilOnTime() == 0)
    harness.windowHarness.run(frames: 50)
    #expect(harness.last.hitch == .zero && harness.runUntilOnTime() == 0)
    #expect(harness.displacements(10).allSatisfy { ($0 - milliseconds).magnitude <= 1 })
    #expect(harness.windowHarness.loop.observedInterval == harness.windowHarness.loop.interval)
    let reason = harness.windowHarness.loop.pacing.reason
    #expect(reason.allSatisfy { !$0.isNumber }, "\(reason)")
  }

  @Test("Irregular presents confirm no refresh interval", arguments: 0..<4)
  func irregularPresents(seed: UInt64) {
    let harness = FaultHarness(.vsync)
    #expect(harness.windowHarness.loop.observedInterval == .milliseconds(16))
    var noise = SeededGenerator(seed: seed)
    let times = (0..<700).map { _ in FrameDuration.milliseconds(Double.random(in: 5...25, using: &noise)) }
    let irregular = FaultHarness(.vsync, presentTimes: times)
    irregular.windowHarness.run(frames: 600)
    #expect(
      irregular.windowHarness.loop.observedInterval == nil && irregular.windowHarness.loop.interval == .milliseconds(16)
    )
  }

  @Test("A small deviation of the refresh rate is followed", arguments: [16.016, 16.25, 15.75])
  func drift(milliseconds: Double) {
    let harness = FaultHarness(.vsync, refreshInterval: .milliseconds(milliseconds))
    harness.windowHarness.run(frames: 40)
    let before = harness.history.hitchCount
    harness.windowHarness.run(frames: 2_000)
    #expect(harness.history.hitchCount == before)
    #expect((harness.windowHarness.loop.interval.milliseconds - milliseconds).magnitude < 0.05)
  }

  @Test("Presents that take two refreshes are late by one and do not count as a slower display")
  func twoRefreshes() {
    let harness = FaultHarness(.vsync)
    harness.refreshInterval = .milliseconds(32)
    harness.windowHarness.run(frames: 30)
    #expect(harness.windowHarness.loop.interval == .milliseconds(16))
    #expect(harness.last.hitch == .milliseconds(16) && harness.last.hitchClass == .presentLate)
  }

  /// Returns a harness whose presents were held back until its window counted as occluded.
  private func occludedHarness(_ heldBack: Int) -> FaultHarness {
    let harness = FaultHarness(.vsync)
    harness.presentFaults = Array(repeating: .milliseconds(150), count: heldBack)
    harness.windowHarness.run(frames: 4)
    #expect(harness.windowHarness.loop.isOccluded)
    return harness
  }

  @Test("Presents that are held back occlude the window: one is tried every second, and no hitch is counted")
  func heldBackPresents() {
    let harness = occludedHarness(10)
    let (hitches, frames) = (harness.history.hitchCount, harness.windowHarness.display.presentedFrames)
    // Each attempt is a second after the previous one.
    _ = harness.windowHarness.loop.run(LoopLimits(duration: .seconds(5.5)))
    #expect(harness.windowHarness.loop.isOccluded && harness.windowHarness.display.presentedFrames == frames + 4)
    _ = harness.windowHarness.loop.run(LoopLimits(duration: .seconds(4)))
    #expect(!harness.windowHarness.loop.isOccluded && harness.windowHarness.display.presentedFrames > frames + 60)
    #expect(harness.history.hitchCount == hitches)
  }

  @Test("A run that is limited by frames tries again too")
  func heldBackByFrames() {
    let harness = occludedHarness(4)
    let frames = harness.windowHarness.display.presentedFrames
    harness.windowHarness.run(frames: 200)
    #expect(!harness.windowHarness.loop.isOccluded && harness.windowHarness.display.presentedFrames > frames + 100)
  }

  @Test("Input makes an occluded window visible")
  func inputWhileOccluded() {
    let harness = occludedHarness(4)
    let frames = harness.windowHarness.display.presentedFrames
    harness.windowHarness.events.append(
      .wheel(WheelInput(location: Point(x: 5, y: 5), deltaX: 0, deltaY: -1)), at: harness.windowHarness.clock.now())
    _ = harness.windowHarness.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(!harness.windowHarness.loop.isOccluded && harness.windowHarness.display.presentedFrames > frames)
  }

  @Test("An exposed event makes an occluded window visible")
  func exposedWhileOccluded() {
    let harness = occludedHarness(4)
    let frames = harness.windowHarness.display.presentedFrames
    harness.windowHarness.events.append(.exposed, at: harness.windowHarness.clock.now())
    _ = harness.windowHarness.loop.run(LoopLimits(duration: .milliseconds(100)))
    #expect(!harness.windowHarness.loop.isOccluded && harness.windowHarness.display.presentedFrames > frames)
  }

  /// A participant that waits for an arrival at 10 ms.
  private final class ArrivalParticipant: FrameParticipant {
    var nextArrival: FrameInstant? = .zero + .milliseconds(10)
    func collect(_ budget: FrameBudget) {
      if nextArrival.map({ $0 <= budget.clock.now() }) == true { nextArrival = nil }
    }
  }

  @Test("On a simulated clock a hidden window runs to the end, and arrivals are collected when it is shown")
  func hiddenArrivals() {
    let harness = WindowHarness(root: ScrollView())
    let participant = ArrivalParticipant()
    harness.window.addParticipant(participant)
    harness.events.append(.hidden, at: .zero + .milliseconds(5))
    harness.run(milliseconds: 1_000)
    #expect(harness.loop.isOccluded && participant.nextArrival != nil)
    harness.sendEvent(.shown)
    harness.run(milliseconds: 100)
    #expect(!harness.loop.isOccluded && participant.nextArrival == nil)
  }
}
