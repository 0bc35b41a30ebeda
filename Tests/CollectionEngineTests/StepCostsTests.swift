import CollectionEngine
import FramePacing
import TestSupport
import Testing

@Suite("What preparing costs is learned by registration and step, and never taken for free")
struct StepCostsTests {
  static let interval = FrameDuration.milliseconds(16)

  @Test("A step of which nothing is known costs half a frame")
  func cold() {
    var costs = StepCostEstimator(interval: Self.interval)
    for step in PreparationStep.allCases {
      #expect(
        costs.pessimisticCost(step, of: 3) == .milliseconds(8) && costs.typicalCost(step, of: 0) == .milliseconds(8))
    }
    #expect(!costs.isKnown(.create, of: 0) && !costs.isKnown(.create, of: -1))
    #expect(costs.pessimisticCost(.create, of: -1) == .milliseconds(8))
    costs.interval = .milliseconds(4)
    #expect(costs.pessimisticCost(.size, of: 1) == .milliseconds(2))
  }

  @Test("A new registration costs as much as the worst known one, step by step")
  func worstKnown() {
    var costs = StepCostEstimator(interval: Self.interval)
    costs.record(.milliseconds(2), for: .configure, of: 0)
    costs.record(.milliseconds(5), for: .configure, of: 2)
    costs.record(.milliseconds(1), for: .size, of: 2)
    #expect(costs.pessimisticCost(.configure, of: 1) == .milliseconds(5))
    #expect(costs.pessimisticCost(.configure, of: 9) == .milliseconds(5))
    #expect(costs.pessimisticCost(.size, of: 0) == .milliseconds(1))
    #expect(costs.pessimisticCost(.draw, of: 0) == .milliseconds(8))
    #expect(costs.isKnown(.configure, of: 2) && !costs.isKnown(.configure, of: 1) && !costs.isKnown(.draw, of: 2))
  }

  @Test("That others cost nothing at all does not make an unknown step free")
  func zero() {
    var costs = StepCostEstimator(interval: Self.interval)
    costs.record(.zero, for: .create, of: 0)
    #expect(costs.pessimisticCost(.create, of: 0) == .zero)
    #expect(costs.pessimisticCost(.create, of: 1) == .milliseconds(8))
  }

  @Test("The running mean is of a registration and a step alone, and nothing for what was never done")
  func mean() {
    var costs = StepCostEstimator(interval: Self.interval)
    costs.declare(.milliseconds(12), for: .configure, of: 1)
    costs.record(.milliseconds(4), for: .configure, of: 0)
    costs.record(.milliseconds(8), for: .configure, of: 0)
    #expect(costs.meanCost(.configure, of: 0) == .milliseconds(5))
    #expect(
      costs.meanCost(.configure, of: 1) == nil && costs.meanCost(.draw, of: 0) == nil
        && costs.meanCost(.draw, of: 9) == nil)
  }

  @Test("A declared cost holds until a cell has shown another")
  func declared() {
    var costs = StepCostEstimator(interval: Self.interval)
    costs.declare(.milliseconds(12), for: .configure, of: 1)
    #expect(costs.declaredCost(of: .configure, of: 1) == .milliseconds(12))
    #expect(costs.declaredCost(of: .create, of: 1) == nil && costs.declaredCost(of: .create, of: 7) == nil)
    #expect(costs.pessimisticCost(.configure, of: 1) == .milliseconds(12) && !costs.isKnown(.configure, of: 1))
    #expect(costs.pessimisticCost(.configure, of: 0) == .milliseconds(12))
    costs.record(.milliseconds(13), for: .configure, of: 1)
    #expect(costs.pessimisticCost(.configure, of: 1) == .milliseconds(13))
    #expect(costs.declaredCost(of: .configure, of: 1) == .milliseconds(12))
    costs.declare(.milliseconds(-1), for: .size, of: 1)
    #expect(costs.pessimisticCost(.size, of: 1) == .zero)
  }

  @Test("What is left of a preparation costs the sum of its steps")
  func rest() {
    var costs = StepCostEstimator(interval: Self.interval)
    for (step, cost) in zip(PreparationStep.allCases, [1.0, 2, 0, 4, 8, 16]) {
      costs.record(.milliseconds(cost), for: step, of: 0)
    }
    #expect(costs.typicalRemainingCost(PreparationProgress(next: .create), of: 0) == .milliseconds(31))
    #expect(costs.typicalRemainingCost(PreparationProgress(next: .size), of: 0) == .milliseconds(28))
    #expect(costs.typicalRemainingCost(.ready, of: 0) == .zero)
  }

  @Test("Whatever is recorded, a known step costs its own quantiles and no other's", arguments: 0..<5)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var costs = StepCostEstimator(interval: Self.interval)
    var model: [Int: CostEstimate] = [:]
    for _ in 0..<500 {
      let registration = Int.random(in: 0..<6, using: &generator)
      let step = PreparationStep.allCases.randomElement(using: &generator) ?? .create
      let cost = FrameDuration(nanoseconds: .random(in: 1...1_000, using: &generator))
      costs.record(cost, for: step, of: registration)
      model[registration * 6 + Int(step.rawValue), default: CostEstimate()].record(cost)
      for registration in 0..<7 {
        for step in PreparationStep.allCases {
          let own = model[registration * 6 + Int(step.rawValue)]
          let others = (0..<6).compactMap { model[$0 * 6 + Int(step.rawValue)] }
          let worst = others.compactMap(\.pessimistic).max() ?? .milliseconds(8)
          #expect(costs.pessimisticCost(step, of: registration) == own?.pessimistic ?? worst)
          #expect(costs.typicalCost(step, of: registration) <= costs.pessimisticCost(step, of: registration))
          #expect(costs.pessimisticCost(step, of: registration) > .zero)
        }
      }
    }
  }

  @Test("Declared costs are told by step, and none is negative")
  func declaring() {
    let costs = DeclaredCosts(
      create: .milliseconds(1), configure: .milliseconds(2), part: .milliseconds(3), size: .milliseconds(-4),
      draw: .milliseconds(5))
    let told = PreparationStep.allCases.map { costs[$0].milliseconds }
    #expect(told == [1, 2, 3, 0, 5, 0])
    #expect(PreparationStep.allCases.allSatisfy { DeclaredCosts.none[$0] == .zero })
  }

  @Test("Figures of a step are its count, its sum, the longest and quantiles of the last 32")
  func metrics() {
    var metrics = PreparationMetrics()
    #expect(metrics[.draw].count == 0 && metrics[.draw].typical == nil && metrics[.draw].pessimistic == nil)
    metrics.record(.milliseconds(90), for: .draw)
    for _ in 0..<32 { metrics.record(.milliseconds(2), for: .draw) }
    metrics.record(.milliseconds(-1), for: .upload)
    #expect(metrics[.draw].count == 33 && metrics[.draw].total == .milliseconds(154))
    #expect(metrics[.draw].longest == .milliseconds(90) && metrics[.draw].pessimistic == .milliseconds(2))
    #expect(metrics[.upload].count == 1 && metrics[.upload].longest == .zero && metrics[.size].count == 0)
  }
}
