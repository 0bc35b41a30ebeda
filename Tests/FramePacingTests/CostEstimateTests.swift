import FramePacing
import TestSupport
import Testing

@Suite("A cost is known by the quantiles of its last samples")
struct CostEstimateTests {
  @Test("Nothing is known at first")
  func empty() {
    let estimate = CostEstimate()
    #expect(estimate.isEmpty && estimate.count == 0)
    #expect(estimate.typical == nil && estimate.pessimistic == nil && estimate.quantile(1) == nil)
  }

  @Test("One sample is every quantile")
  func single() {
    var estimate = CostEstimate()
    estimate.record(.milliseconds(3))
    #expect(estimate.typical == .milliseconds(3) && estimate.pessimistic == .milliseconds(3))
    #expect(estimate.quantile(-5) == .milliseconds(3) && estimate.quantile(1_000) == .milliseconds(3))
  }

  @Test("A heavy tail shows in the pessimistic cost and not in the typical one; a single outlier in neither")
  func tail() {
    var estimate = CostEstimate()
    for sample in 1...30 { estimate.record(.milliseconds(sample % 6 == 0 ? 9 : 1)) }
    #expect(estimate.typical == .milliseconds(1) && estimate.pessimistic == .milliseconds(9))
    var steady = CostEstimate()
    for sample in 1...20 { steady.record(.milliseconds(sample == 7 ? 50 : 1)) }
    #expect(steady.pessimistic == .milliseconds(1) && steady.quantile(100) == .milliseconds(50))
  }

  @Test("The careful cost is above all samples by how much they vary, and is the cost itself where they do not")
  func careful() {
    var estimate = CostEstimate()
    #expect(estimate.conservative == nil)
    for _ in 0..<5 { estimate.record(.milliseconds(4)) }
    #expect(estimate.conservative == .milliseconds(4))
    estimate.record(.milliseconds(10))
    #expect(estimate.conservative == .milliseconds(13))
  }

  @Test("The running mean follows by a quarter, begins with the first sample, and hides a heavy tail")
  func mean() {
    var estimate = CostEstimate()
    #expect(estimate.mean == nil)
    estimate.record(.milliseconds(8))
    #expect(estimate.mean == .milliseconds(8))
    estimate.record(.milliseconds(4))
    #expect(estimate.mean == .milliseconds(7))
    estimate.record(.milliseconds(-20))
    #expect(estimate.mean == .milliseconds(5.25))
    var mixed = CostEstimate()
    for sample in 1...20 { mixed.record(.milliseconds(sample % 5 == 0 ? 22 : 2)) }
    for _ in 0..<4 { mixed.record(.milliseconds(2)) }
    #expect(mixed.mean.map { $0 < .milliseconds(5) } == true && mixed.pessimistic == .milliseconds(22))
  }

  @Test("What a step took long ago is forgotten after 32 samples")
  func forgetting() {
    var estimate = CostEstimate()
    for _ in 0..<32 { estimate.record(.milliseconds(8)) }
    for _ in 0..<31 { estimate.record(.milliseconds(2)) }
    #expect(estimate.quantile(100) == .milliseconds(8))
    estimate.record(.milliseconds(2))
    #expect(estimate.quantile(100) == .milliseconds(2) && estimate.count == 32)
  }

  @Test("Whatever comes, quantiles are the nearest ranks of the last 32 samples sorted", arguments: 0..<8)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var estimate = CostEstimate()
    var samples: [Int64] = []
    for _ in 0..<400 {
      // Few values, so that equal ones come and go.
      let sample = Int64.random(in: -2...(generator.chance(oneIn: 8) ? .max : 12), using: &generator)
      estimate.record(FrameDuration(nanoseconds: sample))
      samples.append(max(0, sample))
      let kept = samples.suffix(32).sorted()
      #expect(estimate.count == kept.count)
      for percent in [1, 10, 50, 90, 99, 100] {
        let rank = Int((Double(percent) / 100 * Double(kept.count)).rounded(.up))
        #expect(estimate.quantile(percent)?.nanoseconds == kept[max(1, rank) - 1])
      }
      #expect(estimate.typical == estimate.quantile(50) && estimate.pessimistic == estimate.quantile(90))
    }
  }
}
