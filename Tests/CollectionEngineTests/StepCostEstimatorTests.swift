import Testing
import VitrineCollectionEngine
import VitrineFramePacing
import VitrineTestSupport

@Suite("Preparation costs are estimated per registration and step, and an unknown cost is never zero")
struct StepCostEstimatorTests {
  static let interval = FrameDuration.milliseconds(16)

  @Test("A step without records costs half a frame")
  func noRecords() {
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

  @Test("A new registration costs as much as the most expensive known one, per step")
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

  @Test("Zero costs of other registrations do not make an unknown step free")
  func zero() {
    var costs = StepCostEstimator(interval: Self.interval)
    costs.record(.zero, for: .create, of: 0)
    #expect(costs.pessimisticCost(.create, of: 0) == .zero)
    #expect(costs.pessimisticCost(.create, of: 1) == .milliseconds(8))
  }

  @Test("The mean is per registration and step, and nil without records")
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

  @Test("A declared cost applies until a cell has been measured")
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

  @Test("The remaining cost of a preparation is the sum of its remaining steps")
  func remainingCost() {
    var costs = StepCostEstimator(interval: Self.interval)
    for (step, cost) in zip(PreparationStep.allCases, [1.0, 2, 0, 4, 8, 16]) {
      costs.record(.milliseconds(cost), for: step, of: 0)
    }
    #expect(costs.typicalRemainingCost(PreparationProgress(next: .create), of: 0) == .milliseconds(31))
    #expect(costs.typicalRemainingCost(PreparationProgress(next: .size), of: 0) == .milliseconds(28))
    #expect(costs.typicalRemainingCost(.ready, of: 0) == .zero)
  }

  @Test("A known step costs its own quantiles, independent of other steps", arguments: TestScale.seeds(0..<5))
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

  @Test("Declared costs are looked up by step and are never negative")
  func declaredCosts() {
    let costs = DeclaredCosts(
      create: .milliseconds(1), configure: .milliseconds(2), part: .milliseconds(3), size: .milliseconds(-4),
      draw: .milliseconds(5))
    let values = PreparationStep.allCases.map { costs[$0].milliseconds }
    #expect(values == [1, 2, 3, 0, 5, 0])
    #expect(PreparationStep.allCases.allSatisfy { DeclaredCosts.none[$0] == .zero })
  }

  @Test("The metrics of a step are its count, total, maximum, and quantiles of the last 32 records")
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

@Suite("The next cell may be of any recent registration")
struct RecentRegistrationsTests {
  static func cost(_ registration: Int) -> FrameDuration { .milliseconds(Double(registration * registration)) }

  @Test("Before the first cell, the first registration is assumed")
  func empty() {
    let registrations = RecentRegistrations()
    #expect(registrations.last == 0 && registrations.count == 0)
    #expect(registrations.worstCost { _ in .milliseconds(7) } == .milliseconds(7))
    #expect(registrations.meanCost { _ in .milliseconds(7) } == .milliseconds(7))
  }

  @Test("An expensive registration counts until 32 other cells came")
  func expensive() {
    var registrations = RecentRegistrations()
    for _ in 0..<40 { registrations.recordRegistration(1) }
    registrations.recordRegistration(5)
    for cheap in 1...32 {
      #expect(registrations.worstCost(Self.cost) == .milliseconds(25), "after \(cheap - 1)")
      registrations.recordRegistration(1)
    }
    #expect(
      registrations.worstCost(Self.cost) == .milliseconds(1) && registrations.meanCost(Self.cost) == .milliseconds(1))
  }

  @Test("If all recent cells have one registration, its cost is queried once")
  func uniform() {
    var registrations = RecentRegistrations()
    for _ in 0..<100 { registrations.recordRegistration(3) }
    var queries = 0
    let cost = registrations.worstCost { _ in
      queries += 1
      return .milliseconds(9)
    }
    #expect(cost == .milliseconds(9) && queries == 1)
  }

  @Test("The worst and the mean cost are those of the last 32 cells", arguments: 0..<8)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var registrations = RecentRegistrations()
    var all: [Int] = []
    for _ in 0..<300 {
      // Long runs of one registration, so that uniform and mixed histories alternate.
      let registration = Int.random(in: 0..<4, using: &generator)
      for _ in 0..<(generator.chance(oneIn: 4) ? 40 : 3) {
        registrations.recordRegistration(registration)
        all.append(registration)
        let recent = all.suffix(32).map { Self.cost($0).nanoseconds }
        #expect(registrations.count == recent.count && registrations.last == registration)
        #expect(registrations.worstCost(Self.cost).nanoseconds == recent.max())
        #expect(registrations.meanCost(Self.cost).nanoseconds == recent.reduce(0, +) / Int64(recent.count))
      }
    }
  }
}
