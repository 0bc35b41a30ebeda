import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("ZoomState: scale and offset as functions of time")
struct ZoomStateTests {
  private static func instant(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

  private static func state(
    viewport: Size = Size(width: 400, height: 300), content: Size = Size(width: 1_000, height: 800),
    limits: ClosedRange<Double> = 0.25...8, inset: Insets = .zero
  ) -> ZoomState {
    var geometry = ZoomState.Geometry()
    (geometry.viewport, geometry.contentSize, geometry.limits, geometry.inset) = (viewport, content, limits, inset)
    var state = ZoomState()
    state.setGeometry(geometry, at: .zero)
    return state
  }

  private static func random(using random: inout SeededGenerator) -> ZoomState {
    let lowest = Double.random(in: 0.1...1, using: &random)
    return state(
      viewport: Size(
        width: .random(in: 100...900, using: &random), height: .random(in: 100...900, using: &random)),
      content: Size(
        width: .random(in: 50...4_000, using: &random), height: .random(in: 50...4_000, using: &random)),
      limits: lowest...(lowest * Double.random(in: 1...40, using: &random)),
      inset: Insets(
        top: .random(in: 0...40, using: &random), left: .random(in: 0...40, using: &random),
        bottom: .random(in: 0...40, using: &random), right: .random(in: 0...40, using: &random)))
  }

  private static func randomPoint(in state: ZoomState, using random: inout SeededGenerator) -> Point {
    Point(
      x: .random(in: 0...state.geometry.viewport.width, using: &random),
      y: .random(in: 0...state.geometry.viewport.height, using: &random))
  }

  /// An event with its time.
  private struct Event {
    let time: FrameInstant
    let apply: (inout ZoomState, FrameInstant) -> Void
  }

  /// Returns a random sequence of events: drags, wheels, keys, pinches, zooms and changes of the geometry.
  private static func randomEvents(_ count: Int, in state: ZoomState, using random: inout SeededGenerator) -> [Event] {
    var time = 100.0
    return (0..<count).map { _ in
      time += [2, 8, 30, 200, 700].randomElement(using: &random) ?? 8
      let (point, x, y) = (
        randomPoint(in: state, using: &random), Double.random(in: -300...300, using: &random),
        Double.random(in: -300...300, using: &random)
      )
      let factor = Double.random(in: 0.2...5, using: &random)
      let body: (inout ZoomState, FrameInstant) -> Void
      switch Int.random(in: 0...14, using: &random) {
      case 0: body = { $0.scroll(.hold, .hold, at: $1) }
      case 1, 2, 3: body = { $0.scroll(.drag(by: x), .drag(by: y), at: $1) }
      case 4: body = { $0.scroll(.release, .release, at: $1) }
      case 5: body = { $0.scroll(.wheel(distance: x, kind: .notch), nil, at: $1) }
      case 6: body = { $0.scroll(nil, .wheel(distance: y + 0.3, kind: .continuous), at: $1) }
      case 7: body = { $0.beginPinch(at: point, at: $1) }
      case 8, 9: body = { $0.movePinch(by: factor, to: point, at: $1) }
      case 10: body = { $0.endPinch(at: point, at: $1) }
      case 11: body = { $0.zoom(bySteps: x / 100, around: point, animated: x > -100, at: $1) }
      case 12: body = { $0.toggle(around: point, at: $1) }
      case 13:
        body = {
          $0.zoom(to: Rect(x: point.x, y: point.y, width: 50, height: 90), animated: true, from: .now, at: $1)
        }
      default:
        body = {
          var geometry = $0.geometry
          geometry.viewport.width = 200 + x.magnitude
          $0.setGeometry(geometry, at: $1)
        }
      }
      return Event(time: instant(time), apply: body)
    }
  }

  // MARK: - Properties

  @Test("The point below the pointer keeps its place while the scale changes, if the edges allow it", arguments: 0..<4)
  func anchor(kind: Int) {
    var random = SeededGenerator(seed: 11)
    var checked = 0
    for _ in 0..<400 {
      var state = ZoomStateTests.random(using: &random)
      let lowest = state.geometry.limits.lowerBound
      let start = lowest * Double.random(in: 1...6, using: &random)
      state.zoom(to: start, around: nil, animated: false, at: .zero)
      state.setOffset(
        Point(x: .random(in: 0...5_000, using: &random), y: .random(in: 0...5_000, using: &random)), animated: false,
        from: .now, at: .zero)
      let point = ZoomStateTests.randomPoint(in: state, using: &random)
      let content = state.contentPoint(at: point, at: .zero)
      let time = ZoomStateTests.instant(10)
      let steps = Double.random(in: -4...4, using: &random)
      switch kind {
      case 0: state.zoom(bySteps: steps, around: point, animated: true, at: time)
      case 1: state.zoom(bySteps: steps, around: point, animated: false, at: time)
      case 2: state.toggle(around: point, at: time)
      default:
        state.beginPinch(at: point, at: time)
        state.movePinch(by: 1 + steps / 8, to: point, at: time)
      }
      func allows(_ scale: Double) -> Bool {
        let ranges = state.ranges(at: scale)
        // Content that is smaller is centered, and not below the pointer.
        return ranges.horizontal.length > 0 && ranges.vertical.length > 0
          && ranges.horizontal.contains(content.x * scale - point.x)
          && ranges.vertical.contains(content.y * scale - point.y)
      }
      // Between two scales that allow it, all others do.
      guard allows(state.scale(at: .zero)), allows(state.targetScale) else { continue }
      checked += 1
      for milliseconds in stride(from: 10.0, to: 1_500, by: 37) {
        let shown = state.contentPoint(at: point, at: ZoomStateTests.instant(milliseconds))
        #expect((shown.x - content.x).magnitude < 1e-6 && (shown.y - content.y).magnitude < 1e-6)
      }
    }
    #expect(checked > 20)
  }

  @Test("After any events the content rests within its limits, and smaller content is centered")
  func rest() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      var state = ZoomStateTests.random(using: &random)
      let events = ZoomStateTests.randomEvents(30, in: state, using: &random)
      var time = FrameInstant.zero
      for event in events {
        event.apply(&state, event.time)
        time = event.time
      }
      state.endPinch(at: .zero, at: time)
      state.scroll(.release, .release, at: time)
      let far = time + .seconds(60)
      let (target, targetScale) = (state.targetOffset, state.targetScale)
      #expect(!state.isMoving(at: far) && !state.isZooming(at: far) && !state.isTracked(at: far))
      state.prepareFrame(at: far)
      let (scale, offset) = (state.scale(at: far), state.offset(at: far))
      let ranges = state.ranges(at: scale)
      #expect(state.geometry.limits.contains(scale) && scale == targetScale)
      #expect(ranges.horizontal.contains(offset.x) && ranges.vertical.contains(offset.y))
      #expect((offset.x - target.x).magnitude < 1e-6 && (offset.y - target.y).magnitude < 1e-6)
      let (geometry, inset) = (state.geometry, state.geometry.inset)
      let free = geometry.viewport.width - inset.left - inset.right - geometry.contentSize.width * scale
      if free > 0 { #expect((-offset.x - inset.left - free / 2).magnitude < 1e-6) }
    }
  }

  @Test("Frames do not change the position: at any frame rate the same events have the same result")
  func frameRates() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<300 {
      let initial = ZoomStateTests.random(using: &random)
      let events = ZoomStateTests.randomEvents(25, in: initial, using: &random)
      var results: [[Double]] = []
      for interval in [1_000_000.0, 16, 6.9, 1] {
        var (state, frame, values) = (initial, 0.0, [Double]())
        for event in events {
          while ZoomStateTests.instant(frame) < event.time {
            state.prepareFrame(at: ZoomStateTests.instant(frame))
            frame += interval
          }
          event.apply(&state, event.time)
          let offset = state.offset(at: event.time)
          values += [state.scale(at: event.time), offset.x, offset.y]
        }
        let end = (events.last?.time ?? .zero) + .milliseconds(120)
        values += [state.scale(at: end), state.offset(at: end).x, state.offset(at: end).y]
        results.append(values)
      }
      for other in results.dropFirst() { #expect(other == results[0]) }
    }
  }

  @Test("A motion starts at the position of the last one")
  func continuity() {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<300 {
      var state = ZoomStateTests.random(using: &random)
      for event in ZoomStateTests.randomEvents(30, in: state, using: &random) {
        let (scale, offset) = (state.scale(at: event.time), state.offset(at: event.time))
        var next = state
        event.apply(&next, event.time)
        var held = state
        held.scroll(.hold, .hold, at: event.time)
        var zoomed = state
        zoomed.zoom(bySteps: 1, around: .zero, animated: true, at: event.time)
        var pinched = state
        pinched.beginPinch(at: .zero, at: event.time)
        for (other, jump) in [(held, 0.1), (zoomed, 1e-6), (pinched, 1e-6)] {
          #expect((other.scale(at: event.time) - scale).magnitude < 1e-9)
          let shown = other.offset(at: event.time)
          #expect((shown.x - offset.x).magnitude < jump && (shown.y - offset.y).magnitude < jump)
        }
        state = next
      }
    }
  }

  @Test("No number makes the position infinite or undefined")
  func finite() {
    for number in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0] {
      var state = ZoomStateTests.state()
      let (time, point) = (ZoomStateTests.instant(1), Point(x: number, y: number))
      state.zoom(to: number, around: point, animated: true, at: time)
      state.zoom(bySteps: number, around: point, animated: true, at: time)
      state.zoom(to: Rect(x: number, y: 0, width: number, height: 5), animated: true, from: .now, at: time)
      state.setOffset(point, animated: true, from: .now, at: time)
      state.beginPinch(at: point, at: time)
      state.movePinch(by: number, to: point, at: time)
      state.endPinch(at: point, at: time)
      state.scroll(.drag(by: number), .wheel(distance: number, kind: .notch), at: time)
      for milliseconds in [1.0, 50, 5_000] {
        let instant = ZoomStateTests.instant(milliseconds)
        let offset = state.offset(at: instant)
        #expect(state.scale(at: instant).isFinite && offset.x.isFinite && offset.y.isFinite, "\(number)")
      }
      #expect(state.geometry.limits.contains(state.scale(at: ZoomStateTests.instant(9_000))))
    }
  }

  // MARK: - Cases

  @Test("A fling moves along both axes and ends within the content")
  func fling() {
    var state = ZoomStateTests.state()
    state.scroll(.hold, .hold, at: .zero)
    for step in 1...5 {
      state.scroll(.drag(by: 12), .drag(by: 24), at: ZoomStateTests.instant(Double(step) * 8))
    }
    state.scroll(.release, .release, at: ZoomStateTests.instant(41))
    #expect(state.offset(at: ZoomStateTests.instant(41)) == Point(x: 60, y: 120))
    #expect(state.isMoving(at: ZoomStateTests.instant(200)))
    let end = state.offset(at: ZoomStateTests.instant(20_000))
    #expect(end == Point(x: 600, y: 500), "it hits both edges and returns to them")
    state.zoom(bySteps: 1, around: .zero, animated: true, at: ZoomStateTests.instant(300))
    #expect(state.isZooming(at: ZoomStateTests.instant(301)), "zooming interrupts it")
  }

  @Test("A pinch beyond the limits has resistance, and the scale returns")
  func pinchResistance() {
    var state = ZoomStateTests.state()
    let point = Point(x: 200, y: 150)
    state.beginPinch(at: point, at: .zero)
    state.movePinch(by: 16, to: point, at: ZoomStateTests.instant(16))
    let beyond = state.scale(at: ZoomStateTests.instant(16))
    #expect(beyond > 8 && beyond < 10)
    state.endPinch(at: point, at: ZoomStateTests.instant(20))
    #expect(state.scale(at: ZoomStateTests.instant(20)) == beyond)
    #expect(state.scale(at: ZoomStateTests.instant(60)) < beyond && state.scale(at: ZoomStateTests.instant(60)) > 8)
    #expect(state.scale(at: ZoomStateTests.instant(2_000)) == 8)
    var reduced = ZoomStateTests.state()
    reduced.tuning.reducesMotion = true
    reduced.beginPinch(at: point, at: .zero)
    reduced.movePinch(by: 16, to: point, at: ZoomStateTests.instant(16))
    #expect(reduced.scale(at: ZoomStateTests.instant(16)) == 8)
    reduced.endPinch(at: point, at: ZoomStateTests.instant(20))
    reduced.toggle(around: point, at: ZoomStateTests.instant(30))
    #expect(reduced.scale(at: ZoomStateTests.instant(30)) == 0.25 && !reduced.isMoving(at: ZoomStateTests.instant(30)))
  }

  @Test("Zooming to a rectangle shows it in the center, as large as it fits")
  func zoomToRect() {
    var state = ZoomStateTests.state()
    state.zoom(to: Rect(x: 500, y: 400, width: 100, height: 100), animated: true, from: .nextFrame, at: .zero)
    #expect(state.scale(at: ZoomStateTests.instant(500)) == 1, "it starts with the next frame")
    state.prepareFrame(at: ZoomStateTests.instant(500))
    #expect(state.scale(at: ZoomStateTests.instant(600)) > 1)
    let end = ZoomStateTests.instant(3_000)
    #expect(state.scale(at: end) == 3 && state.offset(at: end) == Point(x: 550 * 3 - 200, y: 450 * 3 - 150))
    state.zoom(to: Rect(x: 0, y: 0, width: 10, height: 10), animated: false, from: .now, at: end)
    #expect(state.scale(at: end) == 8 && state.offset(at: end) == .zero)
  }

  @Test("Series of notches continue to the target of the one before")
  func notches() {
    var state = ZoomStateTests.state()
    let point = Point(x: 100, y: 100)
    for notch in 0..<4 {
      state.zoom(bySteps: 1, around: point, animated: true, at: ZoomStateTests.instant(Double(notch) * 30))
    }
    #expect((state.targetScale - 1.25 * 1.25 * 1.25 * 1.25).magnitude < 1e-9)
    var last = 0.0
    for milliseconds in stride(from: 90.0, to: 1_000, by: 10) {
      let scale = state.scale(at: ZoomStateTests.instant(milliseconds))
      #expect(scale >= last && scale <= state.targetScale * 1.000_001, "no overshoot")
      last = scale
    }
  }
}
