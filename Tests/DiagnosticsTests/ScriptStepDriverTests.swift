import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@testable import VitrineDiagnostics
@testable import VitrineHosting

@Suite("The steps of a script are performed in order, each at its time")
struct ScriptStepDriverTests {
  /// A scroll view that records the events that it receives.
  private final class EventLogView: ScrollView {
    var lines: [String] = []
    var downs: [FrameInstant] = []
    var wheels: [WheelInput] = []
    var pointerLocations: [Point] = []
    var releaseLocation: Point?

    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .keyDown(let key, _, _):
        lines.append("\(key) down")
        downs.append(event.time)
      case .keyUp(let key, _): lines.append("\(key) up")
      case .wheel(let wheel): wheels.append(wheel)
      case .pointerMoved(let location): pointerLocations.append(location)
      case .pointerDown: lines.append("pressed")
      case .pointerUp(let location, _, _):
        lines.append("released")
        releaseLocation = location
      default: break
      }
      return super.handle(event)
    }
  }

  /// A script environment that records its calls.
  private final class EnvironmentLog: ScriptEnvironment {
    var lines: [String] = []
    func resize(to size: Size) { lines.append("\(size.width)x\(size.height)") }
    func changeRefreshRate(to hertz: Double) { lines.append("\(hertz) Hz") }
    func injectFault(_ fault: ScriptFault) { lines.append("\(fault)") }
    func shuffleItems() { lines.append("shuffle") }
  }

  @Test("Steps that concern the environment are performed by it, in order")
  func environmentSteps() {
    let log = EnvironmentLog()
    let (_, harness) = Self.makeHarness(
      [
        .resize(Size(width: 9, height: 7)), .wait(0.1), .shuffle, .refresh(hertz: 144), .fault(.stop(milliseconds: 5)),
      ], log)
    harness.run(frames: 1)
    #expect(log.lines == ["9.0x7.0"])
    harness.runUntilIdle()
    #expect(log.lines == ["9.0x7.0", "shuffle", "144.0 Hz", "stop(milliseconds: 5.0)"])
  }

  private static func makeHarness(_ steps: [ScriptStep], _ environment: (any ScriptEnvironment)? = nil) -> (
    EventLogView, WindowHarness
  ) {
    let view = EventLogView()
    let harness = WindowHarness(root: view)
    view.layoutIfNeeded()
    view.setContentLength(10_300)
    harness.window.addFirstParticipant(
      ScriptStepDriver(steps, window: harness.window, scrollView: view, environment: environment))
    harness.window.addParticipant(view)
    return (view, harness)
  }

  @Test("Keys are pressed and released in the window after the preceding waits")
  func keys() {
    let (view, harness) = Self.makeHarness([.key(.function(5)), .wait(0.1), .key(.home), .key(.tab)])
    harness.runUntilIdle()
    #expect(
      view.lines == ["function(5) down", "function(5) up", "home down", "home up", "tab down", "tab up"])
    let pause = view.downs[1] - view.downs[0]
    #expect(pause >= .milliseconds(100) && pause < .milliseconds(116))
    #expect(view.downs[2] == view.downs[1])
    let frames = harness.display.presentedFrames
    harness.run(milliseconds: 5_000)
    #expect(harness.display.presentedFrames == frames, "the loop is idle after the last step")
  }

  @Test("The pointer is pressed, moves in a straight line for its duration, and is released where it is")
  func pointer() {
    let (view, harness) = Self.makeHarness([
      .press(Point(x: 10, y: 20)), .move(to: Point(x: 110, y: 20), seconds: 0.16), .wait(0.1), .release,
    ])
    harness.runUntilIdle()
    #expect(view.pointerLocations.first == Point(x: 10, y: 20) && view.pointerLocations.last == Point(x: 110, y: 20))
    #expect(view.pointerLocations.count >= 10 && view.pointerLocations.allSatisfy { $0.y == 20 })
    #expect(
      zip(view.pointerLocations, view.pointerLocations.dropFirst()).allSatisfy {
        $1.x - $0.x >= 0 && $1.x - $0.x <= 10.5
      })
    #expect(view.lines == ["pressed", "released"] && view.releaseLocation == Point(x: 110, y: 20))
  }

  @Test("A wheel step scrolls at the center of the window")
  func wheel() {
    let (view, harness) = Self.makeHarness([.wheel(notches: -3), .wait(1), .wheel(notches: 1)])
    harness.run(milliseconds: 900)
    let down = view.contentOffset
    harness.runUntilIdle()
    #expect(down > 0 && view.contentOffset < down && view.contentOffset > 0)
  }

  @Test("A zoom step is a wheel event with Control at the center of the window, and does not scroll")
  func zoom() {
    let (view, harness) = Self.makeHarness([.zoom(2), .zoom(-1)])
    harness.runUntilIdle()
    let middle = Point(x: 200, y: 150)
    #expect(
      view.wheels == [
        WheelInput(location: middle, deltaX: 0, deltaY: 2, modifiers: .control),
        WheelInput(location: middle, deltaX: 0, deltaY: -1, modifiers: .control),
      ])
    #expect(view.contentOffset == 0)
  }

  @Test("A steady step lasts for its duration, and a jump goes to its fraction of the content")
  func scrolling() {
    let (view, harness) = Self.makeHarness([.steady(velocity: 1_000, seconds: 1), .jump(fraction: 0.5)])
    harness.run(frames: 50)
    #expect(abs(view.contentOffset - 49 * 16) <= 16)
    harness.runUntilIdle()
    #expect(view.contentOffset == 5_000)
    #expect(view.scroll.phase(at: view.lastInstant) == .idle)
  }

  @Test("A flick decelerates until it is idle")
  func flick() {
    let (view, harness) = Self.makeHarness([.flick(velocity: 2_000), .wait(0.05)])
    harness.run(milliseconds: 30_000)
    #expect(view.contentOffset > 300)
    #expect(view.scroll.phase(at: view.lastInstant) == .idle)
  }
}

@Suite("A clock and a display fail when a script injects a fault")
struct FaultyClockTests {
  @Test("A stall of a simulated clock passes time that is not work")
  func simulatedStall() {
    let clock = FaultyClock(SimulatedClock(kind: .virtual))
    let start = clock.workTimestamp()
    clock.spend(.milliseconds(3))
    clock.stall(for: .milliseconds(80))
    let end = clock.workTimestamp()
    #expect(clock.now() - start.instant == .milliseconds(83))
    #expect(start.idleTime(until: end) == .milliseconds(80))
    #expect(clock.kind == .virtual)
  }

  @Test("A stall of a real clock waits, and only the next wake is delayed")
  func realStall() {
    let base = ManualClock(kind: .timer)
    let clock = FaultyClock(base)
    let start = clock.now()
    clock.stall(for: .milliseconds(80))
    #expect(base.now() - start == .milliseconds(80))
    clock.delayNextWake(by: .milliseconds(20))
    clock.wait(until: start + .milliseconds(100))
    #expect(clock.now() - start == .milliseconds(120))
    clock.wait(until: start + .milliseconds(130))
    #expect(clock.now() - start == .milliseconds(130))
    clock.setKind(.vsync)
    #expect(base.kind == .vsync && clock.kind == .vsync)
  }

  @Test("Only the next cost is higher than expected")
  func cost() {
    let clock = FaultyClock(SimulatedClock(kind: .virtual))
    let start = clock.now()
    clock.exceedNextCost(by: .milliseconds(30))
    clock.spend(.zero)
    #expect(clock.now() == start)
    clock.spend(.milliseconds(2))
    clock.spend(.milliseconds(2))
    #expect(clock.now() - start == .milliseconds(34))
  }

  @Test("Only the next present is delayed, and the display has the refresh rate that was set")
  func display() {
    let clock = ManualClock(kind: .timer)
    let base = RecordingDisplay()
    let display = FaultyDisplay(base, clock: FaultyClock(clock))
    let start = clock.now()
    display.presentDelay = .milliseconds(100)
    display.present()
    display.present()
    #expect(clock.now() - start == .milliseconds(100) && base.presentedFrames == 2)
    #expect(display.info.refreshHz == base.info.refreshHz)
    display.refreshHz = 144
    #expect(display.info.refreshHz == 144 && display.info.size == base.info.size)
  }
}
