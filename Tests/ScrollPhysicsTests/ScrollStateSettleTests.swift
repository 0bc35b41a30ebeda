import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("Content that was let go comes to rest at the place that is named")
struct ScrollStateSettleTests {
  @Test(
    "A flick that would end near there dies away so that it ends there, without a jump in offset or velocity",
    arguments: [10_600.0, 10_998, 11_700])
  func nearby(target: Double) throws {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    let before = (offset: state.offset(at: moment(50)), velocity: state.velocity(at: moment(50)))
    #expect(state.handle(.settle(at: target), at: moment(50)) == .projectionChanged)
    #expect(state.offset(at: moment(50)) == before.offset)
    #expect((state.velocity(at: moment(50)) - before.velocity).magnitude < 1e-6)
    #expect(state.phase(at: moment(51)) == .decelerating && state.projectedOffset == target)
    let rest = try #require(state.restInstant)
    var last = before.offset
    for step in 0...2_000 {
      let now = moment(50 + Double(step) * 4)
      #expect(state.offset(at: now) >= last - 1e-9 && state.offset(at: now) <= target + 1e-9)
      last = state.offset(at: now)
    }
    #expect((state.offset(at: rest - .milliseconds(0.01)) - target).magnitude < 0.11)
    #expect(state.offset(at: rest) == target)
  }

  @Test("The decay is that which ends there: v over the way", arguments: [0.5, 1, 5])
  func decay(share: Double) {
    let way = 2_000 / (DecelerationRate.normal.decay * share)
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: 10_000 + way), at: moment(0))
    // Half of the way is left after ln 2 / k.
    let half = 0.693_147_18 / (DecelerationRate.normal.decay * share)
    #expect((state.offset(at: moment(half * 1_000)) - 10_000 - way / 2).magnitude < 0.01)
  }

  @Test(
    "A spring takes it there where that is too near, too far or the other way, and does not swing",
    arguments: [10_020.0, 10_150, 16_000, 9_000])
  func elsewhere(target: Double) throws {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    let velocity = state.velocity(at: moment(5))
    let offset = state.offset(at: moment(5))
    state.handle(.settle(at: target), at: moment(5))
    #expect(state.offset(at: moment(5)) == offset)
    #expect((state.velocity(at: moment(5)) - velocity).magnitude < 1e-6)
    let rest = try #require(state.restInstant)
    #expect(state.offset(at: rest) == target && rest < moment(2_000))
    if target > offset {
      for step in 0..<400 { #expect(state.offset(at: moment(5 + Double(step) * 4)) <= target + 1e-6) }
    }
  }

  @Test("A far place is gone to all the way: nothing is left out")
  func farPlace() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 20_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: 19_000), at: moment(0))
    #expect(state.offset(at: moment(0)) == 10_000)
    #expect(state.projectedOffset == 19_000)
  }

  @Test("Places beyond the ends are the ends, and what is there already stands")
  func bounds() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: -4_000), at: moment(0))
    #expect(state.projectedOffset == 0)
    state.handle(.jump(to: 500), at: moment(1))
    state.handle(.settle(at: 500), at: moment(2))
    #expect(state.phase(at: moment(2)) == .idle)
  }

  @Test("With reduced motion notches, keys and places are there at once, and a hand's flick runs on")
  func reducedMotion() {
    var tuning = ScrollTuning()
    tuning.reducesMotion = true
    let range = ScrollRange(contentLength: 100_000, viewportLength: 800)
    for (event, offset) in [
      (ScrollEvent.wheel(distance: 96, kind: .notch), 10_096.0), (.advance(by: 80), 10_080), (.page(by: 1), 10_720),
      (.scrollTo(50_000, animated: true), 50_000), (.settle(at: 11_000), 11_000),
    ] {
      var state = ScrollState(range: range, offset: 10_000, tuning: tuning)
      state.handle(event, at: moment(0))
      #expect(state.offset(at: moment(0)) == offset && state.phase(at: moment(0)) == .idle, "\(event)")
    }
    var state = ScrollState(range: range, offset: 10_000, tuning: tuning)
    for step in 0..<10 { state.handle(.drag(by: 16), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(73))
    #expect(state.phase(at: moment(73)) == .decelerating)
  }
}
