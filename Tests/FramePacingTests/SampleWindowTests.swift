import Testing
import VitrineFramePacing
import VitrineTestSupport

@Suite("CostEstimate")
struct CostEstimateTests {
  @Test("An empty estimate has no values")
  func empty() {
    let estimate = CostEstimate()
    #expect(estimate.isEmpty && estimate.count == 0)
    #expect(estimate.typical == nil && estimate.pessimistic == nil && estimate.quantile(1) == nil)
  }

  @Test("A single sample is every quantile")
  func single() {
    var estimate = CostEstimate()
    estimate.record(.milliseconds(3))
    #expect(estimate.typical == .milliseconds(3) && estimate.pessimistic == .milliseconds(3))
    #expect(estimate.quantile(-5) == .milliseconds(3) && estimate.quantile(1_000) == .milliseconds(3))
  }

  @Test("A heavy tail raises the pessimistic cost but not the typical one, and a single outlier raises neither")
  func heavyTail() {
    var estimate = CostEstimate()
    for sample in 1...30 { estimate.record(.milliseconds(sample % 6 == 0 ? 9 : 1)) }
    #expect(estimate.typical == .milliseconds(1) && estimate.pessimistic == .milliseconds(9))
    var steady = CostEstimate()
    for sample in 1...20 { steady.record(.milliseconds(sample == 7 ? 50 : 1)) }
    #expect(steady.pessimistic == .milliseconds(1) && steady.quantile(100) == .milliseconds(50))
  }

  @Test("The conservative cost exceeds all samples by their spread and equals constant samples")
  func conservative() {
    var estimate = CostEstimate()
    #expect(estimate.conservative == nil)
    for _ in 0..<5 { estimate.record(.milliseconds(4)) }
    #expect(estimate.conservative == .milliseconds(4))
    estimate.record(.milliseconds(10))
    #expect(estimate.conservative == .milliseconds(13))
  }

  @Test("The mean starts with the first sample, moves by a quarter per sample and hides a heavy tail")
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

  @Test("Samples are forgotten after 32 newer ones")
  func forgetting() {
    var estimate = CostEstimate()
    for _ in 0..<32 { estimate.record(.milliseconds(8)) }
    for _ in 0..<31 { estimate.record(.milliseconds(2)) }
    #expect(estimate.quantile(100) == .milliseconds(8))
    estimate.record(.milliseconds(2))
    #expect(estimate.quantile(100) == .milliseconds(2) && estimate.count == 32)
  }

  @Test("Quantiles are the nearest ranks of the last 32 samples", arguments: 0..<8)
  func model(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var estimate = CostEstimate()
    var samples: [Int64] = []
    for _ in 0..<400 {
      // Few distinct values, so that equal ones occur.
      let sample = Int64.random(in: -2...(generator.chance(oneIn: 8) ? .max : 12), using: &generator)
      estimate.record(FrameDuration(nanoseconds: sample))
      samples.append(max(0, sample))
      let stored = samples.suffix(32).sorted()
      #expect(estimate.count == stored.count)
      for percent in [1, 10, 50, 90, 99, 100] {
        let rank = Int((Double(percent) / 100 * Double(stored.count)).rounded(.up))
        #expect(estimate.quantile(percent)?.nanoseconds == stored[max(1, rank) - 1])
      }
      #expect(estimate.typical == estimate.quantile(50) && estimate.pessimistic == estimate.quantile(90))
    }
  }
}

@Suite("SampleWindow and Percentiles")
struct SampleWindowTests {
  @Test("The largest and smallest samples match the sorted last 64 samples")
  func sampleWindow() {
    var generator = SeededGenerator(seed: 5)
    var window = SampleWindow()
    var samples: [Int64] = []
    for _ in 0..<500 {
      let sample = Int64.random(in: 0...40, using: &generator)
      window.append(FrameDuration(nanoseconds: sample))
      samples.append(sample)
      let sorted = samples.suffix(64).sorted(by: >)
      for exceeded in [0, 3, 6, 31] {
        let expected = sorted[min(exceeded, sorted.count - 1)]
        #expect(window.largest(excluding: exceeded).nanoseconds == expected)
        let smallest = sorted[max(0, sorted.count - 1 - exceeded)]
        #expect(window.smallest(excluding: exceeded).nanoseconds == smallest)
      }
    }
  }

  @Test("Percentiles are nearest ranks")
  func percentiles() throws {
    let values = try #require(Percentiles(ofNanoseconds: (1...100).map(Int64.init).shuffled()))
    #expect(values.p50.nanoseconds == 50)
    #expect(values.p95.nanoseconds == 95)
    #expect(values.p99.nanoseconds == 99)
    #expect(values.max.nanoseconds == 100)
    #expect(Percentiles(ofNanoseconds: []) == nil)
  }
}
