import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@Suite("The loop knows how soon input is answered")
struct InputLatencyTests {
  private let notch = InputEvent.Kind.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1))

  @Test("From the oldest event to the present of the frame that shows it, once")
  func once() throws {
    let (stage, _) = ScrollViewTests.stage()
    stage.runUntilIdle()
    let now = stage.clock.now()
    stage.events.append(notch, at: now - .milliseconds(5))
    stage.events.append(notch, at: now)
    stage.run(frames: 3)
    let first = stage.loop.history.record(atAge: 2)
    #expect(first.inputInstant == now - .milliseconds(5))
    #expect(first.inputToPresent == first.shown - now + .milliseconds(5))
    #expect(
      stage.loop.history.record(atAge: 1).inputInstant == nil && stage.loop.history.record(atAge: 0).inputInstant == nil
    )
    #expect(stage.loop.history.inputToPresent?.max == first.inputToPresent)
  }

  @Test("What nothing answers is not counted, nor are a pointer that only moves and a window that changes")
  func others() {
    let (stage, _) = ScrollViewTests.stage()
    stage.runUntilIdle()
    stage.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    stage.run(milliseconds: 200)
    stage.sendEvent(.pointerMoved(Point(x: 390, y: 10)))
    stage.run(frames: 2)
    stage.sendEvent(.exposed)
    stage.run(frames: 2)
    #expect(stage.loop.history.inputToPresent == nil)
  }

  @Test("An event that stands on another line of time counts as of when it was read")
  func otherClock() throws {
    let (stage, _) = ScrollViewTests.stage()
    let source = ScriptedEventSource()
    let loop = CommitLoop(
      window: stage.window, display: stage.display, events: source, clock: stage.clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    source.append(notch, at: stage.clock.now() + .seconds(9_000))
    let now = stage.clock.now()
    _ = loop.run(LoopLimits(frames: 1))
    #expect(loop.history.record(atAge: 0).inputInstant == now)
  }

  @Test("What was done before nothing could be seen is not answered by what is seen later")
  func hidden() {
    let (stage, _) = ScrollViewTests.stage()
    stage.runUntilIdle()
    stage.sendEvent(notch)
    stage.sendEvent(.hidden)
    stage.run(milliseconds: 60_000)
    stage.sendEvent(.shown)
    stage.run(frames: 2)
    #expect(stage.loop.history.inputToPresent == nil)
  }

  @Test("What nothing uses is not answered by a frame that comes for another reason")
  func unused() {
    let (stage, view) = ScrollViewTests.stage()
    view.applyScrollEvent(.steady(velocity: 100))
    stage.run(frames: 4)
    stage.sendEvent(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    stage.sendEvent(.keyUp(.character("x"), modifiers: []))
    stage.run(frames: 2)
    #expect(stage.loop.history.inputToPresent == nil)
  }

  @Test(
    "A window that is moved to another display is paced by that, unless the rate was asked for",
    arguments: [true, false])
  func moved(follows: Bool) {
    let view = ScrollView()
    let stage = TimerWindowHarness(
      root: view,
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1.0 / 60), isMeasured: false, reason: "test", followsDisplay: follows))
    view.setContentLength(100_000)
    stage.window.addParticipant(view)
    view.applyScrollEvent(.steady(velocity: 100))
    stage.run(frames: 3)
    stage.display.moveToDisplay(refreshHz: 144)
    stage.events.append(.displayChanged, at: stage.clock.now())
    stage.run(frames: 4)
    let expected = FrameDuration.seconds(1 / (follows ? 144.0 : 60))
    #expect(stage.loop.interval == expected && stage.loop.pacing.interval == expected)
    let (last, before) = (stage.loop.history.record(atAge: 0), stage.loop.history.record(atAge: 1))
    #expect(last.target - before.target == expected)
    #expect((0..<6).allSatisfy { stage.loop.history.record(atAge: $0).hitch == .zero })
  }
}
