import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Views

@Suite("The loop knows how soon input is answered")
struct InputLatencyTests {
  private let notch = InputEvent.Kind.wheel(WheelInput(location: Point(x: 10, y: 10), deltaX: 0, deltaY: -1))

  @Test("From the oldest event to the present of the frame that shows it, once")
  func once() throws {
    let (stage, _) = ScrollViewTests.stage()
    stage.settle()
    let now = stage.clock.now()
    stage.events.append(notch, at: now - .milliseconds(5))
    stage.events.append(notch, at: now)
    stage.run(frames: 3)
    let first = stage.loop.history.recent(2)
    #expect(first.input == now - .milliseconds(5))
    #expect(first.inputToPresent == first.shown - now + .milliseconds(5))
    #expect(stage.loop.history.recent(1).input == nil && stage.loop.history.recent(0).input == nil)
    #expect(stage.loop.history.inputToPresent?.max == first.inputToPresent)
  }

  @Test("What nothing answers is not counted, nor are a pointer that only moves and a window that changes")
  func others() {
    let (stage, _) = ScrollViewTests.stage()
    stage.settle()
    stage.send(.keyDown(.character("x"), modifiers: [], isRepeat: false))
    stage.run(milliseconds: 200)
    stage.send(.pointerMoved(Point(x: 390, y: 10)))
    stage.run(frames: 2)
    stage.send(.exposed)
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
    #expect(loop.history.recent(0).input == now)
  }
}
