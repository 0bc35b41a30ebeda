import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("Content that changes its length under a scroll does not disturb it")
struct ScrollStateRangeTests {
  private static let moving: [ScrollEvent] = [
    .flick(velocity: 3_000, accumulating: false), .wheel(distance: 900, kind: .notch), .steady(velocity: -1_500),
    .page(by: -1), .thumbDrag(to: 12_345), .wheel(distance: 33.25, kind: .continuous), .stop,
  ]

  @Test("An adjustment moves the whole path and no velocity, and is no movement", arguments: moving)
  func adjustment(event: ScrollEvent) {
    var state = ScrollState.sample()
    state.handle(event, at: moment(0))
    let plain = state
    let longer = ScrollRange(contentLength: 100_640, viewportLength: 800)
    let effects = state.handle(.rangeChanged(longer, offsetAdjustment: 640), at: moment(50))
    #expect(effects == (plain.projectedOffset == 0 ? .projectionChanged : []))
    for step in 0..<300 {
      let now = moment(50 + Double(step) * 5)
      #expect((state.offset(at: now) - plain.offset(at: now) - 640).magnitude < 1e-8)
      #expect((state.velocity(at: now) - plain.velocity(at: now)).magnitude < 1e-6)
      #expect(state.phase(at: now) == plain.phase(at: now))
    }
  }

  @Test("An adjustment amid a trackpad's burst keeps the run that follows")
  func adjustmentAmidABurst() {
    var state = ScrollState.sample()
    state.swipe(.init(repeating: 16, count: 8), from: 0)
    state.handle(.offsetAdjusted(by: 5_000), at: moment(60))
    let last = state.swipe(.init(repeating: 16, count: 8), from: 64)
    #expect(state.offset(at: last) == 15_000 + 16 * 16)
    let release = last + .milliseconds(24)
    #expect((state.velocity(at: release) - 2_000).magnitude < 1)
    state.handle(.offsetAdjusted(by: -5_000), at: last)
    #expect(state.offset(at: release) == 10_000 + 16 * 16)
    #expect((state.velocity(at: release) - 2_000).magnitude < 1)
  }

  @Test("A shorter content clamps what moves and what rests", arguments: moving)
  func shorterContent(event: ScrollEvent) {
    var state = ScrollState.sample()
    state.handle(event, at: moment(0))
    let shorter = ScrollRange(contentLength: 6_800, viewportLength: 800)
    let effects = state.handle(.rangeChanged(shorter, offsetAdjustment: 0), at: moment(50))
    #expect(effects.contains(.moved) && effects.contains(.teleported))
    for step in 0..<300 { #expect(shorter.contains(state.offset(at: moment(50 + Double(step) * 5)))) }
    #expect(shorter.contains(state.projectedOffset))
    #expect(state.range == shorter)
  }

  @Test("A flick towards an end that moves away runs on past where the end was")
  func longerContent() {
    var state = ScrollState.sample(offset: 99_000)
    state.handle(.flick(velocity: 4_000, accumulating: false), at: moment(0))
    #expect(state.projectedOffset == 99_200)
    let longer = ScrollRange(contentLength: 200_000, viewportLength: 800)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 0), at: moment(20)) == .projectionChanged)
    #expect(state.projectedOffset > 100_900)
    #expect(state.velocity(at: moment(400)) > 1_500)
  }

  @Test(
    "What ran against the end and rests there stays where it is when the end moves away",
    arguments: [.flick(velocity: 4_000, accumulating: false), .steady(velocity: 4_000)] as [ScrollEvent])
  func longerContentAtRest(event: ScrollEvent) {
    var state = ScrollState.sample(offset: 99_000)
    state.handle(event, at: moment(0))
    #expect(state.phase(at: moment(1_000)) == .idle)
    let longer = ScrollRange(contentLength: 200_000, viewportLength: 800)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 0), at: moment(1_000)) == [])
    #expect(state.offset(at: moment(1_000)) == 99_200)
    #expect(state.handle(.rangeChanged(longer, offsetAdjustment: 50), at: moment(1_200)) == [])
    for now in [1_200.0, 2_000, 5_000] {
      #expect(state.offset(at: moment(now)) == 99_250)
      #expect(state.phase(at: moment(now)) == .idle)
    }
  }

  @Test("A spring whose target is cut off bends to the new end without a jump in velocity")
  func springBends() {
    var state = ScrollState.sample()
    state.handle(.scrollTo(11_000, animated: true), at: moment(0))
    let before = (offset: state.offset(at: moment(60)), velocity: state.velocity(at: moment(60)))
    let shorter = ScrollRange(minimum: 0, maximum: 10_700, viewportLength: 800)
    state.handle(.rangeChanged(shorter, offsetAdjustment: 0), at: moment(60))
    #expect(state.offset(at: moment(60)) == before.offset)
    #expect((state.velocity(at: moment(60)) - before.velocity).magnitude < 1e-6)
    #expect(state.projectedOffset == 10_700)
  }

  @Test("Time stamps out of order count as the last one's")
  func timeStampsOutOfOrder() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(100))
    let offset = state.offset(at: moment(100))
    state.handle(.stop, at: moment(40))
    #expect(state.offset(at: moment(500)) == offset)
    #expect(state.restInstant == moment(100))
  }
}
