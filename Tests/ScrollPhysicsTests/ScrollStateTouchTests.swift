import Testing
import VitrineFramePacing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("Finger drags")
struct ScrollStateTouchTests {
  /// Drags a finger and releases it.
  ///
  /// - Returns: The instant of the release.
  @discardableResult
  private func drag(
    _ state: inout ScrollState, by distance: Double, times count: Int, from start: Double = 0, every gap: Double = 8
  ) -> FrameInstant {
    state.handle(.hold, at: moment(start))
    for step in 1...count { state.handle(.drag(by: distance), at: moment(start + Double(step) * gap)) }
    let end = moment(start + Double(count) * gap + 1)
    state.handle(.release, at: end)
    return end
  }

  @Test("The content follows one to one and decelerates from the finger's velocity")
  func decelerates() {
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
    "After a pause of 40 ms or a slow drag, the content stays in place", arguments: [(16.0, 41.0), (0.3, 1)])
  func stopsInPlace(distance: Double, wait: Double) {
    var state = ScrollState.sample()
    state.handle(.hold, at: moment(0))
    for step in 1...12 { state.handle(.drag(by: distance), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(96 + wait))
    #expect(state.phase(at: moment(96 + wait)) == .idle)
    #expect((state.projectedOffset - 10_000 - 12 * distance).magnitude < 1e-9)
  }

  @Test("Deltas of zero count as standing still")
  func zeroDeltas() {
    var state = ScrollState.sample()
    state.handle(.hold, at: moment(0))
    for step in 1...12 { state.handle(.drag(by: 16), at: moment(Double(step) * 8)) }
    for step in 13...18 { state.handle(.drag(by: 0), at: moment(Double(step) * 8)) }
    state.handle(.release, at: moment(145))
    #expect(state.phase(at: moment(145)) == .idle)
  }

  @Test(
    "Beyond an edge the content follows the published curve, for any number of deltas",
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

  @Test("Released beyond an edge, the content returns as a critically damped spring with 5 % left after 474 ms")
  func springsBack() throws {
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

  @Test("A finger that grabs bouncing content continues from the current offset")
  func grabbedWhileBouncing() {
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

  @Test(
    "A flick into an edge overshoots at no more than 1,000 points per second and bounces", arguments: [900.0, 9_000])
  func bounces(velocity: Double) throws {
    var state = ScrollState.sample(offset: 70 + velocity * 0.024)
    let end = drag(&state, by: -velocity * 0.008, times: 3)
    let rest = try #require(state.restInstant)
    let hit = try #require(state.instant(reaching: 0, after: end))
    #expect(state.phase(at: hit + .milliseconds(1)) == .bouncing)
    let fastest = state.velocity(at: hit + .milliseconds(0.001)).magnitude
    #expect(fastest <= 1_000 && fastest > 700)
    let farthest = (0..<1_000).map { state.offset(at: hit + .milliseconds(Double($0))) }.min() ?? 0
    // The maximum displacement of a critically damped spring is v / (e ω).
    #expect((farthest + fastest / (10 * 2.718_281_828)).magnitude < 0.1)
    #expect(state.offset(at: rest) == 0 && state.projectedOffset == 0)
  }

  @Test("A flick back from beyond an edge decelerates within the range without a jump in velocity at the edge")
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

  @Test("Flicks during deceleration accumulate")
  func accumulates() {
    var once = ScrollState.sample(length: 1e7)
    drag(&once, by: 20, times: 10, from: 400)
    var twice = ScrollState.sample(length: 1e7)
    drag(&twice, by: 20, times: 10)
    let end = drag(&twice, by: 20, times: 10, from: 400)
    #expect(twice.velocity(at: end) > once.velocity(at: end) + 500)
  }

  @Test("Content that cannot scroll, disabled bouncing and reduced motion have no overscroll")
  func hardEnds() {
    var hard = ScrollTuning()
    hard.bounces = false
    var reduced = ScrollTuning()
    reduced.reducesMotion = true
    for (length, tuning) in [(700.0, ScrollTuning.standard), (9_000, hard), (9_000, reduced)] {
      var state = ScrollState(range: ScrollRange(contentLength: length, viewportLength: 800), tuning: tuning)
      drag(&state, by: -50, times: 8)
      state.swipe(.init(repeating: -30, count: 8), from: 900)
      for step in 0..<300 { #expect(state.offset(at: moment(Double(step) * 5)) == 0) }
    }
  }

  @Test("A range change during overscroll keeps the overscroll distance or ends the overscroll")
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

  @Test("Wheel and key events during a bounce return the content without a jump or additional overscroll")
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
        // An outward flick overshoots a little farther, as it would from the edge.
        let minimum = if case .flick = event { before - 40 } else { before - 1e-9 }
        #expect(state.offset(at: moment(150 + Double(step) * 4)) >= minimum, "\(event)")
      }
    }
  }
}
