import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("Flicks decelerate")
struct ScrollStateFlickTests {
  @Test("The rest position and time match the closed form from the start")
  func projection() throws {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: true), at: moment(0))
    #expect((state.projectedOffset - 10_998.5).magnitude < 0.6)
    let rest = try #require(state.restInstant)
    #expect((rest - moment(3_797)).milliseconds.magnitude < 10)
    #expect((state.offset(at: rest) - state.projectedOffset).magnitude < 1e-9)
    #expect(state.phase(at: moment(1_000)) == .decelerating)
    #expect(state.phase(at: rest) == .idle)
    #expect(state.velocity(at: rest) == 0)
  }

  @Test("A flick stops at an edge at the instant at which it reaches it", arguments: [-25_000.0, 250_000])
  func stopsAtEdge(velocity: Double) throws {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: velocity, accumulating: false), at: moment(0))
    let end = velocity < 0 ? 0 : 99_200.0
    let rest = try #require(state.restInstant)
    #expect(state.projectedOffset == end)
    #expect(state.offset(at: rest) == end)
    let before = rest - .milliseconds(1)
    #expect((state.offset(at: before) - end).magnitude < velocity.magnitude / 900)
    #expect(state.velocity(at: before).magnitude > 100)
    #expect(state.velocity(at: rest) == 0)
    #expect(state.isMoving(at: before) && !state.isMoving(at: rest))
  }

  @Test("A flick outward from an edge does not start")
  func outwardFromEdge() {
    var state = ScrollState.sample(offset: 0)
    state.handle(.flick(velocity: -3_000, accumulating: true), at: moment(0))
    #expect(!state.isMoving(at: moment(0)) && !state.isTracked(at: moment(0)))
    #expect(state.offset(at: moment(16)) == 0)
  }

  @Test("Flicks in the same direction accumulate, flicks in opposite directions do not")
  func accumulation() {
    var state = ScrollState.sample(offset: 10_000, length: 1e9)
    state.handle(.flick(velocity: 4_000, accumulating: true), at: moment(0))
    let left = state.velocity(at: moment(300))
    var same = state
    same.handle(.flick(velocity: 4_000, accumulating: true), at: moment(300))
    #expect((same.velocity(at: moment(300)) - 4_000 - left).magnitude < 1e-6)
    var exact = state
    exact.handle(.flick(velocity: 4_000, accumulating: false), at: moment(300))
    #expect(exact.velocity(at: moment(300)) == 4_000)
    var slower = state
    slower.handle(.flick(velocity: left / 9, accumulating: true), at: moment(300))
    #expect((slower.velocity(at: moment(300)) - left / 9).magnitude < 1e-9)
    state.handle(.flick(velocity: -4_000, accumulating: true), at: moment(300))
    #expect(state.velocity(at: moment(300)) == -4_000)
  }

  @Test("Accumulation has a maximum velocity, a single flick has none")
  func limit() {
    var state = ScrollState.sample(offset: 0, length: 1e12)
    for flick in 0..<500 { state.handle(.flick(velocity: 30_000, accumulating: true), at: moment(Double(flick))) }
    let velocity = state.velocity(at: moment(499))
    #expect(velocity > 90_000 && velocity <= 200_000)
    state.handle(.flick(velocity: 900_000, accumulating: false), at: moment(499))
    #expect(state.velocity(at: moment(499)) == 900_000)
    state.handle(.flick(velocity: 900_000, accumulating: true), at: moment(500))
    #expect(state.velocity(at: moment(500)) == 900_000)
  }

  @Test("A stop event stops the content at its current offset")
  func stop() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: true), at: moment(0))
    let offset = state.offset(at: moment(200))
    #expect(state.handle(.stop, at: moment(200)) == .projectionChanged)
    #expect(state.offset(at: moment(900)) == offset)
    #expect(!state.isTracked(at: moment(200)))
  }

  @Test("Steady motion keeps its velocity up to the end of the content")
  func steady() throws {
    var state = ScrollState.sample()
    state.handle(.steady(velocity: 3_000), at: moment(0))
    #expect(state.offset(at: moment(1_000)) == 13_000)
    #expect(state.velocity(at: moment(20_000)) == 3_000)
    let rest = try #require(state.restInstant)
    #expect((rest - moment(89_200.0 / 3)).milliseconds.magnitude < 0.001)
    #expect(state.offset(at: moment(40_000)) == 99_200)
  }

  @Test("The instant at which an offset is reached matches the trajectory")
  func instantReachingOffset() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<1_000 {
      var state = ScrollState.sample()
      let event: ScrollEvent =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .flick(velocity: .random(in: -30_000...30_000, using: &random), accumulating: false)
        case 1: .wheel(distance: .random(in: -900...900, using: &random), kind: .notch)
        case 2: .steady(velocity: .random(in: -3_000...3_000, using: &random))
        default: .scrollTo(.random(in: 9_000...11_000, using: &random), animated: true)
        }
      state.handle(event, at: moment(0))
      let now = moment(.random(in: 0...150, using: &random))
      let later = now + .milliseconds(.random(in: 0...1_500, using: &random))
      let offset = state.offset(at: later)
      let found = try #require(state.instant(reaching: offset, after: now))
      #expect(found >= now && found <= later + .milliseconds(0.01))
      #expect((state.offset(at: found) - offset).magnitude < 0.11)
      #expect(state.instant(reaching: -1, after: now) == nil)
      #expect(state.instant(reaching: .nan, after: now) == nil)
    }
  }

  @Test("A glide velocity of zero stops moving content smoothly without reversing")
  func softStop() throws {
    var state = ScrollState.sample()
    state.handle(.glide(velocity: 900), at: moment(0))
    let (offset, velocity) = (state.offset(at: moment(800)), state.velocity(at: moment(800)))
    state.handle(.glide(velocity: 0), at: moment(800))
    #expect(state.offset(at: moment(800)) == offset && (state.velocity(at: moment(800)) - velocity).magnitude < 1e-6)
    let rest = try #require(state.restInstant)
    #expect(rest < moment(1_500) && state.projectedOffset > offset)
    for step in 0..<100 { #expect(state.velocity(at: moment(800 + Double(step) * 8)) >= -1e-6) }
  }
}

// MARK: - Settling

@Suite("A settle event ends the motion at the given offset")
struct ScrollStateSettleTests {
  @Test(
    "A flick that would end near the target decelerates to it without a jump in offset or velocity",
    arguments: [10_600.0, 10_998, 11_700])
  func nearTarget(target: Double) throws {
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

  @Test("The decay rate is the velocity divided by the distance", arguments: [0.5, 1, 5])
  func decay(rateFactor: Double) {
    let distance = 2_000 / (DecelerationRate.normal.decay * rateFactor)
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: 10_000 + distance), at: moment(0))
    // Half of the distance is left after ln 2 / k.
    let half = 0.693_147_18 / (DecelerationRate.normal.decay * rateFactor)
    #expect((state.offset(at: moment(half * 1_000)) - 10_000 - distance / 2).magnitude < 0.01)
  }

  @Test(
    "A spring without overshoot scrolls to a target that is too near, too far or in the other direction",
    arguments: [10_020.0, 10_150, 16_000, 9_000])
  func springTarget(target: Double) throws {
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

  @Test("Settling at a distant offset scrolls the whole distance")
  func noTeleport() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 20_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: 19_000), at: moment(0))
    #expect(state.offset(at: moment(0)) == 10_000)
    #expect(state.projectedOffset == 19_000)
  }

  @Test("Targets beyond the edges are clamped, and settling at the current offset changes nothing")
  func bounds() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: false), at: moment(0))
    state.handle(.settle(at: -4_000), at: moment(0))
    #expect(state.projectedOffset == 0)
    state.handle(.jump(to: 500), at: moment(1))
    state.handle(.settle(at: 500), at: moment(2))
    #expect(state.phase(at: moment(2)) == .idle)
  }

  @Test("With reduced motion, notches, keys and animated scrolls take effect immediately, and drags still decelerate")
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

// MARK: - Paging

@Suite("PageRule")
struct PageRuleTests {
  private let range = ScrollRange(contentLength: 3_000, viewportLength: 800)

  @Test(
    "The target page depends on the offset and velocity at release",
    arguments: [
      (0.0, 0.0, 0.0), (390, 0, 0), (410, 0, 800), (410, 299, 800), (10, 300, 800), (790, 300, 800), (800, 300, 1_600),
      (810, -300, 800), (799.5, -300, 0), (800, -300, 0), (1_700, 0, 1_600), (1_950, 0, 2_200), (1_600, 500, 2_200),
      (-50, 0, 0), (-50, 900, 800), (5_000, 0, 2_200), (2_200, 900, 2_200),
    ])
  func table(offset: Double, velocity: Double, page: Double) {
    #expect(PageRule.offset(from: offset, velocity: velocity, in: range) == page)
  }

  @Test("An empty range has one page")
  func emptyRange() {
    #expect(PageRule.offset(from: 7, velocity: 900, in: .zero) == 0)
    #expect(PageRule.offset(from: .nan, velocity: .nan, in: range) == 0)
  }
}
