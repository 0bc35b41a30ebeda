import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import TestSupport
import Testing
import Views

@testable import Hosting

@Suite("The steps of a script are carried out one after the other, each in its time")
struct StepDriverTests {
  /// Notes the keys that it gets, and when.
  private final class KeyLog: ScrollView {
    var lines: [String] = []
    var downs: [FrameInstant] = []
    var wheels: [WheelInput] = []
    var places: [Point] = []
    var releasedAt: Point?

    override func handle(_ event: InputEvent) -> Bool {
      switch event.kind {
      case .keyDown(let key, _, _):
        lines.append("\(key) down")
        downs.append(event.time)
      case .keyUp(let key, _): lines.append("\(key) up")
      case .wheel(let wheel): wheels.append(wheel)
      case .pointerMoved(let place): places.append(place)
      case .pointerDown: lines.append("pressed")
      case .pointerUp(let place, _, _):
        lines.append("released")
        releasedAt = place
      default: break
      }
      return super.handle(event)
    }
  }

  /// Notes what it is asked to do.
  private final class Log: ScriptEnvironment {
    var lines: [String] = []
    func resize(to size: Size) { lines.append("\(size.width)x\(size.height)") }
    func changeRefreshRate(to hertz: Double) { lines.append("\(hertz) Hz") }
    func injectFault(_ fault: ScriptFault) { lines.append("\(fault)") }
    func shuffleItems() { lines.append("shuffle") }
  }

  @Test("What is done around the view is done by whoever stands there, in the order of the steps")
  func around() {
    let log = Log()
    let (_, stage) = Self.stage(
      [
        .resize(Size(width: 9, height: 7)), .wait(0.1), .shuffle, .refresh(hertz: 144), .fault(.stop(milliseconds: 5)),
      ], log)
    stage.run(frames: 1)
    #expect(log.lines == ["9.0x7.0"])
    stage.runUntilIdle()
    #expect(log.lines == ["9.0x7.0", "shuffle", "144.0 Hz", "stop(milliseconds: 5.0)"])
  }

  private static func stage(_ steps: [ScriptStep], _ stagehand: (any ScriptEnvironment)? = nil) -> (
    KeyLog, WindowHarness
  ) {
    let view = KeyLog()
    let stage = WindowHarness(root: view)
    view.layoutIfNeeded()
    view.setContentLength(10_300)
    stage.window.addFirstParticipant(
      ScriptStepDriver(steps, window: stage.window, scrollView: view, stagehand: stagehand))
    stage.window.addParticipant(view)
    return (view, stage)
  }

  @Test("Keys go to the window, pressed and let go, when the waits before them are over")
  func keys() {
    let (view, stage) = Self.stage([.key(.function(5)), .wait(0.1), .key(.home), .key(.tab)])
    stage.runUntilIdle()
    #expect(
      view.lines == ["function(5) down", "function(5) up", "home down", "home up", "tab down", "tab up"])
    let waited = view.downs[1] - view.downs[0]
    #expect(waited >= .milliseconds(100) && waited < .milliseconds(116))
    #expect(view.downs[2] == view.downs[1])
    let frames = stage.display.presentedFrames
    stage.run(milliseconds: 5_000)
    #expect(stage.display.presentedFrames == frames, "after the last step the loop rests")
  }

  @Test("The pointer is pressed, goes in a straight line in its time, and is let go where it is")
  func pointer() {
    let (view, stage) = Self.stage([
      .press(Point(x: 10, y: 20)), .move(to: Point(x: 110, y: 20), seconds: 0.16), .wait(0.1), .release,
    ])
    stage.runUntilIdle()
    #expect(view.places.first == Point(x: 10, y: 20) && view.places.last == Point(x: 110, y: 20))
    #expect(view.places.count >= 10 && view.places.allSatisfy { $0.y == 20 })
    #expect(zip(view.places, view.places.dropFirst()).allSatisfy { $1.x - $0.x >= 0 && $1.x - $0.x <= 10.5 })
    #expect(view.lines == ["pressed", "released"] && view.releasedAt == Point(x: 110, y: 20))
  }

  @Test("A wheel step turns it in the middle of the window")
  func wheel() {
    let (view, stage) = Self.stage([.wheel(notches: -3), .wait(1), .wheel(notches: 1)])
    stage.run(milliseconds: 900)
    let down = view.contentOffset
    stage.runUntilIdle()
    #expect(down > 0 && view.contentOffset < down && view.contentOffset > 0)
  }

  @Test("A zoom is the wheel with Control held, in the middle of the window, and scrolls nothing")
  func zoom() {
    let (view, stage) = Self.stage([.zoom(2), .zoom(-1)])
    stage.runUntilIdle()
    let middle = Point(x: 200, y: 150)
    #expect(
      view.wheels == [
        WheelInput(location: middle, deltaX: 0, deltaY: 2, modifiers: .control),
        WheelInput(location: middle, deltaX: 0, deltaY: -1, modifiers: .control),
      ])
    #expect(view.contentOffset == 0)
  }

  @Test("A steady speed lasts as long as it says, and a jump goes to its share of the way")
  func scrolling() {
    let (view, stage) = Self.stage([.steady(velocity: 1_000, seconds: 1), .jump(fraction: 0.5)])
    stage.run(frames: 50)
    #expect(abs(view.contentOffset - 49 * 16) <= 16)
    stage.runUntilIdle()
    #expect(view.contentOffset == 5_000)
    #expect(view.scroll.phase(at: view.lastInstant) == .idle)
  }

  @Test("A flick runs out by itself")
  func flick() {
    let (view, stage) = Self.stage([.flick(velocity: 2_000), .wait(0.05)])
    stage.run(milliseconds: 30_000)
    #expect(view.contentOffset > 300)
    #expect(view.scroll.phase(at: view.lastInstant) == .idle)
  }
}
