import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The autoscroll controller, without a view")
struct AutoscrollControllerTests {
  private let press = Point(x: 100, y: 100)

  @Test("An autoscroll begins only in content that can scroll, inside the view, and in a window")
  func begin() {
    let host = AutoscrollDouble()
    #expect(host.controller.handle(InputEvent(time: .zero, kind: .pointerMoved(press))) == nil)
    #expect(!host.controller.begin(at: Point(x: 100, y: 301)))
    host.isInWindow = false
    #expect(!host.controller.begin(at: press))
    host.isInWindow = true
    host.scroll = ScrollState()
    #expect(!host.controller.begin(at: press))
    #expect(!host.grabsInput && host.indicators.isEmpty && host.log.isEmpty)
    host.reset()
    #expect(host.controller.begin(at: press))
    #expect(host.grabsInput && host.indicators.count == 1 && host.log == [.stop])
  }

  @Test("The release of a wheel that moved the content ends the autoscroll, and that of a click does not")
  func release() {
    for distance in [5.0, 90] {
      let host = AutoscrollDouble()
      #expect(host.controller.begin(at: press))
      #expect(host.send(.pointerMoved(press + Point(x: 0, y: distance))) == true)
      #expect(host.send(.pointerUp(press, button: .middle, modifiers: [])) == true)
      #expect(host.grabsInput == (distance < 10) && host.indicators.count == (distance < 10 ? 1 : 0), "\(distance)")
      #expect(host.scroll.velocity(at: host.now) == 0)
    }
  }

  @Test("A press and Escape end it and are handled; other keys and a cancellation have their usual meaning")
  func ends() {
    let ends: [(InputEvent.Kind, isHandled: Bool?)] = [
      (.pointerDown(press, button: .primary, clicks: 1, modifiers: []), true),
      (.keyDown(.escape, modifiers: [], isRepeat: false), true),
      (.keyDown(.down, modifiers: [], isRepeat: false), nil), (.cancelled, nil),
      (.wheel(WheelInput(location: press, deltaX: 0, deltaY: 1)), false),
      (.touch(TouchInput(finger: 1, phase: .began, location: press)), false),
    ]
    for (kind, isHandled) in ends {
      let host = AutoscrollDouble()
      #expect(host.controller.begin(at: press))
      #expect(host.send(.pointerMoved(press + Point(x: 0, y: 150))) == true)
      host.now = host.now + .seconds(1)
      #expect(host.scroll.velocity(at: host.now) > 100)
      #expect(host.send(kind) == isHandled, "\(kind)")
      #expect(!host.grabsInput && host.indicators.isEmpty && host.log.last == .stop, "\(kind)")
      #expect(host.scroll.velocity(at: host.now) == 0)
      #expect(host.send(kind) == nil, "it ended once")
    }
  }

  @Test(
    "After random input the indicator is shown and all input received exactly during an autoscroll, and the velocity follows from the last location",
    arguments: TestScale.seeds(0..<12), [Axis.vertical, .horizontal])
  func randomInput(seed: Int, axis: Axis) {
    var random = SeededGenerator(seed: UInt64(seed))
    let host = AutoscrollDouble(axis)
    var (isActive, isClick, velocity) = (false, false, 0.0)
    for step in 0..<200 {
      host.now = host.now + .milliseconds(.random(in: 1...200, using: &random))
      let point = Point(x: .random(in: 0...300, using: &random), y: .random(in: 0...300, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        guard !isActive else { continue }
        #expect(host.controller.begin(at: press))
        (isActive, isClick, velocity) = (true, true, 0)
      case 2, 3, 4, 5:
        #expect(host.send(.pointerMoved(point)) == (isActive ? true : nil))
        guard isActive else { continue }
        velocity = Autoscroll.velocity(at: point[axis] - press[axis])
        if velocity != 0 { isClick = false }
        if velocity != 0 { #expect(host.log.last == .glide(velocity: velocity), "step \(step)") }
      case 6:
        #expect(host.send(.pointerUp(point, button: .middle, modifiers: [])) == (isActive ? true : nil))
        isActive = isActive && isClick
      default:
        _ = host.send(.pointerDown(point, button: .primary, clicks: 1, modifiers: []))
        isActive = false
      }
      #expect(host.grabsInput == isActive && host.indicators.count == (isActive ? 1 : 0), "step \(step)")
      if !isActive { #expect(host.scroll.velocity(at: host.now) == 0, "step \(step)") }
    }
  }
}

/// Content of 1,000,000 points in a viewport of 300, in the middle of it.
private final class AutoscrollDouble: @MainActor AutoscrollHost {
  let controller = AutoscrollController()
  let scrollAxis: Axis
  let bounds = Rect(x: 0, y: 0, width: 300, height: 300)
  var scroll = ScrollState()
  var now = FrameInstant.zero + .seconds(10)
  /// The events that were applied to the scroll state.
  private(set) var log: [ScrollEvent] = []
  var isInWindow = true
  private(set) var grabsInput = false
  private let content = View()

  init(_ axis: Axis = .vertical) {
    scrollAxis = axis
    controller.host = self
    reset()
  }

  func reset() {
    scroll = ScrollState(
      range: ScrollRange(minimum: 0, maximum: 1_000_000, viewportLength: 300), offset: 500_000)
  }

  var indicators: [View] { content.subviews }

  func send(_ kind: InputEvent.Kind) -> Bool? { controller.handle(InputEvent(time: now, kind: kind)) }

  func convertFromWindow(_ point: Point) -> Point { point }
  func applyScrollEvent(_ event: ScrollEvent, at instant: FrameInstant?) {
    log.append(event)
    scroll.handle(event, at: instant ?? now)
  }
  func addSubview(_ view: View) { content.addSubview(view) }
  func grabInput() -> Bool {
    grabsInput = isInWindow
    return isInWindow
  }
  func releaseInput() { grabsInput = false }
}
