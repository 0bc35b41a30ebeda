import Glibc
import Testing
import VitrineTestSupport

@testable import VitrineScrollPhysics

@Suite("Invariants of every simulation")
struct SimulationInvariantTests {
  @Test("Extreme parameters produce finite values")
  func alwaysFinite() {
    let numbers = EdgeCaseNumbers.doubles.enumerated().filter { $0.offset % 2 == 0 || !$0.element.isFinite }.map(
      \.element)
    for start in numbers {
      for velocity in numbers {
        expectFinite(UniformSimulation(start: start, velocity: velocity))
        for parameter in numbers {
          expectFinite(
            DecelerationSimulation(
              start: start, velocity: velocity, rate: DecelerationRate(perMillisecond: parameter),
              restDistance: parameter))
          expectFinite(
            SpringSimulation(start: start, velocity: velocity, target: parameter, parameters: .wheel))
          expectFinite(
            SpringSimulation(
              start: start, velocity: velocity, target: 0, parameters: SpringParameters(stiffness: parameter)))
        }
      }
    }
  }

  private func expectFinite(_ simulation: some Simulation) {
    var isValid = simulation.duration.isFinite && simulation.duration >= 0 && simulation.restPosition.isFinite
    for time in EdgeCaseNumbers.doubles {
      isValid = isValid && simulation.position(at: time).isFinite && simulation.velocity(at: time).isFinite
      isValid = isValid && (simulation.time(reaching: time).map { $0.isFinite && $0 >= 0 } ?? true)
    }
    isValid = isValid && simulation.translated(by: simulation.restPosition).position(at: 1).isFinite
    isValid = isValid && simulation.position(at: simulation.duration) == simulation.restPosition
    isValid = isValid && simulation.velocity(at: simulation.duration) == 0
    isValid = isValid && simulation.position(at: -1) == simulation.position(at: 0)
    #expect(isValid, "\(simulation)")
  }

  @Test("Translation moves every position and no velocity")
  func translation() {
    let spring = SpringSimulation(start: 3, velocity: 900, target: 700, parameters: .keyboard)
    let flick = DecelerationSimulation(start: 3, velocity: -900)
    for step in 0...50 {
      let time = Double(step) / 10
      #expect((spring.translated(by: 1e6).position(at: time) - spring.position(at: time) - 1e6).magnitude < 1e-8)
      #expect((flick.translated(by: 1e6).position(at: time) - flick.position(at: time) - 1e6).magnitude < 1e-8)
      #expect(flick.translated(by: 1e6).velocity(at: time) == flick.velocity(at: time))
    }
  }
}

@Suite("DecelerationSimulation matches UIKit")
struct DecelerationSimulationTests {
  @Test(
    "Distances and durations match the published constants",
    arguments: [
      (DecelerationRate.normal, 2_000.0, 999.0, 3.80), (.normal, 8_000, 3_996, 4.49), (.fast, 2_000, 199, 0.60),
      (.fast, 8_000, 796, 0.73),
    ])
  func publishedValues(rate: DecelerationRate, velocity: Double, distance: Double, seconds: Double) {
    let simulation = DecelerationSimulation(start: 0, velocity: velocity, rate: rate)
    #expect((simulation.projection - distance).magnitude < 0.6)
    #expect((simulation.duration - seconds).magnitude < 0.01)
    #expect((simulation.projection - simulation.restPosition - 0.5).magnitude < 1e-6)
  }

  @Test("Velocity is the derivative of position")
  func velocityIsDerivative() {
    let simulation = DecelerationSimulation(start: 1e9, velocity: -5_000)
    for step in 1..<400 {
      let time = Double(step) / 100
      let slope = (simulation.position(at: time + 5e-4) - simulation.position(at: time - 5e-4)) / 1e-3
      #expect((slope - simulation.velocity(at: time)).magnitude < 0.01)
    }
  }

  @Test("The time at which a position is reached matches the position")
  func timeReachingPosition() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let simulation = DecelerationSimulation(
        start: .random(in: -1e6...1e6, using: &random), velocity: .random(in: -30_000...30_000, using: &random))
      let fraction = Double.random(in: 0...1, using: &random)
      let position = simulation.start + (simulation.restPosition - simulation.start) * fraction
      let time = try #require(simulation.time(reaching: position))
      #expect((simulation.position(at: time) - position).magnitude < 1e-6)
    }
    let flick = DecelerationSimulation(start: 0, velocity: 1_000)
    #expect(flick.time(reaching: -1) == nil)
    #expect(flick.time(reaching: 10_000) == nil)
    #expect(flick.time(reaching: 0) == 0)
  }

  @Test("A velocity below the rest threshold produces no motion")
  func belowRestDistance() {
    let simulation = DecelerationSimulation(start: 7, velocity: 0.9)
    #expect(simulation.duration == 0)
    #expect(simulation.restPosition == 7)
    #expect(simulation.velocity(at: 0) == 0)
  }

  @Test("The normal and fast rates have their decay constants")
  func decayConstants() {
    #expect((DecelerationRate.normal.decay - 2.002).magnitude < 1e-3)
    #expect((DecelerationRate.fast.decay - 10.05).magnitude < 1e-2)
    #expect(DecelerationRate(perMillisecond: .nan) == .normal)
    #expect(DecelerationRate(perMillisecond: 7).perMillisecond == 0.9999)
  }
}

@Suite("GlideSimulation approaches a velocity")
struct GlideSimulationTests {
  @Test("95 % of the velocity is reached after 250 ms from rest and from another velocity in the same direction")
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

  @Test("The motion never reverses: an initial velocity in the other direction counts as zero")
  func monotonic() {
    let glide = GlideSimulation(start: 0, initialVelocity: -3_000, velocity: 500)
    #expect(glide.initialVelocity == 0)
    for step in 1...100 { #expect(glide.position(at: Double(step) / 50) > glide.position(at: Double(step - 1) / 50)) }
  }

  @Test("The time at which a position is reached matches the position")
  func timeReachingPosition() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<1_000 {
      let glide = GlideSimulation(
        start: .random(in: -1e6...1e6, using: &random), initialVelocity: .random(in: -9_000...9_000, using: &random),
        velocity: .random(in: -9_000...9_000, using: &random))
      let position = glide.position(at: .random(in: 0.001...60, using: &random))
      let time = try #require(glide.time(reaching: position))
      #expect((glide.position(at: time) - position).magnitude < 1e-6)
      #expect(glide.time(reaching: glide.start - (position - glide.start)) == nil)
    }
  }

  @Test("Extreme parameters produce finite values")
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
}

@Suite("Exponential matches the C library")
struct ExponentialTests {
  @Test("Powers agree to a few units in the last place")
  func powersAgree() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let power = Double.random(in: -700...700, using: &random)
      let expected = Glibc.exp(power)
      #expect((Exponential.exp(power) - expected).magnitude <= 4 * expected.ulp)
    }
    #expect(Exponential.exp(0) == 1)
    #expect(Exponential.exp(-1e300) == 0)
    #expect(Exponential.exp(.nan) == 0)
    #expect(Exponential.exp(.infinity).isFinite)
  }

  @Test("Logarithms agree to a few units in the last place")
  func logarithmsAgree() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      let number = Glibc.exp(Double.random(in: -700...700, using: &random))
      let expected = Glibc.log(number)
      #expect((Exponential.log(number) - expected).magnitude <= 4 * max(expected.ulp, 1e-16))
    }
    #expect(Exponential.log(1) == 0)
    for number in EdgeCaseNumbers.doubles { #expect(Exponential.log(number).isFinite) }
  }
}
