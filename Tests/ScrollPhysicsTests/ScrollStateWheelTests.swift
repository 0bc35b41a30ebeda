import Testing
import VitrineFramePacing
import VitrineScrollPhysics

@Suite("Wheel notches and keys move the target of a spring")
struct ScrollStateWheelTests {
  @Test("A notch moves the content by exactly its distance", arguments: [WheelKind.notch, .highResolution])
  func oneNotch(kind: WheelKind) throws {
    var state = ScrollState.sample()
    let effects = state.handle(.wheel(distance: 96, kind: kind), at: moment(0))
    #expect(effects == .projectionChanged)
    #expect(state.projectedOffset == 10_096)
    #expect(state.offset(at: moment(0)) == 10_000)
    #expect(state.phase(at: moment(50)) == .animating)
    let rest = try #require(state.restInstant)
    #expect(rest < moment(400))
    #expect(state.offset(at: rest) == 10_096)
    #expect(!state.isTracked(at: rest) && !state.isMoving(at: rest))
    #expect(state.isTracked(at: rest - .milliseconds(1)) && state.isMoving(at: rest - .milliseconds(1)))
  }

  @Test("Notches accumulate, and the content does not stop between them")
  func notchesAddUp() {
    var state = ScrollState.sample()
    for notch in 0..<10 { state.handle(.wheel(distance: 96, kind: .notch), at: moment(Double(notch) * 40)) }
    #expect(state.projectedOffset == 10_960)
    for step in 1..<80 { #expect(state.velocity(at: moment(Double(step) * 5)) > 0) }
  }

  @Test("A reversed notch starts from the current offset, not from the previous target")
  func reversedNotch() {
    var state = ScrollState.sample()
    for _ in 0..<5 { state.handle(.wheel(distance: 96, kind: .notch), at: moment(0)) }
    let offset = state.offset(at: moment(40))
    state.handle(.wheel(distance: -96, kind: .notch), at: moment(40))
    #expect((state.projectedOffset - (offset - 96)).magnitude < 1e-9)
  }

  @Test("A notch of zero or NaN has no effect", arguments: [0, Double.nan])
  func zeroNotch(distance: Double) {
    var state = ScrollState.sample()
    #expect(state.handle(.wheel(distance: distance, kind: .notch), at: moment(0)).isEmpty)
    #expect(!state.isTracked(at: moment(0)))
  }

  @Test("Notches and pages do not exceed either edge")
  func hardEnds() {
    var state = ScrollState.sample(offset: 50)
    for notch in 0..<6 { state.handle(.wheel(distance: -96, kind: .notch), at: moment(Double(notch) * 30)) }
    for step in 0..<200 { #expect(state.offset(at: moment(Double(step) * 4)) >= 0) }
    #expect(state.projectedOffset == 0)
    state.handle(.jump(to: 99_000), at: moment(2_000))
    state.handle(.page(by: 3), at: moment(2_000))
    #expect(state.projectedOffset == 99_200)
  }

  @Test("A page is nine tenths of the viewport, and pages accumulate")
  func pages() {
    var state = ScrollState.sample()
    state.handle(.page(by: 1), at: moment(0))
    #expect(state.projectedOffset == 10_720)
    state.handle(.page(by: 1), at: moment(60))
    #expect((state.projectedOffset - 11_440).magnitude < 1e-9)
    state.handle(.advance(by: 100), at: moment(90))
    #expect((state.projectedOffset - 11_540).magnitude < 1e-9)
  }

  @Test("A notch during a flick continues its velocity and does not reverse")
  func notchDuringFlick() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 6_000, accumulating: false), at: moment(0))
    let velocity = state.velocity(at: moment(100))
    state.handle(.wheel(distance: 96, kind: .notch), at: moment(100))
    #expect((state.velocity(at: moment(100)) - velocity).magnitude < 1e-6)
    for step in 0..<100 { #expect(state.velocity(at: moment(100 + Double(step) * 4)) >= -1e-6) }
  }

  @Test("Scrolling to a near offset starts from the current velocity")
  func scrollToNearOffset() throws {
    var state = ScrollState.sample()
    let effects = state.handle(.scrollTo(10_900, animated: true), at: moment(0))
    #expect(effects == .projectionChanged)
    #expect(state.offset(at: moment(0)) == 10_000)
    let rest = try #require(state.restInstant)
    #expect(state.offset(at: rest) == 10_900)
    #expect(rest < moment(700))
  }

  @Test("Scrolling to a far offset animates only the last one and a half viewports", arguments: [0, 99_200.0])
  func scrollToFarOffset(target: Double) {
    var state = ScrollState.sample(offset: 50_000)
    let effects = state.handle(.scrollTo(target, animated: true), at: moment(0))
    #expect(effects == [.moved, .teleported, .projectionChanged])
    #expect((state.offset(at: moment(0)) - target).magnitude == 1_200)
    #expect(state.projectedOffset == target)
    #expect((state.offset(at: moment(250)) - target).magnitude < 61)
  }

  @Test("Scrolling without animation takes effect immediately")
  func scrollWithoutAnimation() {
    var state = ScrollState.sample()
    let effects = state.handle(.scrollTo(20_000, animated: false), at: moment(5))
    #expect(effects == [.moved, .teleported, .projectionChanged])
    #expect(state.offset(at: moment(5)) == 20_000)
    #expect(state.restInstant == moment(5))
    #expect(!state.isTracked(at: moment(5)))
  }

  @Test("A held key starts to scroll continuously after 300 ms, once")
  func heldKey() {
    var key = HeldKey(isForward: false, at: moment(100))
    let events = [399.0, 400, 500].map { key.advance(to: moment($0), row: 50) }
    #expect(events == [nil, .glide(velocity: -600), nil] && key.isRunning)
  }
}
