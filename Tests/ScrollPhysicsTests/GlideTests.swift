import FramePacing
import TestSupport
import Testing

@testable import ScrollPhysics

@Suite("Content comes softly to a speed, and keeps it")
struct GlideTests {
  @Test("95 % of the speed is there in a quarter of a second, from rest and from another speed the same way")
  func approach() {
    for initial in [0.0, 400, 2_000] {
      let glide = GlideSimulation(start: 50, initialVelocity: initial, velocity: 1_000)
      #expect(glide.position(at: 0) == 50 && glide.velocity(at: 0) == initial)
      #expect((glide.velocity(at: 0.25) - 1_000).magnitude <= 0.05 * (1_000 - initial).magnitude)
      for step in 1...200 {
        let time = Double(step) / 100
        let slope = (glide.position(at: time + 5e-4) - glide.position(at: time - 5e-4)) / 1e-3
        #expect((slope - glide.velocity(at: time)).magnitude < 0.01)
      }
    }
  }

  @Test("It only ever goes one way: a beginning the other way counts as rest")
  func oneWay() {
    let glide = GlideSimulation(start: 0, initialVelocity: -3_000, velocity: 500)
    #expect(glide.initialVelocity == 0)
    for step in 1...100 { #expect(glide.position(at: Double(step) / 50) > glide.position(at: Double(step - 1) / 50)) }
  }

  @Test("The time to a place leads to that place")
  func timeLeadsToPlace() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<1_000 {
      let glide = GlideSimulation(
        start: .random(in: -1e6...1e6, using: &random), initialVelocity: .random(in: -9_000...9_000, using: &random),
        velocity: .random(in: -9_000...9_000, using: &random))
      let place = glide.position(at: .random(in: 0.001...60, using: &random))
      let time = try #require(glide.time(reaching: place))
      #expect((glide.position(at: time) - place).magnitude < 1e-6)
      #expect(glide.time(reaching: glide.start - (place - glide.start)) == nil)
    }
  }

  @Test("No number in makes a number out that is not finite")
  func alwaysFinite() {
    for start in EdgeCaseNumbers.doubles {
      for initial in EdgeCaseNumbers.doubles {
        for velocity in EdgeCaseNumbers.doubles {
          let glide = GlideSimulation(start: start, initialVelocity: initial, velocity: velocity)
          for time in EdgeCaseNumbers.doubles {
            #expect(glide.position(at: time).isFinite && glide.velocity(at: time).isFinite)
            #expect(glide.time(reaching: time).map { $0.isFinite && $0 >= 0 } ?? true)
          }
          #expect(glide.translated(by: start).position(at: 1).isFinite)
        }
      }
    }
  }

  @Test("Told no speed, content that moves comes to rest as softly, without turning back")
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

  @Test("A held key goes on by itself after 300 ms, once")
  func heldKey() {
    var key = HeldKey(isForward: false, at: moment(100))
    let events = [399.0, 400, 500].map { key.advance(to: moment($0), row: 50) }
    #expect(events == [nil, .glide(velocity: -600), nil] && key.isRunning)
  }

  @Test("A trackpad's burst keeps its axis; a pause lets it choose anew")
  func latch() {
    var latch = AxisLatch()
    // The last one is of long ago: it is one of the burst.
    let moves = [(-2.0, 1.0, 0.0), (0.1, 9, 16), (0.1, -9, 216), (9, 0, 232), (9, 0, 5)]
    let answers = moves.map { latch.goesAcross(along: $0.0, across: $0.1, at: moment($0.2)) }
    #expect(answers == [false, false, true, true, true])
  }
}
