import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("A finger holds content, pulls it beyond its ends and lets it run on")
struct ScrollStateTouchTests {
  /// Draws a finger over a screen and lets go; returns when.
  @discardableResult
  private func draw(
    _ state: inout ScrollState, by distance: Double, times count: Int, from start: Double = 0, every gap: Double = 8
  ) -> FrameInstant {
    state.handle(.hold, at: moment(start))
    for step in 1...count { state.handle(.drag(by: distance), at: moment(start + Double(step) * gap)) }
    let end = moment(start + Double(count) * gap + 1)
    state.handle(.release, at: end)
    return end
  }

  @Test("It follows one to one, and runs on with the finger's velocity")
  func runsOn() {
    var state = ScrollState.sample()
    state.handle(.hold, at: moment(0))
    state.handle(.drag(by: 16), at: moment(8))
    #expect(state.offset(at: moment(8)) == 10_016 && state.phase(at: moment(5_000)) == .tracking)
    #expect(state.restInstant == nil && !state.isMoving(at: moment(8)))
    for step in 2...12 { state.handle(.drag(by: 16), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(97))
    #expect(state.phase(at: moment(97)) == .decelerating)
    #expect((state.velocity(at: moment(97)) - 2_000).magnitude < 1)
    #expect((state.projectedOffset - (10_192 + 998.5)).magnitude < 2)
  }

  @Test(
    "A finger that stood still for 40 ms, or went slowly, leaves it where it is", arguments: [(16.0, 41.0), (0.3, 1)])
  func staysPut(distance: Double, wait: Double) {
    var state = ScrollState.sample()
    state.handle(.hold, at: moment(0))
    for step in 1...12 { state.handle(.drag(by: distance), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(96 + wait))
    #expect(state.phase(at: moment(96 + wait)) == .idle)
    #expect((state.projectedOffset - 10_000 - 12 * distance).magnitude < 1e-9)
  }

  @Test("A finger that is told to be where it was counts as standing still")
  func toldAgain() {
    var state = ScrollState.sample()
    state.handle(.hold, at: moment(0))
    for step in 1...12 { state.handle(.drag(by: 16), at: moment(Double(step) * 8)) }
    for step in 13...18 { state.handle(.drag(by: 0), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(145))
    #expect(state.phase(at: moment(145)) == .idle)
  }

  @Test(
    "Beyond an end it follows as the published curve says, in however many pieces it is pulled",
    arguments: [(10.0, 5.5), (100, 51.5), (400, 172.5), (800, 283.9)], [1, 7])
  func rubberBand(figures: (pulled: Double, shown: Double), pieces: Int) {
    for (edge, sign) in [(0.0, -1.0), (99_200, 1)] {
      var state = ScrollState.sample(offset: edge)
      state.handle(.hold, at: moment(0))
      for piece in 1...pieces {
        state.handle(.drag(by: sign * figures.pulled / Double(pieces)), at: moment(Double(piece)))
      }
      #expect((state.offset(at: moment(9)) - edge - sign * figures.shown).magnitude < 0.1)
      #expect(state.projectedOffset == edge)
    }
  }

  @Test("Let go there it comes back as a critically damped spring, 5 % left after 474 ms")
  func comesBack() throws {
    var state = ScrollState.sample(offset: 0)
    state.handle(.hold, at: moment(0))
    state.handle(.drag(by: -400), at: moment(1))
    state.handle(.release, at: moment(100))
    let held = state.offset(at: moment(100))
    #expect((held + 172.5).magnitude < 0.1 && state.phase(at: moment(100)) == .bouncing)
    #expect((state.offset(at: moment(574)) / held - 0.05).magnitude < 0.002)
    for step in 0..<200 {
      #expect(state.velocity(at: moment(100 + Double(step) * 5)) >= 0)
      #expect(state.offset(at: moment(100 + Double(step) * 5)) <= 0)
    }
    let rest = try #require(state.restInstant)
    #expect(state.offset(at: rest) == 0 && state.phase(at: rest) == .idle)
  }

  @Test("Caught while it comes back, it is held where it is and follows from there")
  func caught() {
    var state = ScrollState.sample(offset: 0)
    state.handle(.drag(by: -400), at: moment(0))
    state.handle(.release, at: moment(100))
    let offset = state.offset(at: moment(200))
    state.handle(.hold, at: moment(200))
    #expect(state.offset(at: moment(900)) == offset && state.phase(at: moment(900)) == .tracking)
    let band = RubberBand(viewportLength: 800)
    state.handle(.drag(by: -20), at: moment(900))
    let expected = band.shown(pulled: band.pulled(shown: offset) - 20)
    #expect((state.offset(at: moment(900)) - expected).magnitude < 1e-6)
    state.handle(.drag(by: 20 - band.pulled(shown: offset) + 300), at: moment(901))
    #expect((state.offset(at: moment(901)) - 300).magnitude < 1e-6)
  }

  @Test("A flick into an end shoots out by 1,000 points a second at most, and bounces", arguments: [900.0, 9_000])
  func bounces(velocity: Double) throws {
    var state = ScrollState.sample(offset: 70 + velocity * 0.024)
    let end = draw(&state, by: -velocity * 0.008, times: 3)
    let rest = try #require(state.restInstant)
    let hit = try #require(state.instant(reaching: 0, after: end))
    #expect(state.phase(at: hit + .milliseconds(1)) == .bouncing)
    let fastest = state.velocity(at: hit + .milliseconds(0.001)).magnitude
    #expect(fastest <= 1_000 && fastest > 700)
    let farthest = (0..<1_000).map { state.offset(at: hit + .milliseconds(Double($0))) }.min() ?? 0
    // A critically damped spring goes v / (e ω) far.
    #expect((farthest + fastest / (10 * 2.718_281_828)).magnitude < 0.1)
    #expect(state.offset(at: rest) == 0 && state.projectedOffset == 0)
  }

  @Test("Flicked back in from beyond an end it runs on within, without a jump in velocity where it passes the end")
  func flickedBackIn() throws {
    var state = ScrollState.sample(offset: 0)
    state.handle(.hold, at: moment(0))
    state.handle(.drag(by: -200), at: moment(100))
    for step in 1...6 { state.handle(.drag(by: 20), at: moment(100 + Double(step) * 8)) }
    state.handle(.release, at: moment(149))
    #expect(state.phase(at: moment(149)) == .bouncing && state.offset(at: moment(149)) < 0)
    let hit = try #require(state.instant(reaching: 0, after: moment(149)))
    #expect(state.phase(at: hit + .milliseconds(1)) == .decelerating)
    let (before, after) = (state.velocity(at: hit - .milliseconds(0.01)), state.velocity(at: hit + .milliseconds(0.01)))
    #expect(before > 100 && (before - after).magnitude < before * 0.01)
    #expect(state.projectedOffset > 50)
  }

  @Test("Flicks on top of a flick that still runs add up")
  func accumulates() {
    var once = ScrollState.sample(length: 1e7)
    draw(&once, by: 20, times: 10, from: 400)
    var twice = ScrollState.sample(length: 1e7)
    draw(&twice, by: 20, times: 10)
    let end = draw(&twice, by: 20, times: 10, from: 400)
    #expect(twice.velocity(at: end) > once.velocity(at: end) + 500)
  }

  @Test("With nowhere to scroll to, with hard ends and with reduced motion nothing is pulled beyond an end")
  func hardEnds() {
    var hard = ScrollTuning()
    hard.bounces = false
    var reduced = ScrollTuning()
    reduced.reducesMotion = true
    for (length, tuning) in [(700.0, ScrollTuning.standard), (9_000, hard), (9_000, reduced)] {
      var state = ScrollState(range: ScrollRange(contentLength: length, viewportLength: 800), tuning: tuning)
      draw(&state, by: -50, times: 8)
      state.swipe(.init(repeating: -30, count: 8), from: 900)
      for step in 0..<300 { #expect(state.offset(at: moment(Double(step) * 5)) == 0) }
    }
  }

  @Test("Content that changes under a finger beyond an end stays as far beyond, or comes within")
  func rangeChanges() {
    var state = ScrollState.sample(offset: 99_200)
    state.handle(.drag(by: 100), at: moment(0))
    let beyond = state.offset(at: moment(0)) - 99_200
    var shorter = state
    shorter.handle(
      .rangeChanged(ScrollRange(contentLength: 50_800, viewportLength: 800), offsetAdjustment: 0), at: moment(1))
    #expect((shorter.offset(at: moment(1)) - 50_000 - beyond).magnitude < 1e-9)
    shorter.handle(.release, at: moment(60))
    #expect(shorter.phase(at: moment(60)) == .bouncing && shorter.projectedOffset == 50_000)
    let offset = state.offset(at: moment(1))
    state.handle(
      .rangeChanged(ScrollRange(contentLength: 200_000, viewportLength: 800), offsetAdjustment: 0), at: moment(1))
    #expect(state.offset(at: moment(1)) == offset)
    state.handle(.release, at: moment(60))
    #expect(state.projectedOffset == offset && state.phase(at: moment(60)) == .idle)
  }

  @Test("Wheels and keys take what is beyond an end back in without a jump, and never bring it there")
  func wheel() {
    for event in [
      ScrollEvent.wheel(distance: 90, kind: .notch), .wheel(distance: -90, kind: .highResolution), .advance(by: -40),
      .page(by: -1), .scrollTo(0, animated: true), .stop, .steady(velocity: -900), .glide(velocity: -900),
      .flick(velocity: -800, accumulating: true),
    ] {
      var state = ScrollState.sample(offset: 0)
      state.handle(.drag(by: -300), at: moment(0))
      state.handle(.release, at: moment(100))
      let before = state.offset(at: moment(150))
      state.handle(event, at: moment(150))
      #expect(state.offset(at: moment(150)) == before, "\(event)")
      #expect(state.range.contains(state.projectedOffset), "\(event)")
      for step in 0..<600 {
        // A flick outwards shoots out a little farther, as it would from the end.
        let most = if case .flick = event { before - 40 } else { before - 1e-9 }
        #expect(state.offset(at: moment(150 + Double(step) * 4)) >= most, "\(event)")
      }
    }
  }
}
