import ScrollPhysics
import TestSupport
import Testing

@Suite("A flick dies away as UIKit's does")
struct DecelerationSimulationTests {
  @Test(
    "Distances and times are those of the published constants",
    arguments: [
      (DecelerationRate.normal, 2_000.0, 999.0, 3.80), (.normal, 8_000, 3_996, 4.49), (.fast, 2_000, 199, 0.60),
      (.fast, 8_000, 796, 0.73),
    ])
  func publishedFigures(rate: DecelerationRate, velocity: Double, distance: Double, seconds: Double) {
    let simulation = DecelerationSimulation(start: 0, velocity: velocity, rate: rate)
    #expect((simulation.projection - distance).magnitude < 0.6)
    #expect((simulation.duration - seconds).magnitude < 0.01)
    #expect((simulation.projection - simulation.restPosition - 0.5).magnitude < 1e-6)
  }

  @Test("Velocity is the slope of position")
  func velocityIsTheSlope() {
    let simulation = DecelerationSimulation(start: 1e9, velocity: -5_000)
    for step in 1..<400 {
      let time = Double(step) / 100
      let slope = (simulation.position(at: time + 5e-4) - simulation.position(at: time - 5e-4)) / 1e-3
      #expect((slope - simulation.velocity(at: time)).magnitude < 0.01)
    }
  }

  @Test("The time to a place leads to that place")
  func timeLeadsToPlace() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let simulation = DecelerationSimulation(
        start: .random(in: -1e6...1e6, using: &random), velocity: .random(in: -30_000...30_000, using: &random))
      let share = Double.random(in: 0...1, using: &random)
      let place = simulation.start + (simulation.restPosition - simulation.start) * share
      let time = try #require(simulation.time(reaching: place))
      #expect((simulation.position(at: time) - place).magnitude < 1e-6)
    }
    let flick = DecelerationSimulation(start: 0, velocity: 1_000)
    #expect(flick.time(reaching: -1) == nil)
    #expect(flick.time(reaching: 10_000) == nil)
    #expect(flick.time(reaching: 0) == 0)
  }

  @Test("Below the rest distance there is no motion")
  func tooSlowToMove() {
    let simulation = DecelerationSimulation(start: 7, velocity: 0.9)
    #expect(simulation.duration == 0)
    #expect(simulation.restPosition == 7)
    #expect(simulation.velocity(at: 0) == 0)
  }

  @Test("The normal and the fast rate have their decay constants")
  func decayConstants() {
    #expect((DecelerationRate.normal.decay - 2.002).magnitude < 1e-3)
    #expect((DecelerationRate.fast.decay - 10.05).magnitude < 1e-2)
    #expect(DecelerationRate(perMillisecond: .nan) == .normal)
    #expect(DecelerationRate(perMillisecond: 7).perMillisecond == 0.9999)
  }
}
