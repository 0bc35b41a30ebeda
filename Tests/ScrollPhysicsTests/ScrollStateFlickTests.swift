import FramePacing
import ScrollPhysics
import TestSupport
import Testing

@Suite("A flick runs on by itself")
struct ScrollStateFlickTests {
  @Test("It rests where its closed form says, and the end is known from the beginning")
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

  @Test("It stops at an end, at the instant at which it gets there", arguments: [-25_000.0, 250_000])
  func stopsAtAnEnd(velocity: Double) throws {
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

  @Test("At an end and outwards it does not even begin")
  func outwardsFromAnEnd() {
    var state = ScrollState.sample(offset: 0)
    state.handle(.flick(velocity: -3_000, accumulating: true), at: moment(0))
    #expect(!state.isMoving(at: moment(0)) && !state.isTracked(at: moment(0)))
    #expect(state.offset(at: moment(16)) == 0)
  }

  @Test("Flicks the same way add up, the other way they do not")
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

  @Test("Adding up has a limit, an exact flick has none")
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

  @Test("A stop stops it where it is")
  func stop() {
    var state = ScrollState.sample()
    state.handle(.flick(velocity: 2_000, accumulating: true), at: moment(0))
    let offset = state.offset(at: moment(200))
    #expect(state.handle(.stop, at: moment(200)) == .projectionChanged)
    #expect(state.offset(at: moment(900)) == offset)
    #expect(!state.isTracked(at: moment(200)))
  }

  @Test("A steady motion keeps its velocity up to the end of the content")
  func steady() throws {
    var state = ScrollState.sample()
    state.handle(.steady(velocity: 3_000), at: moment(0))
    #expect(state.offset(at: moment(1_000)) == 13_000)
    #expect(state.velocity(at: moment(20_000)) == 3_000)
    let rest = try #require(state.restInstant)
    #expect((rest - moment(89_200.0 / 3)).milliseconds.magnitude < 0.001)
    #expect(state.offset(at: moment(40_000)) == 99_200)
  }

  @Test("The instant at which a place comes is the instant at which it comes")
  func instantOfAPlace() throws {
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
      let place = state.offset(at: later)
      let found = try #require(state.instant(reaching: place, after: now))
      #expect(found >= now && found <= later + .milliseconds(0.01))
      #expect((state.offset(at: found) - place).magnitude < 0.11)
      #expect(state.instant(reaching: -1, after: now) == nil)
      #expect(state.instant(reaching: .nan, after: now) == nil)
    }
  }
}
