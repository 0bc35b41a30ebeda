import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@Suite("A window without a screen")
@MainActor
struct WindowHarnessTests {
  /// A view that records the events that it receives.
  private final class EventLog: View {
    var events: [InputEvent.Kind] = []
    override func handle(_ event: InputEvent) -> Bool {
      events.append(event.kind)
      return true
    }
  }

  private func makeHarness() -> (log: EventLog, harness: WindowHarness) {
    let log = EventLog()
    let harness = WindowHarness(root: log)
    harness.window.firstResponder = log
    harness.runUntilIdle()
    return (log, harness)
  }

  @Test("A double click is pressed and released twice")
  func doubleClick() {
    let (log, harness) = makeHarness()
    let point = Point(x: 20, y: 30)
    harness.click(at: point, button: .secondary, count: 2, modifiers: .shift)
    #expect(
      log.events == [
        .pointerMoved(point), .pointerDown(point, button: .secondary, clicks: 1, modifiers: .shift),
        .pointerUp(point, button: .secondary, modifiers: .shift),
        .pointerDown(point, button: .secondary, clicks: 2, modifiers: .shift),
        .pointerUp(point, button: .secondary, modifiers: .shift),
      ])
  }

  @Test("A drag moves the pointer once in each frame")
  func drag() {
    let (log, harness) = makeHarness()
    let start = harness.clock.now()
    harness.drag(from: Point(x: 0, y: 0), to: Point(x: 40, y: 20), frames: 4)
    let moves = log.events.compactMap { event -> Point? in
      if case .pointerMoved(let point) = event { point } else { nil }
    }
    #expect(moves == [0, 10, 20, 30, 40].map { Point(x: $0, y: $0 / 2) })
    #expect(log.events.last == .pointerUp(Point(x: 40, y: 20), button: .primary, modifiers: []))
    #expect(harness.clock.now() > start)
  }

  @Test("Keys, text and the wheel arrive in order, and time passes although nothing is drawn")
  func keysAndWheel() {
    let (log, harness) = makeHarness()
    let start = harness.clock.now()
    harness.pressKey(.down, modifiers: .control)
    harness.typeText("ab")
    harness.turnWheel(at: Point(x: 5, y: 5), by: 2)
    #expect(
      log.events == [
        .keyDown(.down, modifiers: .control, isRepeat: false), .keyUp(.down, modifiers: .control), .text("a"),
        .text("b"), .wheel(WheelInput(location: Point(x: 5, y: 5), deltaX: 0, deltaY: -2)),
      ])
    #expect(harness.clock.now() - start >= .milliseconds(30_000))
  }

  @Test("The color of a point is that of the last frame, at any scale")
  func color() {
    let root = View()
    let square = View(frame: Rect(x: 10, y: 10, width: 5, height: 5))
    square.backgroundColor = Color(hex: 0xAA5500)
    root.addSubview(square)
    let harness = WindowHarness(root: root, scale: DisplayScale(pixelsPerPoint: 2))
    #expect(harness.color(at: Point(x: 12, y: 12)) == .black)
    harness.runUntilIdle()
    #expect(harness.color(at: Point(x: 12, y: 12)) == square.backgroundColor)
    #expect(harness.color(at: Point(x: 9, y: 12)) == .black && harness.color(at: Point(x: 500, y: 0)) == nil)
  }
}
