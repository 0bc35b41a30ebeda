import Testing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("SpringSimulation")
struct SpringSimulationTests {
  @Test(
    "95 % of the distance takes the documented time",
    arguments: [
      (SpringParameters.wheel, 0.150), (.wheelBegin, 0.134), (.wheelSlowing, 0.106), (.keyboard, 0.250),
      (.edgeBounce, 0.474),
    ])
  func settlingTimes(parameters: SpringParameters, seconds: Double) {
    let spring = SpringSimulation(start: 0, target: 100, parameters: parameters)
    #expect((spring.position(at: seconds) - 95).magnitude < 0.2)
  }

  @Test("A new target changes neither the position nor the velocity at its instant")
  func retargetingIsSmooth() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      let spring = SpringSimulation(
        start: .random(in: -1e4...1e4, using: &random), velocity: .random(in: -1e4...1e4, using: &random),
        target: .random(in: -1e4...1e4, using: &random), parameters: .wheel)
      let time = Double.random(in: 0...spring.duration, using: &random)
      let retargeted = spring.retargeted(to: 5, after: time, parameters: .keyboard)
      #expect(retargeted.duration > 0)
      #expect(retargeted.position(at: 0) == spring.position(at: time))
      #expect((retargeted.velocity(at: 0) - spring.velocity(at: time)).magnitude < 1e-6)
    }
  }

  @Test("Retargeting to the same target does not change the trajectory")
  func retargetingToSameTarget() {
    let spring = SpringSimulation(start: 0, velocity: 3_000, target: 500, parameters: .wheel)
    let retargeted = spring.retargeted(to: 500, after: 0.05)
    for step in 0..<30 {
      let time = Double(step) / 100
      #expect((retargeted.position(at: time) - spring.position(at: time + 0.05)).magnitude < 1e-6)
    }
  }

  @Test("The spring is at its target from its duration on, and the final step is invisible")
  func settlesAtTarget() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let spring = SpringSimulation(
        start: .random(in: -1e5...1e5, using: &random), velocity: .random(in: -1e5...1e5, using: &random),
        target: .random(in: -1e5...1e5, using: &random),
        parameters: SpringParameters(stiffness: .random(in: 50...3_000, using: &random)))
      #expect(spring.position(at: spring.duration) == spring.target)
      let step = spring.position(at: spring.duration * (1 - 1e-9)) - spring.target
      #expect(step.magnitude <= SpringSimulation.restDistance * 1.01)
    }
  }

  @Test("The time at which a position is reached is the first one")
  func timeReachingPosition() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<500 {
      let spring = SpringSimulation(
        start: .random(in: -500...500, using: &random), velocity: .random(in: -2e4...2e4, using: &random),
        target: .random(in: -500...500, using: &random), parameters: .keyboard)
      let position = Double.random(in: -1_500...1_500, using: &random)
      // Brute force: the first of many short steps that crosses the position.
      var firstCrossing: Double?
      let steps = 4_000
      for step in 0..<steps where firstCrossing == nil {
        let from = spring.position(at: spring.duration * Double(step) / Double(steps))
        let to = spring.position(at: spring.duration * Double(step + 1) / Double(steps))
        if (from - position) * (to - position) <= 0 { firstCrossing = spring.duration * Double(step) / Double(steps) }
      }
      guard let firstCrossing else { continue }
      let time = try #require(spring.time(reaching: position))
      #expect((time - firstCrossing).magnitude <= spring.duration / Double(steps) * 1.01)
    }
  }

  @Test("A spring without initial velocity does not overshoot")
  func noOvershoot() {
    for step in 0...100 {
      let spring = SpringSimulation(start: 0, velocity: 0, target: 96, parameters: .wheel)
      let time = spring.duration * Double(step) / 100
      #expect(spring.position(at: time) <= 96)
      #expect(spring.velocity(at: time) >= 0)
    }
  }
}
