import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The scroll input controller, without a view")
struct ScrollInputControllerTests {
  private func wheel(_ x: Double, _ y: Double, _ modifiers: KeyModifiers = []) -> InputEvent.Kind {
    .wheel(WheelInput(location: .zero, deltaX: x, deltaY: y, modifiers: modifiers))
  }

  private func touch(_ phase: TouchInput.Phase) -> InputEvent.Kind {
    .touch(TouchInput(finger: 1, phase: phase, location: .zero))
  }

  private func pan(_ phase: TouchInput.Phase, _ x: Double, _ y: Double) -> InputEvent.Kind {
    .pan(PanInput(phase: phase, start: .zero, location: .zero, translation: Point(x: x, y: y)))
  }

  @Test("Content follows the wheel along its axis, and horizontal content either axis")
  func wheels() {
    let vertical = ScrollInputDouble(.vertical)
    #expect(vertical.send(wheel(0, -2)) && vertical.log == [.wheel(distance: 160, kind: .notch)])
    #expect(!vertical.send(wheel(3, 0)) && !vertical.send(wheel(0, -1, .control)))
    let horizontal = ScrollInputDouble(.horizontal)
    #expect(horizontal.send(wheel(0, -1)) && horizontal.send(wheel(1, 5)))
    #expect(horizontal.log == [.wheel(distance: 80, kind: .notch), .wheel(distance: 80, kind: .notch)])
  }

  @Test("Nested content follows only what is along its axis, a wheel with Shift, and a trackpad that began along it")
  func nestedWheels() {
    let nested = ScrollInputDouble(.horizontal, isNested: true)
    #expect(!nested.send(wheel(0, -1)) && nested.send(wheel(1, 0.5)) && nested.send(wheel(0, -1, .shift)))
    #expect(nested.log.count == 2)
    nested.log = []
    nested.wait(.seconds(3))
    #expect(nested.send(wheel(1.37, 0.41)) && nested.send(wheel(0.37, 2.41)), "one movement")
    nested.wait(.seconds(3))
    #expect(!nested.send(wheel(0.41, 1.37)) && !nested.send(wheel(2.41, 0.37)), "another one")
    #expect(
      nested.log == [.wheel(distance: 1.37 * 10, kind: .continuous), .wheel(distance: 0.37 * 10, kind: .continuous)])
    nested.acceptsInput = false
    nested.wait(.seconds(3))
    #expect(!nested.send(wheel(1, 0)))
  }

  @Test("In content that begins at the end, distances are reversed")
  func direction() {
    let mirrored = ScrollInputDouble(.horizontal, isNested: true)
    mirrored.inputDirection = -1
    mirrored.send(wheel(1, 0))
    mirrored.send(pan(.began, 9, 0))
    mirrored.send(pan(.moved, 5, 0))
    #expect(mirrored.log == [.wheel(distance: -80, kind: .notch), .hold, .drag(by: 5)])
  }

  @Test("A held arrow key scrolls on after a while, where content permits it, until other input releases it")
  func keys() {
    let host = ScrollInputDouble(.vertical)
    #expect(host.send(.keyDown(.down, modifiers: [], isRepeat: false)))
    #expect(host.input.heldKeyStart == host.now + HeldKey.repeatDelay)
    #expect(host.send(.keyDown(.down, modifiers: [], isRepeat: true)), "the content does not depend on the repeat rate")
    host.wait(.seconds(1))
    host.input.advanceHeldKey(to: host.now)
    host.input.advanceHeldKey(to: host.now)
    let speed = HeldKey.rowsPerSecond * 40
    #expect(host.log == [.advance(by: 40), .glide(velocity: speed)])
    #expect(!host.send(.keyUp(.up, modifiers: [])) && host.send(.keyUp(.down, modifiers: [])))
    #expect(host.log.last == .glide(velocity: 0) && !host.send(.keyUp(.down, modifiers: [])))
    host.scrollsWhileKeyIsHeld = false
    host.log = []
    for isRepeat in [false, true, true] { host.send(.keyDown(.down, modifiers: [], isRepeat: isRepeat)) }
    #expect(host.log == [.advance(by: 40), .advance(by: 40), .advance(by: 40)] && host.input.heldKeyStart == nil)
  }

  @Test("A touch holds moving content only, and its end releases what it held")
  func touches() {
    let host = ScrollInputDouble(.vertical)
    #expect(!host.send(touch(.began)) && !host.send(touch(.ended)) && host.log.isEmpty)
    host.applyInput(.flick(velocity: 2_000, accumulating: false), at: host.now)
    host.log = []
    #expect(host.send(touch(.began)) && host.input.isDragging)
    #expect(host.send(touch(.ended)) && !host.input.isDragging)
    #expect(host.log == [.hold, .release] && host.drags == ["begin", "end"])
  }

  @Test("A pan is followed only along the axis, and a cancellation stops it", arguments: [false, true])
  func pans(isNested: Bool) {
    let host = ScrollInputDouble(.vertical, isNested: isNested)
    #expect(host.send(pan(.began, 5, 5)) == !isNested, "nested content leaves what is not clearly its own")
    host.send(.cancelled)
    host.log = []
    #expect(!host.send(pan(.began, 9, 2)) && !host.send(pan(.moved, 0, 50)) && !host.send(pan(.ended, 0, 0)))
    #expect(host.send(pan(.began, 2, -9)) && host.send(pan(.moved, 3, -20)))
    #expect(!host.send(.cancelled) && !host.input.isDragging, "every view receives it")
    #expect(host.log == [.hold, .drag(by: 20), .stop])
    host.canScroll = false
    #expect(!host.send(pan(.began, 0, 9)))
  }
}

/// Content of 10,000 points in a viewport of 300, with the events that it received.
private final class ScrollInputDouble: @MainActor ScrollInputHost {
  let input: ScrollInputController
  let inputAxis: Axis
  var acceptsInput = true
  var canScroll = true
  var inputDirection = 1.0
  var scrollsWhileKeyIsHeld = true
  var inputScroll = ScrollState(range: ScrollRange(minimum: 0, maximum: 9_700, viewportLength: 300))
  var log: [ScrollEvent] = []
  /// The beginnings and ends of drags.
  var drags: [String] = []
  private(set) var now = FrameInstant.zero + .seconds(10)

  init(_ axis: Axis, isNested: Bool = false) {
    inputAxis = axis
    input = ScrollInputController(isNested: isNested)
    input.host = self
  }

  @discardableResult
  func send(_ kind: InputEvent.Kind) -> Bool { input.handle(InputEvent(time: now, kind: kind)) }

  func wait(_ duration: FrameDuration) { now = now + duration }

  var notchDistance: Double { 80 }
  var lineDistance: Double { 40 }

  func scrollEvent(for key: Key, _ modifiers: KeyModifiers) -> ScrollEvent? {
    key == .down ? .advance(by: 40) : nil
  }

  func applyInput(_ event: ScrollEvent, at instant: FrameInstant) {
    log.append(event)
    inputScroll.handle(event, at: instant)
  }

  func dragDidContinue(at instant: FrameInstant, until release: FrameInstant?) {
    if release == nil { drags.append("begin") }
  }
  func dragWillEnd(at instant: FrameInstant) { drags.append("end") }
  func shownInstant(_ time: FrameInstant) -> FrameInstant { time }
}
