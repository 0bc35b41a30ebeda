import ScrollPhysics
import TestSupport
import Testing

@Suite("Every motion keeps the laws of motions, whatever its numbers")
struct SimulationLawTests {
  @Test("No number in makes a number out that is not finite")
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
    var isLawful = simulation.duration.isFinite && simulation.duration >= 0 && simulation.restPosition.isFinite
    for time in EdgeCaseNumbers.doubles {
      isLawful = isLawful && simulation.position(at: time).isFinite && simulation.velocity(at: time).isFinite
      isLawful = isLawful && (simulation.time(reaching: time).map { $0.isFinite && $0 >= 0 } ?? true)
    }
    isLawful = isLawful && simulation.translated(by: simulation.restPosition).position(at: 1).isFinite
    isLawful = isLawful && simulation.position(at: simulation.duration) == simulation.restPosition
    isLawful = isLawful && simulation.velocity(at: simulation.duration) == 0
    isLawful = isLawful && simulation.position(at: -1) == simulation.position(at: 0)
    #expect(isLawful, "\(simulation)")
  }

  @Test("Moving the origin moves every position and no velocity")
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
