import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("Trackpad deltas")
struct ScrollStateTrackpadTests {
  @Test("The content follows each delta immediately, with resistance beyond an edge")
  func oneToOne() {
    var state = ScrollState.sample(offset: 30)
    let effects = state.handle(.wheel(distance: 12.5, kind: .continuous), at: moment(0))
    #expect(effects == [.moved, .projectionChanged])
    #expect(state.offset(at: moment(0)) == 42.5)
    #expect(state.phase(at: moment(1)) == .tracking)
    #expect(state.velocity(at: moment(1)) == 0)
    state.handle(.wheel(distance: -100, kind: .continuous), at: moment(8))
    let shown = RubberBand(viewportLength: 800, coefficient: 0.2).shown(pulled: -57.5)
    #expect((state.offset(at: moment(8)) - shown).magnitude < 1e-9 && shown < -11 && shown > -11.5)
    #expect(state.phase(at: moment(9)) == .tracking && state.projectedOffset == 0)
  }

  @Test("Content beyond an edge springs back after the presumed release, and the next delta resumes tracking")
  func springsBack() throws {
    var state = ScrollState.sample(offset: 0)
    let last = state.swipe(.init(repeating: -30, count: 6), from: 0)
    let held = state.offset(at: last)
    #expect(held < -30 && state.isMoving(at: last))
    let release = last + .milliseconds(24)
    #expect(state.phase(at: release) == .bouncing && state.offset(at: release) == held)
    let later = release + .milliseconds(80)
    #expect(state.offset(at: later) > held && state.offset(at: later) < 0)
    var resumed = state
    resumed.handle(.wheel(distance: -4, kind: .continuous), at: later)
    #expect((resumed.offset(at: later) - state.offset(at: later)).magnitude < 1)
    #expect(resumed.phase(at: later) == .tracking)
    let rest = try #require(state.restInstant)
    #expect(state.offset(at: rest) == 0 && state.phase(at: rest) == .idle)
  }

  @Test("A swipe into an edge bounces")
  func bounces() throws {
    var state = ScrollState.sample(offset: 300)
    state.swipe(.init(repeating: -24, count: 12), from: 0)
    let rest = try #require(state.restInstant)
    var farthest = 0.0
    for step in 0..<2_000 { farthest = min(farthest, state.offset(at: moment(Double(step)))) }
    #expect(farthest < -20 && farthest > -1_000 / (10 * 2.718))
    #expect(state.offset(at: rest) == 0)
  }

  @Test("The content decelerates from the fingers' velocity three gaps after the last delta, not earlier")
  func decelerates() {
    var state = ScrollState.sample()
    let last = state.swipe(.init(repeating: 16, count: 12), from: 0, every: 10)
    let held = 10_000 + 12 * 16.0
    #expect(state.offset(at: last) == held)
    #expect(state.offset(at: last + .milliseconds(29)) == held)
    #expect(state.phase(at: last + .milliseconds(29)) == .tracking)
    #expect(state.isMoving(at: last))
    let release = last + .milliseconds(30)
    #expect(state.phase(at: release) == .decelerating)
    #expect((state.velocity(at: release) - 1_600).magnitude < 1)
    #expect(state.projectedOffset > held + 700)
  }

  @Test("The release delay is between 24 and 60 ms", arguments: [(1.0, 24.0), (10, 30), (35, 60)])
  func releaseDelay(gap: Double, expected: Double) {
    var state = ScrollState.sample()
    let last = state.swipe(.init(repeating: 20, count: 12), from: 0, every: gap)
    #expect(state.phase(at: last + .milliseconds(expected - 0.1)) == .tracking)
    #expect(state.phase(at: last + .milliseconds(expected)) == .decelerating)
  }

  @Test("Slow, few or reversing deltas do not decelerate")
  func stopsInPlace() {
    for deltas in [
      [Double](repeating: 0.3, count: 12), [40, 40], [40, 40, 40, 40, -1, 40, 40], [40, 40, 40, 40, 40, -40],
    ] {
      var state = ScrollState.sample()
      let last = state.swipe(deltas, from: 0)
      #expect(state.phase(at: last + .milliseconds(60)) == .idle, "\(deltas)")
      #expect(state.projectedOffset == state.offset(at: last), "\(deltas)")
      #expect(!state.isMoving(at: last))
    }
  }

  @Test("A delta after a presumed release resumes tracking")
  func resumesTracking() {
    var state = ScrollState.sample()
    let last = state.swipe(.init(repeating: 16, count: 12), from: 0)
    let late = last + .milliseconds(100)
    let running = state.offset(at: late)
    state.handle(.wheel(distance: 5, kind: .continuous), at: late)
    #expect(state.offset(at: late) == running + 5)
    #expect(state.phase(at: late) == .tracking)
    #expect(state.offset(at: late + .milliseconds(500)) == running + 5)
  }

  @Test("A second swipe adds to the velocity that remains of the first")
  func secondSwipe() throws {
    var once = ScrollState.sample(length: 1e7)
    once.swipe(.init(repeating: 20, count: 12), from: 500)
    var twice = ScrollState.sample(length: 1e7)
    twice.swipe(.init(repeating: 20, count: 12), from: 0)
    twice.swipe(.init(repeating: 20, count: 12), from: 500)
    let release = moment(500 + 88 + 24.001)
    #expect(twice.velocity(at: release) > once.velocity(at: release) + 500)
    #expect(once.velocity(at: release) > 2_000)
  }

  @Test("A stop, a jump, a notch or a page event cancels the deceleration")
  func cancelsDeceleration() {
    for event in [ScrollEvent.stop, .jump(to: 500), .wheel(distance: 10, kind: .notch), .page(by: 1)] {
      var state = ScrollState.sample()
      let last = state.swipe(.init(repeating: 16, count: 12), from: 0)
      state.handle(event, at: last + .milliseconds(5))
      #expect(state.phase(at: last + .milliseconds(40)) != .decelerating)
    }
  }

  @Test("Deltas with the same time stamp count as one and do not prevent the deceleration")
  func drainedTogether() {
    var state = ScrollState.sample()
    for frame in 0..<6 {
      for _ in 0..<2 {
        state.handle(.wheel(distance: 10, kind: .continuous), at: moment(Double(frame) * 16.667))
      }
    }
    let release = moment(5 * 16.667 + 50.1)
    #expect(state.phase(at: release) == .decelerating)
    #expect((state.velocity(at: release) - 1_200).magnitude < 5)
  }

  @Test("The scroll thumb holds the content until it is released")
  func thumb() {
    var state = ScrollState.sample()
    #expect(state.handle(.thumbDrag(to: 60_000), at: moment(0)) == [.moved, .teleported, .projectionChanged])
    #expect(state.offset(at: moment(0)) == 60_000)
    #expect(state.restInstant == nil)
    #expect(state.isTracked(at: moment(60_000)) && !state.isMoving(at: moment(0)))
    state.handle(.thumbDrag(to: 1e12), at: moment(10))
    #expect(state.projectedOffset == 99_200)
    state.handle(.thumbRelease, at: moment(20))
    #expect(!state.isTracked(at: moment(20)))
    #expect(state.restInstant == moment(20))
    state.handle(.flick(velocity: -900, accumulating: true), at: moment(30))
    #expect(state.handle(.thumbRelease, at: moment(40)).isEmpty)
    #expect(state.phase(at: moment(40)) == .decelerating)
  }
}
